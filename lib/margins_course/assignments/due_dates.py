"""Due dates in a time zone, and the late rule: what lateness costs.

Where clocks are set forward, a time that does not exist is refused. Where they are set back, a time that
comes twice means the later one.
"""

import difflib
import math
import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo, available_timezones

import yaml

from margins_course.assignments.yaml_file import YamlFile

DATE_FORM = re.compile(r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})[ T]+([0-9]{1,2}):([0-9]{2})(?::([0-9]{2}))?")
EXAMPLE = "2026-10-01 23:59"
YEARS = range(2000, 2200)


class BadDateError(ValueError):
    """A date or time zone that cannot be used; the message says why."""


def read_zone(text: str) -> ZoneInfo:
    try:
        return ZoneInfo(text)
    except (KeyError, ValueError, OSError):
        names = {name.casefold(): name for name in available_timezones()}
        near = difflib.get_close_matches(text.casefold(), names, 1, cutoff=0.5)
        hint = f"did you mean {names[near[0]]}?" if near else "expected a name such as Europe/Berlin"
        raise BadDateError(f"unknown time zone {text!r}; {hint}") from None


def read_date(text: str, zone: ZoneInfo) -> datetime:
    form = DATE_FORM.fullmatch(text.strip())
    if not form:
        raise BadDateError(f"{text!r} is no date with a time; expected one such as {EXAMPLE}")
    try:
        year, month, day, hour, minute, second = (int(part or 0) for part in form.groups())
        naive = datetime(year, month, day, hour, minute, second)
    except ValueError as reason:
        raise BadDateError(f"{text!r} is no date: {reason}; expected one such as {EXAMPLE}") from None
    if naive.year not in YEARS:
        raise BadDateError(f"{text!r} has the year {naive.year}; expected {YEARS[0]} to {YEARS[-1]}")
    moment = naive.replace(tzinfo=zone, fold=1)
    there = moment.astimezone(UTC).astimezone(zone)
    if there.replace(tzinfo=None, fold=0) != naive:
        raise BadDateError(
            f"{text!r} does not exist in {zone.key}: clocks are set forward over it; take an hour later"
        )
    return moment


def date_in_words(moment: datetime) -> str:
    """A moment as students read it, with its time zone."""
    time = f"{moment:%H:%M:%S}".removesuffix(":00")
    return f"{moment:%A}, {moment.day} {moment:%B} {moment.year}, {time} ({moment.tzinfo})"


KEYS = ("grace_minutes", "per_day", "days")
DAY = 24 * 60 * 60
NUMBER = re.compile(r"[0-9]{1,6}(\.[0-9]+)?")
WHOLE = re.compile(r"[0-9]{1,4}")


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
            days = "1 day" if self.days == 1 else f"{self.days} days"
            said.append(
                f"what comes more than {days} late scores 0" if self.days else "what comes late scores 0"
            )
        return "; ".join(said)


def read_late(file: YamlFile, node: yaml.Node | None) -> LateRule:
    """The rule in a file's mapping `late`."""
    values = file.known(node, "late", KEYS) if node else {}
    grace = matching(file, values, "grace_minutes", NUMBER, "a number such as 15") or "0"
    per_day = (
        matching(file, values, "per_day", re.compile(rf"{NUMBER.pattern} *%"), "a percentage such as 10%")
        or "0%"
    )
    days = matching(file, values, "days", WHOLE, "a whole number such as 3")
    share = float(per_day.rstrip(" %")) / 100
    if share > 1:
        file.refuse(values["per_day"], f"per_day must be 0% to 100%, but got {per_day!r}")
    return LateRule(share, None if days is None else int(days), timedelta(minutes=float(grace)))


def matching(
    file: YamlFile, values: dict[str, yaml.Node], key: str, form: re.Pattern, expected: str
) -> str | None:
    """The text of a key that must have a form, None if the key is not there."""
    if key not in values:
        return None
    text = file.text(values[key], key)
    if not form.fullmatch(text):
        file.refuse(values[key], f"{key} must be {expected}, but got {text!r}")
    return text
