"""Machines by a factor of low rank: the linear one, the interior point, and which problems take a factor."""

import numpy as np
import pytest

from margins import svm
from margins.kernels import gaussian
from margins.svm.large import choice, constants
from margins.svm.large.choice import low_rank_factor, with_factor_at_large_c
from margins.svm.large.grams import GaussianGram, GivenGram
from margins.svm.large.interior_point import DenseQuadratic, LowRankQuadratic, interior_optimum
from margins.svm.large.low_rank import balanced, factored_optimum, incomplete_cholesky
from margins.svm.problem import exceeds_on_zero_sums
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
    assert_same_optimum(svm.linear_svm(X, y, 100.0), X @ X.T, y, 100.0, tol=1e-9)


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


def test_both_linear_algebras_solve_the_same_system():
    rng = np.random.default_rng(0)
    Z, diagonal, v = rng.normal(size=(200, 5)), rng.uniform(0.1, 10, 200), rng.normal(size=200)
    expected = np.linalg.solve(Z @ Z.T + np.diag(diagonal), v)
    for quadratic in (LowRankQuadratic(Z), DenseQuadratic(Z @ Z.T)):
        np.testing.assert_allclose(quadratic.solver(diagonal)(v), expected, atol=1e-10)
        np.testing.assert_allclose(quadratic.times(v), Z @ (Z.T @ v), atol=1e-10)


@pytest.mark.parametrize("C", [0.01, 1.0, 100.0])
def test_soft_margin_by_either_algebra(C):
    """In u = alpha / C and divided by C, the dual is min C/2 u'Qu - 1'u with y'u = 0 and 0 <= u <= 1."""
    X, y = clouds(80, 3, 0.5)
    Z = np.sqrt(C) * y[:, None] * X
    expected = svm.dual_qp(X @ X.T, y, C).objective
    for quadratic in (LowRankQuadratic(Z), DenseQuadratic(Z @ Z.T)):
        point = interior_optimum(
            quadratic, np.ones(80), y[:, None], np.zeros(1), np.full(80, 0.5), 1.0, relative=1e-12
        )
        alpha = C * point.u
        assert point.slacks.min() > 0
        np.testing.assert_allclose(point.slacks.sum(axis=0), 1)
        assert abs(y @ alpha) < 1e-9 * C
        assert svm.dual_objective(X @ X.T, y, alpha) == pytest.approx(expected, rel=1e-9)


@pytest.mark.filterwarnings("ignore:the solver stopped:RuntimeWarning")  # rounding forbids 1e-10
@pytest.mark.parametrize("C", [1e6, 1e7])
def test_same_optimum_as_by_pair_steps(C, monkeypatch):
    X, y = waves(500)
    K = gaussian(X, gamma=0.5)
    factored = svm.smo(K, y, C, trusted=True)
    monkeypatch.setattr(constants, "FEWEST_FACTORED", 501)  # now these 500 points are too few for a factor
    pairs = svm.smo(K, y, C, trusted=True)
    assert factored.steps == 0 < pairs.steps
    assert factored.violation < 1e-14 * C
    assert factored.dual_objective == pytest.approx(pairs.dual_objective, rel=1e-8)
    assert factored.alpha.max() <= C
    assert abs(factored.alpha @ y) <= 1e-11 * factored.alpha.sum()


def asked(K, y, spread=1.0):
    """The function of C and beta, and the list of (C, sum of |beta|) that it hands on to pair steps."""
    handed = []

    def by_pair_steps(C, beta):
        handed.append((C, np.abs(beta).sum()))

    return with_factor_at_large_c(by_pair_steps, lambda: GivenGram(K), y, 1e-10, spread), handed


def test_pair_steps_where_c_is_small_the_points_few_or_the_rank_full():
    X, y = waves(500)
    K, none = gaussian(X, gamma=0.5), np.zeros(500)
    optimum_at, handed = asked(K, y, spread=0.5)
    assert optimum_at(2e5, none).violation < 1e-8
    assert optimum_at(1.9e5, none) is None
    few, handed_few = asked(K[:199, :199], y[:199])
    many, handed_many = asked(np.eye(500), y)
    assert few(1e6, none[:199]) is many(1e6, none) is None
    assert (handed, handed_few, handed_many) == ([(1.9e5, 0)], [(1e6, 0)], [(1e6, 0)])


@pytest.mark.parametrize("offset", [0.0, 1e3])
def test_the_factor_stands_for_the_matrix_on_sums_of_zero(offset):
    X, _ = waves(500)
    K = 1e6 * gaussian(X, gamma=0.5) + offset
    factor = low_rank_factor(GivenGram(K), 120)
    centred = K - K.mean(axis=0) - K.mean(axis=1)[:, None] + K.mean()
    assert factor.shape[1] < 100
    np.testing.assert_allclose(factor @ factor.T, centred, atol=1e-5)


@pytest.mark.parametrize(("smallest", "full"), [(1.05, True), (0.95, False)])
def test_a_rank_is_full_where_no_eigenvalue_on_sums_of_zero_lies_below_what_may_lack(smallest, full):
    block = np.diag([smallest] * 4 + [2.0])
    basis = np.linalg.qr(np.column_stack([np.ones(5), np.eye(5)[:, :4]]))[0][:, 1:]  # of sums of zero
    assert (np.linalg.eigvalsh(basis.T @ block @ basis)[0] >= 1.0) == full
    for offset in (0.0, 100.0):
        assert exceeds_on_zero_sums(block + offset, 1.0) == full


@pytest.mark.parametrize(("violation", "goes_on"), [(0.9e-4, False), (1.1e-4, True), (1.9e-4, True)])
def test_a_factor_is_near_enough_at_a_violation_of_a_ten_thousandth(violation, goes_on, monkeypatch):
    X, y = waves(500)
    K = gaussian(X, gamma=0.5)
    near = factored_optimum(GivenGram(K), low_rank_factor(GivenGram(K), 120), y, 1e6, 1e-10)
    near.gradient = near.gradient + violation / 2 * np.where(np.arange(500) % 2, 1.0, -1.0)
    assert near.violation == pytest.approx(violation, rel=1e-3)
    monkeypatch.setattr(choice, "factored_optimum", lambda *_: near)
    optimum_at, handed = asked(K, y)
    assert (optimum_at(1e6, np.zeros(500)) is None) == bool(handed) == goes_on
