"""Results of all packages speak one language: they compare without raising, and use the same words."""

import dataclasses
import importlib
import inspect
import pkgutil
import re

import numpy as np
import pytest
from numpy.testing import assert_allclose

import margins
from margins import kernels, svm
from margins.attention_svm import (
    TokenData,
    all_tokens_support,
    attention_program,
    correlation,
    frobenius_svm,
    generalised_svm,
    is_locally_optimal,
    least_distance,
    mirror,
    nuclear_svm,
    random_token_data,
    selected_tokens,
    token_margins,
)
from margins.attention_svm.layers import train_layers
from margins.descent import logistic_descent, logistic_loss


def classes():
    """All classes of the library."""
    for module in pkgutil.walk_packages(margins.__path__, "margins."):
        if not module.name.endswith("__main__"):
            found = inspect.getmembers(importlib.import_module(module.name), inspect.isclass)
            yield from (one for _, one in found if one.__module__ == module.name)


def holds_arrays(one):
    types = map(str, getattr(one, "__annotations__", {}).values())
    return any(re.match(r"(<class ')?(Array|np\.ndarray|numpy\.ndarray)", one) for one in types)


def test_whatever_holds_arrays_compares_by_identity():
    """Comparing arrays entry by entry would raise that their truth value is ambiguous."""
    holders = {one for one in classes() if holds_arrays(one)}
    assert {"Solution", "AttentionSVM", "Choice", "Trajectory"} <= {one.__name__ for one in holders}
    assert [one.__name__ for one in holders if one.__eq__ is not object.__eq__] == []


DATA = random_token_data(3, 3, 4, rng=0)
TRAPPED = TokenData(
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
        lambda: frobenius_svm(DATA, DATA.optimal_tokens),
        lambda: nuclear_svm(DATA, DATA.optimal_tokens),
        lambda: attention_program(DATA, DATA.optimal_tokens),
        lambda: mirror.entry_svm(DATA, DATA.optimal_tokens, 3.0),
        lambda: least_distance([[1.0, 2.0], [2.0, 1.0]]),
        lambda: generalised_svm(DATA, np.eye(3)[DATA.optimal_tokens] > 0, np.full((3, 3), 1 / 3)),
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
        lambda: frobenius_svm(TRAPPED, np.array([1])),
        lambda: nuclear_svm(TRAPPED, np.array([1])),
        lambda: least_distance([[1.0, 2.0], [-1.0, -2.0]]),
        lambda: generalised_svm(TRAPPED, np.array([[False, True, False]]), np.full((1, 3), 1 / 3)),
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
    with pytest.raises(ValueError, match="b must be"):
        svm.kkt_report(K, SIGNS, solution.alpha)


def test_a_general_solver_that_stops_early_is_inaccurate(monkeypatch):
    import cvxpy

    monkeypatch.setattr(cvxpy.Problem, "status", property(lambda problem: cvxpy.OPTIMAL_INACCURATE))
    with pytest.warns(RuntimeWarning, match="Clarabel stopped early: its status is optimal_inaccurate"):
        assert svm.dual_qp(kernels.linear(X), SIGNS, 1.0).status == "inaccurate"


def test_entry_svm_with_a_large_gap_is_inaccurate():
    solution = mirror.entry_svm(DATA, DATA.optimal_tokens, 3.0)
    assert dataclasses.replace(solution, gap=1e-5).status == "inaccurate"


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda: correlation([1.0], [[1.0]]), r"A and B must be \(..., d, e\) both, but they are \(1,\)"),
        (lambda: correlation(np.eye(2), np.eye(3)), r"but they are \(2, 2\) and \(3, 3\)"),
        (lambda: token_margins(DATA, DATA.optimal_tokens, np.eye(3)), r"W must be \(4, 4\) beside X"),
        (
            lambda: frobenius_svm(DATA.X, [0, 0, 0]),
            "data must be a TokenData, made of X, Z, Y and v, but got array",
        ),
        (lambda: frobenius_svm(DATA, DATA.optimal_tokens).rank("a"), "tolerance must be a number >= 0"),
        (
            lambda: selected_tokens([0.1, 0.9]),
            r"probabilities must be \(..., n, T\), but their shape is \(2,\)",
        ),
        (
            lambda: random_token_data(2, 3, 3, rng=0, batch=(2, "a")),
            "batch must be an integer >= 1, but got 'a'",
        ),
        (lambda: train_layers(None, np.eye(4)[None]), "data must be a TokenData"),
        (
            lambda: is_locally_optimal(DATA, DATA.optimal_tokens, None),
            "solution must be an AttentionSVM, as frobenius_svm gives it, but got None",
        ),
        (lambda: all_tokens_support("a"), "solution must be an AttentionSVM"),
        (lambda: mirror.entry_norm(np.eye(2), -1), "p must be a number > 0, but got -1"),
        (lambda: svm.linear_svm(X, SIGNS, np.inf), "C must be a number > 0"),
        (lambda: svm.gaussian_svm(X, SIGNS, np.inf), "C must be a number > 0"),
        (lambda: svm.linear_svm(X, SIGNS[:7], 1.0), "expected equally many rows"),
        (lambda: svm.gaussian_svm(X, SIGNS[:7], 1.0), "expected equally many rows"),
        (lambda: kernels.combine(3, [1.0]), "grams must be a list of Gram matrices, but got 3"),
        (lambda: logistic_loss(X, SIGNS, [1.0]), "w must have 2 entries, one a column of X, but it has 1"),
        (lambda: logistic_descent(X, SIGNS, 3).angles([1.0]), "direction must have 2 entries"),
        (lambda: logistic_descent(X, SIGNS, 3).angles([0, 0]), "direction must not be 0"),
    ],
)
def test_what_does_not_fit_a_result_is_named(ask, words):
    with pytest.raises(ValueError, match=words):
        ask()
