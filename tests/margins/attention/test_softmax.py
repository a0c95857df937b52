"""Softmax attention against three loops, in tiles and under masks."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from margins.attention import attention_weights, softmax, softmax_attention
from tests.margins.attention.loops import by_hand
from tests.margins.draws import normal, with_peak


@pytest.fixture(params=[(512, 512), (3, 5)], ids=["one tile", "many tiles"])
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
    mask = np.random.default_rng(3).random((3, 5, 7)) < 0.6
    answer = softmax_attention(Q, K, V, mask=mask)
    weights = attention_weights(Q, K, mask=mask)
    assert answer.shape == (2, 3, 5, 2)
    assert weights.shape == (2, 3, 5, 7)
    for a in range(2):
        for b in range(3):
            assert_allclose(answer[a, b], by_hand(Q[a, 0], K[b], V, mask=mask[b]), atol=1e-10)
            assert_allclose(weights[a, b] @ V, answer[a, b], atol=1e-12)


def test_scale_zero_is_the_mean_and_scale_is_temperature():
    Q, K, V = normal(4, 3), normal(6, 3, seed=1), normal(6, 2, seed=2)
    assert_allclose(softmax_attention(Q, K, V, scale=0), np.tile(V.mean(axis=0), (4, 1)), atol=1e-14)
    assert_allclose(softmax_attention(Q, K, V, scale=2.5), by_hand(Q, K, V, scale=2.5), atol=1e-13)


@given(st.integers(0, 2**32 - 1), st.integers(1, 8), st.integers(1, 9), st.integers(1, 4))
def test_identities_of_attention(seed, n, m, d):
    """Order of keys, order of queries, shifts of the keys, changes of basis, the convex hull."""
    rng = np.random.default_rng(seed)
    Q, K, V = rng.normal(size=(n, d)), rng.normal(size=(m, d)), rng.normal(size=(m, 2))
    answer, keys, queries = softmax_attention(Q, K, V), rng.permutation(m), rng.permutation(n)
    assert_allclose(softmax_attention(Q, K[keys], V[keys]), answer, atol=1e-12)
    assert_allclose(softmax_attention(Q[queries], K, V), answer[queries], atol=1e-12)
    assert_allclose(softmax_attention(Q, K + rng.normal(size=d), V), answer, atol=1e-11)
    basis = np.linalg.qr(rng.normal(size=(d, d)))[0] * rng.uniform(0.5, 2, size=d)
    assert_allclose(softmax_attention(Q @ basis, K @ np.linalg.inv(basis).T, V), answer, atol=1e-11)
    assert (answer <= V.max(axis=0) + 1e-12).all()
    assert (answer >= V.min(axis=0) - 1e-12).all()


def test_memory_stays_with_the_tile():
    """At n = 4096 the matrix of weights alone would take 64 MB of single precision."""
    Q, K, V = (normal(4096, 64, seed=s, dtype=np.float32) for s in range(3))
    softmax_attention(Q[:64], K, V)
    assert (
        with_peak(lambda: softmax_attention(Q, K, V))[1] < 6e6
    )  # the answer takes 1 MB, a tile 1 MB, scratch of a block of rows the rest
