"""Feasibility, local optimality, separators and assumptions on token data."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from margins import attention_svm as att
from margins.attention_svm import all_choices
from tests.margins.attention_svm.draws import PLANE, draw


@pytest.mark.parametrize(
    ("others", "equal"),
    [
        ([-3.0, -3.0], True),
        ([1e6, 1e6 * (1 + 1e-14)], True),
        ([1.0, 1 + 1e-10], False),
    ],
)
def test_scores_are_equal_up_to_the_rounding_of_their_size(others, equal):
    """In one dimension, where the head is 1; the best score is 2 in size above them, or twice the largest."""
    best = 2 * max(others) if others[0] > 0 else -1.0
    assert att.equal_scores(att.TokenData([[[best], *([x] for x in others)]], [[1.0]], [1.0], [1.0])) == equal


def test_a_hidden_token_says_nothing_of_the_size_of_scores():
    """The third token's score is 1e13, beside which 1 and 2 would be equal."""
    data = att.TokenData([[[3.0], [2.0], [1e13], [1.0]]], [[1.0]], [1.0], [1.0], [[True, True, False, True]])
    assert not att.equal_scores(data)


def test_the_first_gradient_is_that_at_zero():
    """With weights 1 / T and the mean m: minus it is mean_i Y_i / (1 + e^(Y v.m)) X'(X - m) v z' / T."""
    data = att.random_token_data(3, 4, 5, rng=np.random.default_rng(0))
    descent, margins = np.zeros((5, 5)), []
    for X, z, y in zip(data.X, data.Z, data.Y, strict=True):
        mean = X.mean(axis=0)
        pull = y / (1 + np.exp(y * data.v @ mean)) / 4 / 3
        descent += pull * np.outer(X.T @ ((X - mean) @ data.v), z)
    for X, z, best in zip(data.X, data.Z, data.optimal_tokens, strict=True):
        margins += [(X[best] - x) @ descent @ z for t, x in enumerate(X) if t != best]
    assert att.first_gradient_margin(data) == pytest.approx(min(margins))


def test_neighbours_are_active_constraints():
    solution = att.frobenius_svm(PLANE, np.array([0]))
    np.testing.assert_array_equal(solution.support, [[False, True, True, False, False]])
    np.testing.assert_allclose(solution.W, [[1, 0], [0, 0]], atol=1e-12)


def test_local_optimality_asks_the_neighbours_only():
    tokens = np.array([0])
    solution = att.frobenius_svm(PLANE, tokens)
    assert att.is_locally_optimal(PLANE, tokens, solution)
    outvoted = att.TokenData(PLANE.X, PLANE.Z, PLANE.Y, [0.5, 1.0])  # token 1 scores 1.5, token 0 scores 1
    assert not att.is_locally_optimal(outvoted, tokens, att.frobenius_svm(outvoted, tokens))
    inside = np.array([4])
    assert not att.is_locally_optimal(PLANE, inside, att.frobenius_svm(PLANE, inside))


def test_all_tokens_support_only_in_high_dimension():
    wide, narrow = draw(3, 3, 200), draw(3, 3, 3)
    assert att.all_tokens_support(att.frobenius_svm(wide, wide.optimal_tokens))
    assert not att.all_tokens_support(att.frobenius_svm(narrow, narrow.optimal_tokens))
    assert not att.all_tokens_support(att.frobenius_svm(PLANE, np.array([4])))  # infeasible


@given(st.integers(0, 10**6), st.integers(1, 6), st.integers(2, 9), st.integers(2, 4))
def test_separable_queries_make_a_solution_of_rank_one(seed, n, T, d):
    data = draw(n, T, d, seed)
    u = att.query_separator(data)
    assert (u is None) == (att.rank_one_separator(data) is None)
    if u is not None:
        assert (data.Y * (data.Z @ u)).min() > 1 - 1e-9
        W = att.rank_one_separator(data)
        assert att.token_margins(data, data.optimal_tokens, W).min() == pytest.approx(1.0)
        assert np.linalg.matrix_rank(W) == 1
        assert att.is_feasible(data, data.optimal_tokens)


def test_exposed_tokens_are_vertices_met_once():
    np.testing.assert_array_equal(att.exposed_tokens(PLANE, np.array([1])), [True])
    np.testing.assert_array_equal(att.exposed_tokens(PLANE, np.array([3])), [True])
    np.testing.assert_array_equal(att.exposed_tokens(PLANE, np.array([4])), [False])
    twice = att.TokenData(np.append(PLANE.X, PLANE.X[:, :1], axis=1), PLANE.Z, [1], PLANE.v)
    np.testing.assert_array_equal(att.exposed_tokens(twice, np.array([0])), [False])
    once = att.TokenData(twice.X, PLANE.Z, [1], PLANE.v, np.arange(twice.X.shape[1])[None] > 0)
    np.testing.assert_array_equal(att.exposed_tokens(once, np.array([twice.X.shape[1] - 1])), [True])


def test_board_of_choices():
    verdicts = [choice.verdict for choice in all_choices(PLANE)]
    assert verdicts == ["optimal", "unstable", "unstable", "unstable", "infeasible"]
    assert [c.tokens.tolist() for c in all_choices(draw(2, 2, 3))] == [[0, 0], [0, 1], [1, 0], [1, 1]]


def test_board_counts_a_spurious_choice():
    spurious = [
        (data, choice)
        for data in (draw(2, 3, 2, seed) for seed in range(10))
        for choice in all_choices(data)
        if choice.verdict == "spurious"
    ]
    assert spurious
    for data, choice in spurious:
        assert (choice.tokens != data.optimal_tokens).any()
        scores = np.take_along_axis(data.scores, choice.tokens[:, None], axis=1)
        assert (scores > data.scores)[choice.solution.support].all()
