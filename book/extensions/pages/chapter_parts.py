"""The source of a chapter in parts, with their lines: results with what they refer to, excursions, cells."""

import re
from dataclasses import dataclass, field
from pathlib import Path

FENCE = re.compile(r"(:{3,}|`{3,})\{([\w:-]+)\} *(.*)")
LABEL = re.compile(r":label: *(\S+)")
USES = re.compile(r"% uses: *(.*)")
EQUATION = re.compile(r"\$\$ *\(([\w-]+)\)")
TARGET = re.compile(r"\(([\w-]+)\)=")
ROLE = re.compile(r"\{(?:prf:ref|ref|eq|numref)\}`(?:[^`<]*<)?([^`<>]+)>?`")
LINK = re.compile(r"\]\(#?([\w-]+)\)")


@dataclass
class Result:
    """A definition, theorem or the like with its proof: what it declares to use, and what it refers to."""

    line: int
    letter: str  # of the excursion in which it stands, "" in the spine
    label: str = ""
    uses: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)  # labels that lead to it: its own, those of its formulas
    references: list[tuple[int, str]] = field(default_factory=list)


@dataclass(frozen=True)
class Cell:
    """A cell of code."""

    line: int
    letter: str
    source: str


@dataclass(frozen=True)
class Section:
    """A section that is an excursion, with the labels before its heading."""

    letter: str
    names: tuple[str, ...]


@dataclass
class Page:
    """A chapter's page."""

    path: Path
    results: list[Result] = field(default_factory=list)
    cells: list[Cell] = field(default_factory=list)
    excursions: list[Section] = field(default_factory=list)

    @property
    def number(self) -> int:
        return int(self.path.stem.partition("_")[0])


def read_page(path: Path) -> Page:
    """The parts of a chapter's page.

    Parameters
    ----------
    path : Path
        The page, as `chapters/03_softmax_kernel.md`.
    """
    page, text = Page(path), path.read_text("utf8").split("\n")
    letter, names, number = "", (), 0
    while number < len(text):
        line = text[number]
        opened = FENCE.match(line)
        if target := TARGET.fullmatch(line.strip()):
            names = (*names, target[1])
        elif line.startswith("## "):
            letter = letter_of(text[number + 1 :])
            if letter:
                page.excursions.append(Section(letter, names))
        if line.strip() and not target:
            names = ()
        if opened and (opened[2] == "code-cell" or opened[2].startswith("prf:")):
            end = end_of(text, number, opened[1])
            add_block(page, opened[2], number + 1, text[number + 1 : end], letter)
            number = end
        number += 1
    page.results = [result for result in page.results if result.label]
    return page


def letter_of(below: list[str]) -> str:
    """The letter of a section with these lines below its heading, "" if it is no excursion."""
    first = next(filter(str.strip, below), "")
    opened = FENCE.match(first)
    return opened[3].strip() if opened and opened[2] == "excursion" else ""


def end_of(text: list[str], start: int, fence: str) -> int:
    """The line of the fence that closes a block."""
    return next((n for n in range(start + 1, len(text)) if text[n].strip() == fence), len(text))


def add_block(page: Page, kind: str, line: int, inside: list[str], letter: str) -> None:
    """Adds a cell, a result, or a proof to the result before it."""
    if kind == "code-cell":
        source = "\n".join(row for row in inside if not row.startswith(":"))
        page.cells.append(Cell(line, letter, source))
        return
    if kind != "prf:proof":
        page.results.append(Result(line, letter))
    if page.results:
        read_result(page.results[-1], line, inside)


def read_result(result: Result, line: int, inside: list[str]) -> None:
    """Adds to a result what the lines of its statement or its proof say of it."""
    for number, row in enumerate(inside, line + 1):
        if (label := LABEL.match(row)) and not result.label:
            result.label = label[1]
            result.names.append(label[1])
        if uses := USES.match(row):
            result.uses += re.findall(r"[^\s,]+", uses[1])
        result.names += EQUATION.findall(row)
        result.references += [(number, name) for name in ROLE.findall(row) + LINK.findall(row)]
