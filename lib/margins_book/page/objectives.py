"""What a chapter's card promises, and which exercises train it.

An objective is a line of the card's list; the role at its end names the exercises by their labels, as in
`- **predict** what long keys do; {exercises}`softmax-near-or-long``. One that nothing trains is refused.
(book: Teaching with this book, A plan for ninety minutes)
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from margins_book.page import ChapterProblem
from margins_book.page.directives import blocks

OBJECTIVE = re.compile(r"- (\*\*.+?)[;.] *\{exercises\}`([^`]+)`")
EXPECTED = "expected '- **verb** what the reader learns; {exercises}`label, label`'"


@dataclass(frozen=True)
class Objective:
    """A line of the card without its last sign, and the labels of the exercises that train it."""

    words: str
    exercises: tuple[str, ...]


def read_objectives(text: str, known: Collection[str], file: str) -> tuple[Objective, ...]:
    """The objectives on the card of a chapter with exercises of the labels `known`; none without a card."""
    return tuple(_objective(line, known, file) for line in _lines_of_card(text, file))


def _lines_of_card(text: str, file: str) -> Iterator[str]:
    """The items of the list on the card."""
    for block in blocks(text.split("\n"), file):
        if block.directive and "card" in block.directive.options.get("class", "").split():
            inside = blocks(block.directive.body, file)
            yield from (one.lines[0] for one in inside if not one.directive and one.lines[0].startswith("- "))


def _objective(line: str, known: Collection[str], file: str) -> Objective:
    """The objective in a line; a ChapterProblem if no exercise of the chapter trains it."""
    found = OBJECTIVE.fullmatch(line.rstrip())
    if not found:
        raise ChapterProblem(f"{file}: the card says {line!r}; {EXPECTED}")
    labels = labels_in(found[2])
    if unknown := [label for label in labels if label not in known]:
        raise ChapterProblem(f"{file}: the card names {unknown[0]!r}, but no exercise has this label")
    return Objective(found[1], labels)


def labels_in(text: str) -> tuple[str, ...]:
    """The labels in the role, `softmax-features, softmax-linear`."""
    return tuple(label.strip() for label in text.split(","))
