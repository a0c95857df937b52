"""An assignment as three notebooks: nbgrader's source for the instructor, the students', Otter's source.

The same source gives the same bytes: cells are numbered, keys sorted, outputs absent. Otter's `otter assign`
makes Gradescope's zip of the third.
"""

import json
import textwrap
from collections.abc import Iterable
from dataclasses import replace

import nbformat
from nbformat import NotebookNode

from margins_book.page.chapter import Cell
from margins_book.page.selection import needed_cells
from margins_book.page.solutions import BEGIN, END, stubbed
from margins_course.assignments.combine import Assignment
from margins_course.assignments.sheet import as_metadata
from margins_course.book import requirement

HIDDEN = "### BEGIN HIDDEN TESTS", "### END HIDDEN TESTS"
ANSWER_HERE = "*Write your answer here.*"
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}


def nbgrader_source(assigned: Assignment) -> NotebookNode:
    """The instructor's notebook: solutions, hidden checks between nbgrader's markers, and the sheet."""
    return _notebook(map(_source_cell, assigned.cells), as_metadata(assigned.sheet))


def student_notebook(assigned: Assignment) -> NotebookNode:
    """The notebook that students get: stubs for solutions, nothing of the hidden checks."""
    from nbgrader.utils import compute_checksum  # here, because nbgrader takes seconds to import

    cells = [_student_cell(cell) for cell in assigned.cells if not cell.kind.startswith("hidden")]
    for cell in cells:
        if "nbgrader" in cell.metadata:
            cell.metadata.nbgrader.checksum = compute_checksum(cell)
            if cell.metadata.nbgrader.locked:
                cell.metadata |= {"editable": False, "deletable": False}
    return _notebook(cells, {})


def as_bytes(notebook: NotebookNode) -> bytes:
    return (json.dumps(notebook, indent=1, sort_keys=True, ensure_ascii=False) + "\n").encode()


def _notebook(cells: Iterable[NotebookNode], metadata: dict) -> NotebookNode:
    cells = list(cells)
    for number, cell in enumerate(cells, 1):
        cell.id = f"cell-{number}"
    metadata = {"kernelspec": KERNEL, "language_info": {"name": "python"}} | metadata
    return nbformat.v4.new_notebook(cells=cells, metadata=metadata)


def _source_cell(cell: Cell) -> NotebookNode:
    if cell.kind == "text":
        return nbformat.v4.new_markdown_cell(cell.source)
    if cell.kind == "answer":
        return nbformat.v4.new_markdown_cell(cell.source, metadata={"nbgrader": _role(cell)})
    made = nbformat.v4.new_code_cell(cell.source, metadata={"nbgrader": _role(cell)})
    if cell.kind.startswith("hidden"):  # the comment: nbgrader leaves an empty locked cell otherwise
        made.source = f"# hidden: runs when the work is marked\n{HIDDEN[0]}\n{cell.source}\n{HIDDEN[1]}"
    return made


def _student_cell(cell: Cell) -> NotebookNode:
    made = _source_cell(cell)
    if cell.kind == "solution":
        made.source = stubbed(made.source)
    if cell.kind == "answer":
        made.source = ANSWER_HERE
    return made


def _role(cell: Cell) -> dict:
    """nbgrader's metadata: who may write in the cell, and what it is worth."""
    is_written_by_students = cell.kind in ("solution", "answer")
    has_points = cell.is_graded or cell.kind in ("hidden-setup", "answer")
    role = {"schema_version": 3, "grade_id": cell.name, "task": False, "grade": has_points}
    role |= {"solution": is_written_by_students, "locked": not is_written_by_students}
    return role | ({"points": cell.points} if has_points else {})


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
    config = CONFIG.format(name=assigned.sheet.name, requirement=requirement())
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
    return _notebook(cells, {})


def _question(solution: Cell, cells: tuple[Cell, ...]) -> list[NotebookNode]:
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
    setup = needed_cells([*(replace(cell, kind="setup") for cell in own), check])
    return "# HIDDEN\n" + _one_statement("\n".join(cell.source for cell in setup))


def _one_statement(source: str) -> str:
    return "if True:\n" + textwrap.indent(source, "    ")


def _raw(*sources: str) -> list[NotebookNode]:
    return [nbformat.v4.new_raw_cell(source) for source in sources]
