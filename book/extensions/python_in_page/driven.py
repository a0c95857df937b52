"""Figures of a chapter that the reader's answer to an exercise draws, in the place of the library's function.

The file `figure.yml` in an exercise's folder says which figure, which expressions of its cell become calls of
the reader's function, and what to look at. The build refuses a file that does not fit its chapter.
"""

import ast
import copy

import yaml
from sphinx.errors import ExtensionError

from extensions.python_in_page.cells import KNOWN
from margins_book.page.solutions import functions_of

FIELDS = {"figure", "calls", "look"}
SUFFIX = "_by_you"  # of the figure's name: the page's own keeps its own


def driven(chapter, cells, folder):
    """By label, the figures that exercises of a chapter draw: `figure`, `name`, `needs`, `code`, `look`.

    `cells` are the chapter's cells as `cells.cells` gives them, `folder` has a folder for each exercise.
    """
    files = {label: folder / label / "figure.yml" for label in chapter.exercises}
    solutions = {cell.exercise: cell.source for cell in chapter.cells if cell.kind == "solution"}
    return {
        label: _driven(file, cells, functions_of(solutions[label]))
        for label, file in files.items()
        if file.exists()
    }


def _driven(file, cells, functions):
    """What the page needs to know of one figure."""
    asked = yaml.safe_load(file.read_text("utf8"))
    if not isinstance(asked, dict) or set(asked) != FIELDS:
        raise ExtensionError(f"{file}: expected the fields {', '.join(sorted(FIELDS))}")
    name = asked["figure"].replace("-", "_")
    found = [cell for cell in cells.values() if name in functions_of(cell["source"])]
    if not found:
        raise ExtensionError(f"{file}: no cell of the chapter defines the figure {asked['figure']}")
    try:
        code = redirected(found[0]["source"], name, asked["calls"], functions)
    except (SyntaxError, ValueError) as reason:
        raise ExtensionError(f"{file}: {reason}") from None
    made = (name + SUFFIX).replace("_", "-")
    told = {"figure": asked["figure"], "look": asked["look"]}
    return told | {"name": made, "needs": found[0]["needs"], "code": code}


def redirected(source, name, calls, functions):
    """The code of a figure with other expressions in the place of those in `calls`, and the name changed.

    A ValueError says which expression the code does not have, or what of the others nobody defines.
    """
    tree = ast.parse(source)
    wanted = {ast.dump(_expression(old)): _expression(new) for old, new in calls.items()}
    _require_old(tree, calls)
    _require_new(wanted.values(), _names(tree), set(functions))
    changed = Exchange(wanted).visit(tree)
    _rename(changed, name)
    return ast.unparse(ast.fix_missing_locations(changed))


def _rename(tree, name):
    """Gives a figure another name; what makes it of the page's values returns it by its name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name == name:
            node.name = name + SUFFIX
        made = node.value if isinstance(node, ast.Return) else None
        made = node.value.func if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) else made
        if isinstance(made, ast.Name) and made.id == name:
            made.id = name + SUFFIX


def _require_old(tree, calls):
    """A ValueError if the code does not have one of the expressions that are to go."""
    there = {ast.dump(node) for node in ast.walk(tree) if isinstance(node, ast.expr)}
    for old in calls:
        if ast.dump(_expression(old)) not in there:
            raise ValueError(f"the figure's cell has no expression {old}")


def _require_new(expressions, known, functions):
    """A ValueError if what comes instead uses names that nobody defines, or no function of the answer."""
    used = set().union(*map(_names, expressions))
    walked = (node for tree in expressions for node in ast.walk(tree))
    set_there = {node.target.id for node in walked if isinstance(node, ast.NamedExpr)}
    if unknown := used - known - functions - KNOWN - set_there:
        raise ValueError(f"{', '.join(sorted(unknown))} is neither in the figure's cell nor an answer")
    if not used & functions:
        raise ValueError(f"nothing calls {' or '.join(sorted(functions))}")


class Exchange(ast.NodeTransformer):
    """Puts other expressions in the place of some: `wanted` has them by the dump of the old ones."""

    def __init__(self, wanted):
        self.wanted = wanted

    def visit(self, node):
        new = self.wanted.get(ast.dump(node)) if isinstance(node, ast.expr) else None
        return self.generic_visit(node) if new is None else copy.deepcopy(new)


def _expression(text):
    return ast.parse(text.strip(), mode="eval").body


def _names(tree):
    """All names that code mentions."""
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} | {
        node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)
    }
