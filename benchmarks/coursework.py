"""Marking 2,400 submissions to all chapters in sandboxes, each chapter after its canary class.

The exercises are those of the chapters that exist, the answers the reference's, known mistakes and mutants of
it, drawn at random; every mark is compared with that of the same answer in one process. One process marks
the canary classes and all submissions, one after the other; the time is its processor time and that of the
sandboxes. The peer is the budget, ten minutes of two cores, or the share of it
that the submissions marked are of 2,400: `COURSEWORK_SUBMISSIONS=240` marks fewer, and the row says how many.
"""

import os
import tempfile
import time
from concurrent.futures import Future
from functools import cache
from unittest import mock

import numpy as np

from benchmarks.harness import Row
from margins_course import command
from margins_course.collecting.collect import collect
from margins_course.folder import CourseFolder, write
from margins_course.grading import marking
from margins_course.grading.canary import certify_class
from margins_course.grading.results import read_result
from margins_course.sandbox.process import SandboxProcess
from margins_course.steps import progress
from tests.margins_course.exercises import CHAPTERS, deserved, solutions, variants
from tests.margins_course.slips import mutants
from tests.margins_course.sums_assignment import answered

SUBMISSIONS, BUDGET = 2400, 2 * 600.0
SHARES = {"right": 0.6, "mistake": 0.2, "mutant": 0.1, "nothing": 0.1}


def rows():
    """One row: all submissions of all chapters."""
    number = int(os.environ.get("COURSEWORK_SUBMISSIONS", SUBMISSIONS))
    with tempfile.TemporaryDirectory() as folder:
        course = CourseFolder(folder)
        expected = {path.stem: hand_in(course, path, number // len(CHAPTERS)) for path in CHAPTERS}
        used = sum(marking_seconds(course, chapter, students) for chapter, students in expected.items())
        wrong = [name for chapter, marks in expected.items() for name in faults(course, chapter, marks)]
    everybody = sum(map(len, expected.values()))
    job = f"{everybody} submissions to {len(expected)} chapters, {used / everybody:.2g} s each"
    accuracy = f"{everybody - len(wrong)} of {everybody} marks as known"
    budget = BUDGET * everybody / SUBMISSIONS
    yield Row(job, f"its share of {BUDGET:.0f} s", used, budget, 1.0, accuracy)


def marking_seconds(course, chapter, students):
    """Processor time of a chapter's canary class and of marking its submissions."""
    start, boxes = time.process_time(), []
    with mock.patch.object(SandboxProcess, "close", counted(SandboxProcess.close, boxes)):
        certify_class(course, chapter, pool=InOrder())
        for student in students:
            marking.mark_one(course, chapter, student)
    assert marking.mark_class(course, chapter, progress=progress)[:2] == (0, len(students))
    return time.process_time() - start + sum(boxes)


class InOrder:
    """A pool that does each job at once, so that its time is this process's."""

    def submit(self, job, *arguments, **options):
        done = Future()
        done.set_result(job(*arguments, **options))
        return done


def counted(close, seconds):
    """`close` of a sandbox that notes its processor time."""

    def closing(box):
        if box.is_alive:
            seconds.append(box.processor_time())
        close(box)

    return closing


def hand_in(course, path, number):
    """A released chapter with answers of `number` students; the points that each deserves."""
    assert command.main(["release", str(path), "--course", str(course.root)]) == 0
    students = [f"s{n}" for n in range(number)]
    lines = ["id,name", *(f"{student},Student {student}" for student in students)]
    write(course.roster, "\n".join(lines))
    notebook = course.notebook("release", path.stem).read_text(encoding="utf-8")
    rng, expected = np.random.default_rng(number), {}
    for student in students:
        chosen = {label: choice(path, label, rng) for label in solutions(path)}
        answers = {label: code for label, code in chosen.items() if code}
        write(course.root / "in" / path.stem / f"{student}.ipynb", answered(notebook, answers))
        expected[student] = sum(points(path, label, code) for label, code in answers.items())
    collect(course, path.stem, course.root / "in" / path.stem)
    return expected


def choice(path, label, rng):
    """A student's answer to one exercise: right, a known mistake, a mutant, or none."""
    kind = rng.choice(list(SHARES), p=list(SHARES.values()))
    row = {
        "right": [solutions(path)[label]],
        "mistake": list(variants(label).values()),
        "mutant": slips(path, label),
        "nothing": [""],
    }[kind]
    return row[rng.integers(len(row))]


@cache
def slips(path, label):
    """A few mutants, spread over all that there are."""
    return [code for _, code in mutants(solutions(path)[label])][::8]


@cache
def points(path, label, code):
    """What an answer deserves, marked in one process."""
    return sum(deserved(path, label, code).values())


def faults(course, chapter, expected):
    """The students whose points are not those that were known."""
    for student, known in expected.items():
        got = sum(read_result(course.result(chapter, student)).points.values())
        if got != known:
            yield student
