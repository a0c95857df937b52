"""Private checks: an instructor's own hidden checks, which are not in the public book.

A folder with one file per exercise, `<label>.py`: any Python that asserts, with seeds and data of its own.
Its first line is `# points: <number>`. (book: Teaching with this book, What is secret)
"""

import ast
import re
from dataclasses import replace
from pathlib import Path

from margins_course.assignments.chapter import Cell, Chapter
from margins_course.problems import CourseProblem

POINTS = re.compile(r"# points: *([0-9]{1,5}(?:\.[0-9]{1,9})?) *\r?\n")


def with_private_checks(chapter: Chapter, checks: dict[str, Cell]) -> Chapter:
    """The chapter with private checks, each behind the last check of its exercise."""
    cells = list(chapter.cells)
    for label in checks.keys() & set(chapter.exercises):
        last = max(place for place, cell in enumerate(cells) if cell.exercise == label)
        cells.insert(last + 1, checks[label])
    return replace(chapter, cells=tuple(cells))


def read_private_checks(folder: Path, coded: list[str]) -> dict[str, Cell]:
    """The checks in a folder by the label of their exercise, which must be one of `coded`."""
    if not folder.is_dir():
        raise CourseProblem(
            f"{folder} is not a folder; private_checks names one with <label>.py files, beside assignment.yml"
        )
    paths = sorted(folder.glob("*.py"))
    for path in paths:
        if path.stem not in coded:
            known = ", ".join(coded) or "none"
            raise CourseProblem(
                f"{path}: the assignment has no coded exercise {path.stem!r}; it has {known}. "
                "Rename the file, or move it away"
            )
    return {path.stem: _private_check(path) for path in paths}


def _private_check(path: Path) -> Cell:
    try:
        source = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise CourseProblem(f"{path} is not UTF-8 text; save it as UTF-8") from None
    points = POINTS.match(source)
    if not points or float(points[1]) == 0:
        first = source.partition("\n")[0]
        raise CourseProblem(f"{path}: the first line must be '# points: <number > 0>', but {first!r} came")
    try:
        ast.parse(source)
    except (SyntaxError, ValueError, MemoryError, RecursionError) as reason:
        raise CourseProblem(f"{path}: this is not Python: {reason}") from None
    name = f"{path.stem}--private-check-1"
    return Cell("hidden-check", source[points.end() :].strip(), path.stem, float(points[1]), name)
