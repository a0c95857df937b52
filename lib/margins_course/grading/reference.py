"""The instructor's notebook taken apart: set-up, solutions, checks, and the form of each function's answers.

(book: Teaching with this book, How marking works)
"""

from collections.abc import Callable
from functools import lru_cache

import nbformat
import numpy as np
from nbformat import NotebookNode

from margins_course.assignments import contract
from margins_course.assignments.cells import functions_of, grade_id, role
from margins_course.assignments.contract import Form
from margins_course.assignments.proof import fresh, silence
from margins_course.problems import CourseProblem


class Reference:
    """The instructor's notebook; its set-up and its solutions are run once."""

    def __init__(self, source: str):
        everything = nbformat.reads(source, as_version=4).cells
        self.texts = [cell for cell in everything if cell.cell_type == "markdown"]
        cells = [cell for cell in everything if cell.cell_type == "code"]
        self.cells = {grade_id(cell): cell for cell in everything if grade_id(cell)}
        self.points = {
            grade_id(cell): float(role(cell).points)
            for cell in cells
            if role(cell).grade and role(cell).points
        }
        self.checks = [cell for cell in cells if grade_id(cell) in self.points]
        self.solutions = [cell for cell in cells if role(cell).solution]
        self.setup = [cell for cell in cells if not role(cell).grade and not role(cell).solution]
        self.functions = {name: cell for cell in self.solutions for name in functions_of(cell.source)}
        self.forms = {name: _form(cell, name) for name, cell in self.functions.items()}
        self.names = {"__name__": "__main__"}
        self.given = {"__name__": "__main__"}
        self._run_cells(cells)
        dice = [value for value in self.names.values() if isinstance(value, np.random.Generator)]
        self.dice = [(generator, generator.bit_generator.state) for generator in dice]
        self.legacy = np.random.get_state()

    def _run_cells(self, cells):
        """Fill `given` with what students' set-up defines, `names` with that and what only checks see."""
        done = {grade_id(cell) for cell in (*self.setup, *self.checks)}
        with silence():
            for cell in self.setup:
                exec(compile(cell.source, grade_id(cell), "exec"), self.given)
            self.names |= self.given
            for cell in cells:
                if grade_id(cell) not in done:
                    exec(compile(cell.source, grade_id(cell), "exec"), self.names)

    def solution(self, name: str) -> Callable:
        """The reference's own function of that name."""
        return self.names[name]

    def run(self, check: NotebookNode, functions: dict[str, Callable]) -> None:
        """A check's code about some functions: exceptions are its verdict.

        Each check draws the random numbers that come after the set-up, whatever was marked before it.
        """
        names = fresh(self.names, check.source) | functions
        np.random.set_state(self.legacy)
        for generator, state in self.dice:
            generator.bit_generator.state = state
        exec(compile(check.source, grade_id(check), "exec"), names)

    def require_forms(self) -> None:
        """A CourseProblem, unless the notebook says what form the answers have."""
        if any(contract.KEY not in cell.metadata for cell in self.solutions):
            raise CourseProblem(
                "this assignment was released by an earlier version of margins-course, which did not note "
                "the form of the answers; run `margins-course release` again"
            )


@lru_cache(maxsize=4)
def read_reference(source: str) -> Reference:
    """The reference of a notebook's text; a process marks many submissions with the same one."""
    return Reference(source)


def _form(cell, name):
    kept = cell.metadata.get(contract.KEY, {}).get(name)
    return Form() if kept is None else contract.from_json(kept)
