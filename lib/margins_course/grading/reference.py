"""The reference: the instructor's solutions, set-up and checks, run in this process because they are trusted.

Answers that are trusted run here too, before a release: each with no other exercise's solution at hand, so
none can cost another its points. Values are packed and unpacked as on their way into the sandbox and out.
"""

import contextlib
import copy
import io
import os
import warnings
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any
from unittest import mock

import nbformat
import numpy as np
from nbformat import NotebookNode

from margins_book.page.selection import used_names
from margins_book.page.solutions import functions_of
from margins_course import CourseProblem
from margins_course.assignments import answer_forms
from margins_course.assignments.answer_forms import Form
from margins_course.assignments.cells import grade_id, nbgrader_role
from margins_course.sandbox import wire
from margins_course.sandbox.answers import StudentError

DATA = (np.ndarray, list, dict, set)


def with_copied_data(names: dict, source: str) -> dict:
    """The names, with copies of the data that the source uses, so that it can change nothing for others."""
    used = used_names(source) & names.keys() - {"__builtins__"}
    return names | {name: copy.deepcopy(names[name]) for name in used if isinstance(names[name], DATA)}


@contextlib.contextmanager
def quiet_marking() -> Iterator[None]:
    """A block in which code is marked: its output and warnings are suppressed."""
    marking = mock.patch.dict(os.environ, NBGRADER_EXECUTION="autograde")
    with marking, contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


class Reference:
    """The instructor's notebook; its set-up and its solutions are run once."""

    def __init__(self, source: str):
        everything = nbformat.reads(source, as_version=4).cells
        self.texts = [cell for cell in everything if cell.cell_type == "markdown"]
        cells = [cell for cell in everything if cell.cell_type == "code"]
        self.cells = {grade_id(cell): cell for cell in everything if grade_id(cell)}
        self.points = {
            grade_id(cell): float(nbgrader_role(cell).points)
            for cell in cells
            if nbgrader_role(cell).grade and nbgrader_role(cell).points
        }
        self.checks = [cell for cell in cells if grade_id(cell) in self.points]
        self.solutions = [cell for cell in cells if nbgrader_role(cell).solution]
        given = [cell for cell in cells if not nbgrader_role(cell).grade]
        self.setup = [cell for cell in given if not nbgrader_role(cell).solution]
        self.functions = {name: cell for cell in self.solutions for name in functions_of(cell.source)}
        self.forms: dict[str, Form] = {}
        for name, cell in self.functions.items():  # none is known before the first release
            kept = cell.metadata.get(answer_forms.FORMS_KEY, {})
            self.forms[name] = answer_forms.from_json(kept.get(name, {}))
        self.names: dict[str, Any] = {"__name__": "__main__"}
        self.setup_names: dict[str, Any] = {"__name__": "__main__"}
        self._run_cells(cells)
        generators = [value for value in self.names.values() if isinstance(value, np.random.Generator)]
        self.generators = [(generator, generator.bit_generator.state) for generator in generators]
        self.numpy_state = np.random.get_state()

    def _run_cells(self, cells):
        """Fill `setup_names` with what students' set-up defines, `names` with hidden set-up besides."""
        done = {grade_id(cell) for cell in (*self.setup, *self.checks)}
        with quiet_marking():
            for cell in self.setup:
                exec(compile(cell.source, grade_id(cell), "exec"), self.setup_names)
            self.names |= self.setup_names
            for cell in cells:
                if grade_id(cell) not in done:
                    exec(compile(cell.source, grade_id(cell), "exec"), self.names)

    def run(self, check: NotebookNode, functions: dict[str, Callable]) -> None:
        """A check's code about some functions: exceptions are its verdict.

        Each check draws the random numbers that come after the set-up, whatever was marked before it.
        """
        names = with_copied_data(self.names, check.source) | functions
        np.random.set_state(self.numpy_state)
        for generator, state in self.generators:
            generator.bit_generator.state = state
        exec(compile(check.source, grade_id(check), "exec"), names)

    def require_forms(self) -> None:
        """A CourseProblem, unless the notebook says what form the answers have."""
        if any(answer_forms.FORMS_KEY not in cell.metadata for cell in self.solutions):
            problem = "an earlier version of margins-course released this and noted no form of the answers"
            raise CourseProblem(f"{problem}; run `margins-course release` again")


@lru_cache(maxsize=4)
def read_reference(source: str) -> Reference:
    """The reference of a notebook's text; a process marks many submissions with the same one."""
    return Reference(source)


class InProcessAnswers:
    """The functions that a piece of code defines beside an assignment's set-up, without a sandbox."""

    def __init__(self, reference: Reference, source: str):
        self.names = with_copied_data(reference.setup_names, source)
        with quiet_marking():
            exec(compile(source, "answer", "exec"), self.names)

    def begin_check(self) -> None:
        """The start of a check: what runs here is trusted to end."""

    def raw_function(self, name: str) -> Callable:
        def missing(*_, **__):
            raise NameError(f"name {name!r} is not defined")

        return self.names.get(name, missing)

    def function(self, name: str) -> Callable:
        """The function of that name as a check outside of the sandbox would call it."""

        def proxy(*positional, **named):
            arguments = round_trip([list(positional), named])
            before = wire.pack(arguments)
            value = self.raw_function(name)(*arguments[0], **arguments[1])
            if wire.pack(arguments) != before:
                raise StudentError("it changed one of its arguments; work on a copy")
            return round_trip(value)

        return proxy


def round_trip(value: object) -> Any:
    """A value as it comes out of the sandbox."""
    frame = memoryview(wire.pack(value))
    text, _ = wire.lengths(bytes(frame[: wire.HEADER.size]))
    rest = frame[wire.HEADER.size :]
    return wire.unpack(bytes(rest[:text]), bytes(rest[text:]))
