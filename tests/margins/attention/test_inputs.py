"""What all forms of attention share: causal masks, empty arguments."""

from functools import partial

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margins import random_features as rf
from margins.attention import (
    attention_weights,
    hard_attention,
    local_attention,
    multi_head_attention,
    softmax_attention,
)
from margins.kernels import band_mask, causal_mask
from tests.margins.draws import normal, with_peak


def attended_weights(Q, K, V, **options):
    return attention_weights(Q, K, **options) @ V


@pytest.mark.parametrize("attention", [softmax_attention, attended_weights, hard_attention])
@pytest.mark.parametrize(("n", "size"), [(1, 1.0), (7, 1.0), (700, 1.0), (700, 30.0)])
def test_causal_attention_is_that_of_the_triangular_mask(attention, n, size):
    """Also where keys come in several tiles, with small and with large logits, and beside a mask."""
    Q, K, V = size * normal(2, n, 3), normal(n, 3, seed=1), normal(n, 2, seed=2)
    past, some = np.tri(n, dtype=bool), np.random.default_rng(3).random((2, 1, n)) < 0.4
    assert_allclose(attention(Q, K, V, causal=True), attention(Q, K, V, mask=past), atol=1e-12)
    both = attention(Q, K, V, mask=some & past)
    assert_allclose(attention(Q, K, V, mask=some, causal=True), both, atol=1e-12)
    assert_allclose(attention(Q, K, V, causal=True)[:, 0], np.tile(V[0], (2, 1)), atol=1e-12)


def test_causal_heads_and_windows():
    X, W_Q, W_K = normal(3, 150, 4), normal(2, 4, 5, seed=1), normal(2, 4, 5, seed=2)
    weights = X, W_Q, W_K, normal(2, 4, 3, seed=3), normal(6, 4, seed=4)
    seen = np.random.default_rng(5).random((3, 1, 150)) < 0.6
    expected = multi_head_attention(*weights, mask=seen & np.tri(150, dtype=bool))
    assert_allclose(multi_head_attention(*weights, mask=seen, causal=True), expected, atol=1e-12)
    times = np.arange(150)
    for width in (0, 3, 70, 200):
        mask = band_mask(times, width=width) & causal_mask(times)
        expected = softmax_attention(X, X, X, mask=mask)
        assert_allclose(local_attention(X, X, X, width, causal=True), expected, atol=1e-12)


def test_causal_attention_forms_no_mask():
    """At n = 8192 that mask alone would take 64 MB."""
    Q, K, V = (normal(8192, 8, seed=s, dtype=np.float32) for s in range(3))
    assert with_peak(lambda: softmax_attention(Q, K, V, causal=True))[1] < 4e6


@pytest.mark.parametrize("attention", [softmax_attention, attended_weights, hard_attention])
def test_causality_needs_as_many_queries_as_keys(attention):
    words = r"causal attention needs as many queries as keys, but Q has \(2, 3\), K has \(4, 3\)"
    with pytest.raises(ValueError, match=words):
        attention(normal(2, 3), normal(4, 3), normal(4, 2), causal=True)


OMEGA = normal(6, 3, seed=9)
FORMS = {
    "softmax": softmax_attention,
    "weights": attended_weights,
    "hard": hard_attention,
    "linear": rf.linear_attention,
    "positive": partial(rf.performer_attention, omega=OMEGA),
    "trigonometric": partial(rf.performer_attention, omega=0.1 * OMEGA, kind="trigonometric"),
}


@pytest.mark.parametrize("name", FORMS)
def test_no_query_gets_no_answer(name):
    """As for NumPy's own functions, a batch may be empty; keys may not, for weights must sum to 1."""
    attention = FORMS[name]
    Q, K, V = (np.abs(normal(2, 5, 3, seed=s)) for s in range(3))
    whole = attention(Q, K, V)
    assert_array_equal(attention(Q[:0], K[:0], V[:0]), whole[:0])
    assert_array_equal(attention(Q[:, :0], K, V), whole[:, :0])
    assert_array_equal(attention(Q[:0], K[:0], V[:0], causal=True), whole[:0])
    with pytest.raises(ValueError, match=r"(K|phi_k) must have at least 1 row"):
        attention(Q, K[:, :0], V[:, :0])
    with pytest.raises(ValueError, match=r"must have at least 1 column"):
        attention(Q[..., :0], K[..., :0], V)
