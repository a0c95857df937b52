"""The choice of a low-rank factor: which problems take it, after how many pair steps, the same optimum."""

import warnings

import numpy as np
import pytest

from margins import svm
from margins.kernels import gaussian
from margins.svm.large import choice, constants
from margins.svm.large.choice import low_rank_factor, with_factor_at_large_c
from margins.svm.large.grams import GivenGram
from margins.svm.large.low_rank import factored_optimum
from margins.svm.problem import exceeds_on_zero_sums
from tests.margins.svm.problems import clouds, waves


def quietly(solve):
    """The solution, whether or not rounding lets it meet a tolerance of 1e-10."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        return solve()


@pytest.mark.parametrize("C", [1e6, 1e7])
def test_same_optimum_as_by_pair_steps(C, monkeypatch):
    X, y = waves(500)
    K = gaussian(X, gamma=0.5)
    factored = quietly(lambda: svm.smo(K, y, C, trusted=True))
    monkeypatch.setattr(constants, "FEWEST_FACTORED", 501)  # now these 500 points are too few for a factor
    pairs = quietly(lambda: svm.smo(K, y, C, trusted=True))
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


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(("d", "C", "most"), [(3, 1.0, 1), (10, 100.0, 1)])
def test_a_given_matrix_of_low_rank_takes_few_pair_steps(d, C, most, dtype):
    """n of them, or 3 n or 7 n where the rank is higher, where it once took up to a hundred n."""
    X, y = clouds(500, d, 0.1)
    K = (X @ X.T).astype(dtype)
    solution = quietly(lambda: svm.smo(K, y, C, tol=1e-3))
    assert solution.steps <= 2 * most * 500
    assert solution.violation <= 1e-3
    assert solution.dual_objective == pytest.approx(svm.linear_svm(X, y, C).dual_objective, rel=1e-5)


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
