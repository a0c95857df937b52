"""What could be wrong in a formula: constants, exponents, signs, terms, factors, transpositions."""

import ast

from tests.check_cells.expressions import (
    SMALL,
    TINY,
    called,
    equated,
    is_drawn,
    is_grid,
    is_tolerance,
    makes_room,
    names,
    number,
)
from tests.check_cells.words import FORMULAS, OF_ONE, OPTIONS_OF_SIZE, SIZES

FACTOR, HALF = 1.5, 0.5  # a wrong constant is so many times the right one, a wrong exponent so much apart
TURNED = {ast.Lt: ast.Gt, ast.LtE: ast.GtE, ast.Gt: ast.Lt, ast.GtE: ast.LtE}
TWINS = {"sin": "cos", "cos": "sin", "cosh": "sinh", "sinh": "cosh"}
ALONE, TERM, SCALE, EXPONENT = "alone", "term", "scale", "exponent"  # where a number stands
ROLES = {ast.Add: TERM, ast.Sub: TERM, ast.Mult: SCALE, ast.Div: SCALE, ast.Pow: SCALE}


def in_equation(*equal):
    """Of `left == right`, up to rounding: one side by another factor, and what is wrong in each."""
    for side in equal:
        value = number(side)
        if value is not None and value:
            yield side, _wrong_numbers(value, TERM if isinstance(value, int) else SCALE)
        elif isinstance(side, ast.List | ast.Tuple):
            for part in _elements(side):
                if number(part):
                    yield part, _wrong_numbers(number(part), TERM if isinstance(number(part), int) else SCALE)
        else:
            yield from in_formula(side, ALONE)
    plain = next((side for side in equal if names(side)), None)
    if plain is not None and len(equal) == 2 and 0 not in map(number, equal):
        yield plain, scaled(plain)[:1]


def in_formula(node, role):
    """What could be wrong in an expression; `role` says what a number would be at its place."""
    value = number(node)
    if value is not None:
        if role != ALONE and abs(value) > (SMALL if role == TERM else TINY):
            yield node, _wrong_numbers(value, role)
    elif isinstance(node, ast.BinOp):
        yield from _in_operation(node, role)
    elif isinstance(node, ast.UnaryOp):
        if isinstance(node.op, ast.USub):
            yield node, [node.operand]
        yield from in_formula(node.operand, role)
    elif isinstance(node, ast.Compare):
        yield from _in_condition(node)
    elif equal := equated(node):
        yield from in_equation(*equal)
    elif isinstance(node, ast.Call):
        yield from _in_call(node)
    else:
        yield from _in_parts(node)


def _in_parts(node):
    """Of what is none of the usual expressions: an attribute, a choice of entries, what else has parts."""
    if isinstance(node, ast.Attribute):
        if node.attr == "T":
            yield node, [node.value]
        yield from in_formula(node.value, ALONE)
    elif isinstance(node, ast.Subscript):
        yield from in_formula(node.value, ALONE)
        for part in ast.walk(node.slice):
            if isinstance(part, ast.Compare):
                yield from _in_condition(part)
    elif isinstance(node, ast.comprehension):
        for part in (node.iter, *node.ifs):
            yield from in_formula(part, ALONE)
    elif not isinstance(node, ast.JoinedStr):
        for part in ast.iter_child_nodes(node):
            yield from in_formula(part, ALONE)


def _in_condition(node):
    """Of a comparison that chooses: the opposite."""
    sides = [node.left, *node.comparators]
    if any(is_tolerance(side) or makes_room(side) for side in sides):
        return
    opposite = {ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, **TURNED}.get(type(node.ops[0]))
    if len(sides) == 2 and opposite:
        yield node, [ast.Compare(node.left, [opposite()], node.comparators)]
    for side in sides:
        yield from in_formula(side, ALONE)


