"""The private overlay: an instructor's own hidden checks, kept out of the public book.

A folder with one file per exercise, `<label>.py`: any Python that asserts, with seeds and data of its own.
Its first line is `# points: <number>`. (book: Teaching with this book, What is secret)
"""

import ast
import re
from dataclasses import replace
from pathlib import Path

from margins_course.assignments.chapter import Cell
from margins_course.problems import CourseProblem

POINTS = re.compile(r"# points: *(\d+(?:\.\d+)?) *\n")


def with_overlay(chapter, folder):
    """The chapter with the folder's checks, each behind the last check of its exercise."""
    folder = Path(folder)
    if not folder.is_dir():
        raise CourseProblem(
            f"the private overlay {folder} is not a folder; expected one with <label>.py files"
        )
    cells = list(chapter.cells)
    for path in sorted(folder.glob("*.py")):
        if path.stem not in chapter.exercises:
            known = ", ".join(chapter.exercises)
            raise CourseProblem(f"{path}: {chapter.name} has no coded exercise {path.stem!r}; it has {known}")
        last = max(place for place, cell in enumerate(cells) if cell.exercise == path.stem)
        cells.insert(last + 1, _private_check(path))
    return replace(chapter, cells=tuple(cells))


def _private_check(path):
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
    except SyntaxError as reason:
        raise CourseProblem(f"{path}: this is not Python: {reason}") from None
    name = f"{path.stem}--private-check-1"
    return Cell("hidden-check", source[points.end() :].strip(), path.stem, float(points[1]), name)
