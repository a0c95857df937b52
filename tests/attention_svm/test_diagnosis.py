"""Diagnosis: neighbours, assumptions, separators of rank one, the board of choices, the verdicts on runs."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from margins.attention_svm import (
    TokenData,
    all_choices,
    all_tokens_support,
    classify_run,
    correlation,
    equal_scores,
    exposed_tokens,
    first_gradient_margin,
    frobenius_svm,
    is_feasible,
    is_locally_optimal,
    judged_choice,
    nuclear_svm,
    query_separator,
    random_token_data,
    rank_one_separator,
    token_margins,
)

# One sequence in the plane: 1 and 2 lie between the best token 0 and its opposite 3; 4 is inside the hull.
PLANE = TokenData([[[2.0, 0], [1, 1], [1, -1], [0, 0], [0.5, 0.2]]], [[1.0, 0]], [1], [1.0, 0.1])


def draw(n=4, T=5, d=4, seed=0, **options):
    return random_token_data(n, T, d, rng=np.random.default_rng(seed), **options)


def with_scores(data, scores):
    """The same data with a head that gives these scores; needs n T <= d."""
    n, T, d = data.sizes
    v = np.linalg.lstsq(data.X.reshape(n * T, d), (data.Y[:, None] * scores).reshape(-1), rcond=None)[0]
    return TokenData(data.X, data.Z, data.Y, v)


def test_neighbours_are_active_constraints():
    solution = frobenius_svm(PLANE, np.array([0]))
    np.testing.assert_array_equal(solution.support, [[False, True, True, False, False]])
    np.testing.assert_allclose(solution.W, [[1, 0], [0, 0]], atol=1e-12)


def test_local_optimality_asks_the_neighbours_only():
    tokens = np.array([0])
    solution = frobenius_svm(PLANE, tokens)
    assert is_locally_optimal(PLANE, tokens, solution)
    outvoted = TokenData(PLANE.X, PLANE.Z, PLANE.Y, [0.5, 1.0])  # token 1 scores 1.5, token 0 scores 1
    assert not is_locally_optimal(outvoted, tokens, frobenius_svm(outvoted, tokens))
    inside = np.array([4])
    assert not is_locally_optimal(PLANE, inside, frobenius_svm(PLANE, inside))


@settings(derandomize=True, deadline=None, max_examples=20)
@given(st.integers(0, 10**6))
def test_positions_do_not_matter(seed):
    data = draw(2, 4, 3, seed)
    rng = np.random.default_rng(seed)
    tokens, order = rng.integers(4, size=2), rng.permutation(4)
    shuffled = TokenData(data.X[:, order], data.Z, data.Y, data.v)
    moved = np.argsort(order)[tokens]
    first, second = frobenius_svm(data, tokens), frobenius_svm(shuffled, moved)
    np.testing.assert_array_equal(first.support[:, order], second.support)
    assert is_locally_optimal(data, tokens, first) == is_locally_optimal(shuffled, moved, second)


def test_all_tokens_support_only_in_high_dimension():
    wide, narrow = draw(3, 3, 200), draw(3, 3, 3)
    assert all_tokens_support(frobenius_svm(wide, wide.optimal_tokens))
    assert not all_tokens_support(frobenius_svm(narrow, narrow.optimal_tokens))
    assert not all_tokens_support(frobenius_svm(PLANE, np.array([4])))  # infeasible


def test_equal_scores():
    data = draw(2, 3, 6)
    assert not equal_scores(data)
    assert equal_scores(with_scores(data, np.array([[1.0, 0.2, 0.2], [-0.5, -0.5, 0.3]])))


def test_first_gradient_separates_when_optimal_tokens_stand_apart():
    tokens = np.array([[[1.0, 0], [0, 1], [0, 0]]])
    assert first_gradient_margin(TokenData(tokens, [[1.0, 0]], [1], [1.0, 0])) > 0
    assert first_gradient_margin(TokenData(tokens, [[1.0, 0]], [1], [1.0, 0.99])) > 0
    crossed = TokenData([[[1.0, 0], [0.9, 5], [0, 0]]], [[1.0, 0]], [1], [1.0, 0.01])
    assert crossed.optimal_tokens[0] == 0
    assert first_gradient_margin(crossed) < 0


@settings(derandomize=True, deadline=None, max_examples=30)
@given(st.integers(0, 10**6), st.integers(1, 6), st.integers(2, 9), st.integers(2, 4))
def test_separable_queries_make_a_solution_of_rank_one(seed, n, T, d):
    data = draw(n, T, d, seed)
    u = query_separator(data)
    assert (u is None) == (rank_one_separator(data) is None)
    if u is not None:
        assert (data.Y * (data.Z @ u)).min() > 1 - 1e-9
        W = rank_one_separator(data)
        assert token_margins(data, data.optimal_tokens, W).min() == pytest.approx(1.0)
        assert np.linalg.matrix_rank(W) == 1
        assert is_feasible(data, data.optimal_tokens)


def test_exposed_tokens_are_vertices_met_once():
    np.testing.assert_array_equal(exposed_tokens(PLANE, np.array([1])), [True])
    np.testing.assert_array_equal(exposed_tokens(PLANE, np.array([3])), [True])
    np.testing.assert_array_equal(exposed_tokens(PLANE, np.array([4])), [False])
    twice = TokenData(np.append(PLANE.X, PLANE.X[:, :1], axis=1), PLANE.Z, [1], PLANE.v)
    np.testing.assert_array_equal(exposed_tokens(twice, np.array([0])), [False])
    once = TokenData(twice.X, PLANE.Z, [1], PLANE.v, np.arange(twice.X.shape[1])[None] > 0)
    np.testing.assert_array_equal(exposed_tokens(once, np.array([twice.X.shape[1] - 1])), [True])


def test_board_of_choices():
    verdicts = [choice.verdict for choice in all_choices(PLANE)]
    assert verdicts == ["optimal", "unstable", "unstable", "unstable", "infeasible"]
    assert [c.tokens.tolist() for c in all_choices(draw(2, 2, 3))] == [[0, 0], [0, 1], [1, 0], [1, 1]]


def test_one_choice_is_judged_from_a_list():
    assert [judged_choice(PLANE, [t]).verdict for t in (0, 3, 4)] == ["optimal", "unstable", "infeasible"]
    assert judged_choice(PLANE, [3]).tokens.tolist() == [3]
    with pytest.raises(ValueError, match=r"tokens must be integers of shape \(1,\)"):
        judged_choice(PLANE, [0.0])
    with pytest.raises(ValueError, match="data must be one set"):
        judged_choice(draw(batch=2), np.zeros((2, 4), int))


def test_correlation_takes_lists():
    assert correlation([[1, 1], [0, 0]], [[1, 0], [0, 0]]) == pytest.approx(0.5**0.5)
    stack, one = np.random.default_rng(0).normal(size=(5, 3, 2)), np.ones((3, 2))
    for pair in ((stack, one), (one, stack)):
        np.testing.assert_allclose(correlation(*pair), [correlation(one, matrix) for matrix in stack])


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


def test_masked_tokens_are_no_choice():
    data = draw(2, 3, 3)
    mask = np.array([[True, True, False], [True, True, True]])
    assert len(all_choices(TokenData(data.X, data.Z, data.Y, data.v, mask))) == 6


def test_too_many_choices_are_refused():
    with pytest.raises(ValueError, match=r"at most 20000 choices to enumerate, but they have 9\.77e"):
        all_choices(draw(10, 5, 3))


def run_to(data, tokens, length=1e3):
    W = frobenius_svm(data, tokens).W
    return length * W / np.linalg.norm(W)


def test_runs_are_classified_by_tokens_probability_and_direction():
    data = draw()
    best, other = data.optimal_tokens, (data.optimal_tokens + 1) % 5
    finished = classify_run(data, run_to(data, best))
    assert (finished.kind, finished.token_accuracy) == ("global", 1.0)
    assert finished.correlation == pytest.approx(1.0)
    np.testing.assert_array_equal(finished.tokens, best)
    local = classify_run(data, run_to(data, other))
    assert (local.kind, local.token_accuracy) == ("local", 0.0)
    first_alone = np.where(np.arange(len(best)) == 0, best, other)
    mixed = classify_run(data, run_to(data, first_alone))
    assert (mixed.kind, mixed.token_accuracy) == ("local", 1 / len(best))
    early = classify_run(data, run_to(data, best, 10.0))
    assert early.kind == "not converged"
    assert early.probability < 1 - 1e-6
    noise = np.random.default_rng(1).normal(size=(4, 4))
    aside = classify_run(data, run_to(data, best) + 0.2 * 1e3 * noise / np.linalg.norm(noise))
    assert aside.kind == "not converged"
    assert aside.correlation < 0.99


def test_a_run_at_rest_has_no_direction():
    verdict = classify_run(draw(), np.zeros((4, 4)))
    assert verdict.kind == "not converged"
    assert np.isnan(verdict.correlation)


def test_runs_of_keys_and_queries_answer_to_the_nuclear_norm():
    data = draw(6, 8, 10, batch=2)
    W = np.stack([1e4 * s.W for s in nuclear_svm(data, data.optimal_tokens)])
    verdicts = classify_run(data, W, norm="nuclear")
    assert [v.kind for v in verdicts] == ["global", "global"]
    assert min(v.correlation for v in verdicts) > 1 - 1e-6
    assert max(v.correlation for v in classify_run(data, W)) < 0.99
    assert classify_run(data[1], W[1], norm="nuclear").correlation == pytest.approx(verdicts[1].correlation)


@pytest.mark.parametrize(
    ("W", "norm", "words"),
    [
        (np.ones((4, 3)), "frobenius", r"W must be \(4, 4\) beside X"),
        (np.full((4, 4), np.nan), "frobenius", "W contains NaN"),
        (np.ones((4, 4)), "operator", "norm must be one of 'frobenius', 'nuclear', but 'operator' came"),
    ],
)
def test_bad_runs_are_refused(W, norm, words):
    with pytest.raises(ValueError, match=words):
        classify_run(draw(), W, norm=norm)
