"""Steep prices where the kernel sees few directions: the optimum of pair steps, in a bounded time."""

import warnings

import numpy as np
import pytest

from margins import svm
from margins.kernels import gaussian, linear
from margins.svm import steep
from margins.svm.few_directions import partial_factor
from margins.svm.grams import GivenGram
from margins.svm.low_rank import factored_optimum
from tests.test_svm_few_directions import waves


def confessing(solve):
    """The solution, whether or not rounding lets it meet a tolerance of 1e-10."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        return solve()


@pytest.mark.parametrize("C", [1e6, 1e7])
def test_same_optimum_as_by_pair_steps(C, monkeypatch):
    X, y = waves(500)
    K = gaussian(X, gamma=0.5)
    steeped = confessing(lambda: svm.smo(K, y, C, trusted=True))
    monkeypatch.setattr(steep, "MANY", 501)
    pairs = confessing(lambda: svm.smo(K, y, C, trusted=True))
    assert steeped.steps == 0 < pairs.steps
    assert steeped.violation < 1e-14 * C
    assert steeped.dual_objective == pytest.approx(pairs.dual_objective, rel=1e-8)
    assert steeped.alpha.max() <= C
    assert abs(steeped.alpha @ y) <= 1e-11 * steeped.alpha.sum()


def asked(K, y, spread=1.0):
    """The function of prices, and the list of (price, sum of |beta|) that it hands on to pair steps."""
    handed = []
    return steep.with_steep_prices(
        lambda price, beta: handed.append((price, np.abs(beta).sum())), lambda: GivenGram(K), y, 1e-10, spread
    ), handed


def test_pair_steps_where_the_price_is_low_or_the_points_or_directions_are_not_as_wanted():
    X, y = waves(500)
    K, none = gaussian(X, gamma=0.5), np.zeros(500)
    at_price, handed = asked(K, y, spread=0.5)
    assert at_price(2e5, none).violation < 1e-8
    assert at_price(1.9e5, none) is None
    few, handed_few = asked(K[:199, :199], y[:199])
    many, handed_many = asked(np.eye(500), y)
    assert few(1e6, none[:199]) is many(1e6, none) is None
    assert (handed, handed_few, handed_many) == ([(1.9e5, 0)], [(1e6, 0)], [(1e6, 0)])


def test_a_matrix_of_single_precision_has_no_factor():
    X, y = waves(500)
    K = gaussian(X.astype(np.float32), gamma=0.5).astype(np.float64)
    at_price, handed = asked(K, y)
    assert at_price(1e6, np.zeros(500)) is None
    assert handed == [(1e6, 0)]


@pytest.mark.parametrize(("price", "goes_on"), [(1e8, True), (1.1e8, False)])
def test_what_the_interior_point_leaves_is_climbed_unless_a_lower_price_is_there(price, goes_on, monkeypatch):
    X, y = waves(500)
    K = gaussian(X, gamma=0.5)
    crude = factored_optimum(GivenGram(K), linear(X)[:, :2], y, 1.0, 1e-10)
    crude.gradient = crude.gradient + 3 * y
    monkeypatch.setattr(steep, "factored_optimum", lambda *_: crude)
    at_price, handed = asked(K, y)
    assert (at_price(price, np.zeros(500)) is None) == goes_on
    assert handed == ([(price, np.abs(crude.beta).sum())] if goes_on else [])


def test_the_factor_stands_for_the_matrix():
    X, _ = waves(500)
    K = 1e6 * gaussian(X, gamma=0.5)
    factor = partial_factor(GivenGram(K), 500, steep.ROUNDING * 1e6)
    assert factor.shape[1] < 100
    np.testing.assert_allclose(factor @ factor.T, K, atol=1e-6)


@pytest.mark.parametrize("C", [1e10, 1e15])
def test_a_price_beyond_rounding_is_confessed_in_time(C):
    """Pair steps went on for minutes here, at violations that rounding no longer let fall."""
    X, y = waves(500)
    with pytest.warns(RuntimeWarning, match="and a gap of .* rounding blurs it by about .*: rescale"):
        solution = svm.gaussian_svm(X, y, C, gamma=0.5)
    assert solution.status == "inaccurate"
    assert solution.steps < 10_000
    assert 0 < solution.alpha.max() <= C
    assert solution.primal_objective >= solution.dual_objective
