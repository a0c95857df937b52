"""Several heads against one head at a time, and the spread of tokens."""

import math

import numpy as np
from numpy.testing import assert_allclose

from margins.attention import multi_head_attention, token_spread
from tests.margins.attention.loops import by_hand
from tests.margins.draws import normal


def weights_of_heads(H=3, d=4, d_k=2, d_v=5, d_out=6):
    return (
        normal(H, d, d_k),
        normal(H, d, d_k, seed=1),
        normal(H, d, d_v, seed=2),
        normal(H * d_v, d_out, seed=3),
    )


def test_multi_head_attention_is_heads_side_by_side():
    X, (W_Q, W_K, W_V, W_O) = normal(2, 7, 4, seed=5), weights_of_heads()
    mask = np.random.default_rng(6).random((2, 7, 7)) < 0.7
    answer = multi_head_attention(X, W_Q, W_K, W_V, W_O, mask=mask)
    assert answer.shape == (2, 7, 6)
    for b, x in enumerate(X):
        heads = [by_hand(x @ W_Q[h], x @ W_K[h], x @ W_V[h], mask=mask[b]) for h in range(3)]
        assert_allclose(answer[b], np.hstack(heads) @ W_O, atol=1e-12)


def test_token_spread():
    X = np.array([[1.0, 0.0], [-1.0, 0.0]])
    assert_allclose(token_spread(np.stack([X, X + 1, np.ones((2, 2))])), [1, math.sqrt(2 / 6), 0], atol=1e-15)
    assert token_spread(np.zeros((3, 2))) == 0
