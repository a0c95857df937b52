"""Chapter 7, Local optima and feasibility: the claims that need no training, with their counterexamples."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from margins import attention_svm as att
from margins.attention_svm.constraints import pair_constraints
from margins.attention_svm.losses import Loss
from tests.margins_book.samples import SIX, cover

seeds = st.integers(0, 10**6)
quick = settings(derandomize=True, deadline=None, max_examples=25)


def draw(n, T, d, seed=0, **options):
    return att.random_token_data(n, T, d, rng=np.random.default_rng(seed), **options)


def gaussian(n, T, d, seed, **fixed):
    """Gaussian tokens and queries: on the unit sphere every token is a vertex, and T plays no part."""
    rng = np.random.default_rng([n, T, d, seed])
    arrays = {"X": rng.normal(size=(n, T, d)), "Z": rng.normal(size=(n, d))}
    arrays |= {"Y": rng.choice([-1.0, 1.0], size=n), "v": rng.normal(size=d)}
    return att.TokenData(**(arrays | fixed))


def random_tokens(data, seed=0):
    return np.random.default_rng(seed).integers(data.sizes[1], size=data.Y.shape)


def share_feasible(n, T, d, draws=60, tokens=None):
    sets = [gaussian(n, T, d, seed) for seed in range(draws)]
    return np.mean(
        [att.is_feasible(data, data.optimal_tokens if tokens is None else tokens) for data in sets]
    )


def share_all_support(n, T, d, draws=30):
    data = draw(n, T, d, batch=draws)
    return np.mean(
        [att.all_tokens_support(solution) for solution in att.frobenius_svm(data, data.optimal_tokens)]
    )


def next_margin(solution):
    """The smallest margin of a token that is no neighbour of the chosen one."""
    others = solution.margins[np.isfinite(solution.margins) & ~solution.support]
    return others.min(initial=np.inf)


def test_c7_01_neighbours_decide_whether_the_loss_falls_towards_a_choice():
    """Far along W_alpha the loss falls if all SVM-neighbours score less, and rises if all score more."""
    judged = []
    for seed in range(20):
        data = draw(2, 3, 3, seed)
        for choice in att.all_choices(data):
            if not choice.solution.feasible or next_margin(choice.solution) < 1.1:
                continue
            chosen = np.take_along_axis(data.scores, choice.tokens[:, None], axis=1)
            ahead = (chosen > data.scores)[choice.solution.support]
            far = 20 / min(1.0, next_margin(choice.solution) - 1) * choice.solution.W
            if ahead.all() or not ahead.any():
                assert (np.vdot(att.loss_gradient(data, far), far) < 0) == ahead.all()
                judged.append(ahead.all())
    assert judged.count(True) > 15 < judged.count(False)


def test_c7_01_neighbours_are_not_the_adjacent_corners_of_the_hull():
    """D lies inside the hull of six tokens, and is a neighbour of E in the machine that selects E."""
    data = att.TokenData([SIX], [[1, 0]], [1], [1, 0.4])
    assert not att.is_feasible(data, np.array([3]))
    assert att.frobenius_svm(data, np.array([4])).support[0, 3]


@pytest.mark.parametrize(("n", "T", "d"), [(3, 4, 3), (5, 3, 5), (2, 9, 8), (4, 6, 5)])
def test_c7_02_enough_dimensions_make_every_choice_feasible(n, T, d):
    """d >= max(T - 1, n) is enough for almost all data and every choice: all margins can even be 1."""
    data = gaussian(n, T, d, 0)
    for seed in range(20):
        tokens = random_tokens(data, seed)
        differences = pair_constraints(data, tokens).differences  # (n, T, d)
        aims = np.array([np.linalg.lstsq(a, (a != 0).any(axis=1) * 1.0)[0] for a in differences])
        W = np.linalg.lstsq(data.Z, aims)[0].T
        margins = att.token_margins(data, tokens, W)
        assert_allclose(margins[np.isfinite(margins)], 1.0, atol=1e-7)
        assert att.is_feasible(data, tokens)


@pytest.mark.parametrize("T", [3, 6])
def test_c7_02_own_theorem_covers_probability_in_d_squared_is_a_bound_for_every_t(T):
    """P(feasible) <= C(n, d^2): the best token against the worst is Cover's question for any T."""
    assert share_feasible(8, T, 2, draws=200) < cover(8, 4)


