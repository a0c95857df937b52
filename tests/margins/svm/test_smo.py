"""The SMO solver against libsvm, Clarabel and closed forms, on hard, degenerate and refused input."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.svm import SVC

from margins import svm
from margins.kernels import gaussian
from margins.svm.smo import pair_steps, squared_distances
from tests.margins.svm.problems import chequers, clouds

XOR = np.array([[1.0, 1], [-1, -1], [1, -1], [-1, 1]])
XOR_LABELS = np.array([1.0, 1, -1, -1])


def assert_optimal(K, y, C, solution, tolerance=1e-9):
    """The optimality conditions, written out here once more."""
    alpha = solution.alpha
    scores = K.astype(float) @ (alpha * y)
    margins = y * (scores + solution.b)
    assert alpha.min() >= 0
    assert alpha.max() <= C
    assert abs(alpha @ y) <= 1e-11 * (1 + alpha.sum())
    assert (margins[alpha < C] >= 1 - tolerance).all()
    assert (margins[alpha > 0] <= 1 + tolerance).all()


def test_xor_with_the_quadratic_kernel():
    solution = svm.smo((1 + XOR @ XOR.T) ** 2, XOR_LABELS)
    np.testing.assert_allclose(solution.alpha, 1 / 8, rtol=1e-12)
    assert solution.b == pytest.approx(0, abs=1e-12)
    assert solution.margin == pytest.approx(np.sqrt(2))
    assert solution.dual_objective == pytest.approx(1 / 4)
    assert solution.status == "optimal"


@pytest.mark.parametrize("C", [0.1, 0.49, 0.5, 2.0, np.inf])
def test_two_points(C):
    """x = 1 against x = -1: alpha = min(C, 1/2), w = 2 alpha, and b is free in [2 alpha - 1, 1 - 2 alpha]."""
    K, y, alpha = [[1, -1], [-1, 1]], np.array([1.0, -1]), min(C, 0.5)
    solution = svm.smo(K, y, C, trusted=True)
    np.testing.assert_allclose(solution.alpha, alpha, rtol=1e-12)
    assert solution.margin == pytest.approx(1 / (2 * alpha))
    np.testing.assert_allclose(solution.b_interval, [2 * alpha - 1, 1 - 2 * alpha], atol=1e-12)
    assert solution.b == pytest.approx(0, abs=1e-12)
    primal, dual = svm.primal_qp([[1.0], [-1.0]], y, C), svm.dual_qp(K, y, C)
    np.testing.assert_allclose([*dual.alpha, *primal.alpha, primal.w[0] / 2], alpha, rtol=1e-5)
    np.testing.assert_allclose(primal.slack.sum(), 2 - 4 * alpha, atol=1e-5)
    assert primal.objective == pytest.approx(2 * alpha - 2 * alpha**2, rel=1e-7)


def test_kernel_that_is_only_conditionally_definite():
    """-|x - y|: indefinite, but positive definite on vectors of sum zero, which is all that the dual sees."""
    X, y = chequers(80)
    distances = np.sqrt(((X[:, None] - X) ** 2).sum(axis=-1))
    assert np.linalg.eigvalsh(-distances)[0] < -1
    solution = svm.smo(-distances, y, 1.0)
    assert_optimal(-distances, y, 1.0, solution)
    lifted = svm.smo(100 - distances, y, 1.0)
    assert lifted.dual_objective == pytest.approx(solution.dual_objective, rel=1e-9)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("C", [0.05, 1.0, 30.0, 1e3])
def test_libsvm_agrees(C, dtype):
    X, y = chequers(300)
    K = gaussian(X, gamma=2.0).astype(dtype)
    ours = svm.smo(K, y, C)
    theirs = SVC(C=C, kernel="precomputed", tol=1e-10).fit(K.astype(float), y)
    alpha = np.zeros(len(y))
    alpha[theirs.support_] = np.abs(theirs.dual_coef_[0])
    assert ours.status == "optimal"
    assert ours.violation <= 1e-10
    assert_optimal(K, y, C, ours)
    single = dtype is np.float32  # libsvm keeps K in float32 and so solves a problem rounded to it
    assert svm.dual_objective(K.astype(float), y, alpha) == pytest.approx(
        ours.dual_objective, rel=1e-8 if single else 1e-5
    )
    scores = K.astype(float) @ (ours.alpha * y) + ours.b
    np.testing.assert_allclose(
        scores, theirs.decision_function(K.astype(float)), atol=1e-6 if single else 1e-2
    )


PRICES = np.random.default_rng(0).uniform(0.1, 2, 50)


@pytest.mark.parametrize("C", [0.1, 2.0, np.inf, PRICES], ids=["small", "large", "hard", "one a point"])
def test_clarabel_agrees(C):
    """The multipliers of the primal solve the dual, and the multiplier of y'alpha = 0 is the intercept."""
    X, y = clouds(50, 4, 3.0 if np.isinf(C).any() else 0.5)
    K = X @ X.T
    ours, dual, primal = svm.smo(K, y, C), svm.dual_qp(K, y, C), svm.primal_qp(X, y, C)
    assert ours.dual_objective == pytest.approx(dual.objective, rel=1e-8)
    assert ours.primal_objective == pytest.approx(primal.objective, rel=1e-8)
    assert svm.dual_objective(K, y, primal.alpha) == pytest.approx(dual.objective, rel=1e-6)
    assert svm.primal_objective(K, y, dual.alpha, dual.b, C) == pytest.approx(primal.objective, rel=1e-6)
    for alpha in (ours.alpha, dual.alpha):
        np.testing.assert_allclose((alpha * y) @ X, primal.w, atol=1e-5)
    np.testing.assert_allclose([ours.b, dual.b], primal.b, atol=1e-5)
    assert ours.margin == pytest.approx(1 / np.linalg.norm(primal.w), rel=1e-6)


