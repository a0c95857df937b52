"""Inequalities are told apart by what they compare, and the ratio of a bound is that of its numbers."""

import numpy as np
import pytest

from margins_course.assignments.check_cells import Piece
from tests.check_cells.inequalities import BOUND, NUMBER, ORDER, SIGN, TOLERANCE, Measuring
from tests.check_cells.watching import run_watched

SET_UP = """
import numpy as np
x, bound, error, n = np.array([1.0, 2.0, 4.0]), np.array([3.0, 4.0, 20.0]), 0.1, 4
used, margins = np.array([0.25, 0.5]), np.array([1.0, 2.0])
"""


def inequalities(source):
    watcher = Measuring()
    run = run_watched([Piece(SET_UP, ""), Piece(source, "x-1")], watcher)
    assert not run.stopped
    return list(watcher.inequalities.values())


@pytest.mark.parametrize(
    ("condition", "kind"),
    [
        ("(x <= bound).all()", BOUND),
        ("(bound + 1e-9 >= x).all()", BOUND),
        ("all(a <= b for a, b in zip(x, bound))", BOUND),
        ("(used <= 1).all()", BOUND),
        ("x.max() <= 8 * n", BOUND),
        ("abs(x - 1).max() <= n", BOUND),
        ("x.max() < 5", NUMBER),
        ("(x > 0.5).all()", NUMBER),
        ("error < 0.3 * n", NUMBER),
        ("x[0] < x[1]", ORDER),
        ("abs(x[0] - 1) < 0.01", TOLERANCE),
        ("abs(x[0] - 1) < 4 * error", TOLERANCE),
        ("error < 1e-9 * bound.max() or True", None),
        ("x[0] - 1 < 1e-9 * n", TOLERANCE),
        ("margins.min() > 0", SIGN),
        ("margins.min() > -1e-9", TOLERANCE),
        ("not (x > bound).any()", None),
        ("n == 4", None),
    ],
)
def test_an_inequality_is_of_its_kind(condition, kind):
    found = inequalities(f"assert {condition}")
    assert [one.kind for one in found] == ([kind] if kind else [])


def test_the_ratios_are_those_of_all_evaluations():
    (found,) = inequalities("for k in range(2):\n    assert (x <= bound + k).all()")
    assert (found.least, found.largest) == (2, 5.25)


def test_a_chain_has_an_inequality_for_each_sign():
    lower, upper = inequalities("assert 0.5 < x[0] <= n")
    assert (lower.kind, lower.least) == (NUMBER, 2)
    assert (upper.kind, upper.least) == (BOUND, 4)


def test_a_declared_slack_is_read():
    call = "bounded(x, bound, slack=2.5, what='x')"
    (found,) = inequalities(f"from margins_book.checking.bounds import bounded\n{call}")
    assert (found.kind, found.slack, found.least, found.largest) == (BOUND, 2.5, 2, 5)
    assert np.isfinite(found.least)
