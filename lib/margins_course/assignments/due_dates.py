"""Due dates in a time zone, and the late rule: what lateness costs.

Where clocks are set forward, a time that does not exist is refused. Where they are set back, a time that
comes twice means the later one.
"""

import difflib
import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo, available_timezones

import yaml

from margins_course.assignments.yaml_file import YamlFile
from margins_course.wording import counted

DATE_FORM = re.compile(r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})[ T]+([0-9]{1,2}):([0-9]{2})(?::([0-9]{2}))?")
EXAMPLE = "2026-10-01 23:59"
YEARS = range(2000, 2200)


def read_zone(text: str) -> ZoneInfo:
    """The time zone of that name, or a ValueError that says which one may be meant."""
    try:
        return ZoneInfo(text)
    except (KeyError, ValueError, OSError):
        names = {name.casefold(): name for name in available_timezones()}
        near = difflib.get_close_matches(text.casefold(), names, 1, cutoff=0.5)
        hint = f"did you mean {names[near[0]]}?" if near else "expected a name such as Europe/Berlin"
        raise ValueError(f"unknown time zone {text!r}; {hint}") from None


def read_date(text: str, zone: ZoneInfo) -> datetime:
    """The moment that a text names in a time zone, or a ValueError that says why it names none."""
    form = DATE_FORM.fullmatch(text.strip())
    if not form:
        raise ValueError(f"{text!r} is no date with a time; expected one such as {EXAMPLE}")
    try:
        year, month, day, hour, minute, second = (int(part or 0) for part in form.groups())
        naive = datetime(year, month, day, hour, minute, second)
    except ValueError as reason:
        raise ValueError(f"{text!r} is no date: {reason}; expected one such as {EXAMPLE}") from None
    if naive.year not in YEARS:
        raise ValueError(f"{text!r} has the year {naive.year}; expected {YEARS[0]} to {YEARS[-1]}")
    moment = naive.replace(tzinfo=zone, fold=1)
    there = moment.astimezone(UTC).astimezone(zone)
    if there.replace(tzinfo=None, fold=0) != naive:
        remedy = "clocks are set forward over it; take an hour later"
        raise ValueError(f"{text!r} does not exist in {zone.key}: {remedy}")
    return moment


def date_in_words(moment: datetime) -> str:
    """A moment as students read it, with its time zone."""
    time = f"{moment:%H:%M:%S}".removesuffix(":00")
    return f"{moment:%A}, {moment.day} {moment:%B} {moment.year}, {time} ({moment.tzinfo})"


DAY = 24 * 60 * 60


@dataclass(frozen=True)
class LateRule:
    """What lateness costs: a share of the score for each day begun, everything after some days."""

    per_day: float = 0.0
    days: int | None = None  # after so many days the score is 0
    grace: timedelta = timedelta(0)

    def factor(self, seconds_late: float) -> float:
        if seconds_late <= max(0.0, self.grace.total_seconds()):
            return 1.0
        if self.days is not None and seconds_late > self.days * DAY:
            return 0.0
        return max(0.0, round(1 - self.per_day * math.ceil(seconds_late / DAY), 12))

    def in_words(self) -> str:
        """The rule for students, empty if lateness costs nothing."""
        if not self.per_day and self.days is None:
            return ""
        minutes = self.grace.total_seconds() / 60
        said = [f"the first {minutes:g} minutes after that cost nothing"] if minutes else []
        if self.per_day and self.days != 0:
            said.append(f"each day begun after that costs {100 * self.per_day:g} % of the score")
        if self.days is not None:
            after = f"more than {counted(self.days, 'day')} " if self.days else ""
            said.append(f"what comes {after}late scores 0")
        return "; ".join(said)


def read_late(file: YamlFile, node: yaml.Node | None) -> LateRule:
    """The rule in a file's mapping `late`."""
    values = file.known(node, "late", ("grace_minutes", "per_day", "days"))
    grace = file.value(values.get("grace_minutes"), "grace_minutes", _minutes, 0.0)
    per_day = file.value(values.get("per_day"), "per_day", _percent, 0.0)
    days = file.value(values.get("days"), "days", _days, None)
    return LateRule(per_day / 100, None if days is None else int(days), timedelta(minutes=grace))


def _reader(form: str, expected: str) -> Callable[[str], float]:
    """What reads a number of some form, or says in a ValueError what was expected."""

    def number(text: str) -> float:
        if not re.fullmatch(form, text):
            raise ValueError(f"must be {expected}, but got {text!r}")
        return float(text.rstrip(" %"))

    return number


_minutes = _reader(r"[0-9]{1,6}(\.[0-9]+)?", "a number such as 15")
_percent = _reader(r"0*(100(\.0+)?|[0-9]{1,2}(\.[0-9]+)?) *%", "0% to 100%, a percentage such as 10%")
_days = _reader("[0-9]{1,4}", "a whole number such as 3")
