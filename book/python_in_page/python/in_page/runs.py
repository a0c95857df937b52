"""A cell of the chapter, as the reader has changed it, run after the cells that it needs."""

import ast
import contextlib
import io
import symtable

from in_page.cells import execute, new_space, note_lines
from in_page.figures import new_figures
from in_page.told import told

CELL = "this cell"
BEFORE = "a cell before this one"


def run(setup, code):
    """What the cell `code` leads to: a dict of `verdict` ("ran" or "error"), `text`, `detail`, `figures`.

    `setup` are the sources of the cells that it needs; they run unseen. What of them cannot run here is
    passed over: it may not matter, and if it does the cell's own error says so.
    """
    space = new_space()
    missing = prepare(setup, space)
    before = dict(space)
    try:
        shown = execute(code, CELL, space, show=True)
        figures = new_figures(before, {**space, CELL: shown})
    except BaseException as reason:
        text = told(reason, {CELL, BEFORE})
        said = text.strip().splitlines()[-1]
        if missing and isinstance(reason, NameError):
            said += f" (a cell before this one says: {missing})"
        return {"verdict": "error", "text": said, "detail": text.rstrip(), "figures": []}
    return {"verdict": "ran", "text": "", "detail": "", "figures": figures}


def prepare(setup, space):
    """Runs the sources of `setup` statement by statement; what the first one that cannot run says, or "".

    The names that such a statement would have set are not set from then on.
    """
    said = ""
    with contextlib.redirect_stdout(io.StringIO()):
        for source in setup:
            note_lines(source, BEFORE)
            for statement in ast.parse(source).body:
                try:
                    exec(compile(ast.Module([statement], []), BEFORE, "exec"), space)
                except Exception as reason:
                    said = said or str(reason)
                    for name in set_by(statement):
                        space.pop(name, None)  # an older value would be another one
    return said


def set_by(statement):
    """The names that a statement sets at the top of a cell."""
    symbols = symtable.symtable(ast.unparse(statement), BEFORE, "exec").get_symbols()
    return [one.get_name() for one in symbols if one.is_assigned() or one.is_imported() or one.is_namespace()]
