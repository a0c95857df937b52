"""What a page needs to know of a chapter's coded exercises: text to start from, set-up, check.

All of it is what the students' notebook shows: the stub, the set-up that the exercise rests on, the visible
check. Solutions and hidden checks do not travel.
"""

import ast
from itertools import takewhile

from margins_book.page.selection import select
from margins_book.page.solutions import functions_of, stubbed


def exercises(chapter):
    """The coded exercises of a chapter by label, each a dict of `start`, `setup`, `functions` and `check`."""
    return {label: _exercise(chapter, label) for label in chapter.exercises}


def _exercise(chapter, label):
    selection = select(chapter, "", (label,))
    solution = selection.solutions[0].source
    shown = [cell.source for cell in selection.setup if cell.kind == "setup"]
    checks = [cell.source for cell in selection.work_of(label) if cell.kind == "check"]
    return {
        "start": with_docstring(stubbed(solution), chapter.text(label).title).strip("\n") + "\n",
        "setup": "\n".join([*imports_before(chapter, label), *shown]),
        "functions": functions_of(solution),
        "check": "\n".join(checks),
    }


def imports_before(chapter, label):
    """The imports of the chapter before an exercise: names that a reader of the page expects to be there."""
    before = takewhile(lambda cell: cell.exercise != label, chapter.cells)
    nodes = (node for cell in before if cell.kind == "setup" for node in ast.parse(cell.source).body)
    found = (ast.unparse(node) for node in nodes if isinstance(node, ast.Import | ast.ImportFrom))
    return list(dict.fromkeys(found))


def with_docstring(stub, title):
    """A stub whose first function says what it is, if it does not yet."""
    function = next(node for node in ast.parse(stub).body if isinstance(node, ast.FunctionDef))
    if ast.get_docstring(function):
        return stub
    lines = stub.split("\n")
    first = (
        lines.index("    # your code here")
        if "    # your code here" in lines
        else function.body[0].lineno - 1
    )
    said = title if title.endswith(("?", "!")) else f"{title}."
    return "\n".join([*lines[:first], f'    """{said}"""', *lines[first:]])
