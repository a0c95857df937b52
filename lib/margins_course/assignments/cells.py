"""Cells of an assignment's notebooks: their names and roles in nbgrader's metadata, solutions and stubs.

Checks are called `LABEL--check-1`, `LABEL--hidden-check-1` and `LABEL--private-check-1`, answers
`LABEL--solution-1` for code and `LABEL--answer` for text. In a solution the part between two markers is
students': they get a stub in its place.
(book: Teaching with this book, The folder)
"""

import ast
import re

import nbformat
from nbformat import NotebookNode

from margins_course import CourseProblem


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


def functions_of(source: str) -> tuple[str, ...]:
    """The functions that a solution cell defines."""
    return tuple(node.name for node in ast.parse(source).body if isinstance(node, ast.FunctionDef))


BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"
SOLUTION = re.compile(rf"(?ms)^([ \t]*){BEGIN}[ \t]*\n.*?^[ \t]*{END}[ \t]*$")
MARKER = re.compile(rf"(?m)^[ \t]*({BEGIN}|{END})[ \t]*\n?")
STUB = '# your code here\nraise NotImplementedError("nothing is written here yet")'


def stubbed(source: str) -> str:
    """A solution cell as students get it: the part between the markers is left to them."""
    return SOLUTION.sub(lambda match: re.sub("(?m)^", match[1], STUB), source)


def require_python(source: str, where: str) -> None:
    """Raises a CourseProblem unless a code cell is Python."""
    try:
        ast.parse(source)
    except SyntaxError as reason:
        line = (source.splitlines() or [""])[min((reason.lineno or 1), source.count("\n") + 1) - 1].strip()
        raise CourseProblem(
            f"{where}: this is not Python ({reason.msg}): {line[:80]!r}; lines such as %matplotlib are for "
            "notebooks alone, take them out"
        ) from None
    except (ValueError, MemoryError, RecursionError) as reason:
        raise CourseProblem(f"{where}: this is not Python: {reason or type(reason).__name__}") from None


def require_markers(source: str, where: str) -> None:
    """Raises a CourseProblem unless there is a part for students and each marker has its partner."""
    left_over = [mark for mark in (BEGIN, END) if mark in SOLUTION.sub("", source)]
    if left_over:
        raise CourseProblem(f"{where}: the line {left_over[0]!r} has no partner")
    if not SOLUTION.search(source):
        raise CourseProblem(
            f"{where}: a solution needs the lines {BEGIN!r} and {END!r} around students' part"
        )


def require_functions(source: str, where: str) -> None:
    """Raises a CourseProblem unless a solution defines functions alone: only calls cross into the sandbox."""
    kinds = [type(node) for node in ast.parse(source).body]
    other = [kind.__name__ for kind in kinds if kind not in (ast.FunctionDef, ast.Import, ast.ImportFrom)]
    if other or ast.FunctionDef not in kinds:
        came = other[0] if other else "nothing"
        raise CourseProblem(
            f"{where}: a solution cell must define functions and nothing else, but {came} came"
        )
