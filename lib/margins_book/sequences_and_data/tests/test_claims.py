"""Chapter 9, Sequences, causality, depth and real data: what needs no training."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from margins import attention_svm as att
from margins.attention_svm import layers
from margins_book.experiments.published import published
from margins_book.experiments.recorded import recorded
from margins_book.sequences_and_data import idle_tokens as idle

seeds = st.integers(0, 10**6)
quick = settings(derandomize=True, deadline=None, max_examples=25)

# Full attention is feasible here, causal attention is not: the best of a prefix may not be the best of all.
FULL_ONLY = (
    np.array([[[-3.0, 3], [3, 0], [-1, 1]], [[-2, 2], [2, 0], [3, 3]]]),
    np.array([[-1, -1, -1], [-1, 1, 1]]),
    np.array([1.0, 0]),
)


def draw(n, T, d, seed=0, draws=()):
    """Sequences on the unit sphere, a label for every token, a head."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(*draws, n, T, d))
    Y = rng.choice([-1.0, 1.0], size=(*draws, n, T))
    return X / np.linalg.norm(X, axis=-1, keepdims=True), Y, rng.normal(size=(*draws, d))


def share_feasible(reduction, n, T, d, draws=60):
    data = reduction(*draw(n, T, d, draws=(draws,)))
    return np.mean([solution.feasible for solution in att.frobenius_svm(data, data.optimal_tokens)])


def covariance_descent(samples, W, U):
    """1/N sum |l'| Cov_s(gamma, X U z) over (tokens attended to, query, label, head), in plain loops."""
    total = 0.0
    for X, z, y, v in samples:
        logits = X @ W @ z
        s = np.exp(logits - logits.max())
        s /= s.sum()
        gamma, moved = y * (X @ v), X @ U @ z
        slope = 1 / (1 + np.exp(s @ gamma))
        total += slope * (s @ (gamma * moved) - (s @ gamma) * (s @ moved))
    return total / len(samples)


@quick
@given(seeds)
def test_c9_01_self_attention_obeys_the_covariance_identity_with_its_first_token_as_query(seed):
    """z_i = x_i1 enters as data: -<grad L, U> = 1/n sum |l'_i| Cov_{s_i}(gamma_i, X_i U x_i1)."""
    rng = np.random.default_rng(seed)
    data = att.random_token_data(4, 5, 3, rng=rng, self_attention=True)
    W, U = rng.normal(size=(2, 3, 3))
    samples = [(X, X[0], y, data.v) for X, y in zip(data.X, data.Y, strict=True)]
    assert_allclose(-np.vdot(att.loss_gradient(data, W), U), covariance_descent(samples, W, U), atol=1e-12)


@pytest.mark.parametrize(("n", "T", "d"), [(3, 4, 3), (2, 9, 8), (4, 6, 5)])
def test_c9_01_self_attention_is_feasible_from_the_same_dimension_on(n, T, d):
    """d >= max(T - 1, n) makes every choice feasible although the queries are tokens themselves."""
    rng = np.random.default_rng(0)
    data = att.random_token_data(n, T, d, rng=rng, self_attention=True)
    assert all(att.is_feasible(data, rng.integers(T, size=n)) for _ in range(20))


def check_reduction(seed, *, causal):
    """Compare the gradient of the n T samples with that of every output of self-attention."""
    X, Y, v = draw(2, 4, 3, seed)
    W, U = np.random.default_rng(seed).normal(size=(2, 3, 3))
    data = (att.causal_data if causal else att.sequence_data)(X, Y, v)
    samples = [(X[i, : k + 1] if causal else X[i], X[i, k], Y[i, k], v) for i in range(2) for k in range(4)]
    assert_allclose(-np.vdot(att.loss_gradient(data, W), U), covariance_descent(samples, W, U), atol=1e-12)


@quick
@given(seeds)
def test_c9_02_sequence_attention_is_single_query_attention_on_n_t_samples(seed):
    """The reduction has the gradient of the loss over all outputs, to 1e-12."""
    check_reduction(seed, causal=False)


@quick
@given(seeds)
def test_c9_03_causal_attention_is_single_query_attention_with_a_mask(seed):
    """The reduction has the gradient of the loss over all prefixes, to 1e-12."""
    check_reduction(seed, causal=True)


@pytest.mark.parametrize(("n", "T"), [(1, 5), (2, 3), (3, 3)])
def test_c9_03_correction_n_times_t_minus_one_dimensions_are_enough(n, T):
    """The first position asks nothing, so n (T - 1) < n T dimensions make every causal choice feasible."""
    data, rng = att.causal_data(*draw(n, T, n * (T - 1), seed=1)), np.random.default_rng(1)
    tried = [[rng.choice(np.flatnonzero(row)) for row in data.allowed] for _ in range(20)]
    assert all(att.is_feasible(data, np.array(tokens)) for tokens in tried)


