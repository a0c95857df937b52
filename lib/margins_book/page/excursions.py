"""Excursions of a chapter, and what of the chapter goes with which.

An exercise goes with an excursion if it stands there, if its statement or a hint refers to something in it,
or if a line below its label says so, as results say what they use:

    :::{exercise-start} Pulls that survive saturation · code ★★★
    :label: att-stable
    % uses: att-prop-trap

The label is that of the excursion, or of anything in it. What a solution refers to does not count: a solution
is one of several. (book: Teaching with this book, Release)
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from margins_book.page import ChapterProblem
from margins_book.page.directives import Block, blocks
from margins_book.page.exercise_text import CellText, ExerciseText

HEADING = re.compile(r"## +(.+?) *")
TARGET = re.compile(r"\(([\w-]+)\)= *")
NAMED = re.compile(r"^ *:label: *(\S+)|\$\$ *\(([\w-]+)\)|^\(([\w-]+)\)= *$", re.M)
FIGURE = re.compile(r"^figures\.(\w+)|^@explore\(.*?^def (\w+)\(", re.M | re.S)
REFERENCE = re.compile(
    r"\{(?:prf:ref|ref|eq|numref)\}`(?:[^`<]*<)?([^`<>]+)>?`|\]\(#?([\w-]+)(?: +\"[^\"]*\")?\)"
)


@dataclass(frozen=True)
class Excursion:
    """A section that nothing before it needs: its name, such as 6.D, its title, the labels in it."""

    name: str
    title: str
    labels: frozenset[str]


def read_excursions(cells: Iterable[CellText], path: Path) -> tuple[Excursion, ...]:
    """The excursions of the chapter in the file `path`, from its cells in their order."""
    reader = _Reader(path)
    for cell in cells:
        if cell.is_code:
            reader.figures(cell.source)
        else:
            for block in blocks(cell.source.split("\n"), path.name, cell.first_line):
                reader.block(block)
    return tuple(Excursion(*key, frozenset(labels)) for key, labels in reader.found.items())


def excursions_of(text: ExerciseText, excursions: Iterable[Excursion]) -> tuple[Excursion, ...]:
    """Those with which an exercise goes, none if it needs the spine alone."""
    named = {text.label, *text.uses, *_names(REFERENCE, text.statement)}
    return tuple(excursion for excursion in excursions if named & excursion.labels)


def require_known_uses(texts: Iterable[ExerciseText], excursions: Iterable[Excursion], file: str) -> None:
    """A refusal if an exercise declares to use what stands in no excursion of the chapter."""
    known = set().union(*(excursion.labels for excursion in excursions))
    for text in texts:
        for label in text.uses:
            if label not in known:
                raise ChapterProblem(
                    f"{file}, exercise {text.label}: `% uses: {label}` names nothing in an excursion of this "
                    "chapter; expected the label of an excursion, or of a statement, formula or figure in one"
                )


def _names(pattern: re.Pattern, text: str) -> Iterator[str]:
    """What a pattern's groups find in a text."""
    return (name for found in pattern.finditer(text) for name in found.groups() if name)


def labels_of_figures(source: str) -> list[str]:
    """The labels of the figures that code shows; named ones may move (`ex-`) or stay as they are (`fig-`)."""
    found = [(kind, *match.groups()) for match in FIGURE.finditer(source) for kind in ("ex", "fig")]
    labels = [f"{kind}-{named or drawn}" for kind, named, drawn in found if named or kind == "ex"]
    return [label.replace("_", "-") for label in labels]


class _Reader:
    """The labels of the excursions that were read so far, by name and title, and those of the open one."""

    def __init__(self, path: Path):
        self.file = path.name
        number = path.stem.partition("_")[0].lstrip("0")
        self.start = f"{number}." if number.isdecimal() else ""
        self.found: dict[tuple[str, str], set[str]] = {}
        self.open: set[str] | None = None
        self.title = ""
        self.targets: list[str] = []  # labels before a heading that may come

    def block(self, block: Block) -> None:
        """Reads a line of text or a directive."""
        (first, *_), heading = block.lines, HEADING.fullmatch(block.lines[0])
        if target := TARGET.fullmatch(first):
            self.targets.append(target[1])
        elif heading:
            self.open, self.title = None, heading[1]
        elif block.directive and block.directive.name == "excursion":
            self._begin(block.directive.argument, block.number)
        elif first.strip():
            self._add(self.targets, _names(NAMED, "\n".join(block.lines)))
            self.targets = []

    def figures(self, source: str) -> None:
        """Reads a code cell."""
        self._add(labels_of_figures(source))

    def _begin(self, letter: str, line: int) -> None:
        name, place = f"{self.start}{letter}", f"{self.file}, line {line}"
        if not re.fullmatch("[A-Z]", letter):
            raise ChapterProblem(f"{place}: {letter!r} is no letter of an excursion; write {{excursion}} A")
        if name in [known for known, _ in self.found]:
            raise ChapterProblem(f"{place}: a second excursion {letter}; choose another letter")
        self.open = self.found[name, self.title] = set(self.targets)
        self.targets = []

    def _add(self, *labels: Iterable[str]) -> None:
        if self.open is not None:
            self.open.update(*labels)
