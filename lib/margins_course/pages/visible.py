"""Text in which no character hides, turns others round or covers other lines, so that all of it can be seen.

(book: Teaching with this book, Review)
"""

import re
import unicodedata

from margins_course.words import fenced

MOST_MARKS = 3  # combining characters on one letter; more would cover other lines
TURNING = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # they change the order in which a line is read
HIDING = "\u00ad\u180e\u200b\u2060-\u2064\u206a-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f"
CONTROLS = "\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff"
UNSEEN = re.compile(f"[{CONTROLS}{TURNING}{HIDING}]")
NOT_ASCII = re.compile("[^\x00-\u02ff]+")


def visible(text: str) -> str:
    """The text with a name such as [U+202E] in place of each character that hides or turns others."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return NOT_ASCII.sub(_fewer_marks, UNSEEN.sub(lambda match: f"[U+{ord(match[0]):04X}]", text))


def _fewer_marks(match: re.Match) -> str:
    kept, marks = [], 0
    for character in match[0]:
        marks = marks + 1 if unicodedata.category(character) in ("Mn", "Me") else 0
        if marks <= MOST_MARKS:
            kept.append(character)
    return "".join(kept)


def shortened(text: str, characters: int, lines: int) -> str:
    """The beginning of a text: at most so many characters and lines."""
    text = text[:characters]
    return text if text.count("\n") < lines else "\n".join(text.split("\n", lines)[:lines])


def as_plain_text(text: str) -> str:
    """Markdown of a block that shows `text` as it is, for tools that render Markdown themselves."""
    return fenced(visible(text), "text")
