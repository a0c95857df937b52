"""The problem at the edge of what is allowed, its programs in cvxpy, and what a solution says."""

from contextlib import nullcontext

import cvxpy as cp
import numpy as np
import pytest

from margins import svm
from margins.svm.large.box import BoxPoint
from margins.svm.large.grams import GivenGram
from margins.svm.problem import checked_gram, require_psd
from margins.svm.solution import _require_norm, legible
from tests.margins.svm.problems import clouds


@pytest.mark.parametrize(("roundings", "refused"), [(0.5, False), (1.5, True)])
def test_a_negative_eigenvalue_is_refused_from_n_roundings_of_single_precision_on(roundings, refused):
    smallest = -roundings * 2 * float(np.finfo(np.float32).eps)
    words = f"smallest eigenvalue is {smallest:.3g}"
    with pytest.raises(ValueError, match=words) if refused else nullcontext():
        require_psd(np.diag([1.0, smallest]))


@pytest.mark.parametrize("sign", [1, -1])
def test_a_matrix_is_symmetric_beside_its_largest_entry_of_either_sign(sign):
    """Negated distances have 0 for their largest entry, and no two products round alike."""
    X, _ = clouds(12, 2, 0.5)
    K = sign * np.sqrt(np.square(X[:, None] - X).sum(axis=-1))
    blurred = K * (1 + 1e-6 * np.triu(np.ones((12, 12)), 1))
    assert checked_gram(blurred, 12) is blurred
    with pytest.raises(ValueError, match="K must be symmetric, but K and its transpose differ by up to"):
        checked_gram(K * (1 + 1e-2 * np.triu(np.ones((12, 12)), 1)), 12)


TWO = np.array([[1.0], [-1.0]])
SIGNS = np.array([1.0, -1.0])


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


def test_a_general_solver_that_stops_early_is_inaccurate(monkeypatch):
    monkeypatch.setattr(cp.Problem, "status", property(lambda problem: cp.OPTIMAL_INACCURATE))
    with pytest.warns(RuntimeWarning, match="Clarabel stopped early: its status is optimal_inaccurate"):
        assert svm.dual_qp(TWO @ TWO.T, SIGNS, 1.0).status == "inaccurate"


def test_one_free_multiplier_settles_the_intercept():
    X, y = clouds(60, 2, 0.5)
    solution = svm.smo(X @ X.T, y, 1.0)
    assert 0 < ((solution.alpha > 0) & (solution.alpha < 1)).sum() < 60
    assert solution.b_interval == (solution.b, solution.b)


def test_a_solution_decides_other_points_too():
    """Between -1 and 3 it is f(x) = (x - 1) / 2."""
    x = np.array([-1.0, 3.0])
    solution = svm.smo(np.outer(x, x), [-1.0, 1.0])
    np.testing.assert_allclose(solution.decision_function(np.outer([7.0, -3.0], x)), [3.0, -2.0])


def test_every_intercept_of_the_interval_is_optimal():
    """No free support vector: the primal objective is flat over `b_interval`, and higher outside."""
    X, y = np.array([[0.0], [1], [4], [5]]), np.array([-1.0, -1, 1, 1])
    K, C = X @ X.T, 0.01
    solution = svm.smo(K, y, C)
    low, high = solution.b_interval
    assert low < high - 0.1
    values = [svm.primal_objective(K, y, solution.alpha, b, C) for b in (low, (low + high) / 2, high)]
    np.testing.assert_allclose(values, solution.dual_objective, rtol=1e-12)
    for b in (low - 0.1, high + 0.1):
        assert svm.primal_objective(K, y, solution.alpha, b, C) > values[0] + 1e-4


def test_a_multiplier_of_rounding_size_does_not_settle_the_intercept():
    """Here the climb leaves alpha = 3e-17 behind, and yet every b of an interval is optimal."""
    y = np.repeat([1.0, -1.0], 15)
    X = 0.8 * np.random.default_rng(7001).normal(size=(30, 2)) + np.outer(y, (0.7, 0.4))
    solution = svm.smo(X @ X.T, y, 0.3)
    low, high = solution.b_interval
    assert high - low > 1e-3
    for b in (low, high):
        value = svm.primal_objective(X @ X.T, y, solution.alpha, b, 0.3)
        assert value == pytest.approx(solution.dual_objective, rel=1e-12)


def test_results_are_shown_in_a_line():
    X, y = clouds(60, 2, 0.5)
    K, C = X @ X.T, np.linspace(0.5, 2, 60)
    solution = svm.smo(K, y, 1.0)
    support, report = np.count_nonzero(solution.alpha), repr(svm.kkt_report(K, y, solution))
    assert repr(solution).startswith(f"Solution(n=60, C=1, {support} support vectors, status='optimal', ")
    assert report.startswith(f"KKTReport(n=60, C=1, {60 - support} with alpha = 0, ")
    assert "C=0.5 to 2, " in repr(svm.smo(K, y, C))
    assert repr(svm.dual_qp(K, y, 1.0)).startswith("DualOptimum(alpha=array(shape=(60,), ")
    assert repr(svm.primal_qp(X, y, 1.0)).startswith("PrimalOptimum(w=[")
    assert "array" not in repr(solution) + report


def test_residuals_are_legible_from_what_no_rounding_explains():
    assert [legible(x) for x in (0.0, 9.9e-13, -9.9e-13)] == ["< 1e-12"] * 3
    assert [legible(x) for x in (1e-12, 3.21e-10, -0.5)] == ["1.0e-12", "3.2e-10", "-5.0e-01"]


@pytest.mark.parametrize(("squared_norm", "refused"), [(0.0, False), (-1e-6, False), (-4e-6, True)])
def test_a_squared_norm_may_lack_a_millionth_of_the_multipliers(squared_norm, refused):
    """beta'K beta = K_11 + K_22 - 2 K_12 at beta = (1, -1), where a millionth of sum |beta| is 2e-6."""
    K, y = np.ones((2, 2)) - squared_norm / 2 * (1 - np.eye(2)), np.array([1.0, -1.0])
    point = BoxPoint.start(GivenGram(K), y, 2.0, y)
    words = r"on vectors of sum zero, but the solution has \|\|w\|\|\^2 = -4e-06"
    with pytest.raises(ValueError, match=words) if refused else nullcontext():
        _require_norm(point, np.float64)  # private: what is refused before depends on its user's trust
