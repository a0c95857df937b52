"""Softmax attention against three loops, in tiles and under masks; several heads; hard attention."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margins.attention import (
    attention_weights,
    hard_attention,
    multi_head_attention,
    softmax,
    softmax_attention,
)
from tests.margins.draws import normal


def by_hand(Q, K, V, scale=None, mask=None):
    """Attention by three loops and correctly rounded sums."""
    scale = 1 / math.sqrt(Q.shape[1]) if scale is None else scale
    out = np.zeros((len(Q), V.shape[1]))
    for i, q in enumerate(Q):
        keys = [j for j in range(len(K)) if mask is None or mask[i, j]]
        logits = {j: scale * math.fsum(map(float, q.astype(float) * K[j])) for j in keys}
        weights = {j: math.exp(logit - max(logits.values())) for j, logit in logits.items()}
        for c in range(V.shape[1]):
            total = math.fsum(weights.values())
            out[i, c] = math.fsum(w * float(V[j, c]) for j, w in weights.items()) / total if keys else 0.0
    return out


@pytest.fixture(params=[(512, 512), (3, 5), (11, 10)], ids=["one tile", "many tiles", "few problems a tile"])
def tiles(request, monkeypatch):
    """Attention must not depend on how it is cut into tiles."""
    # tiles smaller than the arguments, or every case would need thousands of tokens to cross a border
    monkeypatch.setattr(softmax, "QUERIES", request.param[0])
    monkeypatch.setattr(softmax, "KEYS", request.param[1])


@pytest.mark.usefixtures("tiles")
@pytest.mark.parametrize("size", [1.0, 30.0, 1e4], ids=["tame", "online maximum", "nearly hard"])
@pytest.mark.parametrize(("dtype", "rtol"), [(np.float64, 1e-10), (np.float32, 1e-2)])
def test_softmax_attention_is_the_loop(size, dtype, rtol):
    Q, K, V = (
        normal(7, 4, dtype=dtype),
        normal(13, 4, seed=1, dtype=dtype),
        normal(13, 3, seed=2, dtype=dtype),
    )
    Q = Q * dtype(size)
    answer = softmax_attention(Q, K, V)
    assert answer.dtype == dtype
    # a logit of size s carries the rounding eps * s into the exponential
    assert_allclose(answer, by_hand(Q, K, V), atol=rtol * min(size, 1e3) * 1e-3)


@pytest.mark.usefixtures("tiles")
@pytest.mark.parametrize("size", [1.0, 100.0])
def test_softmax_attention_under_a_mask(size):
    Q, K, V = size * normal(7, 4), normal(13, 4, seed=1), normal(13, 3, seed=2)
    mask = np.random.default_rng(3).random((7, 13)) < 0.3
    mask[2], mask[4, :11] = False, False
    answer = softmax_attention(Q, K, V, mask=mask)
    assert_allclose(answer, by_hand(Q, K, V, mask=mask), atol=1e-10)
    assert_array_equal(answer[2], 0)
    weights = attention_weights(Q, K, mask=mask)
    assert_array_equal(weights[~mask], 0)
    assert_allclose(weights.sum(axis=1), mask.any(axis=1), atol=1e-14)


@pytest.mark.usefixtures("tiles")
@pytest.mark.parametrize("size", [1.0, 100.0])
def test_leading_axes_broadcast(size):
    Q, K, V = size * normal(2, 1, 5, 4), normal(3, 7, 4, seed=1), normal(7, 2, seed=2)
    mask = np.random.default_rng(3).random((2, 3, 5, 7)) < 0.6
    answer = softmax_attention(Q, K, V, mask=mask)
    weights = attention_weights(Q, K, mask=mask)
    assert answer.shape == (2, 3, 5, 2)
    assert weights.shape == (2, 3, 5, 7)
    for a in range(2):
        for b in range(3):
            assert_allclose(answer[a, b], by_hand(Q[a, 0], K[b], V, mask=mask[a, b]), atol=1e-10)
            assert_allclose(weights[a, b] @ V, answer[a, b], atol=1e-12)


def test_scale_zero_is_the_mean_and_scale_is_temperature():
    Q, K, V = normal(4, 3), normal(6, 3, seed=1), normal(6, 2, seed=2)
    assert_allclose(softmax_attention(Q, K, V, scale=0), np.tile(V.mean(axis=0), (4, 1)), atol=1e-14)
    assert_allclose(softmax_attention(Q, K, V, scale=2.5), by_hand(Q, K, V, scale=2.5), atol=1e-13)


@pytest.mark.parametrize("causal", [False, True])
def test_multi_head_attention_is_heads_side_by_side(causal):
    X, W_Q, W_K = normal(2, 7, 4, seed=5), normal(3, 4, 2), normal(3, 4, 2, seed=1)
    W_V, W_O = normal(3, 4, 5, seed=2), normal(15, 6, seed=3)
    mask = np.random.default_rng(6).random((2, 7, 7)) < 0.7
    answer = multi_head_attention(X, W_Q, W_K, W_V, W_O, mask=mask, causal=causal)
    assert answer.shape == (2, 7, 6)
    for x, allowed, answer_of_x in zip(X, np.tril(mask) if causal else mask, answer, strict=True):
        heads = [by_hand(x @ W_Q[h], x @ W_K[h], x @ W_V[h], mask=allowed) for h in range(3)]
        assert_allclose(answer_of_x, np.hstack(heads) @ W_O, atol=1e-12)


def test_hard_attention_takes_the_mean_over_ties():
    K = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0], [0.5, 0.0]])
    V = np.array([[1.0], [2.0], [4.0], [8.0]])
    Q = np.array([[1.0, 0.0], [0.0, 2.0], [1.0, 1.0], [-1.0, -1.0]])
    assert_allclose(hard_attention(Q, K, V), [[2.5], [2.0], [7 / 3], [8.0]], atol=1e-15)
    mask = np.array([True, False, False, True])
    assert_array_equal(hard_attention(Q, K, V, mask=mask), [[1.0], [4.5], [1.0], [8.0]])
    assert_array_equal(hard_attention(Q, K, V, mask=np.zeros(4, bool)), np.zeros((4, 1)))


@pytest.mark.parametrize("length", [1e-6, 1.0, 1e6])
def test_hard_attention_knows_equal_keys_whatever_the_rounding(length):
    """A key repeated a hundred times ties with itself at every position of the product."""
    K = np.tile(normal(1, 64), (100, 1))
    V = np.arange(100.0)[:, None]
    Q = length * (normal(5, 64, seed=1) + K[0])
    assert_allclose(hard_attention(Q, K, V), np.full((5, 1), 49.5), rtol=1e-12)


def test_keys_are_told_apart_beyond_rounding_whatever_the_length_of_a_query():
    keys = np.array([[1.0], [1.0 + 1e-14]])
    for length in (1e-6, 1e6):
        assert_array_equal(hard_attention([[length]], keys, [[0.0], [1.0]]), [[1.0]])
