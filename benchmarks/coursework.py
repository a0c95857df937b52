"""Marking submissions to all chapters in sandboxes, each chapter after its canary class."""

import os
import tempfile
import time
from concurrent.futures import Future
from types import SimpleNamespace
from unittest import mock

import numpy as np

from benchmarks.harness import budget
from margins_course import command
from margins_course.assignments.sheet import read_sheet
from margins_course.collecting.collect import collect
from margins_course.folder import CourseFolder, write
from margins_course.grading import marking
from margins_course.grading.canary import certify_class
from margins_course.grading.results import read_result
from margins_course.sandbox.process import SandboxProcess
from margins_course.steps import progress
from tests.margins_course.exercises import CHAPTERS, deserved, solutions, variants
from tests.margins_course.sums_assignment import answered

SUBMISSIONS, BUDGET = 2400, 2 * 600.0


def rows():
    """One row: all submissions of all chapters, or about as many as the environment asks for."""
    number = int(os.environ.get("COURSEWORK_SUBMISSIONS", SUBMISSIONS)) // len(CHAPTERS)
    with tempfile.TemporaryDirectory() as folder:
        course = CourseFolder(folder)
        expected = {path.stem: hand_in(course, path, number) for path in CHAPTERS}
        used = sum(marking_seconds(course, chapter, list(marks)) for chapter, marks in expected.items())
        right = [
            sum(read_result(course.result(chapter, student)).points.values()) == known
            for chapter, marks in expected.items()
            for student, known in marks.items()
        ]
    job = f"{len(right)} submissions to {len(expected)} chapters, {used / len(right):.2g} s each"
    marks = f"{sum(right)} of {len(right)} marks as known"
    yield budget(job, used, BUDGET * len(right) / SUBMISSIONS, marks)


def hand_in(course, path, number):
    """A released chapter with answers of `number` students; the points that each deserves."""
    for step in (["new", path.stem, str(path)], ["release", path.stem]):
        assert command.main([*step, "--course", str(course.root)]) == 0
    students = [f"s{n}" for n in range(number)]
    write(course.roster, "\n".join(["id,name", *(f"{student},{student}" for student in students)]))
    notebook = course.notebook("release", path.stem).read_text(encoding="utf-8")
    taken = {exercise.label for exercise in read_sheet(course.source_text(path.stem)).exercises}
    rng, expected = np.random.default_rng(number), {}
    for student in students:  # of ten answers about six are right, four are known mistakes
        answers = {
            label: right if rng.random() < 0.6 else str(rng.choice(list(variants(label).values())))
            for label, right in solutions(path).items()
            if label in taken
        }
        write(course.root / "in" / path.stem / f"{student}.ipynb", answered(notebook, answers))
        expected[student] = sum(sum(deserved(path, label, code).values()) for label, code in answers.items())
    collect(course, path.stem, course.root / "in" / path.stem)
    return expected


def marking_seconds(course, chapter, students):
    """Processor time of a chapter's canary class, and of marking its submissions."""
    start, boxes, close = time.process_time(), [], SandboxProcess.close

    def at_once(job, *arguments, **options):  # in this process, so that its time counts
        done = Future()
        done.set_result(job(*arguments, **options))
        return done

    def counted(box):  # what the kernel ends with a sandbox is no child of ours
        if box.is_alive:
            boxes.append(box.processor_time())
        close(box)

    with mock.patch.object(SandboxProcess, "close", counted):
        certify_class(course, chapter, pool=SimpleNamespace(submit=at_once))
        for student in students:
            marking.mark_one(course, chapter, student)
    assert marking.mark_class(course, chapter, progress=progress)[:2] == (0, len(students))
    return time.process_time() - start + sum(boxes)
