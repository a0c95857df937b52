"""The points of an exercise, shared anew among its checks and rubric lines.

(book: Teaching with this book, Release)
"""

from dataclasses import replace
from fractions import Fraction

from margins_course.assignments.chapter import Chapter
from margins_course.problems import CourseProblem


def shared(points: float, parts: list[float]) -> list[float]:
    """Hundredths in proportion to `parts` that sum to `points`; the largest rests are rounded up."""
    hundredths = round(100 * points)
    exact = [hundredths * Fraction(part) / sum(map(Fraction, parts)) for part in parts]
    given = [int(share) for share in exact]
    by_rest = sorted(range(len(parts)), key=lambda place: given[place] - exact[place])
    for place in by_rest[: hundredths - sum(given)]:
        given[place] += 1
    return [number / 100 for number in given]


def worth(chapter: Chapter, label: str, points: float) -> Chapter:
    """The chapter with one exercise worth `points`, its checks and rubric lines in proportion."""
    text, checks = chapter.text(label), chapter.checks(label)
    made = shared(points, [*(cell.points for cell in checks), *(line.points for line in text.rubric)])
    if 0 in made:
        raise CourseProblem(
            f"{points:g} points are too few for the {len(made)} checks and rubric lines of {label}; "
            "give more, or take the number away to use the chapter's own"
        )
    by_name = dict(zip((cell.name for cell in checks), made, strict=False))
    lines = tuple(
        replace(line, points=number) for line, number in zip(text.rubric, made[len(checks) :], strict=True)
    )
    texts = tuple(replace(t, rubric=lines) if t is text else t for t in chapter.texts)
    cells = tuple(replace(cell, points=by_name.get(cell.name, cell.points)) for cell in chapter.cells)
    return replace(chapter, cells=cells, texts=texts)


def without_rubrics(chapter: Chapter) -> Chapter:
    """The chapter with nothing that a person must mark."""
    return replace(chapter, texts=tuple(replace(text, rubric=()) for text in chapter.texts))
