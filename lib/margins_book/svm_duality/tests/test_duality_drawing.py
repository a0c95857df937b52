"""The figure of strong duality: its costs and bounds are those of the primal and of the dual."""

import numpy as np
import pytest

from margins import svm
from margins.kernels import linear
from margins_book.svm_duality.drawings import cost, duality_drawing, segment, widest
from tests.margins_book.drawn import points

POINTS = np.array(
    [[0.5, 0.0], [1.2, -0.6], [2.3, 0.2], [1.9, 1.3], [2.6, -0.9], [0.6, 1.6],
     [-0.9, -0.3], [-0.4, -1.3], [-1.6, 0.9], [-2.2, -0.5], [-1.5, -1.4], [-2.6, 0.6]]
)  # fmt: skip
LABELS = np.repeat([1.0, -1.0], 6)
BEST = np.rad2deg(np.arctan(0.5))


def across(degrees):
    return widest(POINTS, LABELS, np.array([np.cos(np.deg2rad(degrees)), np.sin(np.deg2rad(degrees))]))


def prices(share):
    p = segment(POINTS, share)
    alpha = np.zeros(12)
    alpha[[0, 6, 7]] = np.array([1, 1 - share, share]) * 2 / (p @ p)
    return alpha


def test_the_best_street_is_that_of_the_quadratic_program():
    program = svm.primal_qp(POINTS, LABELS)
    street = across(BEST)
    assert np.allclose(street.w, program.w, atol=1e-6)
    assert abs(street.b - program.b) < 1e-6


@pytest.mark.parametrize("degrees", [10, 20, 35, 44])
def test_a_street_of_another_direction_is_feasible_and_costs_more(degrees):
    street = across(degrees)
    margins = LABELS * (POINTS @ street.w + street.b)
    assert abs(margins.min() - 1) < 1e-12
    assert cost(street) > cost(across(BEST)) + 1e-3


@pytest.mark.parametrize("share", [0, 0.16, 0.32, 0.64, 1])
def test_the_bound_that_is_drawn_is_the_dual_objective_of_the_prices(share):
    alpha = prices(share)
    drawing = duality_drawing(POINTS, LABELS, across(20), alpha, 20, BEST)
    bound = svm.dual_objective(linear(POINTS), LABELS, alpha)
    ((degrees, height),) = points(drawing, 1, "bound now")
    p = segment(POINTS, share)
    assert abs(height - bound) < 0.01
    assert abs(degrees - np.rad2deg(np.arctan2(p[1], p[0]))) < 0.1
    assert np.allclose(points(drawing, 1, "cost now"), [[20, cost(across(20))]], atol=0.1)
    assert np.ptp(points(drawing, 0, "segment"), axis=0) == pytest.approx(np.abs(p), abs=0.05)
    assert bound <= cost(across(BEST)) + 1e-12
    # no other sum of prices on these three points does better
    for factor in (0.9, 1.1):
        assert svm.dual_objective(linear(POINTS), LABELS, factor * alpha) < bound
