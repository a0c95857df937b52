"""Chapter 9, Sequences and causality: C9.01 to C9.03, as far as they need no training."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from margins.attention_svm import (
    causal_data,
    frobenius_svm,
    is_feasible,
    loss_gradient,
    random_token_data,
    sequence_data,
    softmax_weights,
)

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
    return np.mean([solution.feasible for solution in frobenius_svm(data, data.optimal_tokens)])


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
    data = random_token_data(4, 5, 3, rng=rng, self_attention=True)
    W, U = rng.normal(size=(2, 3, 3))
    samples = [(X, X[0], y, data.v) for X, y in zip(data.X, data.Y, strict=True)]
    assert_allclose(-np.vdot(loss_gradient(data, W), U), covariance_descent(samples, W, U), atol=1e-12)


@pytest.mark.parametrize(("n", "T", "d"), [(3, 4, 3), (2, 9, 8), (4, 6, 5)])
def test_c9_01_self_attention_is_feasible_from_the_same_dimension_on(n, T, d):
    """d >= max(T - 1, n) makes every choice feasible although the queries are tokens themselves."""
    rng = np.random.default_rng(0)
    data = random_token_data(n, T, d, rng=rng, self_attention=True)
    assert all(is_feasible(data, rng.integers(T, size=n)) for _ in range(20))


def check_reduction(seed, *, causal):
    """Compare the gradient of the n T samples with that of every output of self-attention."""
    X, Y, v = draw(2, 4, 3, seed)
    W, U = np.random.default_rng(seed).normal(size=(2, 3, 3))
    data = (causal_data if causal else sequence_data)(X, Y, v)
    samples = [(X[i, : k + 1] if causal else X[i], X[i, k], Y[i, k], v) for i in range(2) for k in range(4)]
    assert_allclose(-np.vdot(loss_gradient(data, W), U), covariance_descent(samples, W, U), atol=1e-12)


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


@pytest.mark.parametrize(("n", "T", "d"), [(1, 4, 4), (2, 3, 6), (2, 4, 8)])
def test_c9_02_every_choice_is_feasible_for_d_at_least_n_t(n, T, d):
    """max(T - 1, n T) = n T dimensions make the n T queries independent, and every choice feasible."""
    data, rng = sequence_data(*draw(n, T, d)), np.random.default_rng(1)
    assert all(is_feasible(data, rng.integers(T, size=n * T)) for _ in range(20))


def test_c9_02_the_threshold_is_not_necessary():
    """At n = 2, T = 4 optimal tokens are feasible from d = 4 on (n T = 8); at d = 3 in half the draws."""
    assert share_feasible(sequence_data, 2, 4, 4) > 0.8
    assert 0.25 < share_feasible(sequence_data, 2, 4, 3) < 0.75
    assert share_feasible(sequence_data, 4, 4, 8) > 0.95


def test_c9_03_the_first_position_is_unconstrained():
    """Query 1 sees itself alone: no constraint, weight 1 at every W; query k has k - 1 constraints."""
    data = causal_data(*draw(3, 4, 5))
    solution = frobenius_svm(data, data.optimal_tokens)
    assert solution.multipliers.size == 3 * (0 + 1 + 2 + 3)
    W = np.random.default_rng(0).normal(size=(5, 5))
    assert_allclose(softmax_weights(data, W).reshape(3, 4, 4)[:, 0, 0], 1.0)


def test_c9_03_causal_attention_is_feasible_more_often():
    """On the same draws at n = T = 4 more causal than full problems are feasible."""
    assert share_feasible(causal_data, 4, 4, 3) > share_feasible(sequence_data, 4, 4, 3) + 0.2
    assert share_feasible(causal_data, 4, 4, 4) > share_feasible(sequence_data, 4, 4, 4) + 0.2


def test_c9_03_correction_full_feasibility_does_not_imply_causal_feasibility():
    """Prefix optima differ: two causal rows here are opposite, while full attention is feasible."""
    full, causal = sequence_data(*FULL_ONLY), causal_data(*FULL_ONLY)
    assert is_feasible(full, full.optimal_tokens)
    solution = frobenius_svm(causal, causal.optimal_tokens)
    assert solution.status == "infeasible"
    rows = [np.outer([-6, 3], [3, 0]), np.outer([4, -2], [2, 0])]
    assert_allclose(4 * rows[0] + 9 * rows[1], 0.0)
    assert_allclose(solution.certificate[[0, 3]], [4 / 13, 9 / 13])


@quick
@given(seeds)
def test_c9_03_for_one_sequence_full_feasibility_implies_causal_feasibility(seed):
    """n = 1: full feasibility makes (x_k, Y_k) separable, and v u' then serves every prefix."""
    X, Y, v = draw(1, 4, 2, seed)
    full, causal = sequence_data(X, Y, v), causal_data(X, Y, v)
    assert is_feasible(causal, causal.optimal_tokens) or not is_feasible(full, full.optimal_tokens)
