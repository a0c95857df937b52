"""The Gaussian machine from the points themselves: same optimum, no n x n matrix, tiles made when needed."""

import gc
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from margins import svm
from margins.kernels import gaussian
from margins.svm.box import BoxPoint, bounds
from margins.svm.bulk import move_in_bulk
from margins.svm.grams import BATCH, GaussianGram, GivenGram
from margins.svm.levels import thresholded


def chequers(n, seed=0):
    """A chequerboard with noisy labels: bounded and free support vectors for every C."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, size=(n, 2))
    return X, np.sign(np.sin(4 * X[:, 0]) * np.cos(4 * X[:, 1]) + 0.1 * rng.normal(size=n))


@pytest.mark.parametrize("tol", [1e-3, 1e-10])
@pytest.mark.parametrize("C", [1e-18, 0.1, 1.0, 100.0])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_same_optimum_as_on_the_gram_matrix(C, tol, dtype):
    X, y = chequers(300)
    X = X.astype(dtype)
    K = gaussian(X.astype(float), gamma=2.0)
    lazy, stored = svm.gaussian_svm(X, y, C, gamma=2.0, tol=tol), svm.smo(K, y, C)
    assert lazy.status == "optimal"
    assert svm.kkt_report(K, y, lazy.alpha, lazy.b, C).violation <= 2 * tol
    assert lazy.dual_objective == pytest.approx(stored.dual_objective, rel=30 * tol)
    assert lazy.alpha.min() >= 0
    assert lazy.alpha.max() <= C
    assert abs(lazy.alpha @ y) <= 1e-11 * (1 + lazy.alpha.sum())


@pytest.mark.parametrize("C", [1e9, 1e20, 1e300])
def test_a_price_that_nobody_pays(C):
    X, y = chequers(100)
    lazy, hard = svm.gaussian_svm(X, y, C, gamma=50.0), svm.smo(gaussian(X, gamma=50.0), y)
    assert lazy.status == "optimal"
    assert lazy.dual_objective == pytest.approx(hard.dual_objective, rel=1e-9)


@settings(derandomize=True, deadline=None, max_examples=25)
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


def test_tiles_are_the_matrix():
    X = np.random.default_rng(0).normal(size=(700, 3))
    expected = gaussian(X, gamma=0.3)
    coarse = GaussianGram(X, 0.3)
    beta = np.random.default_rng(1).normal(size=700) * (np.arange(700) % 3 == 0)
    index = np.array([3, 600, 5])
    for gram, error in ((coarse, 1e-5), (coarse.exact, 1e-12), (coarse.wide(), 1e-12)):
        assert gram.exact.dtype == np.float64
        np.testing.assert_allclose(gram.full_rows(index), expected[index], atol=error)
        np.testing.assert_allclose(
            gram.block(index, index[:2]), expected[np.ix_(index, index[:2])], atol=error
        )
        np.testing.assert_allclose(gram.product(beta), expected @ beta, atol=300 * error)
        part = gram.restricted(index)
        np.testing.assert_allclose(part.block([0, 1], [2]), expected[np.ix_([3, 600], [5])], atol=error)


def test_rows_are_made_in_batches_and_once(monkeypatch):
    X, y = chequers(200)
    made = []
    full_rows = GaussianGram.full_rows
    monkeypatch.setattr(
        GaussianGram, "full_rows", lambda gram, rows, room: made.extend(rows) or full_rows(gram, rows, room)
    )
    monkeypatch.setattr("margins.svm.grams.ROOM", 50 * 200 * 4)  # bytes of 50 rows: they take several rooms
    gradients = np.stack([np.where(y > 0, 1.0, -np.inf), np.where(y < 0, -1.0, np.inf)]).astype(np.float32)
    rows = GaussianGram(X, 2.0).rows(gradients)
    np.testing.assert_allclose(rows[7], gaussian(X, gamma=2.0)[7], atol=1e-6)
    assert 7 in made
    assert len(made) == BATCH
    assert rows[7] is rows[7]
    np.testing.assert_allclose([rows[i] for i in range(200)], gaussian(X, gamma=2.0), atol=1e-6)
    assert sorted(made) == list(range(200))


def test_bulk_moves_only_climb():
    X, y = chequers(500)
    C, gram = 0.01, GivenGram(gaussian(X, gamma=2.0))
    gram.full_rows = lambda rows: gram.K[rows]
    point = BoxPoint(gram, np.zeros(500), y.copy(), *bounds(y, C))
    move_in_bulk(point)
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
    gram.full_rows = lambda rows: gram.K[rows]
    point = BoxPoint(gram, np.zeros(100), y.copy(), *bounds(y, 1e6))
    move_in_bulk(point)
    assert not point.beta.any()


def test_the_matrix_is_never_formed():
    X, y = chequers(3000)
    tracemalloc.start()
    solution = svm.gaussian_svm(X.astype(np.float32), y, 0.1, gamma=2.0, tol=1e-3)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert solution.status == "optimal"
    assert peak < 0.6 * 4 * 3000**2


@pytest.mark.parametrize("tol", [1e-3, 1e-10])
@pytest.mark.parametrize("C", [0.1, 10.0])
def test_levels_and_blocks_reach_the_same_optimum(C, tol, monkeypatch):
    """Samples of 100 and 400 points, then all 1600, in blocks of 200: as at ten thousand, but quick."""
    monkeypatch.setattr("margins.svm.lazy.CROWD", 1000)
    monkeypatch.setattr("margins.svm.levels.SMALLEST", 100)
    monkeypatch.setattr("margins.svm.levels.BLOCK", 200)
    X, y = chequers(1600)
    crowd = svm.gaussian_svm(X, y, C, gamma=2.0, tol=tol)
    assert crowd.status == "optimal"
    K = gaussian(X, gamma=2.0)
    report = svm.kkt_report(K, y, crowd.alpha, crowd.b, C)
    assert report.violation <= 2 * tol
    assert report.dual_infeasibility <= 1e-9
    assert crowd.dual_objective == pytest.approx(svm.smo(K, y, C).dual_objective, rel=30 * tol)


def test_samples_without_one_class_do_no_harm(monkeypatch):
    monkeypatch.setattr("margins.svm.lazy.CROWD", 1000)
    monkeypatch.setattr("margins.svm.levels.SMALLEST", 100)
    X, y = chequers(1600)[0], np.where(np.arange(1600) == 5, 1.0, -1.0)
    crowd = svm.gaussian_svm(X, y, 1.0, gamma=2.0)
    assert crowd.status == "optimal"
    assert crowd.dual_objective == pytest.approx(svm.smo(gaussian(X, gamma=2.0), y, 1.0).dual_objective)


def test_threshold_of_a_sample_is_balanced():
    """Scores that all lie beyond 1 on their side, or all on one side: the sum is 0 and the bounds hold."""
    y = np.where(np.arange(50) % 5 == 0, 1.0, -1.0)
    for scores in (3 * y, np.full(50, 7.0), np.linspace(-2, 2, 50)):
        beta = thresholded(scores, y, 0.5)
        assert abs(beta.sum()) < 1e-12
        assert (beta * y).min() >= 0
        assert np.abs(beta).max() <= 0.5


def test_a_gram_matrix_is_freed_with_its_solution():
    """A cycle of references once kept every matrix until the garbage collector came."""
    X, y = chequers(400)
    gc.collect()
    gc.disable()
    try:
        tracemalloc.start()
        svm.smo(gaussian(X, gamma=2.0), y, 1.0)
        left = tracemalloc.get_traced_memory()[0]
        tracemalloc.stop()
    finally:
        gc.enable()
    assert left < 8 * 400**2 / 4


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
