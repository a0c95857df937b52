"""Determinants of the exponential kernel, enclosed between fractions."""

import math
from fractions import Fraction

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margins import softmax_kernel


def test_exact_determinant_of_a_rational_hilbert_matrix():
    hilbert = [[Fraction(1, i + j + 1) for j in range(5)] for i in range(5)]
    assert softmax_kernel.determinant(hilbert) == Fraction(1, 266716800000)
    assert softmax_kernel.determinant(hilbert[::-1]) == Fraction(1, 266716800000)  # an even permutation
    assert softmax_kernel.determinant([[Fraction(0), Fraction(1)], [Fraction(1), Fraction(0)]]) == -1
    assert softmax_kernel.determinant([[Fraction(1), Fraction(2)], [Fraction(2), Fraction(4)]]) == 0


@pytest.mark.parametrize(("x", "y"), [([-1, 2], [3, 5]), ([-3, -1], [-2, 7]), ([0.25], [-8]), ([5], [9])])
def test_determinant_enclosure_holds_the_closed_form(x, y):
    low, high = softmax_kernel.exponential_determinant(x, y, digits=14)
    if len(x) == 1:
        expected = math.exp(x[0] * y[0])
    else:
        expected = math.exp(x[0] * y[0] + x[1] * y[1]) - math.exp(x[0] * y[1] + x[1] * y[0])
    assert 0 < low <= high
    assert high / low - 1 <= Fraction(1, 10**14)
    assert_allclose([float(low), float(high)], expected, rtol=1e-12)


def test_enclosures_of_a_determinant_are_nested_and_as_close_as_asked():
    x, y = [0, Fraction(1, 3), 1], [Fraction(-1, 2), 0, 2]
    tight = softmax_kernel.exponential_determinant(x, y, digits=30)
    for digits in (1, 3, 12):
        low, high = softmax_kernel.exponential_determinant(x, y, digits=digits)
        assert 0 < low <= tight[0] <= tight[1] <= high
        assert high / low - 1 <= Fraction(1, 10**digits)
    exact = np.linalg.det(np.exp(np.outer([float(a) for a in x], [float(b) for b in y])))
    assert float(tight[1]) == pytest.approx(exact, rel=1e-10)


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
