"""Nadaraya-Watson regression against kernel averages by scikit-learn's kernels."""

import math
import sys

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.metrics.pairwise import laplacian_kernel, rbf_kernel

from margins import attention
from margins.attention import nadaraya_watson
from tests.margins.draws import normal


@pytest.mark.parametrize("d", [1, 3])
def test_nadaraya_watson_is_the_kernel_average(d):
    queries, keys, values = normal(40, d) + 5, normal(300, d, seed=1) + 5, normal(300, 2, seed=2)
    for h in (0.3, 2.0):
        K = rbf_kernel(queries, keys, gamma=1 / (2 * h**2))
        assert_allclose(
            nadaraya_watson(queries, keys, values, h), K @ values / K.sum(axis=1, keepdims=True), atol=1e-10
        )
        K = laplacian_kernel(queries, keys, gamma=1 / h)
        answer = nadaraya_watson(queries, keys, values[:, 0], h, kernel="laplacian")
        assert_allclose(answer, K @ values[:, 0] / K.sum(axis=1), atol=1e-10)


@pytest.mark.parametrize("kernel", ["gaussian", "laplacian"])
@pytest.mark.parametrize("h", [1e-300, 1e-160, 1e-9, 1e9, 1e300])
def test_any_bandwidth_gives_a_convex_combination(kernel, h):
    """Small: the value of the nearest key. Large: the mean of all. Never 0/0."""
    x, y = np.array([0.0, 1.0, 3.0]), np.array([1.0, 2.0, 6.0])
    answer = nadaraya_watson([0.1, 2.9, 1e6], x, y, h, kernel=kernel)
    assert_allclose(answer, [1, 6, 6] if h < 1 else [3, 3, 3], atol=1e-2 if h == 1e9 else 1e-12)


def test_nadaraya_watson_keeps_its_digits_for_two_far_clusters():
    """The energies of points a million apart from one product would have no digit left at this bandwidth."""
    keys = np.array([[0, 0], [0, 1e-3], [1e6, 0], [1e6, 1.2e-3]])
    h, (near, far) = 3e-4, ([0, 5e-4], [1e6, 5e-4])
    weights = [math.exp(-(distance**2) / (2 * h**2)) for distance in (5e-4, 7e-4)]
    answer = nadaraya_watson([near, far], keys, [0.0, 1.0, 0.0, 1.0], h)
    assert_allclose(answer, [0.5, weights[1] / sum(weights)], rtol=1e-11)


def test_regression_tile_by_tile_is_the_same(monkeypatch):
    rng = np.random.default_rng(0)
    queries, keys, values = rng.normal(size=(50, 2)), rng.normal(size=(20, 2)), rng.normal(size=20)
    whole = attention.nadaraya_watson(queries, keys, values, 0.5)
    module = sys.modules["margins.attention.nadaraya_watson"]  # by its name the package has the function
    monkeypatch.setattr(module, "TILE", 7 * 20)  # so that 50 queries do not fit into one tile
    np.testing.assert_allclose(attention.nadaraya_watson(queries, keys, values, 0.5), whole, rtol=1e-13)


def test_weights_multiply_those_of_the_kernel():
    queries, keys, values = normal(5, 2), normal(9, 2, seed=1), normal(9, 3, seed=2)
    weights = np.arange(9.0)
    K = rbf_kernel(queries, keys, gamma=0.5 / 0.7**2) * weights
    expected = K @ values / K.sum(axis=1, keepdims=True)
    assert_allclose(nadaraya_watson(queries, keys, values, 0.7, weights=weights), expected, rtol=1e-12)
