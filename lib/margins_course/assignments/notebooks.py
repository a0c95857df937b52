"""A chapter as two notebooks: nbgrader's source for the instructor, and what students get.

The same source gives the same bytes: cells are numbered, keys sorted, outputs absent.
(book: Teaching with this book, One source)
"""

import json
from dataclasses import replace

import nbformat

from margins_course.assignments.chapter import Cell, Chapter, stubbed
from margins_course.assignments.prose import Linker, statements
from margins_course.assignments.slices import needed

HIDDEN = "### BEGIN HIDDEN TESTS", "### END HIDDEN TESTS"
SETUP_NOTE = """\
## What the exercises rest on

Run this first. The chapter explains it. If `margins` is missing, the book says \
[how to install it]({book}book/how_to_read.html#using-the-library)."""
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}


class Assignment(Chapter):
    """A chapter cut down to its exercises: set-up first, then statements, solutions and checks."""


def assignment(chapter, page):
    """The exercises of a chapter, whose published page is `page`, with the set-up that they need."""
    linker = Linker("\n".join(cell.source for cell in chapter.cells if cell.kind == "text"), page)
    opening = (
        f"# {chapter.title}: exercises\n\nThe chapter: <{page}>. Write your answers where a cell says so."
    )
    cells = [Cell("text", opening), Cell("text", SETUP_NOTE.format(book=linker.book)), *_setup(chapter.cells)]
    for cell in chapter.cells:
        if cell.kind == "text":
            cells += [Cell("text", said, label) for label, said in statements(cell.source, linker)]
        elif cell.kind != "setup":
            cells.append(cell)
    return Assignment(chapter.name, chapter.title, tuple(cells))


def _setup(cells):
    """Set-up in two parts: what students and visible checks use, and what hidden checks use besides."""
    shown = [cell for cell in needed([c for c in cells if c.kind != "hidden-check"]) if cell.kind == "setup"]
    everything = [cell for cell in needed(cells) if cell.kind == "setup"]
    hidden = [replace(cell, kind="hidden-setup") for cell in everything if cell not in shown]
    return [replace(c, name=f"{c.kind}-{number}") for number, c in enumerate([*shown, *hidden], 1)]


def nbgrader_source(assigned):
    """The instructor's notebook: solutions and hidden checks between nbgrader's markers."""
    return _notebook(_source_cell(cell) for cell in assigned.cells)


def student_notebook(assigned):
    """The notebook that students get: stubs for solutions, nothing of the hidden checks."""
    from nbgrader.utils import compute_checksum  # here, because nbgrader takes seconds to import

    cells = [_student_cell(cell) for cell in assigned.cells if not cell.kind.startswith("hidden")]
    for cell in cells:
        if "nbgrader" in cell.metadata:
            cell.metadata.nbgrader.checksum = compute_checksum(cell)
    return _notebook(cells)


def as_bytes(notebook):
    return (json.dumps(notebook, indent=1, sort_keys=True, ensure_ascii=False) + "\n").encode()


def _notebook(cells):
    cells = list(cells)
    for number, cell in enumerate(cells, 1):
        cell.id = f"cell-{number}"
    metadata = {"kernelspec": KERNEL, "language_info": {"name": "python"}}
    return nbformat.v4.new_notebook(cells=cells, metadata=metadata)


def _source_cell(cell):
    if cell.kind == "text":
        return nbformat.v4.new_markdown_cell(cell.source)
    made = nbformat.v4.new_code_cell(cell.source, metadata={"nbgrader": _role(cell)})
    if cell.kind.startswith("hidden"):  # the comment: nbgrader leaves an empty locked cell otherwise
        made.source = f"# hidden: runs when the work is marked\n{HIDDEN[0]}\n{cell.source}\n{HIDDEN[1]}"
    return made


def _student_cell(cell):
    made = _source_cell(cell)
    made.source = stubbed(made.source) if cell.kind == "solution" else made.source
    return made


def _role(cell):
    """nbgrader's metadata: who may write in the cell, and what it is worth."""
    graded = cell.is_graded or cell.kind == "hidden-setup"
    role = {"schema_version": 3, "grade_id": cell.name, "task": False, "grade": graded}
    role |= {"solution": cell.kind == "solution", "locked": cell.kind != "solution"}
    return role | ({"points": cell.points} if graded else {})
