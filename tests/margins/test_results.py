"""Results of all packages speak one language: they compare without raising, and use the same words."""

import dataclasses
import inspect
import re

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margins import attention_svm as att
from margins import kernels, svm
from tests.margins.test_package import defined


def holds_arrays(one):
    types = map(str, getattr(one, "__annotations__", {}).values())
    return any(re.match(r"(<class ')?(Array|np\.ndarray|numpy\.ndarray)", one) for one in types)


def test_whatever_holds_arrays_compares_by_identity():
    """Comparing arrays entry by entry would raise that their truth value is ambiguous."""
    holders = {one for one in defined(inspect.isclass).values() if holds_arrays(one)}
    assert {"Solution", "AttentionSVM", "Choice", "Trajectory"} <= {one.__name__ for one in holders}
    assert [one.__name__ for one in holders if one.__eq__ is not object.__eq__] == []


DATA = att.random_token_data(3, 3, 4, rng=0)
TRAPPED = att.TokenData(
    [[[1.0, 0], [0, 0], [-1, 0]]], [[1.0, 1]], [1.0], [1.0, 0]
)  # the middle token never leads
X = np.random.default_rng(0).normal(size=(12, 2))
SIGNS = np.repeat([1.0, -1.0], 6)


@pytest.mark.parametrize(
    "solve",
    [
        lambda: svm.smo(kernels.linear(X), SIGNS, 1.0),
        lambda: svm.primal_qp(X, SIGNS, 1.0),
        lambda: svm.dual_qp(kernels.linear(X), SIGNS, 1.0),
        lambda: att.frobenius_svm(DATA, DATA.optimal_tokens),
        lambda: att.nuclear_svm(DATA, DATA.optimal_tokens),
        lambda: att.attention_program(DATA, DATA.optimal_tokens),
        lambda: att.mirror.entry_svm(DATA, DATA.optimal_tokens, 3.0),
        lambda: att.least_distance([[1.0, 2.0], [2.0, 1.0]]),
        lambda: att.generalised_svm(DATA, np.eye(3)[DATA.optimal_tokens] > 0, np.full((3, 3), 1 / 3)),
    ],
)
def test_what_is_solved_is_optimal(solve):
    result = solve()
    assert result.status == "optimal"
    assert abs(getattr(result, "gap", 0.0)) < 1e-6
    assert getattr(result, "certificate", None) is None
    assert result == result
    assert result != solve()


@pytest.mark.parametrize(
    "solve",
    [
        lambda: att.frobenius_svm(TRAPPED, np.array([1])),
        lambda: att.nuclear_svm(TRAPPED, np.array([1])),
        lambda: att.least_distance([[1.0, 2.0], [-1.0, -2.0]]),
        lambda: att.generalised_svm(TRAPPED, np.array([[False, True, False]]), np.full((1, 3), 1 / 3)),
    ],
)
def test_what_has_no_solution_is_infeasible_and_says_why(solve):
    result = solve()
    assert result.status == "infeasible"
    assert_allclose(result.certificate / result.certificate.sum(), [0.5, 0.5])


def test_the_report_takes_a_solution():
    K = kernels.gaussian(X)
    for C in (2.0, np.inf):
        solution = svm.smo(K, SIGNS, C)
        report, spelt = (
            svm.kkt_report(K, SIGNS, solution),
            svm.kkt_report(K, SIGNS, solution.alpha, solution.b, C),
        )
        for field in dataclasses.fields(report):
            assert np.all(getattr(report, field.name) == getattr(spelt, field.name))
    shifted = svm.kkt_report(K, SIGNS, solution, solution.b + 0.5)
    assert shifted.violation == pytest.approx(0.5)


def test_a_general_solver_that_stops_early_is_inaccurate(monkeypatch):
    import cvxpy

    monkeypatch.setattr(cvxpy.Problem, "status", property(lambda problem: cvxpy.OPTIMAL_INACCURATE))
    with pytest.warns(RuntimeWarning, match="Clarabel stopped early: its status is optimal_inaccurate"):
        assert svm.dual_qp(kernels.linear(X), SIGNS, 1.0).status == "inaccurate"


def test_entry_svm_with_a_large_gap_is_inaccurate():
    solution = att.mirror.entry_svm(DATA, DATA.optimal_tokens, 3.0)
    assert dataclasses.replace(solution, gap=1e-5).status == "inaccurate"