@st.composite
def problems(draw):
    """Gram matrices of any rank, labels of both classes, C over six orders of magnitude."""
    seed = draw(st.integers(0, 10**6))
    n, d = draw(st.integers(2, 40)), draw(st.integers(1, 8))
    rng = np.random.default_rng(seed)
    y = np.where(rng.random(n) < 0.5, 1.0, -1.0)
    y[:2] = 1, -1
    X = np.round(rng.normal(size=(n, d)), draw(st.integers(0, 3)))  # rounding makes duplicates and ties
    return X, y, 10 ** draw(st.floats(-3, 3))


@given(problems())
def test_optimality_holds_for_any_gram(problem):
    X, y, C = problem
    K = X @ X.T
    solution = svm.smo(K, y, C)
    assert solution.status == "optimal"
    assert_optimal(K, y, C, solution, tolerance=1e-8)
    assert abs(solution.gap) <= 1e-7 * (1 + solution.dual_objective)
    low, high = solution.b_interval
    assert low <= solution.b <= high


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_zero_distances_never_enter_the_choice_of_a_pair(dtype):
    """Each point is given three times."""
    X = np.repeat(np.random.default_rng(0).normal(size=(30, 2)), 3, axis=0)
    y = np.where(np.random.default_rng(1).random(90) < 0.5, 1.0, -1.0)
    K = gaussian(X, gamma=1.0).astype(dtype)
    solution = svm.smo(K, y, 1.0)
    assert solution.steps < 10_000
    assert_optimal(K, y, 1.0, solution)


def test_unreachable_tolerance_is_confessed():
    X, y = chequers(60)
    with pytest.warns(RuntimeWarning, match="short of tol=1e-16; rounding blurs it by about"):
        solution = svm.smo(gaussian(X, gamma=2.0), y, 100.0, tol=1e-16)
    assert solution.status == "inaccurate"
    assert 1e-16 < solution.violation < 1e-9


def test_float32_too_coarse_for_the_problem_is_refused():
    """At C = 10^9 the rounding of a float32 Gram dominates its small eigenvalues: ||w||^2 < 0."""
    X, y = chequers(100)
    K = gaussian(X, gamma=0.05).astype(np.float32)
    with pytest.warns(RuntimeWarning, match="short of tol"), pytest.raises(ValueError, match="pass float64"):
        svm.smo(K, y, 1e9)


def test_iterates_close_the_gap_monotonically():
    X, y = chequers(80)
    K, C = gaussian(X, gamma=2.0), 1.0
    steps = [0, 1, 5, 20, 80, 320, 2000]
    alphas = svm.smo_iterates(K, y, C, at=steps)
    assert alphas.shape == (len(steps), len(y))
    assert not alphas[0].any()
    assert np.count_nonzero(alphas[1]) == 2
    duals = [svm.dual_objective(K, y, alpha) for alpha in alphas]
    assert (np.diff(duals) >= 0).all()
    assert duals[-1] == pytest.approx(svm.smo(K, y, C).dual_objective, rel=1e-9)
    assert all(alpha.min() >= 0 and alpha.max() <= C for alpha in alphas)
    np.testing.assert_allclose(alphas @ y, 0, atol=1e-12)


def test_a_point_that_is_met_again_is_paired_with_the_one_that_gains_most():
    X, y = clouds(30, 3, 0.577)
    K = gaussian(X, gamma=0.3)
    squares = squared_distances(K)
    met, before = set(), np.zeros(30)
    for beta, _ in pair_steps(K, y, 1.0, 1e-6):
        moved = np.flatnonzero(beta != before)
        if len(moved) == 2:
            i, j = moved[np.argsort(-(beta - before)[moved])]
            old = y - K @ before
            ahead = np.where((before > np.where(y > 0, 0, -1)) & (old < old[i]), old[i] - old, 0)
            if i in met:
                assert ahead[j] ** 2 / squares[i, j] >= (ahead**2 / squares[i]).max() * (1 - 1e-9)
            met.add(i)
        before = beta.copy()
    assert len(met) > 10
