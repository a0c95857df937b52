"""MyST directives and code blocks in a chapter's text: options, bodies, the lines that close their fences.

A fence of n colons or backticks is closed by the first line of n or more of them, as in the rendered book.
(book: Teaching with this book, Release)
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from margins_book.page import ChapterProblem

OPENING = re.compile(r"(?P<fence>:{3,}|`{3,})\{(?P<name>[^}]+)\} *(?P<argument>.*?) *")
OPTION = re.compile(r":([\w-]+): *(.*?) *")
CODE = re.compile(r"(?: *(?:[-*+]|[0-9]{1,9}[.)]))? *(?P<fence>`{3,}(?=[^`]*$)|~{3,}).*")


@dataclass(frozen=True)
class Directive:
    """What a directive says; `opening` is its first line, `body` stands between its options and its end."""

    opening: str
    name: str
    argument: str
    options: dict[str, str]
    body: tuple[str, ...]


@dataclass(frozen=True)
class Block:
    """A line of text, a block of code or a directive, with all of its lines."""

    lines: tuple[str, ...]
    number: int  # of the first line
    is_code: bool = False
    directive: Directive | None = None


def blocks(lines: Sequence[str], file: str, first: int = 1, outer: tuple[str, ...] = ()) -> Iterator[Block]:
    """The lines of a text in blocks; a ChapterProblem where a fence is never closed.

    The text begins on line `first` of `file`. Directives whose names are in `outer` may not stand in it.
    """
    place = 0
    while place < len(lines):
        line = lines[place]
        opening, code = OPENING.fullmatch(line), CODE.fullmatch(line)
        if opening and opening["name"] in outer:
            raise ChapterProblem(
                f"{file}, line {first + place}: {line!r} came before the end of another directive; expected "
                "first the line of colons or backticks that closes that"
            )
        if found := opening or code:
            last = _last_line(lines, place, found["fence"], file, first)
            inside = tuple(lines[place : last + 1])
            made = _directive(inside, opening) if opening else None
            yield Block(inside, first + place, is_code=not opening, directive=made)
            place = last
        else:
            yield Block((line,), first + place)
        place += 1


def _directive(lines: tuple[str, ...], opening: re.Match) -> Directive:
    options, start = {}, 1
    while option := OPTION.fullmatch(lines[start]):
        options[option[1]] = option[2]
        start += 1
    return Directive(lines[0], opening["name"], opening["argument"], options, lines[start:-1])


def _last_line(lines: Sequence[str], place: int, fence: str, file: str, first: int) -> int:
    """The index of the line that closes the fence which opens on the line at `place`."""
    closing = re.compile(rf" *{fence[0]}{{{len(fence)},}} *")
    shorter = ""
    for index in range(place + 1, len(lines)):
        if closing.fullmatch(lines[index]):
            return index
        if not shorter and re.fullmatch(rf"{fence[0]}{{3,}} *", lines[index]):
            shorter = f"line {first + index} has {lines[index].strip()!r}, which is shorter"
    expected = f"expected a line of {len(fence)} or more times {fence[0]!r}"
    got = shorter or "the text ends before it"
    raise ChapterProblem(
        f"{file}, line {first + place}: the fence of {lines[place]!r} is never closed; {expected}, but {got}"
    )