@pytest.mark.parametrize("T", [2, 8, 30])
def test_c7_02_own_theorem_optimal_tokens_need_separable_queries_only(T):
    """If Y_i u.z_i > 0 for some u, then c v u' separates the optimal tokens for any T; d >= n is enough."""
    for seed in range(10):
        data = draw(3, T, 3, seed)
        u = att.query_separator(data)
        assert u is not None
        W = att.rank_one_separator(data)
        assert np.linalg.matrix_rank(W) == 1
        margins = np.outer(data.v, u)
        gaps = data.scores.max(axis=1, keepdims=True) - data.scores
        expected = (data.Y * (data.Z @ u))[:, None] * gaps
        ours = att.token_margins(data, data.optimal_tokens, margins)
        assert_allclose(ours[np.isfinite(ours)], expected[np.isfinite(ours)], atol=1e-9)
        assert att.token_margins(data, data.optimal_tokens, W).min() > 1 - 1e-9


@quick
@given(seeds, st.integers(1, 5))
def test_c7_02_equal_sequences_need_separable_queries(seed, n):
    """If all X_i are equal (or n = 1), the optimal tokens are feasible iff (z, Y) is separable."""
    rng = np.random.default_rng(seed)
    X = np.repeat(rng.normal(size=(1, 4, 2)), n, axis=0)
    data = att.TokenData(X, rng.normal(size=(n, 2)), rng.choice([-1.0, 1.0], size=n), rng.normal(size=2))
    assert att.is_feasible(data, data.optimal_tokens) == (att.query_separator(data) is not None)


@quick
@given(seeds)
def test_c7_03_chosen_tokens_must_be_exposed_and_optimal_ones_are(seed):
    """A choice with a token inside the hull of its sequence is infeasible; optimal tokens are vertices."""
    rng = np.random.default_rng(seed)
    data = att.TokenData(rng.normal(size=(3, 5, 2)), rng.normal(size=(3, 2)), [1, -1, 1], rng.normal(size=2))
    assert att.exposed_tokens(data, data.optimal_tokens).all()
    tokens = rng.integers(5, size=3)
    assert att.exposed_tokens(data, tokens).all() or not att.is_feasible(data, tokens)
    independent = att.TokenData(rng.normal(size=(2, 5, 2)), rng.normal(size=(2, 2)), [1, -1], data.v)
    assert att.is_feasible(independent, tokens[:2]) == att.exposed_tokens(independent, tokens[:2]).all()


def log_variances(data, W):
    """log of 1/2 sum s_t s_tau (gamma_t - gamma_tau)^2 for each sequence: exact where 1 - max s is not."""
    logits = np.einsum("ntd,de,ne->nt", data.X, W, data.Z)
    logs = logits - np.logaddexp.reduce(logits, axis=1, keepdims=True)
    differences = np.abs(data.scores[:, :, None] - data.scores[:, None, :])
    with np.errstate(divide="ignore"):
        terms = logs[:, :, None] + logs[:, None, :] + 2 * np.log(differences)
    return np.logaddexp.reduce(terms.reshape(len(terms), -1), axis=1) - np.log(2)


@quick
@given(seeds, st.sampled_from([0.1, 1.0, 5.0]))
def test_c7_04_descent_along_the_rank_one_separator_is_a_sum_of_variances(seed, scale):
    """-<grad L(W), v u'> = 1/n sum |l'_i| Y_i u.z_i Var_{s_i}(X_i v)."""
    data = draw(3, 5, 4, seed)
    u, W = att.query_separator(data), scale * np.random.default_rng(seed).normal(size=(4, 4))
    outputs = (att.softmax_weights(data, W) * data.scores).sum(axis=1)
    variances = np.exp(log_variances(data, W))
    expected = (variances * data.Y * (data.Z @ u) / (1 + np.exp(outputs))).mean()
    assert_allclose(-np.vdot(att.loss_gradient(data, W), np.outer(data.v, u)), expected, rtol=1e-8)


