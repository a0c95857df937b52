"""The attention SVM of least Frobenius norm against general solvers and linear programs, and its pivots."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from margins.attention_svm import TokenData, attention_program, frobenius_svm, nuclear_svm
from margins.attention_svm import frobenius as module
from margins.attention_svm.constraints import pair_constraints
from margins.attention_svm.frobenius import direct_optimum
from margins.attention_svm.pivoting import pivoted_multipliers, ridged_factor
from tests.margins.attention_svm.draws import draw, explicit_rows
from tests.margins.draws import separable


def test_a_constraint_missed_by_a_billionth_joins_the_working_set():
    data = TokenData(X=[[[0.0, 0.0], [-1.0, 0.0], [1e-9 - 1, -0.5]]], Z=[[1.0, 0.0]], Y=[1.0], v=[1.0, 0.0])
    constraints = pair_constraints(data, [0])
    W, weights, _ = direct_optimum(constraints, np.array([True, False]))
    assert constraints.margins(W)[0, 1:].min() >= 1 - 1e-12
    assert (weights > 0).all()


@pytest.mark.parametrize("sizes", [(4, 5, 4), (1, 2, 2), (2, 7, 3), (6, 8, 10), (20, 9, 9), (3, 4, 60)])
def test_optimality_conditions_hold_in_the_documented_order(sizes):
    data = draw(*sizes)
    tokens = data.optimal_tokens
    solution = frobenius_svm(data, tokens)
    rows = explicit_rows(data, tokens)
    margins = np.einsum("cij,ij->c", rows, solution.W)
    assert solution.status == "optimal"
    assert margins.min() > 1 - 1e-11
    assert solution.multipliers.min() >= 0
    size = np.abs(solution.W).max()
    np.testing.assert_allclose(
        np.tensordot(solution.multipliers, rows, axes=1), solution.W, atol=1e-10 * size
    )
    assert np.abs(solution.multipliers * (margins - 1)).max() < 1e-8 * solution.multipliers.max()
    assert solution.gap < 1e-11
    assert solution.margin == pytest.approx(1 / np.linalg.norm(solution.W))


@pytest.mark.parametrize("seed", range(4))
def test_general_solvers_agree(seed):
    data = draw(seed=seed)
    tokens = data.optimal_tokens
    solution, reference = frobenius_svm(data, tokens), attention_program(data, tokens)
    assert reference.status == "optimal"
    largest = solution.multipliers.max()
    np.testing.assert_allclose(reference.multipliers, solution.multipliers, atol=1e-4 * largest)
    np.testing.assert_allclose(solution.W, reference.W, atol=1e-5 * np.abs(solution.W).max())
    reference = attention_program(data, tokens, "nuclear", solver="CLARABEL")
    assert nuclear_svm(data, tokens).margin == pytest.approx(1 / np.linalg.norm(reference.W, "nuc"), rel=1e-6)


@example(seed=1, n=30, T=15, d=7)
@given(st.integers(0, 10**6), st.integers(1, 6), st.integers(2, 6), st.integers(1, 3))
def test_feasibility_agrees_with_a_linear_program(seed, n, T, d):
    data = draw(n, T, d, seed)
    tokens = np.random.default_rng(seed).integers(T, size=n)
    solution = frobenius_svm(data, tokens)
    assert solution.feasible == separable(explicit_rows(data, tokens).reshape(-1, d * d))
    if not solution.feasible:
        check_certificate(solution, data, tokens)


def check_certificate(solution, data, tokens):
    """Weights u >= 0 with sum 1 and sum u (x_alpha - x_t) z' = 0, and nothing that looks like a solution."""
    rows = explicit_rows(data, tokens)
    u = solution.certificate
    assert u.min() >= 0
    assert u.sum() == pytest.approx(1.0)
    scale = u @ np.linalg.norm(rows, axis=(1, 2))
    assert np.linalg.norm(np.tensordot(u, rows, axes=1)) <= 1e-12 * scale
    assert solution.residual <= 1e-12
    assert solution.margin == 0.0
    assert np.isinf(solution.gap)
    assert np.isnan(solution.W).all()
    assert np.isnan(solution.multipliers).all()
    assert not solution.support.any()


