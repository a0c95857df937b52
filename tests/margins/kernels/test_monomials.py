"""Monomials and polynomial features multiply to their kernels."""

import math
from functools import partial

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margins import kernels
from tests.margins.draws import normal


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
