"""Facts of the figures of kernels: they tell points that a parabola parts, and bars longer than dots."""

from types import SimpleNamespace

import numpy as np
import pytest

from explorable.style import new_axes
from margins import svm
from margins.kernels import linear
from margins_book.kernels.facts import bars_over_dots, is_separated, lift_facts, moves, smallest

AROUND, IN_TURN = np.array([-1.0, 1.0, 1.0, -1.0]), np.array([1.0, -1.0, 1.0, -1.0])
X = np.array([-2.0, -1.0, 1.0, 2.0])


def test_points_between_others_are_parted_on_the_parabola():
    lifted = np.column_stack([X, X**2])
    fit = svm.smo(linear(lifted), AROUND)
    facts = lift_facts(X, AROUND, fit.alpha, fit.b)
    assert facts["parted"]
    assert facts["by_cube"]
    assert facts["changes"] == 2
    assert facts["left"] == pytest.approx(-np.sqrt(2.5))  # halfway between 1 and 4
    assert not lift_facts(X, AROUND, fit.alpha, fit.b + 3)["parted"]


def test_points_in_turn_need_a_cube():
    facts = lift_facts(X, IN_TURN)
    assert (facts["changes"], facts["parted"], facts["by_cube"]) == (3, False, True)
    assert not is_separated(np.column_stack([X, X**2]), IN_TURN)


def test_a_line_of_positions_is_read_by_name():
    line = [SimpleNamespace(a=np.array([1.0, value]), b=value**2) for value in (-1.0, 0.5, 3.0)]
    np.testing.assert_array_equal(moves(line, "a"), [0, 4])
    assert smallest(line, "b") is line[1]


@pytest.mark.parametrize(("error", "longer"), [(0.02, False), (2.0, True)])
def test_bars_are_measured_in_dots(error, longer):
    figure, ax = new_axes()
    ax.errorbar([1, 2], [1, 2], yerr=error, fmt="o")
    assert (bars_over_dots(figure) > 1) == longer
