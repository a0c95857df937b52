"""The climb with finite bounds: pair steps, Newton steps, where it starts and when it gives up."""

import numpy as np
import pytest

from margins import kernels, svm
from margins.kernels import gaussian
from margins.svm.large import constants, newton
from margins.svm.large.box import BoxPoint, climb_all, refine
from margins.svm.large.grams import GivenGram
from margins.svm.large.newton import balanced_solution, newton_step, step_length
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


@pytest.mark.parametrize("offset", [0.0, 50.0, 1e9])
def test_balanced_systems_are_solved_beside_their_multiplier(offset):
    """[[K + lift I, 1], [1', 0]] (delta, mu) = (aim, total), whatever is added to all entries of K."""
    rng = np.random.default_rng(0)
    F = rng.normal(size=(6, 6))
    K, aim, total, lift = F @ F.T, rng.normal(size=6), 0.7, 0.3
    bordered = np.block([[K + lift * np.eye(6), np.ones((6, 1))], [np.ones((1, 6)), np.zeros((1, 1))]])
    expected = np.linalg.solve(bordered, [*aim, total])[:6]
    found = balanced_solution(K + offset, aim, total, lift)
    np.testing.assert_allclose(found, expected, rtol=1e-10 + 1e-14 * offset)


@pytest.mark.parametrize(
    ("slope", "curvature", "length"), [(1.0, 4.0, 0.25), (1.0, 0.5, 1.0), (1.0, 0.0, 1.0), (-1.0, 2.0, 0.0)]
)
def test_newton_steps_end_where_the_dual_is_highest(slope, curvature, length):
    point = BoxPoint(None, np.zeros(1), np.array([slope]), np.zeros(1), np.ones(1))
    assert step_length(point, np.ones(1), np.array([curvature])) == length


@pytest.mark.parametrize("n", [2, 8])
def test_far_from_all_bounds_the_first_solution_is_the_optimum(n, monkeypatch):
    """The solution that stops at every bound takes many systems, and is for where the first one fails."""
    monkeypatch.setattr(newton, "_cautious_solution", lambda *_: pytest.fail("not needed here"))
    X, y = clouds(n, 2, 0.5)
    point = BoxPoint.start(GivenGram(gaussian(X)), y, 1e6, 10 * y)
    newton_step(point, np.ones(n, bool), lift=0.0)
    assert point.violation < 1e-9
    assert abs(point.beta.sum()) < 1e-9


def test_a_start_has_the_gradient_and_the_bounds_of_its_multipliers():
    X, y = clouds(12, 2, 0.5)
    K, beta = kernels.gaussian(X), 0.1 * y
    for C in (0.3, np.full(12, 0.3)):
        point = BoxPoint.start(GivenGram(K), y, C, beta)
        np.testing.assert_allclose(point.gradient, y - K @ beta, atol=1e-12)
        np.testing.assert_allclose([point.low, point.high], [0.15 * (y - 1), 0.15 * (y + 1)])


def test_a_failed_attempt_is_followed_by_a_finer_one(monkeypatch):
    # a coarse violation of 1e4 lets Newton steps begin at once, far from the optimum, where they fail
    monkeypatch.setattr(constants, "COARSE_VIOLATION", 1e4)
    X, y = clouds(120, 2, 0.3, seed=1)
    solution = svm.smo(kernels.gaussian(X), y, 100.0)
    assert solution.status == "optimal"
    assert solution.violation <= 1e-10


@pytest.mark.parametrize(("dtype", "attempts"), [(np.float64, 1), (np.float32, 2)])
def test_a_climb_that_used_up_its_rounds_is_the_last_attempt(dtype, attempts, monkeypatch):
    """Seven finer attempts would each use up theirs; in float32 one in float64 follows."""
    monkeypatch.setattr(constants, "MOST_CLIMB_ROUNDS", 2)  # too few for this problem, as 250 are for others
    X, y = clouds(200, 2, 0.1)
    climbed = []

    def counted(point, y, tolerance):
        climbed.append(tolerance)
        climb_all(point, y, tolerance)

    point = BoxPoint.start(GivenGram(kernels.gaussian(X.astype(dtype))), y, 1e3, np.zeros(200))
    refine(point, y, 1e-10, counted)
    assert point.violation > 1e-3
    assert len(climbed) == attempts
