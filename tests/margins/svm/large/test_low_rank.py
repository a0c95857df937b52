"""The linear machine of many points with few features, without its Gram matrix, against `smo`."""

import numpy as np
import pytest

from margins import svm
from margins.kernels import gaussian
from margins.svm.large.grams import GaussianGram
from margins.svm.large.low_rank import balanced, incomplete_cholesky
from tests.margins.svm.problems import assert_same_optimum, clouds, waves


@pytest.mark.parametrize("C", [1e-160, 1e-3, 1.0, 30.0])
def test_same_optimum_as_pair_steps(C):
    X, y = clouds(600, 6, 0.5)
    linear, pairs = svm.linear_svm(X, y, C), svm.smo(X @ X.T, y, C)
    assert_same_optimum(linear, X @ X.T, y, C)
    assert linear.primal_objective == pytest.approx(pairs.primal_objective, rel=1e-10)
    assert linear.margin == pytest.approx(pairs.margin, rel=1e-8)
    assert linear.b == pytest.approx(pairs.b, abs=1e-8)


def test_a_high_price_of_overlapping_classes():
    """20 features, 2000 points, C = 100: 21 seconds of pair steps and of Newton steps on k x k matrices."""
    X, y = clouds(2000, 20, 0.1)
    assert_same_optimum(svm.linear_svm(X, y, 100.0), X @ X.T, y, 100.0)


def test_an_offset_of_the_features_costs_nothing():
    X, y = clouds(600, 6, 0.5)
    near, far = svm.linear_svm(X, y, 1.0), svm.linear_svm(X + 1e5, y, 1.0)
    assert far.status == "optimal"
    assert far.dual_objective == pytest.approx(near.dual_objective, rel=1e-9)


CLOUDS, LABELS = clouds(600, 6, 0.5)
HALVES = np.repeat([1.0, -1.0], 300)


@pytest.mark.parametrize(
    ("points", "labels"),
    [
        (np.zeros((600, 2)), HALVES),
        (np.repeat(CLOUDS[:100], 6, axis=0), np.repeat(LABELS[:100], 6)),
        (np.tile(CLOUDS[:300], (2, 1)), HALVES),
        (CLOUDS, np.where(np.arange(600) == 3, 1.0, -1.0)),
    ],
    ids=["all points 0", "each point six times", "each point in both classes", "one point against all"],
)
def test_degenerate_points(points, labels):
    assert_same_optimum(svm.linear_svm(points, labels, 1.0), points @ points.T, labels, 1.0)


def test_balance_is_restored_by_the_free_points_where_these_can():
    low, high = np.array([0.0, 0, 0, -1]), np.array([1.0, 1, 1, 0])
    free = np.array([True, False, False, False])
    moved = balanced(np.array([0.5, 1, 0, -1]), low, high, free)
    np.testing.assert_allclose(moved, [0, 1, 0, -1], atol=1e-15)
    moved = balanced(np.array([0.5, 1, 1, -1]), low, high, free)
    assert moved.sum() == pytest.approx(0)
    assert (moved >= low).all()
    assert (moved <= high).all()


def test_an_interval_of_intercepts_moves_with_the_points():
    """Without free multipliers every b of an interval is optimal, wherever the origin lies."""
    X, y = np.array([[-1.0], [1.0]]) + 5, np.array([-1.0, 1.0])
    ours, reference = svm.linear_svm(X, y, 0.1), svm.smo(X @ X.T, y, 0.1)
    assert reference.b_interval[0] < reference.b_interval[1]
    np.testing.assert_allclose(ours.b_interval, reference.b_interval, atol=1e-9)
    assert ours.b == pytest.approx(reference.b)


def counted(gram):
    """A list that grows by the rows that this matrix is asked for."""
    made, full_rows = [], gram.full_rows
    gram.full_rows = lambda rows: made.extend(rows) or full_rows(rows)
    return made


@pytest.mark.parametrize("lacking", [0.1, 1e-3, 1e-6])
def test_an_incomplete_factor_lacks_what_it_may_and_meets_no_row_twice(lacking):
    X = waves(400)[0]
    gram = GaussianGram(X, 0.5)
    made, factor = counted(gram), incomplete_cholesky(gram, 40, lacking)
    rest = gaussian(X, gamma=0.5) - factor @ factor.T
    assert factor.shape[1] == len(made) == len(set(made)) < 40
    assert np.abs(rest).max() <= lacking + 1e-6
    assert np.linalg.eigvalsh(rest)[0] > -1e-4
