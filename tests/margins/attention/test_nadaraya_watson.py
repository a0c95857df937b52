"""Nadaraya-Watson regression by scikit-learn's kernels, its leave-one-out error by n regressions and by R."""

import math
import sys
from functools import partial

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.metrics.pairwise import laplacian_kernel, rbf_kernel

from margins import attention
from margins.attention import loo_bandwidth, loo_errors, nadaraya_watson
from margins.attention.leave_one_out import halving_chains
from margins.kernels import gaussian
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


@pytest.mark.parametrize("apart", [1e3, 1e6])
def test_nadaraya_watson_keeps_its_digits_for_two_far_clusters(apart):
    """The energies of points so far apart from one product would have few digits left at this bandwidth."""
    keys = np.array([[0, 0], [0, 1e-3], [apart, 0], [apart, 1.2e-3]])
    h, (near, far) = 3e-4, ([0, 5e-4], [apart, 5e-4])
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


KERNELS = ["gaussian", "laplacian", partial(gaussian, gamma=0.5)]


def refit_without_each(X, y, h, kernel, weights):
    """The leave-one-out error by n regressions on n - 1 points."""
    squares = []
    for i in range(len(X)):
        rest = np.arange(len(X)) != i
        fit = nadaraya_watson(X[[i]], X[rest], y[rest], h, kernel=kernel, weights=weights[rest])
        squares.append(np.square(fit[0] - y[i]).mean())
    return np.average(squares, weights=weights)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize(("n", "d", "p"), [(2, 1, 1), (60, 1, 2), (300, 2, 1)])
@pytest.mark.parametrize("lightest", [1.0, 0.1], ids=["alike", "weighted"])
def test_leave_one_out_is_n_regressions(kernel, n, d, p, lightest):
    """Points of weights up to 1 are left out whole."""
    X, weights = normal(n, d) + 100, np.random.default_rng(2).uniform(lightest, 1, n)
    y = np.sin(3 * X[:, :1]) + 0.1 * normal(n, p, seed=1)
    options = {"kernel": kernel, "weights": None if lightest == 1 else weights}
    bandwidths, errors = loo_errors(X, y, **options)
    assert len(bandwidths) == 100
    for b in (0, 13, 37) if callable(kernel) else (0, 13, 37, 60, 99):
        assert_allclose(errors[b], refit_without_each(X, y, bandwidths[b], kernel, weights), rtol=1e-8)
    assert loo_bandwidth(X, y, **options) == bandwidths[np.argmin(errors)]


def test_leave_one_out_does_not_depend_on_the_order_of_bandwidths():
    X, y = normal(70, 3), normal(70, 2, seed=1)
    together = np.r_[2.0 ** (-np.arange(12) / 2), 0.77, 0.05]
    _, errors = loo_errors(X, y, together)
    alone = [loo_errors(X, y, h)[1][0] for h in together]
    assert_allclose(errors, alone, rtol=1e-11)


def test_chains_halve_the_temperature():
    temperatures = np.array([1.0, 4.0, 3.0, 0.5, 2.0, 1.5, 1e-3])
    assert [list(chain) for chain in halving_chains(temperatures)] == [[1, 4, 0, 3], [2, 5], [6]]
    assert max(map(len, halving_chains(2.0 ** -np.arange(40)))) == 10


def test_isolated_points_do_not_divide_zero_by_zero():
    """Far from everyone else even exp(-E) underflows; the nearest neighbour still has weight 1."""
    X, y = np.array([0.0, 0.1, 50.0, 51.0, 1000.0]), np.array([1.0, 2.0, 5.0, 7.0, 100.0])
    _, errors = loo_errors(X, y, [1e-3, 0.3])
    assert_allclose(errors, np.mean(np.square([1, 1, 2, 2, 93])), rtol=1e-12)


def test_leave_one_out_with_repeated_points():
    X, y = np.zeros(6), np.arange(6.0)
    _, errors = loo_errors(X, y, [0.1, 1.0])
    assert_allclose(errors, np.mean((y - (15 - y) / 5) ** 2), rtol=1e-12)
    assert np.isfinite(loo_errors(X, y)[1]).all()


def test_leave_one_out_agrees_with_the_r_package_np():
    """Two bandwidths by cross-validation, from the documentation of npreg ("cc", "lc"): scale the columns."""
    rng = np.random.RandomState(123456)
    rng.binomial(2, 0.7, (60, 1)), rng.binomial(3, 0.7, (60, 1))
    c1, c2, _, noise = (
        rng.normal(mean, scale, (60, 1)) for mean, scale in ((0, 1), (10, 1), (10, 2), (0, 1))
    )
    y, X = (0.3 + 1.2 * c1 + 3.7 * c2 + noise)[:, 0], np.hstack([c1, c2])
    best = np.array([0.6163835, 0.1649656])
    fitted = nadaraya_watson(X / best, X / best, y, 1.0)
    assert_allclose(fitted[:5], [31.49157, 37.29536, 43.72332, 40.58997, 36.80711], atol=2e-5)
    error = loo_errors(X / best, y, 1.0)[1][0]
    for factor in ([1.02, 1], [0.98, 1], [1, 1.02], [1, 0.98]):
        assert loo_errors(X / (best * factor), y, 1.0)[1][0] > error


def test_a_function_that_leaves_a_point_alone_has_no_error():
    """A window reaches the neighbours at 1 and not at 0.5."""
    window = lambda X, Y: (abs(X - Y.T) <= 1.0).astype(float)  # noqa: E731
    X, y = [0.0, 1.0, 2.0], [3.0, 5.0, 10.0]
    errors = loo_errors(X, y, [0.5, 1.0], kernel=window)[1]
    assert_allclose(errors, [np.inf, (2**2 + 1.5**2 + 5**2) / 3])


@pytest.mark.parametrize("kernel", KERNELS)
def test_weights_count_how_often_a_point_is_there(kernel):
    X, y = normal(25, 2), normal(25, seed=1)
    weights = np.random.default_rng(2).integers(0, 4, 25)
    errors = loo_errors(X, y, [0.3, 2.0], kernel=kernel, weights=weights)[1]
    repeated = loo_errors(X.repeat(weights, axis=0), y.repeat(weights), [0.3, 2.0], kernel=kernel)[1]
    assert_allclose(errors, repeated, rtol=1e-10)
