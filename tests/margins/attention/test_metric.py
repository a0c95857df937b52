"""The learned metric: its error and gradient against finite differences."""

import numpy as np
import pytest

from margins.attention import nadaraya_watson
from margins.attention.metric import learn_metric, left_out


def problem(seed=0, n=12, d=3):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(2, d)), rng.normal(size=(n, d)), rng.normal(size=n)


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
