"""A chapter as a source notebook for Otter, whose `otter assign` makes Gradescope's zip of it.

(book: Teaching with this book, Hubs, larger classes, other graders)
"""

import textwrap
from dataclasses import replace

import nbformat
from nbformat import NotebookNode

from margins_course.assignments.chapter import Cell
from margins_course.assignments.combine import Assignment
from margins_course.assignments.notebooks import KERNEL
from margins_course.assignments.slices import needed
from margins_course.assignments.solution import BEGIN, END
from margins_course.book import requirement

CONFIG = """\
# ASSIGNMENT CONFIG
name: {name}
export_cell: false
check_all_cell: false
generate:
  pdf: false
  show_hidden: false
requirements:
  - {requirement}
tests:
  files: true
  ok_format: true"""


def otter_source(assigned: Assignment) -> NotebookNode:
    """Otter's notebook: raw cells open and close each question, its solution and its tests."""
    config = CONFIG.format(name=assigned.name, requirement=requirement())
    cells = [nbformat.v4.new_raw_cell(config)]
    for cell in assigned.cells:
        if cell.kind == "text":
            cells.append(nbformat.v4.new_markdown_cell(cell.source))
        elif cell.kind in ("setup", "example"):
            cells.append(nbformat.v4.new_code_cell(cell.source))
        elif cell.kind == "solution":
            cells += _question(cell, assigned.cells)
        elif cell.kind == "answer":
            cells += _proof(cell)
    for number, cell in enumerate(cells, 1):
        cell.id = f"cell-{number}"
    return nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": KERNEL})


def _question(solution: Cell, cells: tuple[Cell, ...]) -> list[NotebookNode]:
    """The cells of one exercise: question, solution, tests."""
    checks = [cell for cell in cells if cell.is_graded and cell.exercise == solution.exercise]
    points = "".join(f"\n  - {check.points:g}" for check in checks)
    name = solution.exercise.replace("-", "_")
    source = solution.source.replace(BEGIN, "# BEGIN SOLUTION").replace(END, "# END SOLUTION")
    return [
        *_raw(f"# BEGIN QUESTION\nname: {name}\npoints:{points}", "# BEGIN SOLUTION"),
        nbformat.v4.new_code_cell(source),
        *_raw("# END SOLUTION", "# BEGIN TESTS"),
        *[nbformat.v4.new_code_cell(_test(check, cells)) for check in checks],
        *_raw("# END TESTS", "# END QUESTION"),
    ]


def _proof(answer: Cell) -> list[NotebookNode]:
    """The cells of an exercise that a person marks: Otter puts a place for the answer there."""
    name = f"{answer.exercise.replace('-', '_')}_answer"
    return [
        *_raw(f"# BEGIN QUESTION\nname: {name}\npoints: {answer.points:g}\nmanual: true", "# BEGIN SOLUTION"),
        nbformat.v4.new_markdown_cell(answer.source),
        *_raw("# END SOLUTION", "# END QUESTION"),
    ]


def _test(check: Cell, cells: tuple[Cell, ...]) -> str:
    """A check as Otter's test: silent, because any output fails it, and one statement, because Otter takes
    every line that is not indented for a statement of its own."""
    if check.kind == "check":
        return _one_statement(f'import os\nos.environ["NBGRADER_EXECUTION"] = "otter"\n{check.source}')
    own = [cell for cell in cells if cell.kind == "hidden-setup"]
    setup = needed([*(replace(cell, kind="setup") for cell in own), check])
    return "# HIDDEN\n" + _one_statement("\n".join(cell.source for cell in setup))


def _one_statement(source: str) -> str:
    return "if True:\n" + textwrap.indent(source, "    ")


def _raw(*sources: str) -> list[NotebookNode]:
    return [nbformat.v4.new_raw_cell(source) for source in sources]
