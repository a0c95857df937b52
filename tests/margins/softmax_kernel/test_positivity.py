"""The exponential series: Taylor features, remainders, and determinants enclosed between fractions."""

import math
from fractions import Fraction

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


def test_exact_determinant_of_a_rational_hilbert_matrix():
    hilbert = [[Fraction(1, i + j + 1) for j in range(5)] for i in range(5)]
    assert softmax_kernel.determinant(hilbert) == Fraction(1, 266716800000)
    assert softmax_kernel.determinant(hilbert[::-1]) == Fraction(1, 266716800000)  # an even permutation
    assert softmax_kernel.determinant([[Fraction(0), Fraction(1)], [Fraction(1), Fraction(0)]]) == -1
    assert softmax_kernel.determinant([[Fraction(1), Fraction(2)], [Fraction(2), Fraction(4)]]) == 0


@pytest.mark.parametrize(("x", "y"), [([-1, 2], [3, 5]), ([-3, -1], [-2, 7]), ([0.25], [-8]), ([5], [9])])
def test_determinant_enclosure_holds_the_closed_form(x, y):
    low, high = softmax_kernel.exponential_determinant(x, y, digits=22)
    if len(x) == 1:
        expected = math.exp(x[0] * y[0])
    else:
        expected = math.exp(x[0] * y[0] + x[1] * y[1]) - math.exp(x[0] * y[1] + x[1] * y[0])
    assert 0 < low <= high
    assert high / low - 1 <= Fraction(1, 10**22)
    assert_allclose([float(low), float(high)], expected, rtol=1e-12)


def test_determinants_of_floats_are_exact():
    assert softmax_kernel.determinant([[0.1, 1], [0, 1]]) == Fraction(0.1)
    assert softmax_kernel.exponential_series(0.5, 1) == Fraction(3, 2)


@pytest.mark.parametrize(
    ("x", "y"),
    [
        ([0, Fraction(1, 3), Fraction(3, 2)], [0, 1, 2]),
        ([0, Fraction(1, 3), Fraction(3, 2)], [0, Fraction(1, 3), 2]),
        ([0, Fraction(1, 3), Fraction(3, 2)], [0, Fraction(1, 7), Fraction(1, 2)]),
        ([10, Fraction(21, 2)], [0, 1]),
    ],
)
def test_an_enclosure_allows_for_the_places_that_entries_lack(x, y):
    """The factor e^c is 1 or, at c = 10, known to many more places: what is left is the entries' rounding."""
    tight = softmax_kernel.exponential_determinant(x, y, digits=40)
    for digits in range(10, 19):
        low, high = softmax_kernel.exponential_determinant(x, y, digits=digits)
        assert 0 < low < tight[0] <= tight[1] < high
