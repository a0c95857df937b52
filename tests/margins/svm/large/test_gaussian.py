"""The Gaussian machine from the points themselves: same optimum, no n x n matrix, tiles made when needed."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from margins import svm
from margins.kernels import gaussian
from margins.svm.large.box import BoxPoint
from margins.svm.large.gaussian import move_many_to_bounds, starting_point
from margins.svm.large.grams import GaussianGram, GivenGram
from tests.margins.svm.problems import chequers, clouds, waves


@pytest.mark.parametrize("tol", [1e-3, 1e-10])
@pytest.mark.parametrize("C", [1e-18, 0.1, 1.0, 100.0])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_same_optimum_as_on_the_gram_matrix(C, tol, dtype):
    X, y = chequers(300)
    X = X.astype(dtype)
    K = gaussian(X.astype(float), gamma=2.0)
    ours, stored = svm.gaussian_svm(X, y, C, gamma=2.0, tol=tol), svm.smo(K, y, C)
    assert ours.status == "optimal"
    assert svm.kkt_report(K, y, ours.alpha, ours.b, C).violation <= 2 * tol
    assert ours.dual_objective == pytest.approx(stored.dual_objective, rel=30 * tol)
    assert ours.alpha.min() >= 0
    assert ours.alpha.max() <= C
    assert abs(ours.alpha @ y) <= 1e-11 * (1 + ours.alpha.sum())


@pytest.mark.parametrize("C", [1e9, 1e20, 1e300])
def test_a_price_that_nobody_pays(C):
    X, y = chequers(100)
    ours, hard = svm.gaussian_svm(X, y, C, gamma=50.0), svm.smo(gaussian(X, gamma=50.0), y)
    assert ours.status == "optimal"
    assert ours.dual_objective == pytest.approx(hard.dual_objective, rel=1e-9)


@given(st.integers(0, 10**6), st.integers(2, 60), st.floats(-2, 2), st.floats(-2, 2))
def test_optimality_for_any_points(seed, n, price, width):
    rng = np.random.default_rng(seed)
    X, y = np.round(rng.normal(size=(n, 2)), 1), np.where(rng.random(n) < 0.5, 1.0, -1.0)
    y[:2] = 1, -1
    C, gamma = 10.0**price, 10.0**width
    solution = svm.gaussian_svm(X, y, C, gamma=gamma)
    assert solution.status == "optimal"
    report = svm.kkt_report(gaussian(X, gamma=gamma), y, solution.alpha, solution.b, C, bound_tol=1e-12)
    assert report.violation <= 1e-8
    assert abs(report.gap) <= 1e-7 * (1 + report.dual_objective)


def test_far_points_keep_their_digits():
    """An offset of a million leaves float32 few digits of the distances, unless it is taken off first."""
    X, y = chequers(200)
    near, far = (svm.gaussian_svm(points, y, 1.0, gamma=2.0) for points in (X, X + 2.0**20))
    assert far.dual_objective == pytest.approx(near.dual_objective, rel=1e-6)


@pytest.mark.parametrize("unit", [1e-60, 1e-18, 1.0, 1e18, 1e60])
def test_the_unit_of_length_is_free(unit):
    """gamma follows it, also where float32 could hold neither the squares of distances nor gamma."""
    X, y = chequers(150)
    solution = svm.gaussian_svm(unit * X, y, 1.0, gamma=2.0 / unit**2)
    assert solution.dual_objective == pytest.approx(svm.smo(gaussian(X, gamma=2.0), y, 1.0).dual_objective)


def test_far_outliers_are_points_like_others():
    X, y = chequers(150)
    X[3] *= 1e25
    solution = svm.gaussian_svm(X, y, 1.0, gamma=2.0)
    report = svm.kkt_report(gaussian(X, gamma=2.0), y, solution.alpha, solution.b, 1.0)
    assert report.violation < 1e-9


def test_bulk_moves_only_climb():
    X, y = chequers(500)
    C, gram = 0.01, GivenGram(gaussian(X, gamma=2.0))
    point = BoxPoint.start(gram, y, C, np.zeros(500))
    move_many_to_bounds(point)
    moved = np.count_nonzero(point.beta)
    assert moved > 100
    assert set(np.abs(point.beta).tolist()) == {0.0, C}
    assert abs(point.beta.sum()) < 1e-12
    np.testing.assert_allclose(point.gradient, y - gram.K @ point.beta, atol=1e-10)
    assert svm.dual_objective(gram.K, y, np.abs(point.beta)) > 0.5 * svm.smo(gram.K, y, C).dual_objective


def test_bulk_moves_stop_where_pairs_are_better():
    """At a high price one step to C would pass its best length for every group of points."""
    X, y = chequers(100)
    gram = GivenGram(gaussian(X, gamma=2.0))
    point = BoxPoint.start(gram, y, 1e6, np.zeros(100))
    move_many_to_bounds(point)
    assert not point.beta.any()


def test_the_matrix_is_never_formed():
    X, y = chequers(3000)
    tracemalloc.start()
    solution = svm.gaussian_svm(X.astype(np.float32), y, 0.1, gamma=2.0, tol=1e-3)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert solution.status == "optimal"
    assert peak < 0.6 * 4 * 3000**2


def test_malformed_problems_are_refused():
    X, y = chequers(20)
    for arguments, gamma, words in (
        ((X[:, 0], y, 1.0), 1.0, "X must have 2 axes"),
        ((X, y[:15], 1.0), 1.0, "expected equally many rows"),
        ((X, y, np.inf), 1.0, "C must be a number > 0"),
        ((X, y, 1.0), -1.0, "gamma must be a number > 0"),
    ):
        with pytest.raises(ValueError, match=words):
            svm.gaussian_svm(*arguments, gamma=gamma)


def test_a_violation_is_measured_in_double_precision():
    """At a loose tolerance the climb ends in float32, and its gradient has lost half of its digits."""
    X, y = clouds(60, 2, 0.5)
    solution = svm.gaussian_svm(X, y, 1.0, tol=1e-3)
    beta = solution.alpha * y
    point = BoxPoint.start(GivenGram(gaussian(X)), y, 1.0, beta)
    assert 1e-6 < point.violation <= 1e-3
    assert solution.violation == pytest.approx(point.violation, rel=1e-9)


def test_a_climb_on_the_stored_matrix_begins_from_a_gradient_of_its_precision():
    """That of a matrix in single precision would be wrong by a hundredth at multipliers of 1e5."""
    X, y = clouds(40, 2, 0.5)
    beta = 1e5 * y
    point = starting_point(GaussianGram(X, 1.0), y, 2e5, beta)
    np.testing.assert_allclose(point.gradient, y - gaussian(X) @ beta, atol=1e-7)
    small = starting_point(GaussianGram(X, 1.0), y, 0.3, 0.1 * y)
    np.testing.assert_allclose(small.gradient, y - gaussian(X) @ (0.1 * y), atol=1e-6)


@pytest.mark.parametrize(("C", "by_pairs"), [(0.9e5, True), (1.1e5, False)])
def test_a_large_price_is_solved_by_a_factor_without_pair_steps(C, by_pairs):
    """From C = 1e5 on, in units of 1 / variance, which is at most 1 for a Gaussian kernel."""
    X, y = waves(500)
    solution = svm.gaussian_svm(X, y, C, gamma=0.5, tol=1e-6)
    assert (solution.steps > 0) == by_pairs
