"""Functions in the space of a kernel, and the features that multiply to it."""

import math
from functools import partial

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margins import kernels
from tests.margins.draws import normal


def test_an_eigenvalue_below_the_rounding_level_is_zero():
    eps = np.finfo(float).eps
    assert kernels.rkhs_norm([0.0] * 9 + [1.0], np.diag([1.0] * 9 + [-5 * eps])) == 0
    with pytest.raises(ValueError, match="K must be positive semi-definite, but alpha' K alpha is -"):
        kernels.rkhs_norm([0.0] * 9 + [1.0], np.diag([1.0] * 9 + [-15 * eps]))


def test_a_function_of_norm_zero_with_negative_coefficients():
    """x = 1 and 2 on the line: -2 k(1, .) + k(2, .) = 0."""
    assert kernels.rkhs_norm([-2.0, 1.0], [[1.0, 2.0], [2.0, 4.0]]) == 0


@pytest.mark.parametrize(("dimension", "degree"), [(1, 0), (1, 7), (3, 4), (6, 3)])
def test_multi_indices_are_all_and_different(dimension, degree):
    indices = kernels.multi_indices(dimension, degree)
    assert indices.shape == (math.comb(dimension + degree, degree), dimension)
    assert len(np.unique(indices, axis=0)) == len(indices)
    assert indices.min() == 0
    assert_array_equal(np.sort(indices.sum(axis=1)), indices.sum(axis=1))
    assert indices.sum(axis=1).max() == degree


@pytest.mark.parametrize("coef0", [0.0, 0.3, 2.0])
@pytest.mark.parametrize("degree", [0, 1, 2, 5])
def test_polynomial_features_multiply_to_the_polynomial_kernel(coef0, degree):
    X, Y = normal(9, 3), normal(8, 3, seed=1)
    phi = partial(kernels.polynomial_features, gamma=0.7, degree=degree, coef0=coef0)
    expected = kernels.polynomial(X, Y, gamma=0.7, degree=degree, coef0=coef0)
    assert_allclose(phi(X) @ phi(Y).T, expected, rtol=0, atol=1e-13 * np.abs(expected).max() * 10**degree)
