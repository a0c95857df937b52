"""The two quadratic programs in cvxpy, and the two objectives, against closed forms and each other."""

import cvxpy as cp
import numpy as np
import pytest

from margins import svm
from margins.svm.reference import solve

TWO = np.array([[1.0], [-1.0]])
SIGNS = np.array([1.0, -1.0])


@pytest.mark.parametrize("C", [0.1, 0.5, 3.0, np.inf])
def test_two_points(C):
    alpha = min(C, 0.5)
    primal, dual = svm.primal_qp(TWO, SIGNS, C), svm.dual_qp(TWO @ TWO.T, SIGNS, C)
    np.testing.assert_allclose(dual.alpha, alpha, rtol=1e-5)
    np.testing.assert_allclose(primal.alpha, alpha, rtol=1e-5)
    np.testing.assert_allclose(primal.w, 2 * alpha, rtol=1e-5)
    np.testing.assert_allclose(primal.slack.sum(), 2 - 4 * alpha, atol=1e-5)
    assert primal.objective == pytest.approx(2 * alpha - 2 * alpha**2, rel=1e-7)
    assert dual.objective == pytest.approx(2 * alpha - 2 * alpha**2, rel=1e-7)


@pytest.mark.parametrize("C", [0.3, 5.0])
def test_multipliers_and_intercept_belong_together(C):
    """The multipliers of the primal solve the dual, and the multiplier of y'alpha = 0 is the intercept."""
    rng = np.random.default_rng(0)
    y = np.where(np.arange(30) % 3, 1.0, -1.0)
    X = rng.normal(size=(30, 2)) + y[:, None]
    primal, dual = svm.primal_qp(X, y, C), svm.dual_qp(X @ X.T, y, C)
    assert dual.b == pytest.approx(primal.b, abs=1e-6)
    np.testing.assert_allclose((dual.alpha * y) @ X, primal.w, atol=1e-6)
    assert svm.dual_objective(X @ X.T, y, primal.alpha) == pytest.approx(dual.objective, rel=1e-6)
    assert svm.primal_objective(X @ X.T, y, dual.alpha, dual.b, C) == pytest.approx(
        primal.objective, rel=1e-6
    )
    assert svm.kkt_report(X @ X.T, y, dual.alpha, dual.b, C).violation < 1e-5


def test_hard_margin_primal_objective_enlarges_to_the_margin():
    """At half the multipliers w separates with y f = 1/2; twice as long it is the optimum again."""
    K = TWO @ TWO.T
    assert svm.primal_objective(K, SIGNS, [0.25, 0.25], 0.0) == pytest.approx(0.5)
    assert svm.primal_objective(K, SIGNS, [0.25, 0.25], 1.0) == np.inf
    assert svm.dual_objective(K, SIGNS, [0.25, 0.25]) == pytest.approx(0.5 - 0.125)


@pytest.mark.parametrize("solve", [lambda X, y: svm.primal_qp(X, y), lambda X, y: svm.dual_qp(X @ X.T, y)])
def test_inseparable_classes_come_with_their_ray(solve):
    X, y = np.array([[1.0, 1], [-1, -1], [1, -1], [-1, 1]]), np.array([1.0, 1, -1, -1])
    with pytest.raises(svm.NotSeparableError, match="dual is unbounded") as refusal:
        solve(X, y)
    np.testing.assert_allclose(refusal.value.ray, 0.25)


def test_every_point_may_have_a_price_of_its_own():
    rng = np.random.default_rng(0)
    y = np.where(np.arange(20) % 2, 1.0, -1.0)
    X, C = rng.normal(size=(20, 2)) + 0.3 * y[:, None], rng.uniform(0.1, 2, 20)
    primal, dual, ours = svm.primal_qp(X, y, C), svm.dual_qp(X @ X.T, y, C), svm.smo(X @ X.T, y, C)
    assert primal.objective == pytest.approx(ours.dual_objective, rel=1e-7)
    assert dual.objective == pytest.approx(ours.dual_objective, rel=1e-7)
    np.testing.assert_allclose(primal.w, (ours.alpha * y) @ X, atol=1e-5)


def test_a_solver_that_breaks_down_is_quoted():
    class Broken:
        def solve(self):
            raise cp.SolverError("Solver 'CLARABEL' failed. Try another solver.")

    with pytest.raises(ValueError, match="of a size near 1, but Solver 'CLARABEL' failed: rescale it"):
        solve(Broken())
