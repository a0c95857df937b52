"""Kernels made from others are positive semi-definite and what their rules say."""

import numpy as np
from numpy.testing import assert_allclose
from sklearn.metrics import pairwise

from margins import kernels
from tests.margins.draws import normal


def test_closure_rules_do_what_they_say():
    X, Y = normal(5, 2), normal(4, 2, seed=1)
    k, l = kernels.linear, kernels.gaussian

    def g(Z):
        return Z[:, 0] ** 3

    K, L = k(X, Y), l(X, Y)
    assert_allclose(kernels.summed(k, l, k)(X, Y), K + L + K)
    assert_allclose(kernels.multiplied(k, l, k)(X, Y), K * L * K)
    assert_allclose(kernels.scaled(k, 2)(X, Y), 2 * K)
    assert_allclose(kernels.modulated(k, g)(X, Y), g(X)[:, None] * K * g(Y))
    assert_allclose(kernels.pulled_back(k, np.sin)(X, Y), np.sin(X) @ np.sin(Y).T)
    assert_allclose(kernels.power_series(k, [1, 2, 3])(X, Y), 1 + 2 * K + 3 * K**2)
    assert_allclose(kernels.normalised(k)(X, Y), pairwise.cosine_similarity(X, Y), atol=1e-15, rtol=1e-14)
