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
    softmax_attention,
)
from margins.kernels import band_mask
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


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("width", [0, 1, 7, 64, 100, 300, 10**6])
def test_local_attention_is_attention_under_the_band_mask(width, causal):
    Q, K, V = normal(2, 150, 4), normal(150, 4, seed=1), normal(2, 150, 3, seed=2)
    expected = softmax_attention(Q, K, V, mask=band_mask(np.arange(150), width=width), causal=causal)
    assert_allclose(local_attention(Q, K, V, width, causal=causal), expected, atol=1e-12)


@pytest.mark.parametrize("causal", [False, True])
def test_memory_stays_with_the_tile(causal):
    """At n = 4096 the matrix of weights alone would take 64 MB, a mask 16 MB."""
    Q, K, V = (normal(4096, 64, seed=s, dtype=np.float32) for s in range(3))
    softmax_attention(Q[:64], K, V)
    # the answer takes 1 MB, a tile 1 MB, scratch of a block of rows the rest
    assert with_peak(lambda: softmax_attention(Q, K, V, causal=causal))[1] < 6e6


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
