"""Totals: what everybody earned, from the sheet, the results, the marks by hand, the records and the settings.

Nothing here is kept: whatever changes in those files changes the totals the next time they are asked for.
(book: Teaching with this book, Marks)
"""

import math
from dataclasses import dataclass

import nbformat

from margins_course.assignments.settings import Settings, read_settings
from margins_course.assignments.sheet import Exercise, Sheet, read_sheet
from margins_course.collecting.records import Standing, standings
from margins_course.collecting.roster import Student, read_roster
from margins_course.folder import CourseFolder
from margins_course.grading.hand_marks import HandMark, read_hand_marks
from margins_course.grading.results import Result, Work, read_result

NOT_MARKED = "not marked yet"
CHANGED = "the answer changed after it was marked"
RUBRIC_CHANGED = "the rubric changed after it was marked"


@dataclass(frozen=True)
class ExerciseScore:
    """The points of one exercise: None as long as it waits for a person."""

    label: str
    points: float | None
    out_of: float
    automatic: float
    by_hand: float
    waits: str  # "", or why it waits or what a person should look at


@dataclass(frozen=True)
class Total:
    """What a student earned in an assignment: None, with the reason, where there is nothing to count yet."""

    student: Student
    standing: Standing
    score: float | None
    reason: str
    out_of: float
    before_lateness: float | None
    factor: float
    exercises: tuple[ExerciseScore, ...]


def totals(course: CourseFolder, name: str) -> list[Total]:
    """Everybody's total in the order of the roster."""
    settings, students = read_settings(course, name), read_roster(course.roster)
    sheet = read_sheet(course.source(name).read_text(encoding="utf-8"))
    marks, given = read_hand_marks(course, name), _given(course, name)
    known = standings(course, settings, students)
    made = []
    for student in students:
        own = {label: mark for (who, label), mark in marks.items() if who == student.id}
        made.append(_total(course, settings, sheet, student, known[student.id], own, given))
    return made


def _total(
    course, settings: Settings, sheet: Sheet, student: Student, standing: Standing, marks, given
) -> Total:
    path = course.result(sheet.name, student.id)
    result = read_result(path) if path.exists() else None
    if reason := _why_nothing_counts(sheet, standing, result):
        return Total(student, standing, None, reason, sheet.points, None, 1.0, ())
    scores = tuple(
        _exercise_score(exercise, result, marks.get(exercise.label), given) for exercise in sheet.exercises
    )
    remarks = [f"{score.label}: {score.waits}" for score in scores if score.waits]
    if any(score.points is None for score in scores):
        return Total(student, standing, None, "; ".join(remarks), sheet.points, None, 1.0, scores)
    factor = settings.late.factor(standing.seconds_late)
    if factor < 1:
        remarks.append(f"late by {_duration(standing.seconds_late)}: {100 * factor:g} % of the points count")
    before = sum(score.points for score in scores)
    score = rounded_up(before * factor)
    return Total(student, standing, score, "; ".join(remarks), sheet.points, before, factor, scores)


def _why_nothing_counts(sheet: Sheet, standing: Standing, result: Result | None) -> str:
    if standing.status in ("refused", "missing"):
        return ": ".join(filter(None, [standing.status, standing.reason]))
    if result is None:
        return f"the checks have not run: margins-course grade {sheet.name}"
    names = {check.name for exercise in sheet.exercises for check in exercise.checks}
    if not names <= set(result.points):
        return f"the assignment was released anew: margins-course grade {sheet.name}"
    return ""


def _exercise_score(
    exercise: Exercise, result: Result, mark: HandMark | None, given: set[str]
) -> ExerciseScore:
    automatic = float(sum(result.points[check.name] for check in exercise.checks))
    work = result.work.get(exercise.label, Work())
    counts, waits = _whether_it_counts(exercise, work, mark)
    by_hand = float(sum(mark.lines or ()) + mark.adjust) if counts else 0.0
    points = min(max(automatic + by_hand, 0.0), exercise.points)
    if exercise.rubric and not (counts and mark.lines is not None):
        if is_empty(work, given):
            waits = waits or ""
        else:
            points, waits = None, waits or NOT_MARKED
    return ExerciseScore(exercise.label, points, exercise.points, automatic, by_hand, waits)


def _whether_it_counts(exercise: Exercise, work: Work, mark: HandMark | None) -> tuple[bool, str]:
    if mark is None:
        return False, ""
    if mark.fingerprint != work.fingerprint:
        return False, CHANGED
    fits = mark.lines is None or len(mark.lines) == len(exercise.rubric)
    if not fits or any(p > line.points for p, line in zip(mark.lines or (), exercise.rubric, strict=False)):
        return False, RUBRIC_CHANGED
    return True, ""


def is_empty(work: Work, given: set[str]) -> bool:
    """Whether a student wrote nothing: every cell is empty or as it was given out."""
    return all(piece.source.strip() in given for piece in work.pieces)


def rounded_up(points: float) -> float:
    """Points in hundredths, rounded in the student's favour."""
    return math.ceil(points * 100 - 1e-6) / 100


def _given(course: CourseFolder, name: str) -> set[str]:
    """The texts of the cells that students got."""
    path = course.notebook("release", name)
    cells = nbformat.read(path, as_version=4).cells if path.exists() else []
    return {"", *(cell.source.strip() for cell in cells)}


def _duration(seconds: float) -> str:
    minutes = math.ceil(seconds / 60)
    days, hours = minutes // 1440, minutes % 1440 // 60
    parts = [(days, "d"), (hours, "h"), (minutes % 60, "min")]
    return " ".join(f"{number} {unit}" for number, unit in parts if number)
