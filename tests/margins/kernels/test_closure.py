"""Kernels made from others are positive semi-definite and what their rules say."""

from functools import partial

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from sklearn.metrics import pairwise

from margins import kernels
from tests.margins.draws import normal

PSD = [
    kernels.linear,
    partial(kernels.polynomial, degree=2, coef0=1.0),
    partial(kernels.gaussian, gamma=0.5),
    partial(kernels.laplacian, gamma=0.5),
    partial(kernels.exponential, gamma=0.1),
]


def gram_matrices():
    """Every PSD kernel's Gram matrix on random points of several sizes and dimensions."""
    points = st.tuples(st.integers(1, 12), st.integers(1, 4), st.integers(0, 10**6))
    return st.tuples(st.sampled_from(PSD), points.map(lambda p: normal(p[0], p[1], seed=p[2])))


@given(gram_matrices(), st.sampled_from(PSD), st.floats(0, 5))
def test_closure_rules_keep_psd(first, other, factor):
    kernel, X = first
    rules = [
        kernel,
        kernels.summed(kernel, other),
        kernels.multiplied(kernel, other),
        kernels.scaled(kernel, factor),
        kernels.modulated(kernel, lambda Z: Z[:, 0] - 0.3),
        kernels.pulled_back(kernel, np.sin),
        kernels.power_series(kernels.normalised(partial(kernels.gaussian, gamma=0.1)), [0.5, 0.0, 1.0, 2.0]),
    ]
    for rule in rules:
        K = rule(X)
        assert_allclose(K, K.T, rtol=1e-12, atol=1e-12)
        assert kernels.smallest_eigenvalue(kernels.symmetric_part(K)) >= -1e-12 * max(1, np.abs(K).max())


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
