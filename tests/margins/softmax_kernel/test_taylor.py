"""Taylor features and their remainder against exact fractions."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from margins import kernels, softmax_kernel
from tests.margins.draws import normal


@pytest.mark.parametrize("dimension", [1, 2, 5])
@pytest.mark.parametrize("degree", [0, 1, 4, 9])
@pytest.mark.parametrize("prefactor", [False, True])
def test_features_plus_truncation_error_are_the_kernel(dimension, degree, prefactor):
    X, Y = normal(6, dimension), normal(5, dimension, seed=1)
    phi, psi = (softmax_kernel.taylor_features(Z, degree=degree, prefactor=prefactor) for Z in (X, Y))
    error = softmax_kernel.truncation_error(X, Y, degree=degree, prefactor=prefactor)
    alone, itself = (softmax_kernel.truncation_error(*of, degree=degree) for of in ((X,), (X, X)))
    assert_allclose(alone, itself, rtol=1e-10)
    expected = kernels.gaussian(X, Y, gamma=0.5) if prefactor else kernels.exponential(X, Y)
    assert phi.shape == (6, math.comb(dimension + degree, degree))
    assert_allclose(phi @ psi.T + error, expected, rtol=0, atol=1e-13 * np.exp(np.abs(X @ Y.T)).max())


@given(st.fractions(-30, 30, max_denominator=1000), st.integers(0, 60))
def test_series_remainder_is_exact_to_rounding(s, degree):
    exact = softmax_kernel.exponential_series(s, 300) - softmax_kernel.exponential_series(s, degree)
    got = softmax_kernel.series_remainder(float(s), degree=degree)
    assert_allclose(got, float(exact), rtol=1e-13 + 4 * (degree + 1) * np.finfo(float).eps, atol=1e-300)