@pytest.mark.parametrize("sizes", [(20, 10, 10), (30, 6, 12), (15, 9, 20)])
def test_pivoting_and_least_squares_agree(sizes, monkeypatch):
    data = draw(*sizes)
    tokens = data.optimal_tokens
    # the bound decides between the two ways, which are compared on the same problem
    monkeypatch.setattr(module, "MAX_DIRECT_ENTRIES", 0)
    pivoted = frobenius_svm(data, tokens)
    monkeypatch.setattr(module, "MAX_DIRECT_ENTRIES", 10**9)
    direct = frobenius_svm(data, tokens)
    np.testing.assert_allclose(pivoted.W, direct.W, atol=1e-9 * np.abs(direct.W).max())
    np.testing.assert_array_equal(pivoted.support, direct.support)
    assert pivoted.gap < 1e-12


@pytest.mark.parametrize("direct", [0, module.MAX_DIRECT_ENTRIES])
@pytest.mark.parametrize("where", ["one duplicate", "all tokens equal", "zero query"])
def test_duplicates_of_the_chosen_token_are_infeasible(where, direct, monkeypatch):
    monkeypatch.setattr(module, "MAX_DIRECT_ENTRIES", direct)  # with 0 the four sequences are a large problem
    data = draw()
    X, Z, tokens = data.X.copy(), data.Z.copy(), data.optimal_tokens
    other = (tokens[1] + 1) % 5
    if where == "one duplicate":
        X[1, other] = X[1, tokens[1]]
    elif where == "all tokens equal":
        X[1] = X[1, 0]
    else:
        Z[1] = 0.0
    changed = TokenData(X, Z, data.Y, data.v)
    solution = frobenius_svm(changed, tokens)
    check_certificate(solution, changed, tokens)
    rows = [i for i in range(4) for t in range(5) if t != tokens[i]]
    assert {rows[c] for c in np.flatnonzero(solution.certificate)} == {1}


@pytest.mark.parametrize(("factor", "duplicates"), [(1, True), (100, False)])
def test_tokens_within_rounding_are_duplicates(factor, duplicates):
    x = np.array([1.0, 2.0])
    X = np.array([[x, x * (1 + factor * np.finfo(float).eps), -x]])
    constraints = pair_constraints(TokenData(X, [[1.0, 0.0]], [1.0], [1.0, 0.0]), [0])
    assert constraints.present.tolist() == [[False, True, True]]
    assert (not constraints.differences[0, 1].any()) == duplicates
    np.testing.assert_array_equal(constraints.differences[0, 2], 2 * x)
    assert (constraints.lengths[0] == 0) == duplicates


def test_a_general_solver_says_infeasible_too():
    data = TokenData([[[2.0], [1.0]], [[3.0], [1.0]]], [[1.0], [-1.0]], [1, 1], [1.0])
    reference = attention_program(data, np.array([0, 0]))
    assert reference.status == "infeasible"
    np.testing.assert_array_equal([*reference.W[0], *reference.multipliers], np.nan)


def test_the_ridge_is_measured_by_the_largest_entry_and_grows_until_rounding_is_harmless():
    factor, _ = ridged_factor(np.diag([1.0, 1e-20]))
    np.testing.assert_allclose(np.diagonal(factor), [1.0, 1e-13**0.5], rtol=1e-6)
    slightly_indefinite = np.array([[1.0, 1.0], [1.0, 1.0 - 1e-11]])
    assert np.isfinite(ridged_factor(slightly_indefinite)[0]).all()
    assert 0 < slightly_indefinite[0, 0] - 1.0 < 1e-9


def test_pivots_mend_a_working_set():
    """From the support, with three pairs of it exchanged for others."""
    data = draw(20, 10, 10)
    constraints = pair_constraints(data, data.optimal_tokens)
    svm = frobenius_svm(data, data.optimal_tokens)
    expected = constraints.spread(svm.multipliers)
    working = expected > 0
    for members in (np.argwhere(working)[:3], np.argwhere(constraints.present & ~working)[:3]):
        working[*members.T] ^= True
    found = pivoted_multipliers(constraints, working)
    np.testing.assert_allclose(found, expected, atol=1e-9 * expected.max())


def test_exchanges_that_do_not_end_are_given_up(monkeypatch):
    """Multipliers that are always wrong at as many pairs; a fiftieth exchange would be an error."""
    data = draw(5, 6, 5)
    constraints = pair_constraints(data, data.optimal_tokens)
    always = iter([-1.0 * constraints.present] * 49)
    # no problem is known whose exchanges never end, so the multipliers are made up
    monkeypatch.setattr("margins.attention_svm.pivoting._stationary_multipliers", lambda *_: next(always))
    assert pivoted_multipliers(constraints, constraints.present & (np.arange(5) == 3)[:, None]) is None
