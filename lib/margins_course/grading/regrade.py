"""Marking again: one student's work, or one exercise of everybody's, with old and new points.

What is done is noted beside the results until all is done, so an interrupted run goes on where it stopped and
the old points are not forgotten. (book: Teaching with this book, Afterwards)
"""

import hashlib
import json
from dataclasses import dataclass

from margins_course.assignments.sheet import read_sheet
from margins_course.collecting.roster import read_roster
from margins_course.folder import CourseFolder, write
from margins_course.grading.canary import prove_class
from margins_course.grading.environment import environment_hash
from margins_course.grading.marking import handed_in, mark_one, publish
from margins_course.grading.results import read_if_there
from margins_course.grading.workers import each, workers
from margins_course.problems import CourseProblem
from margins_course.sandbox.answers import Limits
from margins_course.tables import write_table

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
    progress=print,
) -> list[Change]:
    """Old and new points after marking a student's work again, or an exercise (by its label) of everybody's.

    The table is also written to reports/NAME-regraded-WHAT.csv.
    """
    students, only = _meant(course, name, what)
    notes = _Notes(course, name, what, unsafe)
    with workers() as pool:
        prove_class(course, name, unsafe=unsafe, progress=progress, pool=pool)
        notes.begin({s: _points(read_if_there(course.result(name, s))) for s in students})
        waiting = [student for student in students if student not in notes.after]
        jobs = {s: pool.submit(_mark_and_tell, course, name, s, unsafe, limits, only) for s in waiting}
        for student, points in each(jobs, progress):
            notes.add(student, points)
    publish(course, name)
    changes = [Change(student, notes.before[student], notes.after[student]) for student in students]
    rows = [{"student": c.student, "before": c.before, "after": c.after} for c in changes]
    rows = [{column: "" if value is None else value for column, value in row.items()} for row in rows]
    write_table(course.report(f"{name}-regraded-{what}.csv"), COLUMNS, rows)
    notes.forget()
    return changes


class _Notes:
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


def _meant(course: CourseFolder, name: str, what: str) -> tuple[list[str], str | None]:
    """The students whose work is meant, and the exercise if one is; a CourseProblem if neither is known."""
    sheet = read_sheet(course.source_text(name))
    coded = [exercise.label for exercise in sheet.exercises if exercise.checks]
    everybody, there = [s.id for s in read_roster(course.roster)], handed_in(course, name)
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


def _mark_and_tell(course, name, student, unsafe, limits, only) -> float:
    return _points(mark_one(course, name, student, unsafe, limits, only))


def _points(result) -> float | None:
    return None if result is None else float(sum(result.points.values()))
