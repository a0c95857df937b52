"""Marking a class, and marking one student or one exercise again.

Results that exist and were made from the same files in the same environment are kept. What marking again has
done is noted beside the results until all is done, so an interrupted run continues where it stopped and the
old points are not forgotten.
(book: Teaching with this book, Grade)
"""

import hashlib
import json
from dataclasses import dataclass
from typing import Any, NamedTuple

import nbformat

from margins_course import CourseProblem
from margins_course.assignments.notebooks import as_bytes
from margins_course.assignments.sheet import read_sheet
from margins_course.collecting.roster import read_roster
from margins_course.folder import CourseFolder, write, write_table
from margins_course.grading import gradebook
from margins_course.grading.canary import certify_class
from margins_course.grading.environment import environment_hash
from margins_course.grading.grade import Progress, as_finished, grade_submission, worker_pool
from margins_course.grading.results import Result, as_json, read_result_or_none
from margins_course.sandbox.answers import Limits

VERSION = "2"  # of what a result holds


class Marked(NamedTuple):
    """How many submissions were marked now, how many there are, and sentences about nbgrader's gradebook."""

    new: int
    everybody: int
    notes: list[str]


def mark_class(
    course: CourseFolder,
    name: str,
    *,
    unsafe: bool = False,
    limits: Limits = Limits(),  # noqa: B008 - it is frozen
    progress: Progress = print,
) -> Marked:
    """Results of all submissions to an assignment, and nbgrader's files of them."""
    students = collected_students(course, name)
    waiting = [s for s in students if current_result(course, name, s, unsafe=unsafe) is None]
    if waiting:
        with worker_pool() as pool:
            certify_class(course, name, unsafe=unsafe, progress=progress, pool=pool)
            jobs = {s: pool.submit(mark_one, course, name, s, unsafe, limits) for s in waiting}
            for _ in as_finished(jobs, progress):
                pass
    return Marked(len(waiting), len(students), write_nbgrader_files(course, name))


def mark_one(
    course: CourseFolder,
    name: str,
    student: str,
    unsafe: bool = False,
    limits: Limits = Limits(),  # noqa: B008 - it is frozen
    only: str | None = None,
) -> Result:
    """The result of one submission as a JSON file: this alone runs on other machines too.

    With `only`, an exercise's label, the checks of the others are not tried again.
    """
    path = course.result(name, student)
    source, content = course.source_text(name), submission(course, name, student)
    options: dict[str, Any] = {"key": result_key(content, source, unsafe=unsafe)}
    before = read_result_or_none(path) if only else None
    if before and before.points.keys() == _checks(source):
        options |= {"only": only, "before": before}
    result = grade_submission(student, content, source, limits, unsafe, **options)
    write(path, as_json(result))
    return result


def write_nbgrader_files(course: CourseFolder, name: str) -> list[str]:
    """nbgrader's files of all that is marked; sentences about what its gradebook holds besides."""
    for student in collected_students(course, name):
        result = read_result_or_none(course.result(name, student))
        if result is not None:
            path = course.notebook("autograded", name, student)
            write(path, as_bytes(nbformat.from_dict(result.notebook)))
            received = course.notebook("submitted", name, student).parent / "timestamp.txt"
            write(path.parent / "timestamp.txt", received.read_bytes())
    return gradebook.update_gradebook(course, name)


def collected_students(course: CourseFolder, name: str) -> list[str]:
    """The students of the roster whose work was collected."""
    everybody = [student.id for student in read_roster(course.roster)]
    return [student for student in everybody if course.notebook("submitted", name, student).exists()]


def submission(course: CourseFolder, name: str, student: str) -> bytes:
    """The file that a student handed in."""
    return course.notebook("submitted", name, student).read_bytes()


def result_key(content: bytes, source: str, *, unsafe: bool = False) -> str:
    """A hash of all that a result was made from."""
    parts = [VERSION.encode(), environment_hash(unsafe=unsafe).encode(), source.encode(), content]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def current_result(course: CourseFolder, name: str, student: str, *, unsafe: bool = False) -> Result | None:
    """A student's result, if it is there and belongs to the files and the environment as they are."""
    result = read_result_or_none(course.result(name, student))
    source = course.source_text(name)
    now = result_key(submission(course, name, student), source, unsafe=unsafe)
    return result if result is not None and result.key == now else None


