"""Alignment and the best mixture of several kernels."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margins import kernels
from tests.margins.draws import normal


def test_alignment_weights_are_the_best_mixture():
    X = normal(60, 3)
    y = np.sign(X[:, 0] + 0.3 * normal(60, seed=1))
    grams = [kernels.linear(X[:, j : j + 1]) for j in range(3)] + [kernels.gaussian(X)]
    weights = kernels.alignment_weights(grams, y)
    assert weights.min() >= 0
    assert_allclose(weights.sum(), 1)
    best = kernels.alignment(kernels.combine(grams, weights), np.outer(y, y))
    rng = np.random.default_rng(2)
    for other in rng.dirichlet(np.full(4, 0.3), size=300):
        assert kernels.alignment(kernels.combine(grams, other), np.outer(y, y)) <= best + 1e-12


def test_alignment_weights_bear_repeated_kernels():
    X = normal(20, 2)
    y = np.sign(X[:, 0])
    K = kernels.linear(X)
    twice = kernels.alignment_weights([K, K], y)
    assert_allclose(kernels.combine([K, K], twice), K, rtol=1e-10)


def test_a_constant_in_the_labels_does_not_count():
    """Years as labels, say: the centred kernels do not see 2000, but what is left of the digits does."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(30, 2)), rng.normal(size=30)
    grams = [kernels.gaussian(X, gamma=gamma) for gamma in (0.1, 1.0, 10.0)]
    shifted = kernels.alignment_weights(grams, 1e8 + y)
    np.testing.assert_allclose(shifted, kernels.alignment_weights(grams, y), atol=1e-6)


def test_what_is_left_by_centring_counts_as_rounding_up_to_n_roundings():
    """Off the diagonal these matrices lack 4 and 6 roundings of 1: centred they are 2 and 3 of them large."""
    eps = np.finfo(float).eps
    at, above = (np.array([[1.0, 1 - k * eps], [1 - k * eps, 1.0]]) for k in (4, 6))
    assert kernels.alignment(at, np.eye(2)) == 0.0
    assert kernels.alignment(above, np.eye(2)) == pytest.approx(1.0)
