"""A chapter cut down to the exercises that an assignment takes from it, with the set-up that they need.

(book: Teaching with this book, Release)
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from margins_course.assignments.chapter import Cell, Chapter
from margins_course.assignments.slices import needed


@dataclass(frozen=True)
class Cut:
    """Some exercises of a chapter, in the order in which students see them; `page` is its address."""

    chapter: Chapter
    page: str
    labels: tuple[str, ...]
    setup: tuple[Cell, ...]  # of the kinds "setup" and "hidden-setup"
    work: tuple[Cell, ...]  # solutions, checks, and the code in statements, of the kind "example"

    @property
    def solutions(self) -> list[Cell]:
        return [cell for cell in self.work if cell.kind == "solution"]

    def work_of(self, label: str) -> list[Cell]:
        """The code of one exercise."""
        return [cell for cell in self.work if cell.exercise == label]


def cut(chapter: Chapter, page: str, labels: tuple[str, ...]) -> Cut:
    """The exercises `labels` of a chapter whose published page is `page`."""
    examples = dict(_examples(chapter, labels))
    cells = [examples.get(cell.source, cell) for cell in chapter.cells if cell.kind != "text"]
    cells = [cell for cell in cells if not cell.exercise or cell.exercise in labels]
    work = tuple(cell for cell in cells if cell.exercise)
    return Cut(chapter, page, labels, tuple(_setup(cells)), work)


def _examples(chapter: Chapter, labels: tuple[str, ...]) -> Iterator[tuple[str, Cell]]:
    """The code in the statements of exercises, as cells of these exercises."""
    for label in labels:
        for number, source in enumerate(chapter.text(label).examples, 1):
            yield source, Cell("example", source, label, name=f"{label}--example-{number}")


def _setup(cells: list[Cell]) -> list[Cell]:
    """Set-up in two parts: what students and visible checks use, and what hidden checks use besides."""
    shown = [cell for cell in needed([c for c in cells if c.kind != "hidden-check"]) if cell.kind == "setup"]
    everything = [cell for cell in needed(cells) if cell.kind == "setup"]
    return shown + [replace(cell, kind="hidden-setup") for cell in everything if cell not in shown]
