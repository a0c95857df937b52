"""What is measured of a head, where a pencil tells it."""

import numpy as np
import pytest

from margins.attention import attention_weights
from margins_book.experiments.trained_head import measures

RNG = np.random.default_rng(0)
Q, K = RNG.normal(size=(2, 8, 3))
ALLOWED = np.tri(8, dtype=bool)


def test_smoothing_with_its_prior_is_attention():
    A = attention_weights(Q, K, scale=1.0, causal=True)
    both = measures.prior(K, ALLOWED) * measures.smoothed(Q, K, ALLOWED)
    np.testing.assert_allclose(both / both.sum(axis=1, keepdims=True), A, atol=1e-12)


def test_apart_and_attended_by_hand():
    assert measures.apart(np.array([[0.5, 0.5, 0]]), np.array([[0, 0.5, 0.5]])).tolist() == [0.5]
    assert measures.keys_attended(np.array([[1, 2, 4]]) / 7)[0] == pytest.approx(2.60, abs=0.005)


def test_the_metric_of_a_kernel_of_its_negative_and_of_unrelated_matrices():
    W = RNG.normal(size=(6, 2))
    assert measures.of_metric(W, 3 * W) == pytest.approx({"asymmetry": 0, "negative": 0}, abs=1e-12)
    assert measures.of_metric(W, -W)["negative"] == pytest.approx(1)
    unrelated = [measures.of_metric(*RNG.normal(size=(2, 32, 8))) for _ in range(100)]
    assert np.mean([one["asymmetry"] for one in unrelated]) == pytest.approx(0.97, abs=0.02)  # 1 - 1/d
    assert np.mean([one["negative"] for one in unrelated]) == pytest.approx(0.5, abs=0.02)


def test_the_queries_of_the_second_half_ask_for_the_letter_before():
    A = attention_weights(Q, K, scale=1.0, causal=True)
    expected = np.mean([A[i, i - 1] for i in range(4, 8)])
    assert measures.on_one_text(Q, K)["previous"] == pytest.approx(expected)
