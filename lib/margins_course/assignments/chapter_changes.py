"""An instructor's changes to a chapter: other points for an exercise, hidden checks of their own.

Hidden checks of an instructor's own lie in a folder with one file per exercise, `<label>.py`: any Python that
asserts, with seeds and data of its own. Its first line is `# points: <number>`.
"""

import ast
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from margins_book.page.chapter import Cell, Chapter
from margins_course import CourseProblem


def share_points(points: float, parts: list[float]) -> list[float]:
    """Hundredths in proportion to `parts` that sum to `points`; the largest rests are rounded up."""
    hundredths = round(100 * points)
    exact = [hundredths * Fraction(part) / sum(map(Fraction, parts)) for part in parts]
    given = [int(share) for share in exact]
    by_rest = sorted(range(len(parts)), key=lambda place: given[place] - exact[place])
    for place in by_rest[: hundredths - sum(given)]:
        given[place] += 1
    return [number / 100 for number in given]


def with_points(chapter: Chapter, label: str, points: float) -> Chapter:
    """The chapter with one exercise worth `points`, its checks and rubric lines in proportion."""
    text, checks = chapter.text(label), chapter.checks(label)
    made = share_points(points, [*(cell.points for cell in checks), *(line.points for line in text.rubric)])
    if 0 in made:
        problem = f"{points:g} points are too few for the {len(made)} checks and rubric lines of {label}"
        raise CourseProblem(f"{problem}; give more, or take the number away to use the chapter's own")
    by_name = dict(zip((cell.name for cell in checks), made, strict=False))
    by_line = zip(text.rubric, made[len(checks) :], strict=True)
    lines = tuple(replace(line, points=number) for line, number in by_line)
    texts = tuple(replace(t, rubric=lines) if t is text else t for t in chapter.texts)
    cells = tuple(replace(cell, points=by_name.get(cell.name, cell.points)) for cell in chapter.cells)
    return replace(chapter, cells=cells, texts=texts)


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
        expected = "private_checks names one with <label>.py files, beside assignment.yml"
        raise CourseProblem(f"{folder} is not a folder; {expected}")
    paths = sorted(folder.glob("*.py"))
    for path in paths:
        if path.stem not in coded:
            known = ", ".join(coded) or "none"
            problem = f"the assignment has no coded exercise {path.stem!r}; it has {known}"
            raise CourseProblem(f"{path}: {problem}. Rename the file, or move it away")
    return {path.stem: _private_check(path) for path in paths}


def _private_check(path: Path) -> Cell:
    try:
        source = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise CourseProblem(f"{path} is not UTF-8 text; save it as UTF-8") from None
    points = POINTS.match(source)
    if not points or float(points[1]) == 0:
        first = source.partition("\n")[0]
        raise CourseProblem(f"{path}: the first line must be '# points: <number > 0>', but got {first!r}")
    try:
        ast.parse(source)
    except (SyntaxError, ValueError, MemoryError, RecursionError) as reason:
        raise CourseProblem(f"{path}: this is not Python: {reason}") from None
    name = f"{path.stem}--private-check-1"
    return Cell("hidden-check", source[points.end() :].strip(), path.stem, float(points[1]), name)