def _checks(source):
    """The names of all checks of an instructor's notebook."""
    return {check.name for exercise in read_sheet(source).exercises for check in exercise.checks}


COLUMNS = ("student", "before", "after")


@dataclass(frozen=True)
class Change:
    """A student's points by checks before and after; None where nothing was marked before."""

    student: str
    before: float | None
    after: float


def regrade(
    course: CourseFolder,
    name: str,
    what: str,
    *,
    unsafe: bool = False,
    limits: Limits = Limits(),  # noqa: B008 - it is frozen
    progress: Progress = print,
) -> list[Change]:
    """Old and new points after marking a student's work again, or an exercise (by its label) of everybody's.

    The table is also written to reports/NAME-regraded-WHAT.csv.
    """
    students, only = _students_and_exercise(course, name, what)
    notes = _UnfinishedRun(course, name, what, unsafe)
    with worker_pool() as pool:
        certify_class(course, name, unsafe=unsafe, progress=progress, pool=pool)
        notes.begin({s: _points(read_result_or_none(course.result(name, s))) for s in students})
        waiting = [student for student in students if student not in notes.after]
        jobs = {s: pool.submit(_mark_and_tell, course, name, s, unsafe, limits, only) for s in waiting}
        for student, points in as_finished(jobs, progress):
            notes.add(student, points)
    write_nbgrader_files(course, name)
    changes = [Change(student, notes.before[student], notes.after[student]) for student in students]
    rows = [{"student": c.student, "before": c.before, "after": c.after} for c in changes]
    rows = [{column: "" if value is None else value for column, value in row.items()} for row in rows]
    write_table(course.report(f"{name}-regraded-{what}.csv"), COLUMNS, rows)
    notes.forget()
    return changes


class _UnfinishedRun:
    """What an unfinished run has done: old and new points by student."""

    def __init__(self, course, name, what, unsafe):
        self.path = course.result(name, "x").with_name(f".regrade-{what}")
        source = course.source_text(name) + environment_hash(unsafe=unsafe)
        self.run = hashlib.sha256(source.encode()).hexdigest()  # where this has changed all is marked anew
        self.before, self.after = self._read()

    def _read(self):
        try:
            kept = json.loads(self.path.read_text(encoding="utf-8"))
            return kept["before"], kept["after"] if kept["run"] == self.run else {}
        except (OSError, ValueError, KeyError, TypeError):
            return {}, {}

    def begin(self, before):
        """The old points, unless a run that was interrupted has noted them."""
        self.before = before | self.before
        self._write()

    def add(self, student, points):
        self.after[student] = points
        self._write()

    def forget(self):
        self.path.unlink(missing_ok=True)

    def _write(self):
        write(self.path, json.dumps({"run": self.run, "before": self.before, "after": self.after}))


def _students_and_exercise(course: CourseFolder, name: str, what: str) -> tuple[list[str], str | None]:
    """The students whose work is meant, and the exercise if one is; a CourseProblem if neither is known."""
    sheet = read_sheet(course.source_text(name))
    coded = [exercise.label for exercise in sheet.exercises if exercise.checks]
    everybody, there = [s.id for s in read_roster(course.roster)], collected_students(course, name)
    if what in coded and what in everybody:
        raise CourseProblem(
            f"{what!r} is an exercise of {name} and a student's id; mark all with `grade` instead"
        )
    if what in coded:
        return there, what
    if what in there:
        return [what], None
    if what in everybody:
        raise CourseProblem(f"nothing of {what} was collected for {name}, so there is nothing to mark again")
    known = f"its exercises with checks are {', '.join(coded)}"
    raise CourseProblem(f"{what!r} is no id in roster.csv and no exercise with checks of {name}; {known}")


def _mark_and_tell(course, name, student, unsafe, limits, only) -> float | None:
    return _points(mark_one(course, name, student, unsafe, limits, only))


def _points(result) -> float | None:
    return None if result is None else float(sum(result.points.values()))
