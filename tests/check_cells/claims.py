"""What could be wrong in what is asserted: inequalities turned or sharpened, equations by a factor.

A choice is a list of expressions of which a check must refuse one: a constant is made larger and smaller, as
an inequality can deny one of the two alone. Data, sizes, options, tolerances and texts stay as they are.
"""

import ast

from tests.check_cells.expressions import called, equated, is_noise, is_tolerance, number
from tests.check_cells.formulas import ALONE, TERM, TURNED, in_equation, in_formula, is_counted, scaled
from tests.check_cells.words import BOUNDED, CLOSE


def in_statement(node):
    """Pairs of a place in an assertion, a value or an increment, and of what could be there instead."""
    if isinstance(node, ast.Assert):
        yield from in_claim(node.test)
    elif called(node) == BOUNDED:
        yield node.args[1], scaled(node.args[1])[::-1]
        for side in node.args[:2]:
            yield from in_formula(side, ALONE)
    elif isinstance(node, ast.AugAssign):
        opposite = {ast.Add: ast.Sub, ast.Sub: ast.Add}.get(type(node.op))
        if opposite and not is_counted(node.value):
            yield node, [ast.AugAssign(node.target, opposite(), node.value)]
        yield from in_formula(node.value, TERM)
    else:
        yield from in_formula(node, ALONE)


def in_claim(node):
    """What could be wrong in what is asserted."""
    inside = _quantified(node)
    if isinstance(node, ast.BoolOp):
        for value in node.values:
            if isinstance(node.op, ast.And) or not _is_case(value):
                yield from in_claim(value)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield from in_claim(node.operand)
    elif inside is not None:
        yield from in_claim(inside)
    elif isinstance(node, ast.Compare):
        yield from in_comparison(node)
    elif called(node) in CLOSE:
        yield from in_equation(*node.args[:2])
    else:
        yield from in_formula(node, ALONE)


def in_comparison(node):
    """Of each pair of neighbours: turned, made sharper, or, up to rounding, an equation."""
    sides = [node.left, *node.comparators]
    for place, (operator, left, right) in enumerate(zip(node.ops, sides, sides[1:], strict=False)):
        if equal := equated(left) if isinstance(operator, ast.Lt | ast.LtE) else []:
            return (yield from in_equation(*equal))
        if isinstance(operator, ast.Eq):
            yield from in_equation(left, right)
        elif is_noise(left):
            return  # how well something was measured
        elif type(operator) in TURNED and not any(map(is_tolerance, (left, right))):
            yield from _in_inequality(node, place, left, right)
    if not isinstance(node.ops[0], ast.Eq):
        for side in sides:
            if not is_tolerance(side) and not is_noise(side):
                yield from in_formula(side, ALONE)


def _in_inequality(node, place, left, right):
    """The inequality turned, and a bound that is nearer."""
    operator = node.ops[place]
    ops = [*node.ops[:place], TURNED[type(operator)](), *node.ops[place + 1 :]]
    yield node, [ast.Compare(node.left, ops, node.comparators)]
    is_bound = isinstance(operator, ast.LtE | ast.GtE) or isinstance(right, ast.Name)
    if is_bound and number(right) is None and number(left) is None and not is_noise(right):
        larger, smaller = scaled(right)
        is_lower = isinstance(operator, ast.Gt | ast.GtE)
        yield right, [larger, smaller] if is_lower else [smaller, larger]


def _quantified(node):
    """What `all(...)` or `(...).all()` says of each; None for anything else."""
    if called(node) not in ("all", "any"):
        return None
    inside = node.args[0] if node.args else node.func.value
    return inside.elt if isinstance(inside, ast.GeneratorExp | ast.ListComp) else inside


def _is_case(node):
    """Whether a comparison names a case, such as `kind == "positive"` or `scale == 1.0`."""
    return (
        isinstance(node, ast.Compare)
        and isinstance(node.comparators[0], ast.Constant)
        and (isinstance(node.left, ast.Name) and isinstance(node.ops[0], ast.Eq | ast.NotEq))
    )
