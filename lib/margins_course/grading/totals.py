"""Totals: what everybody earned, from sheet, results, marks by hand, records and settings.

Nothing here is kept: whatever changes in those files changes the totals the next time they are asked for.
(book: Teaching with this book, Export)
"""

import math
from dataclasses import dataclass

import nbformat

from margins_course.assignments.settings import read_settings
from margins_course.assignments.sheet import Exercise, Sheet, read_sheet
from margins_course.collecting.records import Standing, standings
from margins_course.collecting.roster import Student, read_roster
from margins_course.folder import CourseFolder
from margins_course.grading.results import HandMark, Result, Work, read_hand_marks, read_result_or_none
from margins_course.wording import duration

NOT_MARKED = "not marked yet"
CHANGED = "the answer changed after it was marked"
RUBRIC_CHANGED = "the rubric changed after it was marked"
STALE_MARKS = (CHANGED, RUBRIC_CHANGED)  # a mark is there and does not count


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
    ground = _Totals(course, name)
    return [ground.total(student) for student in ground.students]


class _Totals:
    """All that the totals of an assignment are computed from, read once."""

    def __init__(self, course: CourseFolder, name: str):
        self.course = course
        self.settings, self.students = read_settings(course, name), read_roster(course.roster)
        self.sheet = read_sheet(course.source_text(name))
        self.standings = standings(course, self.settings, self.students)
        self.marks, self.given = read_hand_marks(course, name), given_texts(course, name)

    def total(self, student: Student) -> Total:
        """The total of one student."""
        standing, out_of = self.standings[student.id], self.sheet.points
        result = read_result_or_none(self.course.result(self.sheet.name, student.id))
        reason = _why_nothing_counts(self.sheet, standing, result)
        if reason or result is None:
            return Total(student, standing, None, reason, out_of, None, 1.0, ())
        scores = tuple(self._score(student, exercise, result) for exercise in self.sheet.exercises)
        remarks = [f"{score.label}: {score.waits}" for score in scores if score.waits]
        if any(score.points is None for score in scores):
            return Total(student, standing, None, "; ".join(remarks), out_of, None, 1.0, scores)
        factor = self.settings.late.factor(standing.seconds_late)
        late = duration(standing.seconds_late)
        if factor == 1 and standing.seconds_late > 0:
            remarks.append(f"came {late} after the due date, which costs nothing")
        if factor < 1:
            remarks.append(f"came {late} after the due date, so {100 * factor:g} % of the points count")
        before = sum(score.points or 0.0 for score in scores)
        score = min(round_up(before * factor), out_of)
        return Total(student, standing, score, "; ".join(remarks), out_of, before, factor, scores)

    def _score(self, student: Student, exercise: Exercise, result: Result) -> ExerciseScore:
        mark, work = self.marks.get((student.id, exercise.label)), result.work.get(exercise.label, Work())
        automatic = float(sum(result.points[check.name] for check in exercise.checks))
        waits = why_stale(exercise, work, mark) if mark else ""
        counting = mark if mark is not None and not waits else None
        by_hand = float(sum(counting.lines or ()) + counting.adjust) if counting else 0.0
        points: float | None = min(max(automatic + by_hand, 0.0), exercise.points)
        is_marked = counting is not None and counting.lines is not None
        if exercise.rubric and not is_marked and needs_manual_marking(exercise, work, self.given):
            points, waits = None, waits or NOT_MARKED
        return ExerciseScore(exercise.label, points, exercise.points, automatic, by_hand, waits)


def _why_nothing_counts(sheet: Sheet, standing: Standing, result: Result | None) -> str:
    if standing.status in ("refused", "missing"):
        return ": ".join(filter(None, [standing.status, standing.reason]))
    if result is None:
        return f"the checks have not run: margins-course grade {sheet.name}"
    names = {check.name for exercise in sheet.exercises for check in exercise.checks}
    if not names <= set(result.points):
        return f"the assignment was released anew: margins-course grade {sheet.name}"
    return ""


def why_stale(exercise: Exercise, work: Work, mark: HandMark) -> str:
    """Why a mark does not count: it was given to another answer or by another rubric; "" if it counts."""
    if mark.fingerprint != work.fingerprint:
        return CHANGED
    if mark.lines is None:
        return ""
    most = [line.points for line in exercise.rubric]
    fits = len(mark.lines) == len(most) and all(p <= q for p, q in zip(mark.lines, most, strict=True))
    return "" if fits else RUBRIC_CHANGED


def is_empty(work: Work, given: set[str]) -> bool:
    """Whether a student wrote nothing: every cell is empty, or as students got it."""
    return all(piece.source.strip() in given for piece in work.pieces)


def needs_manual_marking(exercise: Exercise, work: Work, given: set[str]) -> bool:
    """Whether there is work to mark by the rubric: text, or code beside the function that checks call."""
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
