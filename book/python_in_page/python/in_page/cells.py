"""Code of a chapter, executed in a namespace."""

import ast
import linecache

UNSHOWN = "Explorable"  # shown as a figure of the page


def execute(source, title, space, *, show=False):
    """Executes `source` in `space` under the name `title`; with `show` prints what its last line gives.

    A figure is not printed but returned.
    """
    note_lines(source, title)
    tree = ast.parse(source, title)
    last = tree.body.pop() if show and tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, title, "exec"), space)
    if last is None:
        return None
    value = eval(compile(ast.Expression(last.value), title, "eval"), space)
    if type(value).__name__ == UNSHOWN:
        return value
    if value is not None:
        print(repr(value))
    return None


def note_lines(source, title):
    """Keeps the lines of `source` for errors that name `title`."""
    linecache.cache[title] = (len(source), None, source.splitlines(True), title)


def new_space():
    """A namespace as a notebook's cells have it."""
    return {"__name__": "__main__"}
