"""Kernel ridge regression against scikit-learn's, norms, distances, bounds."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.kernel_ridge import KernelRidge

from margins import kernels
from tests.margins.draws import normal


@pytest.mark.parametrize("penalty", [1e-3, 1.0])
@pytest.mark.parametrize("shape", [(30,), (30, 2)])
def test_kernel_ridge_agrees_with_scikit_learn(penalty, shape):
    X, y = normal(30, 3), normal(*shape, seed=1)
    K = kernels.gaussian(X, gamma=0.5)
    expected = KernelRidge(alpha=penalty, kernel="precomputed").fit(K, y).dual_coef_
    assert_allclose(kernels.kernel_ridge(K, y, penalty=penalty), expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("shape", [(12,), (12, 2)])
def test_leave_one_out_residuals_agree_with_leaving_out(shape):
    X, y = normal(12, 2), normal(*shape, seed=1)
    K = kernels.gaussian(X)
    expected = []
    for i in range(12):
        kept = np.arange(12) != i
        alpha = kernels.kernel_ridge(K[np.ix_(kept, kept)], y[kept], penalty=0.1)
        expected.append(y[i] - K[i, kept] @ alpha)
    assert_allclose(kernels.leave_one_out_residuals(K, y, penalty=0.1), expected, rtol=1e-10)


def test_rkhs_norm_is_that_of_the_weight_vector():
    X, alpha = normal(9, 4), normal(9, 2, seed=1)
    weights = X.T @ alpha  # (4, 2)
    assert_allclose(kernels.rkhs_norm(alpha, kernels.linear(X)), np.linalg.norm(weights, axis=0), rtol=1e-12)
    assert_allclose(kernels.rkhs_norm(alpha[:, 0], kernels.linear(X)), np.linalg.norm(weights[:, 0]))


def test_embedding_distance_is_that_of_mean_features():
    X, Y = normal(9, 3), normal(5, 3, seed=1)
    distance = kernels.embedding_distance(kernels.linear(X), kernels.linear(X, Y), kernels.linear(Y))
    assert_allclose(distance, np.linalg.norm(X.mean(axis=0) - Y.mean(axis=0)), rtol=1e-12)
    assert_allclose(kernels.embedding_distance(*[kernels.gaussian(X)] * 3), 0, atol=1e-7)


def test_generalisation_bound_value():
    bound = kernels.generalisation_bound(100, radius=2, kappa=3, lipschitz=0.5, loss_range=4, delta=0.1)
    assert_allclose(bound, 2 * 0.5 * 2 * 3 / 10 + 4 * math.sqrt(math.log(10) / 200))


def test_an_eigenvalue_below_the_rounding_level_is_zero():
    eps = np.finfo(float).eps
    assert kernels.rkhs_norm([0.0] * 9 + [1.0], np.diag([1.0] * 9 + [-5 * eps])) == 0
    with pytest.raises(ValueError, match="K must be positive semi-definite, but alpha' K alpha is -"):
        kernels.rkhs_norm([0.0] * 9 + [1.0], np.diag([1.0] * 9 + [-15 * eps]))


def test_a_function_of_norm_zero_with_negative_coefficients():
    """x = 1 and 2 on the line: -2 k(1, .) + k(2, .) = 0."""
    assert kernels.rkhs_norm([-2.0, 1.0], [[1.0, 2.0], [2.0, 4.0]]) == 0
