"""Facts of the figures of kernels tell points that a parabola parts, and read a line of positions by name."""

from types import SimpleNamespace

import numpy as np
import pytest

from margins import svm
from margins.kernels import linear
from margins_book.kernels.facts import lift_facts, moves, smallest


def test_points_between_others_are_parted_on_the_parabola_and_points_in_turn_by_a_cube():
    x, around = np.array([-2.0, -1.0, 1.0, 2.0]), np.array([-1.0, 1.0, 1.0, -1.0])
    fit = svm.smo(linear(np.column_stack([x, x**2])), around)
    facts = lift_facts(x, around, fit.alpha, fit.b)
    assert (facts["changes"], facts["parted"], facts["by_cube"]) == (2, True, True)
    assert facts["left"] == pytest.approx(-np.sqrt(2.5))  # halfway between 1 and 4
    assert not lift_facts(x, around, fit.alpha, fit.b + 3)["parted"]
    facts = lift_facts(x, np.array([1.0, -1.0, 1.0, -1.0]))
    assert (facts["changes"], facts["parted"], facts["by_cube"]) == (3, False, True)


def test_a_line_of_positions_is_read_by_name():
    line = [SimpleNamespace(a=np.array([1.0, value]), b=value**2) for value in (-1.0, 0.5, 3.0)]
    np.testing.assert_array_equal(moves(line, "a"), [0, 4])
    assert smallest(line, "b") is line[1]
