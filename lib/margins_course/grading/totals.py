"""Totals: what everybody earned, from sheet, results, marks by hand, records and settings.

Nothing here is kept: whatever changes in those files changes the totals the next time they are asked for.
"""

import dataclasses
import hashlib
import math
from dataclasses import dataclass

import nbformat

from margins_course.assignments.settings import read_settings
from margins_course.assignments.sheet import Exercise, Sheet, read_sheet
from margins_course.collecting.records import Standing, standings
from margins_course.collecting.roster import Student, read_roster
from margins_course.folder import CourseFolder
from margins_course.grading.outdated import why_not_released, why_outdated
from margins_course.grading.results import HandMark, Result, Work, read_hand_marks, read_result
from margins_course.wording import duration

NOT_MARKED = "not marked yet"
CHANGED = "the answer or its points changed after it was marked"
RUBRIC_CHANGED = "the rubric changed after it was marked"
STALE_MARKS = (CHANGED, RUBRIC_CHANGED)  # a mark is there and does not count


@dataclass(frozen=True)
class ExerciseScore:
    """The points of one exercise: None as long as it waits for a person."""

    label: str
    points: float | None
    out_of: float
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
    result: Result | None = None  # what the points rest on, None where nothing counts
    marks: tuple[tuple[str, HandMark], ...] = ()  # by the exercise's label

    @property
    def digest(self) -> str:
        return hashlib.sha256(repr(self).encode("utf-8", "replace")).hexdigest()


def totals(course: CourseFolder, name: str) -> list[Total]:
    ground = _Totals(course, name)
    return [ground.total(student) for student in ground.students]


class _Totals:
    """All that the totals of an assignment are computed from, read once."""

    def __init__(self, course: CourseFolder, name: str):
        self.course = course
        self.settings, self.students = read_settings(course, name), read_roster(course.roster)
        self.source = course.source_text(name)
        self.sheet = read_sheet(self.source)
        self.not_released = why_not_released(self.source, self.settings)
        self.standings = standings(course, self.settings, self.students)
        self.marks, self.given = read_hand_marks(course, name), given_texts(course, name)

    def total(self, student: Student) -> Total:
        standing, out_of = self.standings[student.id], self.sheet.points
        result = read_result(self.course.result(self.sheet.name, student.id))
        reason = self._why_nothing_counts(standing, result)
        if reason or result is None:
            return Total(student, standing, None, reason, out_of, None, 1.0, ())
        result = with_files_beside(result, standing.beside, self.sheet)
        scores = tuple(self._score(student, exercise, result) for exercise in self.sheet.exercises)
        marks = tuple((label, mark) for (who, label), mark in self.marks.items() if who == student.id)
        remarks = [f"{score.label}: {score.waits}" for score in scores if score.waits]
        if any(score.points is None for score in scores):
            reason = "; ".join(remarks)
            return Total(student, standing, None, reason, out_of, None, 1.0, scores, result, marks)
        factor = self.settings.late.factor(standing.seconds_late)
        if standing.seconds_late > 0:
            cost = f"so {100 * factor:g} % of the points count" if factor < 1 else "which costs nothing"
            remarks.append(f"came {duration(standing.seconds_late)} after the due date, {cost}")
        before = sum(score.points or 0.0 for score in scores)
        score, reason = min(round_up(before * factor), out_of), "; ".join(remarks)
        return Total(student, standing, score, reason, out_of, before, factor, scores, result, marks)

    def _why_nothing_counts(self, standing: Standing, result: Result | None) -> str:
        if standing.status in ("refused", "missing"):
            return ": ".join(filter(None, [standing.status, standing.reason]))
        if self.not_released:
            return self.not_released
        if result is None:
            return f"the checks have not run: margins-course grade {self.sheet.name}"
        return why_outdated(result, standing, self.source, self.sheet.name)

    def _score(self, student: Student, exercise: Exercise, result: Result) -> ExerciseScore:
        mark, work = self.marks.get((student.id, exercise.label)), result.work.get(exercise.label, Work())
        automatic = float(sum(result.points[check.name] for check in exercise.checks))
        waits = why_stale(exercise, work, mark) if mark else ""
        counting = mark if mark is not None and not waits else None
        by_hand = float(sum(counting.lines or ()) + counting.adjust) if counting else 0.0
        points: float | None = min(max(automatic + by_hand, 0.0), exercise.points)
        is_marked = counting is not None and counting.lines is not None
        beside = self.standings[student.id].beside
        if needs_manual_marking(exercise, work, self.given, beside) and not is_marked:
            points, waits = None, waits or NOT_MARKED
        return ExerciseScore(exercise.label, points, exercise.points, waits)


def why_stale(exercise: Exercise, work: Work, mark: HandMark) -> str:
    """Why a mark does not count: it was given to another answer or by another rubric; "" if it counts."""
    most = [line.points for line in exercise.rubric]
    got = most if mark.lines is None else mark.lines
    if len(got) != len(most) or any(points > line for points, line in zip(got, most, strict=True)):
        return RUBRIC_CHANGED
    return CHANGED if mark.fingerprint != work.fingerprint else ""


def is_empty(work: Work, given: set[str]) -> bool:
    """Whether a student wrote nothing: every cell is empty, or as students got it."""
    return all(piece.source.strip() in given for piece in work.pieces)


def with_files_beside(result: Result, beside: tuple[str, ...], sheet: Sheet) -> Result:
    """The result in which the files beside the notebook are part of what is marked by rubrics.

    So a mark that was given before such a file came belongs to another answer.
    """
    work = dict(result.work)
    for exercise in sheet.exercises if beside else ():
        if exercise.rubric:
            own = work.get(exercise.label, Work())
            seen = hashlib.sha256("\0".join([own.fingerprint, *beside]).encode()).hexdigest()
            work[exercise.label] = dataclasses.replace(own, fingerprint=seen)
    return dataclasses.replace(result, work=work)


def needs_manual_marking(exercise: Exercise, work: Work, given: set[str], beside: tuple[str, ...]) -> bool:
    """Whether something is to be marked by the rubric: text, code that no check calls, a file beside."""
    if not exercise.rubric or beside:
        return bool(exercise.rubric)
    called = tuple(f"def {name}(" for name in exercise.functions)
    read = (piece for piece in work.pieces if not any(name in piece.source for name in called))
    return not is_empty(Work(tuple(read)), given)


def round_up(points: float) -> float:
    """Points in hundredths, rounded in the student's favour."""
    return math.ceil(points * 100 - 1e-6) / 100


def given_texts(course: CourseFolder, name: str) -> set[str]:
    """The texts of the cells that students got."""
    path = course.notebook("release", name)
    cells = nbformat.read(path, as_version=4).cells if path.exists() else []
    return {"", *(cell.source.strip() for cell in cells)}
