"""Feedback: a page for each student, that stands by itself and asks nothing of any other host.

(book: Teaching with this book, Feedback)
"""

import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from margins_course.assignments.settings import read_settings
from margins_course.assignments.sheet import Sheet, read_sheet
from margins_course.folder import CourseFolder, write
from margins_course.grading.hand_marks import HandMark, read_hand_marks
from margins_course.grading.results import Result, read_result
from margins_course.grading.totals import Total, totals
from margins_course.pages.answers import ANSWER_CSS
from margins_course.pages.feedback_card import card, reached, state
from margins_course.pages.feedback_words import lateness_sentences, refusal, total_sentence
from margins_course.pages.formula_box import FormulaBox
from margins_course.pages.policy import policy
from margins_course.pages.student_text import authors_line, words_html
from margins_course.words import number, points

STYLE = ANSWER_CSS + Path(__file__).with_name("feedback.css").read_text(encoding="utf-8")
ANSWER_SECONDS, PAGE_SECONDS = 10.0, 30.0  # to set one student's own text
PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Feedback: {title}, {name}</title>
<style>{style}</style>
</head>
<body>
<header class="top">
<p class="eyebrow">Feedback for <bdi>{name}</bdi></p>
<h1>{title}</h1>
</header>
<main>
{content}
</main>
</body>
</html>
"""


def write_feedback(course: CourseFolder, name: str, progress: Callable[[int, int], None]) -> list[Path]:
    """The pages of everybody whose work came, marked or refused; their paths."""
    sheet = read_sheet(course.source_text(name))
    extensions, marks = read_settings(course, name).extensions, read_hand_marks(course, name)
    due = [total for total in totals(course, name) if total.standing.status != "missing"]
    paths = []
    for done, total in enumerate(due, 1):
        own = {exercise: mark for (student, exercise), mark in marks.items() if student == total.student.id}
        result = read_result(course.result(name, total.student.id)) if total.exercises else None
        paths.append(course.notebook("feedback", name, total.student.id).with_suffix(".html"))
        write(paths[-1], page(sheet, total, result, own, extensions.get(total.student.id)))
        progress(done, len(due))
    return paths


def page(
    sheet: Sheet,
    total: Total,
    result: Result | None,
    marks: dict[str, HandMark],
    extension: datetime | None = None,
) -> str:
    """The HTML of one student's feedback; `marks` are the points by hand, by the exercise's label."""
    if total.standing.status == "refused":
        content = refusal(sheet.title, total.standing.reason)
    elif result is None:
        content = '<section class="score"><p>Your work came and is not marked yet.</p></section>'
    else:
        content = "\n".join(
            [_score(total, extension), _overview(sheet, total), *_cards(sheet, total, result, marks)]
        )
    names = {
        "title": words_html(sheet.title),
        "name": words_html(total.student.name or total.student.id, 200),
    }
    return PAGE.format(content=content, style=STYLE, policy=policy(STYLE), **names)


def _score(total: Total, extension: datetime | None) -> str:
    """The total with its bar and its sentences."""
    so_far = sum(score.points or 0.0 for score in total.exercises)
    shown = so_far if total.score is None else total.score
    late = "".join(f"<p>{sentence}</p>" for sentence in lateness_sentences(total, extension))
    return (
        f'<section class="score"><p class="points"><strong>{number(shown)}</strong>'
        f" of {points(total.out_of)}</p>"
        f'<progress max="{total.out_of or 1:g}" value="{shown:g}" aria-label="Points reached"></progress>'
        f"<p>{total_sentence(total)}</p>{late}</section>"
    )


def _overview(sheet: Sheet, total: Total) -> str:
    """All exercises with their points, each a link to its card."""
    rows = "".join(
        f'<li><a href="#exercise-{place}">{authors_line(exercise.title)}</a>'
        f'<span class="reached {state(score)}">{reached(score)}</span></li>\n'
        for place, (exercise, score) in enumerate(_scored(sheet, total), 1)
    )
    return f'<nav aria-label="Exercises"><ol class="overview">{rows}</ol></nav>'


def _cards(sheet: Sheet, total: Total, result: Result, marks: dict[str, HandMark]) -> list[str]:
    """The cards of all exercises, made within the time of a page."""
    end, cards = time.monotonic() + PAGE_SECONDS, []
    with FormulaBox() as box:
        for place, (exercise, score) in enumerate(_scored(sheet, total), 1):
            left = min(ANSWER_SECONDS, end - time.monotonic())
            mark = marks.get(exercise.label)
            cards.append(card(place, exercise, score, result, mark, left, box.mathml))
    return cards


def _scored(sheet: Sheet, total: Total) -> list[tuple]:
    return [(sheet.exercise(score.label), score) for score in total.exercises]
