"""Due dates in a time zone: read from text, said in words.

Where clocks are set forward, a time that does not exist is refused. Where they are set back, a time that
comes twice means the later one. (book: Teaching with this book, Release)
"""

import difflib
import re
from datetime import UTC, datetime
from zoneinfo import ZoneInfo, available_timezones

FORM = re.compile(r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})[ T]+([0-9]{1,2}):([0-9]{2})(?::([0-9]{2}))?")
EXAMPLE = "2026-10-01 23:59"
YEARS = range(2000, 2200)
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip


class BadDateError(ValueError):
    """A date or time zone that cannot be used; the message says why."""


def read_zone(text: str) -> ZoneInfo:
    """The time zone with a name such as Europe/Berlin."""
    try:
        return ZoneInfo(text)
    except (KeyError, ValueError, OSError):
        names = {name.casefold(): name for name in available_timezones()}
        near = difflib.get_close_matches(text.casefold(), names, 1, cutoff=0.5)
        hint = f"did you mean {names[near[0]]}?" if near else "expected a name such as Europe/Berlin"
        raise BadDateError(f"unknown time zone {text!r}; {hint}") from None


def read_date(text: str, zone: ZoneInfo) -> datetime:
    """The moment that a text names in a time zone."""
    form = FORM.fullmatch(text.strip())
    if not form:
        raise BadDateError(f"{text!r} is no date with a time; expected one such as {EXAMPLE}")
    try:
        naive = datetime(*(int(part or 0) for part in form.groups()))
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


def in_words(moment: datetime) -> str:
    """A moment as students read it, with its time zone."""
    day = f"{DAYS[moment.weekday()]}, {moment.day} {MONTHS[moment.month - 1]} {moment.year}"
    time = f"{moment:%H:%M:%S}".removesuffix(":00")
    return f"{day}, {time} ({moment.tzinfo})"
