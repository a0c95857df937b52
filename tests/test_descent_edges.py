"""Edges of descent: gradients far from 1 in length, and none at all."""

import numpy as np

from margins.descent import logistic_descent


def test_a_normalised_step_has_length_one_whatever_the_gradient():
    path = logistic_descent(
        [[1e-3, 0.0], [0.0, -1e-3]], [1, -1], 1, step_size=1.0, normalised=True, record=[1]
    )
    np.testing.assert_allclose(path.norms, 1)


def test_descent_stays_where_nothing_pulls():
    path = logistic_descent([[1.0], [1.0]], [1, -1], 3, normalised=True, record=[3])
    np.testing.assert_array_equal(path.weights, [[0.0]])
