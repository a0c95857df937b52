"""The inequalities that check cells assert: of which kind each is, and by what factor it is slack when run.

A comparison with rounding, a typed tolerance or some standard errors is an equality of numbers, one with 0 a
sign, one with another typed number an expectation, one of two values of the same names (`x[0] < x[1]`) an
order. What is left compares two things that were computed apart, or a share of a bound with 1.
"""

import ast
import builtins
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeGuard

import numpy as np

from tests.check_cells.assertions import Assertion, Watcher, comparisons
from tests.check_cells.shown import numbers

SMALL = 1e-4  # a typed factor below it stands for rounding
ROUNDING = 1e-12  # of the larger side: what is smaller has no ratio
FUNCTIONS = {"np", "math", "norm", *vars(builtins)}  # whose names say nothing about the compared values
ERRORS = re.compile("err|dev|noise|spread|std|sigma|sqrt")  # in the names of standard errors
BOUND, NUMBER, ORDER, TOLERANCE, SIGN = "bound", "number", "order", "tolerance", "sign"


@dataclass
class Inequality:
    """One asserted `below <= above`, with the smallest and the largest ratio above / below that was seen."""

    assertion: Assertion
    below: ast.expr
    above: ast.expr
    slack: float | None = None  # as a call of `bounded` declares it
    least: float = np.inf
    largest: float = 0.0

    @property
    def kind(self) -> str:
        if self.slack is not None:
            return BOUND
        tolerance = not names_in(self.above) or ERRORS.search(ast.unparse(self.above))
        if is_difference(self.below) and tolerance:
            return TOLERANCE
        if _has_small_factor(self.above) or _has_small_factor(self.below):
            return TOLERANCE
        if not self.largest:
            return SIGN
        if ast.unparse(self.above) == "1":
            return BOUND
        if not names_in(self.above) or not names_in(self.below) or _has_typed_factor(self.above):
            return NUMBER
        return ORDER if names_in(self.below) == names_in(self.above) else BOUND

    def see(self, below: object, above: object) -> None:
        """Takes the ratios of one evaluation, where both sides are positive and no rounding."""
        low, high = numbers(below), numbers(above)
        if low is None or high is None or "c" in low.dtype.kind + high.dtype.kind:
            return
        low, high = np.broadcast_arrays(low.astype(float), high.astype(float))
        counted = (low > ROUNDING * np.abs(high)) & np.isfinite(low) & np.isfinite(high)
        if counted.any():
            ratios = high[counted] / low[counted]
            self.least, self.largest = min(self.least, ratios.min()), max(self.largest, ratios.max())


class Measuring(Watcher):
    """Keeps the inequalities of all assertions with their ratios."""

    def __init__(self):
        super().__init__()
        self.inequalities: dict[tuple, Inequality] = {}
        self.known: set[int] = set()

    def seen(self, number, place, value):
        if number not in self.known:
            self.known.add(number)
            self.inequalities |= dict(_inequalities(self.assertions[number]))
        comparison, operand = place
        before = self.last.get(number, {}).get((comparison, operand - 1))
        for pair, operands in (("rising", (before, value)), ("falling", (value, before))):
            found = self.inequalities.get((number, comparison, operand, pair))
            if found:
                found.see(*operands)
        return super().seen(number, place, value)


def _inequalities(assertion: Assertion) -> Iterator[tuple[tuple, Inequality]]:
    """By number of the assertion, comparison, right operand and direction, what an assertion asserts."""
    node = assertion.node
    if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("bounded"):
        slack = next(ast.literal_eval(word.value) for word in node.keywords if word.arg == "slack")
        yield (assertion.number, 0, 1, "rising"), Inequality(assertion, *node.args[:2], slack=slack)
    elif _asserts_all(node):
        for place, comparison in enumerate(comparisons(node)):
            operands = [comparison.left, *comparison.comparators]
            for k, (sign, left, right) in enumerate(
                zip(comparison.ops, operands, operands[1:], strict=False), 1
            ):
                if isinstance(sign, ast.Lt | ast.LtE):
                    yield (assertion.number, place, k, "rising"), Inequality(assertion, left, right)
                elif isinstance(sign, ast.Gt | ast.GtE):
                    yield (assertion.number, place, k, "falling"), Inequality(assertion, right, left)


def _asserts_all(condition: ast.expr) -> bool:
    """Whether a condition says that its comparisons hold, rather than that one of them does, or none."""
    words = {
        node.id if isinstance(node, ast.Name) else getattr(node, "attr", "") for node in ast.walk(condition)
    }
    denied = any(isinstance(node, ast.Not | ast.Invert | ast.Or | ast.BitOr) for node in ast.walk(condition))
    return "any" not in words and not denied


def names_in(expression: ast.expr) -> set[str]:
    """The names of values that an expression uses, functions of its own among them, those of modules not."""
    return {node.id for node in ast.walk(expression) if isinstance(node, ast.Name)} - FUNCTIONS


def _factors(expression: ast.expr) -> Iterator[ast.expr]:
    """The factors of a product, signs left out; of a quotient those above the line."""
    match expression:
        case ast.UnaryOp(operand=part) | ast.BinOp(left=part, op=ast.Div()):
            yield from _factors(part)
        case ast.BinOp(left=left, op=ast.Mult() | ast.MatMult(), right=right):
            yield from _factors(left)
            yield from _factors(right)
        case _:
            yield expression


def _has_small_factor(expression: ast.expr) -> bool:
    """Whether an expression is a typed number below `SMALL` or a rounding level, or a product with one."""
    return any(
        0 < abs(factor.value) < SMALL if _is_number(factor) else "rounding_level" in ast.unparse(factor)
        for factor in _factors(expression)
    )


def _has_typed_factor(expression: ast.expr) -> bool:
    """Whether an expression is a product with a typed number that is no integer: theorems have others."""
    return any(_is_number(factor) and factor.value % 1 for factor in _factors(expression))


def _is_number(expression: ast.expr) -> TypeGuard[ast.Constant]:
    return isinstance(expression, ast.Constant) and isinstance(expression.value, int | float)


def is_difference(expression: ast.expr) -> bool:
    """Whether an expression measures an error: the size of a difference."""
    text = ast.unparse(expression)
    return "abs(" in text or ("-" in text and ("norm(" in text or "ptp(" in text))
