"""Linear attention against a loop over tokens, and fast weights."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from margins import random_features as rf
from margins.softmax_kernel import elu_features
from tests.margins.draws import normal


def token_by_token(phi_q, phi_k, V, causal):
    out = np.empty((len(phi_q), V.shape[1]))
    for i, q in enumerate(phi_q):
        weights = phi_k[: i + 1 if causal else None] @ q
        out[i] = weights @ V[: len(weights)] / weights.sum()
    return out


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("n", [1, 63, 64, 65, 200])
def test_linear_attention_is_the_loop_over_tokens(n, causal):
    phi_q, phi_k, V = elu_features(normal(n, 5)), elu_features(normal(n, 5, seed=1)), normal(n, 3, seed=2)
    answer = rf.linear_attention(phi_q, phi_k, V, causal=causal)
    assert_allclose(answer, token_by_token(phi_q, phi_k, V, causal), atol=1e-12)


@pytest.mark.parametrize("causal", [False, True])
def test_linear_attention_broadcasts(causal):
    phi_q, phi_k, V = elu_features(normal(2, 1, 70, 5)), elu_features(normal(3, 70, 5)), normal(70, 3)
    answer = rf.linear_attention(phi_q, phi_k, V.astype(np.float32), causal=causal)
    assert answer.shape == (2, 3, 70, 3)
    for a in range(2):
        for b in range(3):
            assert_allclose(answer[a, b], token_by_token(phi_q[a, 0], phi_k[b], V, causal), atol=1e-6)


@given(st.integers(0, 2**32 - 1), st.integers(1, 40), st.integers(1, 6))
def test_linear_attention_identities(seed, n, D):
    """Order of the keys, scale of each query, a scale moved from keys to queries, the convex hull."""
    rng = np.random.default_rng(seed)
    phi_q, phi_k, V = rng.uniform(0.1, 2, (n, D)), rng.uniform(0.1, 2, (n, D)), rng.normal(size=(n, 2))
    answer, order = rf.linear_attention(phi_q, phi_k, V), rng.permutation(n)
    assert_allclose(rf.linear_attention(phi_q, phi_k[order], V[order]), answer, atol=1e-12)
    assert_allclose(rf.linear_attention(phi_q * rng.uniform(0.1, 9, (n, 1)), phi_k, V), answer, atol=1e-12)
    moved = rng.uniform(0.1, 9, D)
    assert_allclose(rf.linear_attention(phi_q * moved, phi_k / moved, V), answer, atol=1e-12)
    assert (answer <= V.max(axis=0) + 1e-12).all()
    last = rf.linear_attention(phi_q, phi_k, V, causal=True)[-1]
    assert_allclose(last, answer[-1], atol=1e-12)


def test_fast_weights_are_causal_linear_attention_before_division():
    phi_q, phi_k, V = normal(20, 4), normal(20, 4, seed=1), normal(20, 3, seed=2)
    written = list(rf.fast_weights(phi_k, V))
    for t, W in enumerate(written):
        direct = sum(np.outer(V[j], phi_k[j]) for j in range(t + 1))
        assert_allclose(W, direct, atol=1e-13)
        assert_allclose(W @ phi_q[t], (phi_k[: t + 1] @ phi_q[t]) @ V[: t + 1], atol=1e-12)


def test_delta_rule_is_online_gradient_descent():
    phi_k, V, rate = normal(15, 4), normal(15, 3, seed=1), 0.2
    W = np.zeros((3, 4))
    for t, written in enumerate(rf.fast_weights(phi_k, V, rate=rate)):
        gradient = -np.outer(V[t] - W @ phi_k[t], phi_k[t])
        W = W - rate * gradient
        assert_allclose(written, W, atol=1e-13)


def test_operation_counts():
    assert rf.attention_flops(10, 3) == 2 * 100 * 6
    assert rf.attention_flops(10, 3, 5) == 2 * 100 * 8
    assert rf.linear_attention_flops(10, 3, 7) == 4 * 10 * 7 * (3 + 3 + 1)
    assert rf.linear_attention_flops(10, 3, 7, 5) == 4 * 10 * 7 * (3 + 5 + 1)