def every_choice(data):
    """All choices of tokens among those allowed, each as an array."""
    return map(np.array, product(*(np.flatnonzero(row) for row in data.allowed)))


@pytest.mark.parametrize("seed", range(5))
def test_c9_02_for_one_sequence_the_threshold_is_sharp(seed):
    """T = 3: all 27 choices are feasible in three dimensions, and some are not in two."""
    found = []
    for d in (2, 3):
        data = att.sequence_data(*draw(1, 3, d, seed))
        found.append([att.is_feasible(data, tokens) for tokens in every_choice(data)])
    assert not all(found[0])
    assert all(found[1])


@pytest.mark.parametrize(("n", "T", "d"), [(2, 3, 4), (2, 4, 6), (3, 2, 3), (4, 2, 3)])
def test_c9_02_correction_for_two_sequences_every_choice_may_be_feasible_below_the_threshold(n, T, d):
    """d < n T, once d < n (T - 1): 60 random choices; the matrices of all constraints are independent."""
    X, Y, v = draw(n, T, d)
    data, rng = att.sequence_data(X, Y, v), np.random.default_rng(n)
    assert all(att.is_feasible(data, rng.integers(T, size=n * T)) for _ in range(60))
    differences = X[:, 1:] - X[:, :1]  # they span those of every choice
    matrices = [
        np.outer(e, x).ravel() for some, own in zip(differences, X, strict=True) for e in some for x in own
    ]
    assert np.linalg.matrix_rank(matrices) == n * T * (T - 1)


def test_c9_03_the_first_position_is_unconstrained():
    """Query 1 sees itself alone: no constraint, weight 1 at every W; query k has k - 1 constraints."""
    data = att.causal_data(*draw(3, 4, 5))
    solution = att.frobenius_svm(data, data.optimal_tokens)
    assert solution.multipliers.size == 3 * (0 + 1 + 2 + 3)
    W = np.random.default_rng(0).normal(size=(5, 5))
    assert_allclose(att.softmax_weights(data, W).reshape(3, 4, 4)[:, 0, 0], 1.0)


def test_c9_03_causal_attention_is_feasible_more_often():
    """On the same draws at n = T = 4 more causal than full problems are feasible."""
    assert share_feasible(att.causal_data, 4, 4, 3) > share_feasible(att.sequence_data, 4, 4, 3) + 0.2
    assert share_feasible(att.causal_data, 4, 4, 4) > share_feasible(att.sequence_data, 4, 4, 4) + 0.2


def test_c9_03_correction_full_feasibility_does_not_imply_causal_feasibility():
    """Prefix optima differ: two causal rows here are opposite, while full attention is feasible."""
    full, causal = att.sequence_data(*FULL_ONLY), att.causal_data(*FULL_ONLY)
    assert att.is_feasible(full, full.optimal_tokens)
    solution = att.frobenius_svm(causal, causal.optimal_tokens)
    assert solution.status == "infeasible"
    rows = [np.outer([-6, 3], [3, 0]), np.outer([4, -2], [2, 0])]
    assert_allclose(4 * rows[0] + 9 * rows[1], 0.0)
    assert_allclose(solution.certificate[[0, 3]], [4 / 13, 9 / 13])


def decided(data, residual):
    """A second layer that gives all weight to position k of each sequence, whatever W_1 is."""
    k = np.arange(len(data.Y)) % data.sizes[1]

    def loss(W):
        first = layers.forward(data, W[None], residual=residual).tokens[1]  # (n, T, d)
        picked = first[np.arange(len(k)), k] + residual * first[:, 0]
        return np.logaddexp(0, -data.Y * (picked @ data.v)).mean()

    return k, loss


def test_c9_04_below_a_decided_layer_the_loss_is_that_of_the_queries_asked():
    """Without residuals it is the loss of the queries x_{i k_i}; with them the path turns to both queries."""
    data = att.random_token_data(3, 4, 8, rng=np.random.default_rng(2))
    k, loss = decided(data, residual=False)
    single = att.TokenData(data.X, data.X[np.arange(3), k], data.Y, data.v)
    rng = np.random.default_rng(3)
    for W in rng.normal(size=(20, 8, 8)):
        assert_allclose(loss(W), att.training_loss(single, W), atol=1e-12)
    k, loss = decided(data, residual=True)
    asked = np.zeros((3, 4), dtype=bool)
    asked[:, 0] = asked[np.arange(3), k] = True
    both = layers.layer_data(data.X, data, asked)
    machine = att.frobenius_svm(both, both.optimal_tokens)
    rivals = [
        W / np.linalg.norm(W) for W in machine.W + 0.3 * machine.margin**-1 / 8 * rng.normal(size=(50, 8, 8))
    ]
    radius = 27 / machine.margin  # the loss is e^-27 above its infimum; at 40 rounding hides the difference
    best = loss(radius * machine.W * machine.margin)
    assert all(loss(radius * W) > best for W in rivals)


