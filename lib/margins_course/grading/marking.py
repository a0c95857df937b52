"""Marking a class: a JSON file with the result of each submission, made on all cores; then nbgrader's files.

First a canary class is marked, and nothing else if that fails. A result carries a hash of what it was made
from, so what is done is not done again, and an interrupted run goes on where it stopped.
(book: Teaching with this book, Grade)
"""

import hashlib
from typing import NamedTuple

import nbformat

from margins_course.assignments.notebooks import as_bytes
from margins_course.assignments.sheet import read_sheet
from margins_course.collecting.roster import read_roster
from margins_course.folder import CourseFolder, write
from margins_course.grading import gradebook
from margins_course.grading.canary import prove_class
from margins_course.grading.environment import environment_hash
from margins_course.grading.results import Result, as_json, read_if_there
from margins_course.grading.workers import each, marked, workers
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
    progress=print,
) -> Marked:
    """Results of all submissions to an assignment, and nbgrader's files of them."""
    students = handed_in(course, name)
    waiting = [s for s in students if current_result(course, name, s, unsafe=unsafe) is None]
    if waiting:
        with workers() as pool:
            prove_class(course, name, unsafe=unsafe, progress=progress, pool=pool)
            jobs = {s: pool.submit(mark_one, course, name, s, unsafe, limits) for s in waiting}
            for _ in each(jobs, progress):
                pass
    return Marked(len(waiting), len(students), publish(course, name))


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
    options = {"key": key(content, source, unsafe=unsafe)}
    before = read_if_there(path) if only else None
    if before and before.points.keys() == _checks(source):
        options |= {"only": only, "before": before}
    result = marked(student, content, source, limits, unsafe, **options)
    write(path, as_json(result))
    return result


def publish(course: CourseFolder, name: str) -> list[str]:
    """nbgrader's files of all that is marked; sentences about what its gradebook holds besides."""
    for student in handed_in(course, name):
        result = read_if_there(course.result(name, student))
        if result is not None:
            path = course.notebook("autograded", name, student)
            write(path, as_bytes(nbformat.from_dict(result.notebook)))
            received = course.notebook("submitted", name, student).parent / "timestamp.txt"
            write(path.parent / "timestamp.txt", received.read_bytes())
    return gradebook.exchange(course, name)


def handed_in(course: CourseFolder, name: str) -> list[str]:
    """The students of the roster whose work was collected."""
    everybody = [student.id for student in read_roster(course.roster)]
    return [student for student in everybody if course.notebook("submitted", name, student).exists()]


def submission(course: CourseFolder, name: str, student: str) -> bytes:
    """The file that a student handed in."""
    return course.notebook("submitted", name, student).read_bytes()


def key(content: bytes, source: str, *, unsafe: bool = False) -> str:
    """A hash of all that a result was made from."""
    parts = [VERSION.encode(), environment_hash(unsafe=unsafe).encode(), source.encode(), content]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def current_result(course: CourseFolder, name: str, student: str, *, unsafe: bool = False) -> Result | None:
    """A student's result, if it is there and belongs to the files and the environment as they are."""
    result = read_if_there(course.result(name, student))
    source = course.source_text(name)
    now = key(submission(course, name, student), source, unsafe=unsafe)
    return result if result is not None and result.key == now else None


def _checks(source):
    """The names of all checks of an instructor's notebook."""
    return {check.name for exercise in read_sheet(source).exercises for check in exercise.checks}
