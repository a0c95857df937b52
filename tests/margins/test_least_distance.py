"""The shortest vector with A w >= 1: optimality conditions, scale, and certificates that need no trust."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from margins.least_distance import least_distance
from tests.margins.draws import separable


@given(st.integers(0, 10**6), st.integers(1, 12), st.integers(1, 6))
def test_answers_prove_themselves(seed, m, dimension):
    rows = np.random.default_rng(seed).normal(size=(m, dimension)) + 0.5
    least = least_distance(rows)
    assert (least.certificate is None) == separable(rows)
    assert least.status == ("optimal" if least.certificate is None else "infeasible")
    if least.certificate is None:
        slack = rows @ least.point - 1
        scale = max(1.0, np.linalg.norm(least.point))
        assert slack.min() > -1e-9 * scale
        assert least.multipliers.min() >= 0
        np.testing.assert_allclose(rows.T @ least.multipliers, least.point, atol=1e-8 * scale**2)
        assert np.abs(least.multipliers * slack).max() < 1e-8 * scale**3
    else:
        assert least.certificate.min() >= 0
        assert np.linalg.norm(rows.T @ least.certificate) < 1e-12 * least.certificate.sum()


@pytest.mark.parametrize("size", [1e-8, 1e-3, 1e5])
def test_rows_of_very_different_lengths_stay_feasible(size):
    least = least_distance(np.diag([size, 1.0]))
    np.testing.assert_allclose(least.point, [1 / size, 1.0], rtol=1e-12)
    np.testing.assert_allclose(least.multipliers, [size**-2, 1.0], rtol=1e-12)


def test_margins_below_rounding_count_as_none():
    least = least_distance(np.array([[1.0, 1e-16], [-1.0, 1e-16]]))
    assert (least.point, least.status) == (None, "infeasible")
    np.testing.assert_allclose(least.certificate, [0.5, 0.5])


def test_a_zero_row_is_a_contradiction_by_itself():
    least = least_distance(np.array([[1.0, 0.0], [0.0, 0.0]]))
    np.testing.assert_array_equal(least.certificate, [0.0, 1.0])
