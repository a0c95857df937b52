"""How much room the inequalities of a check have: a version that gives each as much or more states less.

A check of `measured <= bound` cannot refuse a larger bound. Whether a bound is too large is seen by making it
smaller, which every constant in it is as well.
"""

import ast
import contextlib
import operator
from itertools import chain

import numpy as np

from tests.check_cells.expressions import equated, is_tolerance

NAME = "__compared__"
SIGNS = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
TRUTH = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
ROUNDING = 1e-9  # relative: rooms that differ by less are the same
SMALLEST = 1e-12  # rooms are compared with it at least


def noting(source: str) -> ast.Module:
    """The code of a check, which tells `__compared__` both sides of each inequality that it asserts."""
    return ast.fix_missing_locations(_Noting().visit(ast.parse(source)))


class _Noting(ast.NodeTransformer):
    def visit_Assert(self, node):
        return _Inside().visit(node)


class _Inside(ast.NodeTransformer):
    def visit_Compare(self, node):
        self.generic_visit(node)
        sides = node.left, *node.comparators
        is_equation = equated(node.left) or any(map(is_tolerance, sides))
        if is_equation or len(sides) > 2 or type(node.ops[0]) not in SIGNS:
            return node
        sign = ast.Constant(SIGNS[type(node.ops[0])])
        call = ast.Call(ast.Name(NAME, ast.Load()), [node.left, sign, node.comparators[0]], [])
        return ast.copy_location(call, node)


class Rooms:
    """The room that each inequality had, in the order in which they were met."""

    def __init__(self):
        self.found = []

    def compared(self, left, sign, right):
        """The truth of an inequality, whose room is noted: how much the larger side is larger."""
        larger, smaller = (left, right) if ">" in sign else (right, left)
        with contextlib.suppress(TypeError, ValueError):  # what is no number has no room
            room = np.subtract(np.asarray(larger, float), np.asarray(smaller, float))
            self.found.append(room.ravel().tolist())
        return TRUTH[sign](left, right)


def are_wider(rooms: list, others: list) -> bool:
    """Whether no inequality of `others` has less room than in `rooms`, and some have more."""
    if [len(room) for room in rooms] != [len(room) for room in others]:
        return False
    before, after = (np.array(list(chain(*found))) for found in (rooms, others))
    close = ROUNDING * np.maximum(SMALLEST, np.abs(before))
    return bool((after >= before - close).all() and (after > before + close).any())
