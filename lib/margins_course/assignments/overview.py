"""What a chapter asks of a class: its exercises with their points, as a Markdown table for the guide.

(book: Teaching with this book, What there is to assign)
"""

import re

from margins_course.assignments.chapter import Chapter
from margins_course.assignments.exercise_text import ExerciseText

READING = re.compile(r"^\*Reading:\* *([^*]+?)\.? *(?:\*|$)", re.M)
COLUMNS = ("exercise", "kind", "difficulty", "visible check", "hidden checks", "by hand")


def table(chapter: Chapter) -> str:
    """The exercises of a chapter as a Markdown table under its title, with the time that reading takes."""
    reading = READING.search(chapter.prose)
    number = chapter.name.partition("_")[0].lstrip("0")
    lines = [
        f"**{chapter.title}** ({chapter.points:g} points): `margins-course release {number}`. "
        f"Reading: {reading[1] if reading else 'short'}.",
        "",
        _row(COLUMNS),
        "|---" * len(COLUMNS) + "|",
        *(_row(_cells(chapter, text)) for text in chapter.texts),
    ]
    return "\n".join(lines)


def _cells(chapter: Chapter, text: ExerciseText) -> tuple[str, ...]:
    """Title, kind and stars of an exercise, and its points by visible checks, hidden checks and hand."""
    checks = chapter.checks(text.label)
    shown = sum(cell.points for cell in checks if cell.kind == "check")
    hidden = sum(cell.points for cell in checks if cell.kind == "hidden-check")
    points = (f"{number:g}" if number else "–" for number in (shown, hidden, text.rubric_points))
    return (text.title, text.kind, "★" * text.stars, *points)


def _row(cells: tuple[str, ...]) -> str:
    return f"| {' | '.join(cells)} |"
