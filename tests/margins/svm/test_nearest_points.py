"""The nearest points of two hulls: a closed form, the steps of Wolfe's method, and the interior point."""

import numpy as np
import pytest

from margins.svm.large.constants import FIRST_WORKING_SET
from margins.svm.nearest_points import (
    affine_minimum,
    interior_weights,
    nearest_points,
    retreat,
    signed_weights,
)
from tests.margins.svm.problems import clouds


def test_nearest_points_of_two_segments():
    """Closed form: the segments x = 1, |y| <= 1 and x = -2, 0 <= y <= 3 are 3 apart."""
    X, y = np.array([[1.0, -1], [1, 1], [-2, 0], [-2, 3]]), np.array([1.0, 1, -1, -1])
    nearest = nearest_points(X @ X.T, y)
    assert nearest.squared_distance == pytest.approx(9)
    assert nearest.gap == pytest.approx(9)
    np.testing.assert_allclose(nearest.beta @ X, [3, 0], atol=1e-12)


def test_the_nearest_point_of_an_affine_hull_is_as_far_from_every_difference():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(7, 5))
    pairs = [(0, 4), (1, 5), (2, 4), (3, 6)]
    weights = affine_minimum(X @ X.T, pairs)
    differences = np.array([X[i] - X[j] for i, j in pairs])
    products = differences @ (weights @ differences)
    assert weights.sum() == pytest.approx(1)
    np.testing.assert_allclose(products, products[0], rtol=1e-9)


def test_a_corral_retreats_towards_the_origin():
    """Only who reaches weight 0 first has to leave: without the others the nearest point may be further."""
    for seed in range(70, 80):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(10, 4))
        pairs, weights = [(i, 5 + i) for i in range(5)], rng.dirichlet(np.ones(5))
        before, after = (
            signed_weights(*corral, 10) @ X for corral in ((pairs, weights), retreat(X @ X.T, pairs, weights))
        )
        assert np.linalg.norm(after) <= np.linalg.norm(before)


@pytest.mark.parametrize("n", [40, FIRST_WORKING_SET + 300])
def test_interior_point_and_wolfe_find_the_same_nearest_points(n):
    """With all points in the working set at once, and with rounds that exchange points."""
    X, y = clouds(n, 4, 4.0, seed=3)
    beta, nearest = interior_weights(X @ X.T, y), nearest_points(X @ X.T, y)
    assert beta[y > 0].sum() == pytest.approx(1)
    assert beta[y < 0].sum() == pytest.approx(-1)
    assert (beta * y).min() >= 0
    np.testing.assert_allclose(beta @ X, nearest.beta @ X, atol=1e-5)
    assert nearest.gap == pytest.approx(nearest.squared_distance)
