"""Layers that also write to their inputs: they are run on tokens, and leave what their polynomials say."""

import numpy as np
import pytest

from margins_book.beyond_the_equivalence import depth

LOW, HIGH = 1.0, 30.0


def test_two_layers_leave_what_the_formula_says():
    e, g, f = 0.1, 0.02, 0.3
    s = np.array([1.0, 4.0, 9.0])
    np.testing.assert_allclose(
        depth.left_by_overwriting([e, g, f], s), (1 - e * s) * (1 - f * s * (1 - g * s) ** 2)
    )


@pytest.mark.parametrize(("layers", "known"), [(1, 29 / 31), (2, 0.436828), (3, 0.056054)])
def test_the_recorded_parameters_leave_what_is_said_and_small_changes_leave_more(layers, known):
    s, best = depth.eigenvalues(LOW, HIGH), np.array(depth.BEST_OVERWRITING[layers])

    def worst(parameters):
        return np.abs(depth.left_by_overwriting(parameters, s)).max()

    assert worst(best) == pytest.approx(known, abs=1e-6)
    changes = np.random.default_rng(0).normal(size=(200, len(best))) * 0.01 * best
    assert min(worst(best + change) for change in changes) > worst(best)


@pytest.mark.parametrize("degree", [1, 2, 4, 13])
def test_the_chebyshev_polynomial_leaves_the_least_and_reaches_it_once_more_than_its_degree(degree):
    s, zeros = depth.eigenvalues(LOW, HIGH), depth.chebyshev_zeros(degree, LOW, HIGH)
    left = np.abs(np.prod(1 - s[:, None] / zeros, axis=1))
    assert left.max() == pytest.approx(depth.least_left(degree, LOW, HIGH), rel=1e-6)
    assert depth.times_reached(left) == degree + 1


def test_lower_bounds_are_below_what_parameters_in_the_box_leave():
    rng, s = np.random.default_rng(0), np.linspace(LOW, HIGH, 60)
    centres = rng.uniform([0.04, 0.04, 0.3], [0.9, 0.3, 2.0], size=(50, 3))
    boxes = centres[:, :, None] + np.array([-1, 1]) * [[0.01], [0.005], [0.05]]
    bounds = depth.lower_bounds(boxes, s)
    for box, bound in zip(boxes, bounds, strict=True):
        inside = rng.uniform(box[:, 0], box[:, 1], size=(40, 3))
        assert bound <= min(np.abs(depth.left_by_overwriting(p, s)).max() for p in inside)
    points = np.repeat(centres[:, :, None], 2, axis=2)  # boxes of one point: the bound is exact
    exact = [np.abs(depth.left_by_overwriting(p, s)).max() for p in centres]
    np.testing.assert_allclose(depth.lower_bounds(points, s), exact, rtol=1e-12)
