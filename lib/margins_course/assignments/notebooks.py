"""An assignment as two notebooks: nbgrader's source for the instructor, and what students get.

The same source gives the same bytes: cells are numbered, keys sorted, outputs absent.
(book: Teaching with this book, Release)
"""

import json
from collections.abc import Iterable

import nbformat
from nbformat import NotebookNode

from margins_course.assignments.chapter import Cell, Chapter
from margins_course.assignments.combine import Assignment, combined
from margins_course.assignments.cut import cut
from margins_course.assignments.sheet import as_metadata
from margins_course.assignments.solution import stubbed

HIDDEN = "### BEGIN HIDDEN TESTS", "### END HIDDEN TESTS"
ANSWER_HERE = "*Write your answer here.*"
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}


def assignment(chapter: Chapter, page: str) -> Assignment:
    """All exercises of a chapter whose published page is `page`."""
    labels = tuple(text.label for text in chapter.texts)
    return combined(chapter.name, f"{chapter.title}: exercises", [cut(chapter, page, labels)])


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
    return _notebook(cells, {})


def as_bytes(notebook: NotebookNode) -> bytes:
    """A notebook as its file's content."""
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
