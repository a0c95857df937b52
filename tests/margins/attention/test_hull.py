"""The keys that can win and the Gaussian lift, and the metric that is learned."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial import ConvexHull

from margins.attention import gaussian_lift, nadaraya_watson, winning_keys
from margins.attention.metric import learn_metric, left_out
from tests.margins.draws import normal


@pytest.mark.parametrize("d", [2, 3])
def test_winning_keys_are_the_vertices_of_the_hull(d):
    K = normal(40, d) + 7
    vertices = np.zeros(40, bool)
    vertices[ConvexHull(K).vertices] = True
    assert_array_equal(winning_keys(K), vertices)


def test_winning_keys_beside_a_far_key():
    """The corners next to the far key win by an angle of 5e-8, which ConvexHull confirms."""
    square = np.array([[0, 0], [0, 1], [1, 0], [1, 1], [0.5, 0.5], [1e7, 0.5]])
    assert_array_equal(winning_keys(square), [True, True, True, True, False, True])
    assert_array_equal(np.sort(ConvexHull(square).vertices), [0, 1, 2, 3, 5])


def test_gaussian_lift_makes_logits_distances():
    Q, K, h = normal(5, 3), normal(7, 3, seed=1), 0.4
    q, k = gaussian_lift(Q, K, bandwidth=h)
    logits = q @ k.T - (Q**2).sum(axis=1, keepdims=True) / (2 * h**2)
    squares = ((Q[:, None] - K) ** 2).sum(axis=-1)
    assert_allclose(logits, -squares / (2 * h**2), atol=1e-12)
    far_q, far_k = gaussian_lift(Q * 2.0**600, K * 2.0**600, bandwidth=h * 2.0**600)
    assert_allclose(far_q[:, :3] * 2.0**600, q[:, :3])
    assert_array_equal(far_k[:, 3], k[:, 3])


def problem(seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(2, 3)), rng.normal(size=(12, 3)), rng.normal(size=12)


def test_the_error_is_that_of_estimates_from_the_others():
    A, X, y = problem()
    points = X @ A.T
    others = [np.arange(12) != i for i in range(12)]
    estimates = [nadaraya_watson(points[i : i + 1], points[o], y[o], 1.0)[0] for i, o in enumerate(others)]
    assert left_out(A, X, y)[0] == pytest.approx(np.mean((estimates - y) ** 2), rel=1e-10)


def test_a_metric_is_learned_at_half_the_gradient():
    rng = np.random.default_rng(0)
    A, X = np.eye(2), rng.normal(size=(9, 2))
    _, gradient = left_out(A, X, X[:, 0])
    np.testing.assert_allclose(learn_metric(A, X, X[:, 0], steps=1)[1], A - 0.5 * gradient)


def test_where_the_points_lie_costs_no_digits():
    """Moved by a million along some columns, exactly: differences alone count, to the last digits."""
    A, X, y = problem(4)
    X = np.round(X * 2**20) / 2**20
    error, gradient = left_out(A, X, y)
    moved = left_out(A, X + 2.0**20 * np.array([1, 0, -3]), y)
    assert moved[0] == pytest.approx(error, rel=1e-13)
    np.testing.assert_allclose(moved[1], gradient, rtol=1e-11)
