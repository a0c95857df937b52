"""Names that the command takes: of Python functions, of exercises, of chapters that exist."""

import builtins
import keyword
import re

from margins_book.chapters import Chapter, chapters
from margins_book.new.edits import Refusal

FUNCTION = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
LABEL = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)+")


def require_function_name(name: str) -> None:
    """A refusal unless `name` can be the name of a function of the book."""
    if not FUNCTION.fullmatch(name):
        expected = "a Python name of small letters and digits, its words joined by _"
        raise Refusal(f"the name {name!r} came; expected {expected}: {suggestion(name)!r}, for example")
    if keyword.iskeyword(name) or hasattr(builtins, name):
        raise Refusal(f"the name {name!r} came, which Python uses itself; expected another, such as {name}_1")


def require_label(label: str) -> None:
    """A refusal unless `label` can be the label of an exercise, as `svm-intercept`."""
    if not LABEL.fullmatch(label):
        expected = "the chapter's prefix and a name, of small letters and digits, joined by -"
        raise Refusal(f"the label {label!r} came; expected {expected}: 'svm-intercept', for example")


def suggestion(name: str) -> str:
    """What is nearest to `name` in the form that is expected."""
    words = re.findall(r"[a-z0-9]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower())
    return "_".join(words).lstrip("0123456789_") or "name"


def find_chapter(wanted: str) -> Chapter:
    """The chapter of that number, topic or file name."""
    for chapter in chapters():
        if wanted.lstrip("0") == str(chapter.number) or wanted in (chapter.topic, chapter.page.stem):
            return chapter
    listed = ", ".join(f"{chapter.number} ({chapter.topic})" for chapter in chapters())
    raise Refusal(f"there is no chapter {wanted!r}; expected the number or topic of one of: {listed}")
