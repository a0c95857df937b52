"""What an expression of a check is: data, a tolerance, an equation up to rounding, or a formula."""

import ast

from tests.check_cells.words import ABSOLUTE, DRAWN, SIZES, WRAPPING

SMALL, TINY = 1e-3, 1e-5  # largest numbers that are tolerances: alone or added, and as factors


def called(node):
    """The last name of what is called."""
    return getattr(node.func, "attr", getattr(node.func, "id", "")) if isinstance(node, ast.Call) else ""


def number(node):
    """The number that a literal is, with its sign; None for anything else."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = number(node.operand)
        return None if inner is None else -inner
    plain = isinstance(node, ast.Constant) and type(node.value) in (int, float)
    return node.value if plain else None


def is_drawn(node, makers=frozenset()):
    """Whether an expression draws at random, by a generator or by one of the functions `makers`."""
    return any(called(part) in DRAWN | makers for part in ast.walk(node))


def is_grid(node):
    """Whether an expression has numbers and their arrays alone: places and sizes, which are data."""
    used = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)} - {"np", "math", "range"}
    return not used and any(
        called(part) in SIZES or isinstance(part, ast.List | ast.Tuple | ast.Dict) for part in ast.walk(node)
    )


def is_noise(node):
    """Whether a side is a standard error (a name that `slices.mark_noise` marked) or so many times one."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult | ast.Div):
        return is_noise(node.left) or is_noise(node.right)
    if isinstance(node, ast.Subscript):
        return is_noise(node.value)
    return called(node) == "std" or getattr(node, "noise", False)


def is_tolerance(node):
    """Whether a side of a comparison is a rounding level: a small number, or so many times something."""
    value = number(node)
    if value is not None:
        return 0 < abs(value) <= SMALL
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult | ast.Div):
        sides = node.left, node.right
        return any(0 < abs(number(side) or 0) <= TINY for side in sides) or any(
            number(side) is None and is_tolerance(side) for side in sides
        )
    return called(node) == "Fraction"


def makes_room(node):
    """Whether a sum has a tolerance as its one term, such as `1 + 1e-9`."""
    is_sum = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub)
    return is_sum and (is_tolerance(node.left) or is_tolerance(node.right))


def equated(node):
    """The two expressions that `abs(a - b) < ...` or `abs(a / b - 1) < ...` equates.

    The one of `ptp(a) < ...`, and [] if it is none of these.
    """
    absolute = False
    while isinstance(node, ast.Call):
        absolute, spread = absolute or called(node) in ABSOLUTE, called(node) == "ptp"
        method = isinstance(node.func, ast.Attribute) and called(node) in WRAPPING and not node.args
        if not method and not (called(node) in WRAPPING and node.args):
            return []
        node = node.func.value if method else node.args[0]
        if isinstance(node, ast.GeneratorExp | ast.ListComp):
            node = node.elt
        if spread:
            return [node]
    if not absolute or not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Add | ast.Sub):
        return []
    ratio = node.left if number(node.right) == 1 and isinstance(node.op, ast.Sub) else None
    if isinstance(ratio, ast.BinOp) and isinstance(ratio.op, ast.Div):
        return [ratio.left, ratio.right]
    return [node.left, node.right]


def names(node):
    """The names that an expression reads, but for those that only say the size of an array or a range."""
    found, inside = set(), [node]
    while inside:
        part = inside.pop()
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load):
            found.add(part.id)
        if called(part) not in SIZES - {"repeat", "tile", "enumerate"}:
            inside += ast.iter_child_nodes(part)
    return found