@quick
@given(seeds)
def test_c7_04_one_sequence_that_is_pulled_is_enough(seed):
    """Y_i u.z_i >= 0 for all, > 0 for one: here two opposite queries are orthogonal to u."""
    rng = np.random.default_rng(seed)
    u = np.array([1.0, 0.0, 0.0])
    Z = [[2.0, 1.0, 0.0], [0.0, 1.0, 1.0], [0.0, -1.0, -1.0]]
    data = att.TokenData(rng.normal(size=(3, 4, 3)), Z, [1, 1, 1], rng.normal(size=3))
    assert att.query_separator(data) is None
    W = 3 * rng.normal(size=(3, 3))
    assert np.vdot(att.loss_gradient(data, W), np.outer(data.v, u)) < 0


@quick
@given(seeds)
def test_c7_04_all_tokens_supporting_or_equal_scores_make_the_covariance_explicit(seed):
    """B.1: Cov = s_opt (1 - s_opt) (gamma_opt - mean of rest); B.2: ... (gamma_opt - gamma) (mean gap)."""
    rng = np.random.default_rng(seed)
    supporting = draw(2, 4, 120, seed)
    X = rng.normal(size=(2, 4, 3))
    X[..., 0] = np.where(np.arange(4) == 1, 0.6, -0.1)
    equal = att.TokenData(X, rng.normal(size=(2, 3)), [1, 1], [1, 0, 0])
    for data, explicit in ((supporting, att.all_tokens_support), (equal, None)):
        solution, d = att.frobenius_svm(data, data.optimal_tokens), data.sizes[-1]
        assume(solution.feasible and (explicit is None or explicit(solution)))
        W = rng.normal(size=(d, d)) / np.sqrt(d)
        s, best = att.softmax_weights(data, W), data.optimal_tokens[:, None]
        lead = np.take_along_axis(s, best, axis=1)[:, 0]
        rest = np.where(np.isfinite(solution.margins), s, 0) / (1 - lead)[:, None]
        gaps = (rest * (data.scores.max(axis=1, keepdims=True) - data.scores)).sum(axis=1)
        behind = (rest * np.where(np.isfinite(solution.margins), solution.margins, 0)).sum(axis=1)
        outputs = (s * data.scores).sum(axis=1)
        expected = (lead * (1 - lead) * gaps * behind / (1 + np.exp(outputs))).mean()
        assert expected > 0
        assert_allclose(-np.vdot(att.loss_gradient(data, W), solution.W), expected, rtol=1e-6)


def test_c7_04_correction_a_strictly_decreasing_loss_is_not_enough():
    """l(u) = -u^3 decreases strictly, but l'(0) = 0: with scores 1 and -1, W = 0 is stationary."""
    cubic = Loss(lambda u: -(u**3), lambda u: -3 * u**2, None)
    data = att.TokenData([[[1.0, 0], [-1, 0]]], [[1.0, 0]], [1], [1.0, 0])
    assert_allclose(att.loss_gradient(data, np.zeros((2, 2)), loss=cubic), 0.0, atol=1e-15)
    assert np.abs(att.loss_gradient(data, np.zeros((2, 2)))).max() > 0.1


@quick
@given(seeds)
def test_c7_04_own_theorem_sublevel_sets_are_connected(seed):
    """Up along v u' the loss falls to inf L; across, high up, it stays below that of both ends."""
    data, rng = draw(3, 4, 3, seed), np.random.default_rng(seed)
    u = att.query_separator(data)
    up = np.outer(data.v, u / np.linalg.norm(u))
    pull = (data.Y * (data.Z @ u)).min() / np.linalg.norm(u) * np.linalg.norm(data.v) ** 2
    assume(pull * np.diff(np.sort(data.scores, axis=1))[:, -1].min() > 1e-3)
    ends = 6 * rng.normal(size=(2, 3, 3))
    rising = [att.training_loss(data, ends[0] + t * up) for t in np.geomspace(0.1, 1e6, 30)]
    assert (np.diff(rising) <= 1e-15).all()
    assert rising[-1] == pytest.approx(np.log1p(np.exp(-data.scores.max(axis=1))).mean(), abs=1e-9)
    level = max(att.training_loss(data, W) for W in ends)
    across = [(1 - a) * ends[0] + a * ends[1] + 1e6 * up for a in np.linspace(0, 1, 9)]
    assert max(att.training_loss(data, W) for W in across) < level


