"""The submission as it was run, for nbgrader's tools: code, what it printed, and what every check said.

It is built anew, so that nothing of a student's reaches it but text. Markdown stands in a fenced block, which
no tool renders. (book: Teaching with this book, The folder)
"""

import nbformat
from nbformat import NotebookNode

from margins_course.assignments.cells import grade_id
from margins_course.assignments.notebooks import KERNEL
from margins_course.grading.reference import Reference
from margins_course.pages.visible import as_plain_text
from margins_course.sandbox.answers import CellResult


def marked_notebook(
    submitted: list[NotebookNode],
    reference: Reference,
    results: dict[str, CellResult],
    messages: dict[str, str | None],
) -> NotebookNode:
    """The notebook of a submission's cells, of whose code there are results, and of all checks."""
    given = {cell.source for cell in reference.texts if not grade_id(cell)}
    cells = []
    for number, cell in enumerate(submitted):
        if cell.cell_type == "markdown":
            cells.append(_marked_text(cell, given, reference))
        elif f"cell {number}" in results:
            cells.append(_marked_code(cell, reference, results[f"cell {number}"]))
    cells += [_marked_check(cell, messages[grade_id(cell)]) for cell in reference.checks]
    for number, cell in enumerate(cells, 1):
        cell.id = f"cell-{number}"
    return nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": KERNEL})


def _marked_text(cell, given, reference):
    source = cell.source if cell.source in given else as_plain_text(cell.source)
    return nbformat.v4.new_markdown_cell(source, metadata=_role(cell, reference))


def _marked_code(cell, reference, result):
    made = nbformat.v4.new_code_cell(cell.source, metadata=_role(cell, reference))
    if result.printed:
        made.outputs.append(nbformat.v4.new_output("stream", name="stdout", text=result.printed))
    for picture in result.pictures:
        made.outputs.append(nbformat.v4.new_output("display_data", data={"image/png": picture}))
    if result.error:
        kind, said, trace = result.error
        made.outputs.append(
            nbformat.v4.new_output("error", ename=kind, evalue=said, traceback=trace.splitlines())
        )
    return made


def _marked_check(cell, said):
    made = nbformat.v4.new_code_cell(cell.source, metadata={"nbgrader": dict(cell.metadata.nbgrader)})
    if said:
        kind, _, message = said.partition(": ")
        made.outputs.append(nbformat.v4.new_output("error", ename=kind, evalue=message, traceback=[said]))
    return made


def _role(cell, reference):
    """nbgrader's metadata of a cell that was given to be answered."""
    known = reference.cells.get(grade_id(cell))
    return {"nbgrader": dict(known.metadata.nbgrader)} if known else {}
