"""Points, durations and untrusted text as people read them: every character of the text is visible."""

import re
import unicodedata

UNITS = (("day", 86_400), ("hour", 3600), ("minute", 60))


def format_points(value: float) -> str:
    """Points without needless digits."""
    return f"{round(value, 2):g}".replace("-", "\N{MINUS SIGN}")


def points_in_words(value: float) -> str:
    return f"{format_points(value)} point" + ("" if abs(value) == 1 else "s")


def counted(number: int, what: str) -> str:
    """A number of things: 1 page, 2 pages."""
    return f"{number} {what}" + ("" if number == 1 else "s")


def duration(seconds: float) -> str:
    """A length of time in its two largest units."""
    parts, left = [], int(seconds)
    for unit, size in UNITS:
        count, left = divmod(left, size)
        if count:
            parts.append(counted(count, unit))
    return " and ".join(parts[:2]) or "less than a minute"


MOST_COMBINING_MARKS = 3  # combining characters on one letter; more would cover other lines
DIRECTION_MARKS = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # which turn a line around
INVISIBLE_CHARACTERS = "\u00ad\u180e\u200b\u2060-\u2064\u206a-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f"
CONTROLS = "\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff"
UNSEEN = re.compile(f"[{CONTROLS}{DIRECTION_MARKS}{INVISIBLE_CHARACTERS}]")
NOT_ASCII = re.compile("[^\x00-\u02ff]+")


def visible(text: str) -> str:
    """The text with a name such as [U+202E] in place of each character that hides or turns others."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return NOT_ASCII.sub(_fewer_marks, UNSEEN.sub(lambda match: f"[U+{ord(match[0]):04X}]", text))


def _fewer_marks(match: re.Match) -> str:
    kept, marks = [], 0
    for character in match[0]:
        marks = marks + 1 if unicodedata.category(character) in ("Mn", "Me") else 0
        if marks <= MOST_COMBINING_MARKS:
            kept.append(character)
    return "".join(kept)


def shortened(text: str, characters: int, lines: int) -> str:
    """The beginning of a text: at most so many characters and lines."""
    text = text[:characters]
    return text if text.count("\n") < lines else "\n".join(text.split("\n", lines)[:lines])
