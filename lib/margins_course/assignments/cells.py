"""Cells of an assignment's notebooks: their names and roles in nbgrader's metadata.

Checks are called `LABEL--check-1`, `LABEL--hidden-check-1` and `LABEL--private-check-1`, answers
`LABEL--solution-1` for code and `LABEL--answer` for text.
"""

import nbformat
from nbformat import NotebookNode


def nbgrader_role(cell: NotebookNode) -> NotebookNode:
    """nbgrader's metadata of a cell in the instructor's notebook."""
    return cell.metadata.get("nbgrader", nbformat.from_dict({"grade": False, "solution": False}))


def grade_id(cell: NotebookNode) -> str:
    """The name of a cell in the assignment, "" if it has none."""
    return cell.metadata.get("nbgrader", {}).get("grade_id") or ""


def label_of(cell: NotebookNode) -> str:
    """The exercise that a cell belongs to by its name, "" if to none."""
    label, found, _ = grade_id(cell).partition("--")
    return label if found else ""


def is_hidden(cell: NotebookNode) -> bool:
    """Whether a cell is a check that students never see."""
    return grade_id(cell).partition("--")[2].startswith(("hidden-check", "private-check"))
