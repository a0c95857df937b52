"""The check cells of a page: cells with assertions outside exercises, by what they check, and what they need.

A check is named after the label that stands before it (of a statement, a section or a figure) and counted:
`rf-thm-three-1` is the first check cell after the label `rf-thm-three`.
(book: Teaching with this book, Release)
"""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from margins_book.chapters import Chapter
from margins_book.digests import digest
from margins_book.page.chapter import Cell, read_chapter
from margins_book.page.selection import needed_cells

# `:label: name` of a directive, `(name)=` before a heading; labels of formulas are not counted
LABEL = re.compile(r"^:label: ([\w-]+)$|^\(([\w-]+)\)=$", re.M)
ASSERTS = re.compile(r"^\s*(assert\b|bounded\()", re.M)


@dataclass(frozen=True)
class Piece:
    """A cell that is run, or what of it the checks need; `check` is its name if it asserts something."""

    source: str
    check: str = ""


def pieces(chapter: Chapter) -> list[Piece]:
    """The check cells of a chapter and, of its other cells, the statements that these need, in order."""
    cells = [_as_check(cell, name) for cell, name in named_cells(chapter)]
    kept = [cell for cell in needed_cells(cells) if cell.kind in ("setup", "check") and not cell.exercise]
    return [Piece(cell.source, cell.name) for cell in kept]


def digests(chapter: Chapter) -> dict[str, str]:
    """By check, the digest of its code with the statements before it that it needs; comments do not count."""
    before: list[Cell] = []
    found = {}
    for cell, name in named_cells(chapter):
        if name:
            needed = needed_cells([*before, replace(cell, kind="check")])
            found[name] = digest(ast.parse("\n".join(part.source for part in needed)))
        if cell.kind == "setup":
            before.append(cell)
    return found


def named_cells(chapter: Chapter) -> Iterator[tuple[Cell, str]]:
    """Each cell of a chapter with the name of the check that it is, "" for others."""
    label = "start"
    counts: Counter[str] = Counter()
    for cell in read_chapter(chapter.page).cells:
        if cell.kind == "text":
            found = LABEL.findall(cell.source)
            label = "".join(found[-1]) if found else label
        is_check = cell.kind == "setup" and ASSERTS.search(cell.source)
        counts[label] += bool(is_check)
        yield cell, f"{label}-{counts[label]}" if is_check else ""


def _as_check(cell: Cell, name: str) -> Cell:
    return replace(cell, kind="check", name=name) if name else cell
