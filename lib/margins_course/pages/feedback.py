"""The feedback page of each student: one HTML file that loads nothing from other hosts.

(book: Teaching with this book, Feedback)
"""

import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from margins_course.assignments.due_dates import LateRule, date_in_words
from margins_course.assignments.settings import read_settings
from margins_course.assignments.sheet import Sheet, read_sheet
from margins_course.folder import CourseFolder, write
from margins_course.grading.results import HandMark, Result
from margins_course.grading.totals import Total, totals
from margins_course.pages.feedback_card import exercise_card, points_earned, state
from margins_course.pages.formula_sandbox import FormulaProcess
from margins_course.pages.student_html import (
    ANSWER_CSS,
    answer_html,
    authors_line,
    content_security_policy,
    inline_html,
)
from margins_course.wording import duration, format_points, points_in_words

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
<meta name="margins-course" content="{digest}">
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

OUTSIDE = """\
<section class="card">
<h2>Outside of the exercises</h2>
<p>What you wrote here ran, too: set-up that you changed after the set-up that you were given.</p>
{}
</section>
"""


def write_feedback(course: CourseFolder, name: str, progress: Callable[[int, int], None]) -> list[Path]:
    """The pages of everybody whose work came, marked or refused; their paths."""
    sheet = read_sheet(course.source_text(name))
    settings, everybody = read_settings(course, name), totals(course, name)
    due = [total for total in everybody if total.standing.status != "missing"]
    for total in everybody:
        if total.standing.status == "missing":  # the file turned out to be another's
            course.feedback(name, total.student.id).unlink(missing_ok=True)
    paths = []
    for done, total in enumerate(due, 1):
        paths.append(course.feedback(name, total.student.id))
        extension = settings.extensions.get(total.student.id)
        write(paths[-1], page(sheet, total, total.result, dict(total.marks), extension, settings.late))
        progress(done, len(due))
    return paths


def page(
    sheet: Sheet,
    total: Total,
    result: Result | None,
    marks: dict[str, HandMark],
    extension: datetime | None = None,
    late: LateRule | None = None,
) -> str:
    """The HTML of one student's feedback; `marks` are the points by hand, by the exercise's label."""
    if total.standing.status == "refused":
        content = refusal_html(sheet.title, total.standing.reason)
    elif result is None:
        content = '<section class="score"><p>Your work came and is not marked yet.</p></section>'
    else:
        content = "\n".join(
            [_score(total, extension, late), _overview(sheet, total), *_cards(sheet, total, result, marks)]
        )
    names = {
        "title": inline_html(sheet.title),
        "name": inline_html(total.student.name or total.student.id, 200),
    }
    parts = {"style": STYLE, "policy": content_security_policy(STYLE), "digest": total.digest}
    return PAGE.format(content=content, **parts, **names)


def _score(total: Total, extension: datetime | None, rule: LateRule | None) -> str:
    """The total with its bar and its sentences."""
    so_far = sum(score.points or 0.0 for score in total.exercises)
    shown = so_far if total.score is None else total.score
    late = "".join(f"<p>{sentence}</p>" for sentence in lateness_sentences(total, extension, rule))
    return (
        f'<section class="score"><p class="points"><strong>{format_points(shown)}</strong>'
        f" of {points_in_words(total.out_of)}</p>"
        f'<progress max="{total.out_of or 1:g}" value="{shown:g}" aria-label="Points earned"></progress>'
        f"<p>{total_sentence(total)}</p>{late}</section>"
    )


def _overview(sheet: Sheet, total: Total) -> str:
    """All exercises with their points, each a link to its card."""
    rows = "".join(
        f'<li><a href="#exercise-{place}">{authors_line(exercise.title)}</a>'
        f'<span class="earned {state(score)}">{points_earned(score)}</span></li>\n'
        for place, (exercise, score) in enumerate(_scored(sheet, total), 1)
    )
    return f'<nav aria-label="Exercises"><ol class="overview">{rows}</ol></nav>'


def _cards(sheet: Sheet, total: Total, result: Result, marks: dict[str, HandMark]) -> list[str]:
    """The cards of all exercises, made within the time of a page."""
    end, cards = time.monotonic() + PAGE_SECONDS, []
    with FormulaProcess() as formulas:
        for place, (exercise, score) in enumerate(_scored(sheet, total), 1):
            left = min(ANSWER_SECONDS, end - time.monotonic())
            mark = marks.get(exercise.label)
            cards.append(exercise_card(place, exercise, score, result, mark, left, formulas.mathml))
        if outside := result.work.get(""):
            left = min(ANSWER_SECONDS, end - time.monotonic())
            cards.append(OUTSIDE.format(answer_html(outside, left, formulas.mathml)))
    return cards


def _scored(sheet: Sheet, total: Total) -> list[tuple]:
    return [(sheet.exercise(score.label), score) for score in total.exercises]


def total_sentence(total: Total) -> str:
    """What the points come to, in one sentence."""
    waiting = sum(1 for score in total.exercises if score.points is None)
    if waiting:
        rest = "1 exercise waits" if waiting == 1 else f"{waiting} exercises wait"
        return f"These are the points so far: {rest} to be read by your teacher."
    before = total.before_lateness or 0.0
    if before >= total.out_of:
        return "Every exercise has full points. Congratulations!"
    if not total.score and not before:
        return "No points yet. Each exercise below says what to try next."
    full = [score for score in total.exercises if score.points is not None and score.points >= score.out_of]
    if not full:
        return "Each exercise below says what went well and what to try next."
    counted = "1 exercise has" if len(full) == 1 else f"{len(full)} exercises have"
    return f"{counted} full points; the others say what to try next."


def lateness_sentences(total: Total, extension: datetime | None, rule: LateRule | None = None) -> list[str]:
    """An extension, and how late the work came and what this costs."""
    said = []
    if extension is not None:
        said.append(f"You had an extension until {inline_html(date_in_words(extension))}.")
    if total.standing.seconds_late > 0:
        said.append(f"Your work came {duration(total.standing.seconds_late)} late; {_cost(total, rule)}.")
    return said


def _cost(total: Total, rule: LateRule | None) -> str:
    """What lateness costs, as the end of a sentence; how much nobody knows before everything is marked."""
    if rule and rule.factor(total.standing.seconds_late) >= 1:
        return "this costs nothing"
    if total.score is None or total.before_lateness is None:
        return "the assignment's rule for late work is applied when everything is marked"
    if total.factor >= 1:
        return "this costs nothing"
    if total.factor <= 0:
        return "by the assignment's rule this is too late for points"
    cost = f"by the assignment's rule this costs {format_points(100 * (1 - total.factor))} %"
    return f"{cost}, so {format_points(total.before_lateness)} became {format_points(total.score)}"


REFUSED = """\
<section class="score refused">
<p class="points"><strong>Not marked</strong></p>
<p>Your file came, but it could not be marked: {reason}.</p>
</section>
<section class="card">
<h2>What you can do</h2>
<ol>
<li>Open your notebook where you wrote it, and save it there.</li>
<li>Check that it is this assignment's notebook ({title}), that its name ends in <code>.ipynb</code>,
and that it has fewer than 1,000 cells and 10 MB; <em>Clear All Outputs</em> makes it smaller.</li>
<li>Hand it in again where you handed it in before. If the time is over, write to your teacher
and attach the notebook. Nothing of your work is lost.</li>
</ol>
</section>
"""


def refusal_html(title: str, reason: str) -> str:
    """Why a file was refused, and what to do."""
    return REFUSED.format(
        title=inline_html(title), reason=inline_html(reason).rstrip(". ") or "no reason is known"
    )
