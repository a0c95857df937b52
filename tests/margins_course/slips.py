"""Mutants of a piece of code: one small mistake at a time, made on its syntax tree.

Comparisons, signs, constants, dropped terms, swapped arguments, forgotten calls, steps left out: the slips
that nobody makes on purpose, so that checks and tests are held against more than their author thought of.
"""

import ast
from difflib import SequenceMatcher
from functools import partial

OPERATORS = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.Pow: ast.Mult,
    ast.FloorDiv: ast.Div,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
ORDERED = ast.Sub, ast.Div, ast.Pow, ast.MatMult
TURNED = {ast.Lt: (ast.LtE, ast.Gt), ast.LtE: (ast.Lt, ast.GtE)}
TURNED |= {ast.Gt: (ast.GtE, ast.Lt), ast.GtE: (ast.Gt, ast.LtE)}
OPPOSITES = [(ast.Eq, ast.NotEq), (ast.Is, ast.IsNot), (ast.In, ast.NotIn)]
COMPARISONS = TURNED | {one: (other,) for pair in OPPOSITES for one, other in (pair, pair[::-1])}
TWINS = [("min", "max"), ("argmin", "argmax"), ("minimum", "maximum"), ("any", "all"), ("sum", "mean")]
TWINS += [("zeros", "ones"), ("sin", "cos"), ("exp", "log"), ("floor", "ceil"), ("vstack", "hstack")]
SYMMETRIC = {"min", "max", "minimum", "maximum", "dot", "vdot", "isclose", "allclose", "array_equal"}
TOLERANCES = {10.0**-power for power in range(6, 16)}  # any of them will do
OTHER = dict(TWINS) | {second: first for first, second in TWINS}


def mutants(source):
    """Pairs of what was changed and the changed source, each different from all others and from `source`."""
    tree = ast.parse(source)
    plain, put = ast.unparse(tree), places(tree)
    seen = {plain}
    for node in list(ast.walk(tree)):
        for mistake in list(mistakes(node)):
            put[id(node)](mistake)
            mutant = ast.unparse(tree)
            put[id(node)](node)
            if mutant not in seen:
                seen.add(mutant)
                yield difference(plain, mutant), mutant


def places(tree):
    """Functions that put something in the place of a node, by the node's identity."""
    found = {}
    for parent in ast.walk(tree):
        for field, value in ast.iter_fields(parent):
            if isinstance(value, list):
                found |= {id(item): partial(value.__setitem__, k) for k, item in enumerate(value)}
            else:
                found[id(value)] = partial(setattr, parent, field)
    return found


def difference(before, after):
    """The lines that changed, as `old -> new`: a name that lasts as long as those lines do."""
    before, after = before.splitlines(), after.splitlines()
    blocks = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    changes = [places for kind, *places in blocks if kind != "equal"]
    old = " ".join(line.strip() for a, b, _, _ in changes for line in before[a:b])
    new = " ".join(line.strip() for _, _, a, b in changes for line in after[a:b])
    return f"{old} -> {new}"


def mistakes(node):
    """The nodes that a slip could put in the place of `node`."""
    match node:
        case ast.BinOp():
            yield from of_operation(node)
        case ast.Compare():
            yield from of_comparison(node)
        case ast.Constant():
            yield from of_constant(node)
        case ast.Call():
            yield from of_call(node)
        case ast.BoolOp():  # `or` for `and`, and each part left out
            yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
            yield from node.values if len(node.values) == 2 else ()
        case ast.UnaryOp():
            yield node.operand
        case ast.Name(id=name) if name in OTHER:
            yield ast.Name(OTHER[name], node.ctx)
        case ast.Attribute(attr=name) if name in OTHER:
            yield ast.Attribute(node.value, OTHER[name], node.ctx)
        case ast.comprehension(ifs=[_, *_]):  # its conditions left out
            yield ast.comprehension(node.target, node.iter, [], node.is_async)
        case ast.IfExp():
            yield from (node.body, node.orelse)
        case ast.If():  # always one branch, or always the other
            yield from (ast.If(ast.Constant(truth), node.body, node.orelse) for truth in (True, False))
        case ast.Expr(value=ast.Call()) | ast.Continue() | ast.Break():
            yield ast.Pass()
        case ast.AugAssign():  # left out, or in the other direction
            yield ast.Pass()
            if type(node.op) in OPERATORS:
                yield ast.AugAssign(node.target, OPERATORS[type(node.op)](), node.value)


def of_operation(node):
    """The other operator, a term dropped, the two sides swapped."""
    if other := OPERATORS.get(type(node.op)):
        yield ast.BinOp(node.left, other(), node.right)
    yield node.left
    if isinstance(node.op, ast.Add | ast.Mult):
        yield node.right
    if isinstance(node.op, ORDERED):
        yield ast.BinOp(node.right, node.op, node.left)


def of_comparison(node):
    """The bound taken in or left out, and the opposite."""
    for place, operator in enumerate(node.ops):
        for other in COMPARISONS[type(operator)]:
            changed = [*node.ops[:place], other(), *node.ops[place + 1 :]]
            yield ast.Compare(node.left, changed, node.comparators)


def of_constant(node):
    """One more, twice as much, the other truth."""
    if isinstance(node.value, bool):
        yield ast.Constant(not node.value)
    elif isinstance(node.value, int):
        yield ast.Constant(node.value + 1)
        if node.value > 1:
            yield ast.Constant(node.value - 1)
    elif isinstance(node.value, float) and abs(node.value) not in TOLERANCES:
        yield ast.Constant(node.value * 2 or 1.0)


def of_call(node):
    """Its first argument or its object alone, two arguments swapped, an option forgotten."""
    if isinstance(node.func, ast.Attribute):
        yield node.func.value
    if node.args and not isinstance(node.args[0], ast.Starred):
        yield node.args[0]
    called = getattr(node.func, "attr", getattr(node.func, "id", ""))
    for place in range(len(node.args) - 1 if called not in SYMMETRIC else 0):
        first, second = node.args[place : place + 2]
        yield ast.Call(node.func, [*node.args[:place], second, first, *node.args[place + 2 :]], node.keywords)
    for place in range(len(node.keywords)):
        yield ast.Call(node.func, node.args, node.keywords[:place] + node.keywords[place + 1 :])
