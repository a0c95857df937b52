"""The feedback page of each student: one HTML file that loads nothing from other hosts."""

import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from margins_course.assignments.due_dates import LateRule, date_in_words
from margins_course.assignments.settings import read_settings
from margins_course.assignments.sheet import Sheet, read_sheet
from margins_course.folder import CourseFolder, write
from margins_course.grading.results import Result, Work
from margins_course.grading.totals import Total, totals
from margins_course.pages.feedback_card import SIGNS, FeedbackCard
from margins_course.pages.formula_sandbox import FormulaProcess
from margins_course.pages.student_html import ANSWER_CSS, answer_html, markdown_html
from margins_course.pages.templates import HERE, render
from margins_course.wording import duration, format_points

STYLE = ANSWER_CSS + (HERE / "feedback.css").read_text(encoding="utf-8")
ANSWER_SECONDS, PAGE_SECONDS = 10.0, 30.0  # to set one student's own text


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
        write(paths[-1], page(sheet, total, extension, settings.late))
        progress(done, len(due))
    return paths


def page(sheet: Sheet, total: Total, extension: datetime | None, late: LateRule) -> str:
    cards, outside = _cards(sheet, total, total.result) if total.result else ([], "")
    so_far = sum(score.points or 0.0 for score in total.exercises)
    return render(
        "feedback.html",
        STYLE,
        sheet=sheet,
        total=total,
        name=(total.student.name or total.student.id)[:200],
        earned=so_far if total.score is None else total.score,
        sentences=[total_sentence(total), *lateness_sentences(total, extension, late)],
        cards=cards,
        outside=outside,
        signs=SIGNS,
    )


def _cards(sheet: Sheet, total: Total, result: Result) -> tuple[list[FeedbackCard], str]:
    """The cards of all exercises and what stands outside of them, made within the time of a page."""
    end, cards, marks = time.monotonic() + PAGE_SECONDS, [], dict(total.marks)
    with FormulaProcess() as formulas:

        def shown(work):
            return answer_html(work, min(ANSWER_SECONDS, end - time.monotonic()), formulas.mathml)

        for score in total.exercises:
            work, mark = result.work.get(score.label, Work()), marks.get(score.label)
            if mark is not None and mark.fingerprint != work.fingerprint:
                mark = None  # it belongs to another answer
            answer, said = shown(work), mark.comment if mark else ""
            comment = markdown_html(said, setter=formulas.mathml) if said.strip() else ""
            cards.append(FeedbackCard(sheet.exercise(score.label), score, result, mark, answer, comment))
        return cards, shown(result.work[""]) if "" in result.work else ""


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


def lateness_sentences(total: Total, extension: datetime | None, rule: LateRule) -> list[str]:
    """An extension, and how late the work came and what this costs."""
    said = []
    if extension is not None:
        said.append(f"You had an extension until {date_in_words(extension)}.")
    if total.standing.seconds_late > 0:
        said.append(f"Your work came {duration(total.standing.seconds_late)} late; {_cost(total, rule)}.")
    return said


def _cost(total: Total, rule: LateRule) -> str:
    """What lateness costs, as the end of a sentence; how much nobody knows before everything is marked."""
    if rule.factor(total.standing.seconds_late) >= 1:
        return "this costs nothing"
    if total.score is None or total.before_lateness is None:
        return "the assignment's rule for late work is applied when everything is marked"
    if total.factor <= 0:
        return "by the assignment's rule this is too late for points"
    cost = f"by the assignment's rule this costs {format_points(100 * (1 - total.factor))} %"
    return f"{cost}, so {format_points(total.before_lateness)} became {format_points(total.score)}"
