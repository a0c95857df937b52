"""The proof before a release: the reference passes every check, and the untouched stub fails each one.

An exercise is proved with no other exercise's solution at hand, so none can cost another its points.
(book: Teaching with this book, Release)
"""

import contextlib
import copy
import io
import os
import warnings
from collections.abc import Iterator
from unittest import mock

import numpy as np

from margins_course.assignments.combine import Assignment
from margins_course.assignments.slices import used_names
from margins_course.assignments.solution import stubbed
from margins_course.problems import CourseProblem

DATA = (np.ndarray, list, dict, set)


def prove(assigned: Assignment) -> None:
    """A CourseProblem, unless every check passes the reference solution and fails the stub."""
    names = set_up(assigned)
    for solution in assigned.cells:
        if solution.kind != "solution":
            continue
        for name, message in verdicts(assigned, solution.exercise, solution.source, names):
            if message:
                problem = f"{assigned.name}: the reference solution fails {name}: {message}"
                raise CourseProblem(f"{problem}; correct the solution or the check in the chapter")
        for name, message in verdicts(assigned, solution.exercise, stubbed(solution.source), names):
            if not message:
                blind = f"{assigned.name}: a notebook without answers passes {name}; sharpen that check"
                raise CourseProblem(blind)


def set_up(assigned: Assignment) -> dict:
    """What the code that is given to students, and that of hidden checks, defines."""
    names = {"__name__": "__main__"}
    with silence():
        for cell in assigned.cells:
            if cell.kind in ("setup", "hidden-setup", "example"):
                exec(compile(cell.source, cell.name, "exec"), names)
    return names


def verdicts(
    assigned: Assignment, exercise: str, answer: str, names: dict
) -> Iterator[tuple[str, str | None]]:
    """Name and message of each check of an exercise, None if it passes, about the code `answer`."""
    with silence():
        own = fresh(names, answer)
        exec(compile(answer, exercise, "exec"), own)
    for cell in assigned.cells:
        if cell.is_graded and cell.exercise == exercise:
            yield cell.name, message(cell.source, fresh(own, cell.source))


def message(check: str, names: dict) -> str | None:
    """What one check says about the functions in `names`, None if it passes."""
    try:
        with silence():
            exec(compile(check, "check", "exec"), names)
    except CourseProblem:  # no sandbox could be made, which is no answer's fault
        raise
    except Exception as reason:
        return f"{type(reason).__name__}: {reason}"
    return None


def fresh(names: dict, source: str) -> dict:
    """The names, with copies of the data that the source uses, so that it can change nothing for others."""
    used = used_names(source) & names.keys() - {"__builtins__"}
    return names | {name: copy.deepcopy(names[name]) for name in used if isinstance(names[name], DATA)}


@contextlib.contextmanager
def silence() -> Iterator[None]:
    """A block whose code is marked: it prints nothing, and its warnings are nobody's concern."""
    marking = mock.patch.dict(os.environ, NBGRADER_EXECUTION="autograde")
    with marking, contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