def test_c9_09_in_the_last_layer_momentary_scores_are_scores_times_a_slope():
    """c_1t = |l'| Y v.u_t / n at the first position, 0 at the others."""
    data = att.random_token_data(3, 4, 5, rng=np.random.default_rng(4))
    W = np.random.default_rng(5).normal(size=(2, 5, 5))
    passed, last = layers.forward(data, W, residual=True), layers.readings(data, W, residual=True)[-1]
    slope = data.Y / (1 + np.exp(data.Y * passed.outputs)) / 3
    assert_allclose(last.scores[:, 0], slope[:, None] * (passed.tokens[1] @ data.v), atol=1e-14)
    assert not last.scores[:, 1:].any()


def test_c9_07_correction_the_number_of_sequences_counts_not_that_of_different_tokens():
    """n = d = 6 sequences of T = 7 tokens, 42 different ones: every choice is feasible in 6 dimensions."""
    rng = np.random.default_rng(7)
    data = att.random_token_data(6, 7, 6, rng=rng)
    assert len(np.unique(data.X.reshape(-1, 6), axis=0)) == 42
    assert all(att.is_feasible(data, rng.integers(7, size=6)) for _ in range(20))


def test_c9_08_the_three_experiments_are_recorded_with_certified_machines():
    """Local convergence; classes of runs and ranks over d; several tokens: duality gaps at most 1e-8."""
    for name in ("local-convergence", "run-classes", "ranks", "several-tokens"):
        table = recorded(name)
        assert len(next(iter(table.values()))) > 0
        if "gap" in table:
            assert np.nanmax(table["gap"]) <= 1e-8


@pytest.mark.parametrize("name", ["ranks-first-order", "several-tokens"])
def test_c9_08_the_published_settings_are_among_those_recorded(name):
    table = recorded(name)
    for setting in {setting for setting, _ in published(name)}:
        place = (part.split("=") for part in setting.split())
        assert np.logical_and.reduce([table[key] == int(value) for key, value in place]).any()


def test_c9_11_correction_pruning_after_training_shows_nothing():
    """With all weight on the selected tokens any others can be dropped, support tokens and all."""
    data = att.random_token_data(3, 8, 5, rng=np.random.default_rng(8))
    run = att.train(data, iterations=3000, record=1)
    before = (run.weights[-1] * data.scores).sum(axis=1)
    rng = np.random.default_rng(9)
    for _ in range(20):
        kept = (rng.random((3, 8)) < 0.3) | (np.arange(8) == run.tokens[:, None])
        kept[0] |= True
        after = att.softmax_weights(att.TokenData(data.X, data.Z, data.Y, data.v, kept), run.W[-1])
        assert_allclose((after * data.scores).sum(axis=1), before, atol=1e-6)


def test_c9_12_correction_feasible_is_not_enough_tokens_must_be_unique():
    """Two tokens of equal score: each has a feasible machine, and nothing is trained."""
    data = att.TokenData([[[1.0, 1.0], [1.0, -1.0]]], [[1.0, 0.0]], [1], [1.0, 0.0])
    assert all(att.is_feasible(data, np.array([t])) for t in (0, 1))
    run = att.train(data, np.array([[0.3, 0.0], [0.2, 0.0]]), iterations=10, record=1)
    assert run.status == "stationary"


def lost(name, count, starts, length=150):
    """The share of starts from which the flow gives the attention of a sequence to a worse token."""
    first, head = idle.PROBLEMS[name]
    w = idle.flow_paths(starts, [first[:count], idle.PAIR], head, length, 11, 50)[-1]
    ends = np.column_stack([(w @ X.T).argmax(axis=1) for X in (first[:count], idle.PAIR)])
    return float(np.mean(ends.any(axis=1)))


def around(height, number=40):
    """Starts with |w_1| < 1/2 around (0, height)."""
    return np.random.default_rng(0).uniform([-0.5, height], [0.5, height + 5], size=(number, 2))


def test_c9_13_correction_without_the_idle_token_an_open_set_of_starts_is_lost():
    assert lost("creates a trap", 3, around(10)) == 0
    assert lost("creates a trap", 2, around(10)) == 1


def test_c9_13_correction_an_idle_token_can_be_the_trap():
    assert lost("removes a trap", 3, around(10)) == 1
    assert lost("removes a trap", 2, around(10)) == 0