def _in_operation(node, role):
    """The other sign, each term or factor left out, another factor, and what is wrong in the two sides."""
    if is_grid(node) or _is_spread(node) or None not in (number(node.left), number(node.right)):
        return
    if isinstance(node.op, ast.Add | ast.Sub) and not is_counted(node) and not makes_room(node):
        other = ast.Sub() if isinstance(node.op, ast.Add) else ast.Add()
        yield node, [ast.BinOp(node.left, other, node.right)]
    if isinstance(node.op, ast.Div) and role != SCALE and not _has_constant(node):
        yield node, scaled(node)
    for side in _kept_alone(node):
        yield node, [side]
    for side in (node.left, node.right):
        if not (makes_room(node) and (is_tolerance(side) or number(side) is not None)):
            is_exponent = isinstance(node.op, ast.Pow) and side is node.right
            yield from in_formula(side, EXPONENT if is_exponent else ROLES.get(type(node.op), ALONE))


def _kept_alone(node):
    """The sides of an operation of which the other can be left out."""
    left, right = number(node.left), number(node.right)
    if isinstance(node.op, ast.Add | ast.Sub) and not is_counted(node) and not makes_room(node):
        yield node.left
        if isinstance(node.op, ast.Add) and left is None and not _is(node.left, ast.Add | ast.Sub):
            yield node.right
    if isinstance(node.op, ast.Mult | ast.Div | ast.Pow) and right is None and not makes_room(node.right):
        yield node.left
    is_product = _is(node.left, ast.Mult | ast.Div) or makes_room(node.left)
    if isinstance(node.op, ast.Mult) and left is None and not is_product:
        yield node.right


def _in_call(node):
    name = called(node)
    if name in SIZES or is_drawn(node.func):
        return
    inside = SCALE if name in FORMULAS else ALONE
    if name == "sqrt" and number(node.args[0]) is None:
        yield node, node.args[:1]
    if name in TWINS and isinstance(node.func, ast.Attribute):
        twin = ast.Attribute(node.func.value, TWINS[name], ast.Load())
        yield node, [ast.Call(twin, node.args, node.keywords)]
    if isinstance(node.func, ast.Attribute):
        yield from in_formula(node.func.value, ALONE)
    is_method = isinstance(node.func, ast.Attribute) and not isinstance(node.func.value, ast.Name)
    arguments = node.args[:1] if name in OF_ONE else node.args
    for argument in [] if is_method and name in FORMULAS else arguments:
        yield from in_formula(argument, inside)
    for option in node.keywords:
        if option.arg not in OPTIONS_OF_SIZE:
            yield from in_formula(option.value, ALONE)


def _wrong_numbers(value, role):
    """The number made larger and smaller, by its role: a whole term by 1, an exponent by a half."""
    if role == EXPONENT:
        wrong = value + HALF, value - HALF
    elif role == TERM and isinstance(value, int):
        wrong = value + 1, value - 1
    else:
        wrong = round(value * FACTOR, 12), float(f"{value / FACTOR:.6g}")
    return [ast.Constant(other) for other in wrong]


def scaled(node):
    return [ast.BinOp(node, operator, ast.Constant(FACTOR)) for operator in (ast.Mult(), ast.Div())]


def _elements(node):
    """The parts of lists in lists."""
    for part in node.elts:
        yield from _elements(part) if isinstance(part, ast.List | ast.Tuple) else [part]


def is_counted(node):
    """Whether lists or texts are added, which is no formula."""
    return any(isinstance(part, ast.List | ast.ListComp | ast.JoinedStr) for part in (node, *_sides(node)))


def _sides(node):
    return (node.left, node.right) if isinstance(node, ast.BinOp) else ()


def _is(node, operators):
    """Whether a term or factor is itself a sum or a product."""
    return isinstance(node, ast.BinOp) and isinstance(node.op, operators)


def _is_spread(node):
    """Whether an operation is on a standard deviation: how well something was measured, not what."""
    return any(called(part) == "std" for side in _sides(node) for part in ast.walk(side))


def _has_constant(node):
    """Whether a product or quotient has a number among its factors."""
    if _is(node, ast.Mult | ast.Div):
        return _has_constant(node.left) or _has_constant(node.right)
    return number(node) is not None
