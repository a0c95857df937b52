"""The problem's refusals at the edge of what is allowed, its objectives, and the two programs in cvxpy."""

from contextlib import nullcontext

import cvxpy as cp
import numpy as np
import pytest

from margins import svm
from margins.svm.problem import checked_gram, require_psd
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
