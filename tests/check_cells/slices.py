"""Which statements of a page state what a check checks: those from which its assertions are computed."""

import ast
from functools import cache

from margins_book.page.selection import SIMPLE, bound_names, mutated_names, used_names
from tests.check_cells.expressions import (
    called,
    equated,
    is_drawn,
    is_grid,
    is_noise,
    is_tolerance,
    names,
    number,
)
from tests.check_cells.words import BOUNDED, CLOSE

BEHIND = ast.Assign | ast.AugAssign | ast.AnnAssign | ast.Return | ast.Expr | ast.Assert


def stated(trees, place):
    """The statements behind the assertions of the check at `place`, by the places of their pieces.

    Each is a pair: an assertion or a simple statement, and the expressions in it that count. `trees` are the
    syntax trees of the pieces, `place` is the number of one of them.
    """
    makers = frozenset().union(*(data_makers(tree) for tree in trees[: place + 1]))
    check = trees[place]
    wanted = set().union(*(asserted_names(node) for node in ast.walk(check) if is_assertion(node)))
    asserted = [(node, [node]) for node in ast.walk(check) if is_assertion(node)]
    found = {place: [*_behind(check.body, wanted, makers), *asserted]}
    for earlier in range(place - 1, -1, -1):
        for statement in reversed(trees[earlier].body):
            source = ast.unparse(statement)
            if not wanted & (bound_names(source) | mutated_names(source)):
                continue
            behind = _behind([statement], wanted, makers)
            if isinstance(statement, SIMPLE):
                wanted -= bound_names(source)
            found.setdefault(earlier, []).extend(behind)
    return found


def is_assertion(node):
    return isinstance(node, ast.Assert) or called(node) == BOUNDED


def mark_noise(trees):
    """Marks the names of standard errors: those that were last computed by a standard deviation."""
    noise = set()
    for tree in trees:
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign):
                noise -= _sets(node)
                noise |= _deviations(node)
        for node in ast.walk(tree):
            if isinstance(node, ast.Name):
                node.noise = node.id in noise


def _deviations(node):
    """The names that an assignment sets to a standard deviation, or to a part of one."""
    target, value = node.targets[0], node.value
    both = isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple)
    pairs = zip(target.elts, value.elts, strict=False) if both else [(target, value)]
    return {
        name.id
        for name, part in pairs
        if isinstance(name, ast.Name) and any(called(inner) == "std" for inner in ast.walk(part))
    }


def asserted_names(node):
    """The names in an assertion but for those of tolerances."""
    room = {id(part) for side in tolerances(node) for part in ast.walk(side)}
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name) and id(part) not in room}


def tolerances(node):
    """The sides of comparisons that are tolerances: small numbers, and what an equation's error is below."""
    for part in ast.walk(node):
        if isinstance(part, ast.Compare):
            sides = [part.left, *part.comparators]
            yield from (side for side in sides if is_tolerance(side) or is_noise(side))
            for place, operator in enumerate(part.ops):
                if isinstance(operator, ast.Lt | ast.LtE) and equated(sides[place]):
                    yield from sides[place + 1 :]
                    break


def _behind(body, wanted, makers):
    """The statements in `body` that set a name in `wanted`; the names that they read are added to it."""
    found, before = {}, -1
    while len(wanted) > before:
        before = len(wanted)
        for node in _statements(body):
            if _sets(node) & wanted and not is_data(node, makers):
                found[id(node)] = node
                wanted |= _reads(node, wanted)
    inside = [part for node in found.values() for part in _inside(node)]
    pairs = [(part, _parts(part, wanted)) for part in inside if isinstance(part, BEHIND)]
    return [
        (node, [part for part in parts if not _is_datum(part, makers)])
        for node, parts in pairs
        if not is_data(node, makers) and not _is_step(node)
    ]


def _is_step(node):
    """Whether a statement takes a name on from its own value, such as `w = w - step`: a way to compute."""
    value = getattr(node, "value", None)
    return (
        isinstance(node, ast.Assign)
        and isinstance(value, ast.BinOp | ast.Tuple)
        and bool(_sets(node) & names(value))
    )


def _parts(node, wanted):
    """The expressions of a statement; of `a, b = x, y` those of the names in `wanted` alone."""
    value = node if isinstance(node, ast.AugAssign | ast.Assert) else node.value
    target = node.targets[0] if isinstance(node, ast.Assign) else None
    if not (isinstance(value, ast.Tuple) and isinstance(target, ast.Tuple)):
        return [] if value is None else [value]
    pairs = zip(target.elts, value.elts, strict=False)
    return [part for name, part in pairs if not isinstance(name, ast.Name) or name.id in wanted]


def _statements(body):
    """The statements in `body` and in its loops, not those in its functions."""
    for node in body:
        yield node
        if not isinstance(node, ast.FunctionDef | ast.ClassDef):
            for field in ("body", "orelse", "finalbody"):
                yield from _statements(getattr(node, field, []))
            for handler in getattr(node, "handlers", []):
                yield from _statements(handler.body)


def _inside(node):
    """The statement itself, or those of a function."""
    return [part for part in ast.walk(node) if isinstance(part, ast.stmt)] if is_function(node) else [node]


def is_function(node):
    return isinstance(node, ast.FunctionDef)


def _sets(node):
    """The names that one statement sets or changes, without what stands in its body."""
    if isinstance(node, ast.For):
        return {part.id for part in ast.walk(node.target) if isinstance(part, ast.Name)}
    if isinstance(node, ast.If | ast.While | ast.With | ast.Try):
        return set()
    source = ast.unparse(node)
    return bound_names(source) | mutated_names(source)


def _reads(node, wanted):
    if isinstance(node, ast.For):
        return names(node.iter)
    if is_function(node):
        return set(used_names(ast.unparse(node)))
    if isinstance(node, ast.Assign):
        return set().union(*map(names, _parts(node, wanted)))
    return names(node)


def is_data(node, makers=frozenset()):
    """Whether a statement makes data: it draws at random, or its value is a literal or a grid."""
    if is_function(node):
        return node.name in makers
    value = getattr(node, "value", None)
    if value is None or isinstance(node, ast.Return):
        return is_drawn(node, makers)
    parts = value.elts if isinstance(value, ast.Tuple) else [value]
    return all(_is_datum(part, makers) for part in parts)


def _is_datum(value, makers):
    if called(value) == "where" and all(number(part) is not None for part in value.args[1:]):
        return True  # labels
    return is_drawn(value, makers) or is_grid(value) or not names(value)


@cache
def data_makers(tree):
    """The functions of a piece that draw at random and compute no formula: what they return is data."""
    functions = [node for node in tree.body if is_function(node)]
    return frozenset(node.name for node in functions if is_drawn(node) and not _computes(node))


def _computes(node):
    formulas = {"exp", "log", "cosh", "tanh", "log1p", "expm1"} | CLOSE
    parts = list(ast.walk(node))
    products = any(isinstance(part, ast.MatMult) for part in parts)
    return products or any(called(part) in formulas or _is_library(part) for part in parts)


def _is_library(node):
    """Whether a call is on one of the library's modules, such as `kernels.gaussian(...)`."""
    inside = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    root = node.func.value if inside else None
    return isinstance(root, ast.Name) and root.id not in ("np", "math", "rng")
