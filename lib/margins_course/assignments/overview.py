"""What a chapter asks of a class: its exercises with their points, as a Markdown table for the guide.

(book: Teaching with this book, What there is to assign)
"""

import re

from margins_course.assignments.prose import EXERCISE

READING = re.compile(r"^\*Reading:\* *([^*]+?)\.? *(?:\*|$)", re.M)


def exercises(chapter):
    """Title, kind, stars, and points of visible and of hidden checks, for each exercise of a chapter."""
    text = "\n".join(cell.source for cell in chapter.cells if cell.kind == "text")
    for found in EXERCISE.finditer(text):
        title, _, rest = found["title"].partition(" · ")
        checks = [cell for cell in chapter.cells if cell.exercise == found["label"] and cell.is_graded]
        shown = sum(cell.points for cell in checks if cell.kind == "check")
        hidden = sum(cell.points for cell in checks if cell.kind == "hidden-check")
        yield title, rest.rstrip("★ "), rest.count("★"), shown, hidden


def table(chapter):
    """The exercises of a chapter as a Markdown table under its title, with the time that reading takes."""
    text = "\n".join(cell.source for cell in chapter.cells if cell.kind == "text")
    reading = READING.search(text)
    number = chapter.name.partition("_")[0].lstrip("0")
    lines = [
        f"**{chapter.title}** ({chapter.points:g} points): `margins-course release {number}`. "
        f"Reading: {reading[1] if reading else 'short'}.",
        "",
    ]
    lines += ["| exercise | kind | difficulty | visible check | hidden checks |", "|---|---|---|---|---|"]
    for title, kind, stars, shown, hidden in exercises(chapter):
        points = f"{shown:g} | {hidden:g}" if shown or hidden else "by hand | by hand"
        lines.append(f"| {title} | {kind} | {'★' * stars} | {points} |")
    return "\n".join(lines)
