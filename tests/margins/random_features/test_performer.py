"""Linear attention against a loop over tokens, and Performer attention against it and in logarithms."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import softmax

from margins import random_features as rf
from margins.random_features import performer
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


KINDS = ("positive", "trigonometric", "hyperbolic")


@pytest.mark.parametrize("few", [0, performer.FEW])
@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_performer_is_linear_attention_with_softmax_features(kind, causal, few, monkeypatch):
    # 33 tokens then cross the borders of blocks and chunks, or are few enough for the formula itself
    monkeypatch.setattr(performer, "FEW", few)
    monkeypatch.setattr(performer, "BLOCK", 7)
    monkeypatch.setattr(performer, "CHUNK", 5)
    Q, K, V, omega = (
        normal(2, 1, 33, 4),
        normal(2, 33, 4, seed=1),
        normal(33, 3, seed=2),
        rf.projections(20, 4, rng=3),
    )
    answer = rf.performer_attention(Q, K, V, omega, kind=kind, causal=causal)
    phi_q, phi_k = (rf.softmax_features(X / math.sqrt(2), omega, kind) for X in (Q, K))  # 4^(-1/4)
    assert_allclose(answer, rf.linear_attention(phi_q, phi_k, V, causal=causal), rtol=1e-9, atol=1e-10)


def log_domain(Q, K, V, omega, causal):
    """The same estimate with every product of features formed in logarithms."""
    exponents = Q @ omega.T, K @ omega.T - (K**2).sum(axis=1, keepdims=True) / 2
    logits = np.logaddexp.reduce(exponents[0][:, None] + exponents[1][None], axis=-1)  # (n, m)
    return softmax(np.where(np.tri(*logits.shape), logits, -np.inf) if causal else logits, axis=1) @ V


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize(("dtype", "rtol"), [(np.float64, 1e-6), (np.float32, 0.05)])
def test_performer_survives_any_norm(causal, dtype, rtol):
    """Norms at which every plain feature underflows: the ratio still has all its digits."""
    Q, K, V = (s * normal(50, 6, seed=i, dtype=dtype) for i, s in enumerate((60, 60, 1)))
    K[20:] *= 0.1  # later keys with much larger features: the case in which a chunk must be halved
    omega = rf.projections(32, 6, rng=3).astype(dtype)
    with pytest.raises(ValueError, match="denominator of linear attention"):
        rf.linear_attention(rf.softmax_features(Q, omega), rf.softmax_features(K, omega), V, causal=causal)
    answer = rf.performer_attention(Q, K, V, omega, scale=1.0, causal=causal)
    assert answer.dtype == dtype
    assert_allclose(
        answer, log_domain(*(x.astype(float) for x in (Q, K, V, omega)), causal), rtol=rtol, atol=rtol
    )


@pytest.mark.parametrize("few", [0, performer.FEW])
def test_performer_with_extreme_values_and_scales(few, monkeypatch):
    """Values near the end of the number range, and a tiny scale on huge keys, change nothing."""
    monkeypatch.setattr(performer, "FEW", few)
    Q, K, V = (normal(20, 4, seed=s, dtype=np.float32) for s in range(3))
    omega = rf.projections(8, 4, rng=3)
    answer = rf.performer_attention(Q, K, V, omega)
    assert_allclose(
        rf.performer_attention(Q, K, V * np.float32(1e36), omega) / 1e36, answer, rtol=1e-4, atol=1e-5
    )
    huge = np.float32(1e15)
    stretched = rf.performer_attention(Q * huge, K * huge, V, omega, scale=0.5e-30)
    assert_allclose(stretched, answer, rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("causal", [False, True])
def test_trigonometric_features_at_large_norms_do_not_overflow(causal):
    """Keys of length about 60, whose factors exp(|k|^2 / 2) = e^1800 only count relative to the longest."""
    directions, lengths = normal(40, 6, seed=1), np.linspace(59.95, 60, 40)[:, None]
    K = lengths * directions / np.linalg.norm(directions, axis=1, keepdims=True)
    Q, V, omega = 60 * normal(40, 6), normal(40, 2, seed=2), rf.projections(32, 6, rng=3)
    answer = rf.performer_attention(Q, K, V, omega, kind="trigonometric", scale=1.0, causal=causal)
    cosines = np.cos((Q[:, None] - K) @ omega.T).mean(axis=-1)  # (n, m)
    weights = cosines * np.exp((lengths[:, 0] ** 2 - 60**2) / 2)
    weights = np.tril(weights) if causal else weights
    assert_allclose(answer, weights @ V / weights.sum(axis=1, keepdims=True), rtol=1e-6, atol=1e-6)
