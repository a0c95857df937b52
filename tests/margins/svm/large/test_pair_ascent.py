"""Pair steps for many points: those of chapter 1, step by step, and the choice of a partner."""

import numpy as np
import pytest

from margins import svm
from margins.kernels import gaussian
from margins.svm.large.grams import GivenGram
from margins.svm.large.pair_ascent import PairAscent
from margins.svm.problem import bounds
from tests.margins.svm.problems import chequers, clouds


@pytest.mark.parametrize("C", [0.05, 1.0, 100.0])
def test_steps_are_those_of_the_plain_solver(C):
    """The same pairs in the same order: after any number of steps the multipliers agree."""
    X, y = chequers(150)
    K, at = gaussian(X, gamma=2.0), [1, 10, 40, 75]
    ascent, done = PairAscent(GivenGram(K), *bounds(y, C)), 0
    ascent.start(np.zeros(150), y)
    for step, alpha in zip(at, svm.smo_iterates(K, y, C, at=at), strict=True):
        assert ascent.climb(1e-12, step - done) == step - done
        np.testing.assert_allclose(np.abs(ascent.beta), alpha, rtol=1e-12)
        done = step


def test_partners_are_those_with_whom_the_dual_gains_most():
    """(v_i - v_j)^2 / ||x_i - x_j||^2 from the second meeting on; at the first the lowest gradient counts."""
    X, y = clouds(30, 2, 0.3)
    ascent = PairAscent(GivenGram(X @ X.T), *bounds(y, 1.0))
    gradient = np.random.default_rng(1).normal(size=30)
    gradient[4] = 3.0
    ascent.start(0.5 * y, gradient)
    meetings = [ascent.partner(4, 3.0, np.empty(30)) for _ in range(2)]
    distances = np.square(X - X[4]).sum(axis=1)
    distances[4] = np.inf
    assert meetings == [gradient.argmin(), (np.square(3.0 - gradient) / distances).argmax()]
    assert meetings[0] != meetings[1]


def test_a_pair_at_a_negative_squared_distance_is_refused():
    ascent = PairAscent(
        GivenGram(np.array([[1.0, 3.0], [3.0, 1.0]])), np.array([0.0, -1]), np.array([1.0, 0])
    )
    ascent.start(np.zeros(2), np.array([1.0, -1.0]))
    with pytest.raises(
        ValueError, match=r"K must be positive semi-definite, but K_ii .* = -4 for some i and j"
    ):
        ascent.climb(1e-12, 1)


def test_an_exchange_that_meets_a_bound_ends_on_it_exactly():
    """Here beta + (C - beta) is not always C, nor beta - (beta - low) always low."""
    rng = np.random.default_rng(0)
    low, high = -rng.uniform(0.1, 1, 40), rng.uniform(0.1, 1, 40)
    ascent = PairAscent(GivenGram(np.eye(40)), low, high)
    beta = rng.uniform(low, high)
    assert (beta + (high - beta) != high).any()
    assert (beta - (beta - low) != low).any()
    for i in range(0, 40, 2):
        ascent.start(beta, np.zeros(40))
        ascent._exchange(i, i + 1, 1e3, 0.0)  # private: whole steps end in gradients, not in multipliers
        met = (ascent.beta[i] == high[i], ascent.beta[i + 1] == low[i + 1])
        assert met == (
            high[i] - beta[i] <= beta[i + 1] - low[i + 1],
            high[i] - beta[i] >= beta[i + 1] - low[i + 1],
        )
