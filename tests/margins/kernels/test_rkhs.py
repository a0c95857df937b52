"""Kernel ridge regression against scikit-learn's, norms, distances, bounds."""

import numpy as np
import pytest

from margins import kernels


def test_an_eigenvalue_below_the_rounding_level_is_zero():
    eps = np.finfo(float).eps
    assert kernels.rkhs_norm([0.0] * 9 + [1.0], np.diag([1.0] * 9 + [-5 * eps])) == 0
    with pytest.raises(ValueError, match="K must be positive semi-definite, but alpha' K alpha is -"):
        kernels.rkhs_norm([0.0] * 9 + [1.0], np.diag([1.0] * 9 + [-15 * eps]))


def test_a_function_of_norm_zero_with_negative_coefficients():
    """x = 1 and 2 on the line: -2 k(1, .) + k(2, .) = 0."""
    assert kernels.rkhs_norm([-2.0, 1.0], [[1.0, 2.0], [2.0, 4.0]]) == 0