def test_c7_07_correction_the_feasibility_threshold_does_not_make_all_tokens_support():
    """At n = T = 5 no draw has property B.1 at d = 5 or 10 = 2 max(T - 1, n), many have it at d = 80."""
    assert share_all_support(5, 5, 5) == share_all_support(5, 5, 10) == 0.0
    assert (
        share_all_support(5, 5, 40) < 0.4 < share_all_support(5, 5, 80) < 0.95 < share_all_support(5, 5, 160)
    )
    assert share_all_support(5, 10, 80) == 0.0


def test_c7_07_correction_tokens_cost_more_dimensions_than_sequences():
    """n T is no yardstick: n T = 200 with T = 2 has B.1 at d = 50, n T = 50 with T = 10 not at d = 200."""
    assert share_all_support(100, 2, 50, draws=12) == 1.0
    assert share_all_support(5, 10, 200) < 0.4


@quick
@given(seeds, st.integers(2, 60))
def test_c7_07_all_tokens_support_iff_the_gram_system_has_a_non_negative_solution(seed, d):
    """B.1 holds iff lambda = G^-1 1 >= 0, for an invertible Gram matrix G of the constraints."""
    data = draw(2, 4, d, seed)
    rows = pair_constraints(data, data.optimal_tokens).rows
    gram = rows @ rows.T
    assume(np.linalg.cond(gram) < 1e8)
    multipliers = np.linalg.solve(gram, np.ones(len(gram)))
    assume(np.abs(multipliers).min() > 1e-6 * np.abs(multipliers).max())
    assert att.all_tokens_support(att.frobenius_svm(data, data.optimal_tokens)) == (multipliers > 0).all()


def share_spurious(n, T, d, draws=40):
    boards = (att.all_choices(draw(n, T, d, seed)) for seed in range(draws))
    return np.mean([any(choice.verdict == "spurious" for choice in board) for board in boards])


def test_c7_08_correction_feasibility_does_not_exclude_spurious_directions():
    """At d = max(T - 1, n) every choice is feasible, yet many data sets have a spurious local direction."""
    assert share_spurious(3, 3, 3) == pytest.approx(0.6, abs=0.23), "three standard errors of forty draws"
    assert all(choice.solution.feasible for choice in att.all_choices(draw(3, 3, 3)))
    assert share_spurious(2, 3, 2) > share_spurious(2, 3, 20) + 0.15


def test_c7_10_below_the_threshold_nothing_need_break():
    """n = T = 5: at d = 4 < max(T - 1, n) nearly all draws are feasible; at d = 2 four in ten still are."""
    assert share_feasible(5, 5, 4) > 0.95
    assert cover(5, 2) - 0.1 < share_feasible(5, 5, 2, draws=200) < 0.55, ".39 to .44 in three draws"


def condition_numbers(n, T, d, draws=10):
    """The condition numbers of the constraints' Gram matrices of some problems."""
    problems = (draw(n, T, d, seed) for seed in range(draws))
    rows = (pair_constraints(data, data.optimal_tokens).rows for data in problems)
    return np.array([np.linalg.cond(matrix @ matrix.T) for matrix in rows])


def test_c7_11_correction_high_dimension_improves_the_conditioning():
    """The condition number of the constraint Gram matrix falls with d for random designs."""
    numbers = np.array([condition_numbers(5, 5, d) for d in (5, 10, 20, 50, 200)])
    assert (np.diff(np.median(numbers, axis=1)) < 0).all()
    assert (numbers[2:].max(axis=1) < numbers[:-2].min(axis=1)).all()
    assert numbers[0].min() > 100


@pytest.mark.parametrize(("T", "limit"), [(2, 1), (3, 3)])
def test_c7_11_correction_the_condition_number_tends_to_that_of_the_limit(T, limit):
    """Every draw is nearer to the limit in 1000 dimensions than the farthest in 100, by a half and more."""
    off = [np.abs(condition_numbers(3, T, d) / limit - 1).max() for d in (100, 1000)]
    assert off[1] < 0.25
    assert off[1] < 0.5 * off[0]
