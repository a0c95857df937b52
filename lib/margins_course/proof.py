"""The proof before a release: the reference passes every check, and the untouched stub fails each one.

(book: Teaching with this book, Release)
"""

import contextlib
import io
import os
from unittest import mock

from margins_course.chapter import stubbed
from margins_course.problems import CourseProblem


def prove(assigned):
    """Nothing, if the checks of an assignment can be trusted with the reference and with the stubs."""
    for name, message in messages(assigned).items():
        if message:
            raise CourseProblem(f"{assigned.name}: the reference solution fails {name}: {message}")
    stubs = {cell.exercise: stubbed(cell.source) for cell in assigned.cells if cell.kind == "solution"}
    for name, message in messages(assigned, stubs).items():
        if not message:
            raise CourseProblem(
                f"{assigned.name}: a notebook without answers passes {name}; that check is blind"
            )


def messages(assigned, answers=()):
    """What each check says, None if it is content, with `answers` in place of some exercises' solutions."""
    names, said, answers = {"__name__": "__main__"}, {}, dict(answers)
    silence = contextlib.redirect_stdout(io.StringIO())
    with silence, mock.patch.dict(os.environ, NBGRADER_EXECUTION="proof"):
        for cell in assigned.cells:
            if cell.is_graded:
                said[cell.name] = message(cell.source, names)
            elif cell.kind != "text":
                exec(compile(answers.get(cell.exercise, cell.source), cell.name, "exec"), names)
    return said


def message(check, names):
    """What one check says about the functions in `names`; it cannot change that dictionary."""
    try:
        exec(compile(check, "check", "exec"), dict(names))
    except Exception as reason:
        return f"{type(reason).__name__}: {reason}"
    return None
