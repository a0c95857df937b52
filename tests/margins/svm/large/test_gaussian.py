"""The Gaussian machine from the points themselves: same optimum, no n x n matrix, tiles made when needed."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from margins import svm
from margins.kernels import gaussian
from margins.svm.large.box import BoxPoint
from margins.svm.large.gaussian import move_many_to_bounds
from margins.svm.large.grams import GivenGram
from tests.margins.draws import with_peak
from tests.margins.svm.problems import assert_same_optimum, chequers, waves


@pytest.mark.parametrize("tol", [1e-3, 1e-10])
@pytest.mark.parametrize("C", [1e-160, 1e-18, 0.1, 1.0, 10.0, 100.0])
@pytest.mark.parametrize(
    ("points", "gamma", "dtype"),
    [(chequers(300), 2.0, np.float64), (chequers(300), 2.0, np.float32), (waves(600), 0.5, np.float64)],
    ids=["rough", "rough, in float32", "smooth"],
)
def test_same_optimum_as_on_the_gram_matrix(points, gamma, dtype, C, tol):
    """By pair steps on tiles where the kernel is rough beside the points, on the primal where smooth."""
    X, y = points[0].astype(dtype), points[1]
    K = gaussian(X.astype(float), gamma=gamma)
    assert_same_optimum(svm.gaussian_svm(X, y, C, gamma=gamma, tol=tol), K, y, C, tol)


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


def test_the_matrix_is_never_formed():
    X, y = chequers(3000)
    solution, peak = with_peak(lambda: svm.gaussian_svm(X.astype(np.float32), y, 0.1, gamma=2.0, tol=1e-3))
    assert solution.status == "optimal"
    assert peak < 0.6 * 4 * 3000**2


@pytest.mark.parametrize(("C", "by_pairs"), [(0.9e5, True), (1.1e5, False)])
def test_a_large_price_is_solved_by_a_factor_without_pair_steps(C, by_pairs):
    """From C = 1e5 on, in units of 1 / variance, which is at most 1 for a Gaussian kernel."""
    X, y = waves(500)
    solution = svm.gaussian_svm(X, y, C, gamma=0.5, tol=1e-6)
    assert (solution.steps > 0) == by_pairs
