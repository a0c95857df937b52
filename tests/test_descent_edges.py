"""Edges of descent: gradients far from 1 in length, and none at all."""

import numpy as np
import pytest

from margins.descent import logistic_descent


def test_a_normalised_step_has_length_one_whatever_the_gradient():
    path = logistic_descent(
        [[1e-3, 0.0], [0.0, -1e-3]], [1, -1], 1, step_size=1.0, normalised=True, record=[1]
    )
    np.testing.assert_allclose(path.norms, 1)


def test_descent_stays_where_nothing_pulls():
    path = logistic_descent([[1.0], [1.0]], [1, -1], 3, normalised=True, record=[3])
    np.testing.assert_array_equal(path.weights, [[0.0]])


def test_default_steps_are_those_of_the_book():
    """4 / lambda_max(X'X) of the gradient, here sum y_i x_i / 2, and a normalised step of 1 / max ||x_i||."""
    X, y = np.array([[2.0, 1.0], [1.0, -3.0], [0.5, 0.5]]), np.array([1.0, -1.0, 1.0])
    plain, unit = (logistic_descent(X, y, 1, normalised=unit, record=[1]) for unit in (False, True))
    np.testing.assert_allclose(plain.weights[0], 4 / np.linalg.eigvalsh(X.T @ X)[-1] * (y @ X) / 2)
    assert unit.norms[0] == pytest.approx(10**-0.5)
