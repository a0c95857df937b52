"""What is measured of a head, where a pencil tells it."""

import numpy as np
import pytest

from margins.attention import attention_weights
from margins_book.experiments.trained_head.measures import (
    apart,
    keys_attended,
    measures,
    of_metric,
    on_one_text,
    prior,
    smoothed,
)

RNG = np.random.default_rng(0)
Q, K = RNG.normal(size=(2, 8, 3))
ALLOWED = np.tri(8, dtype=bool)
SHIFT = np.array([5.0, 0.0, 0.0])


def test_a_query_without_direction_attends_to_all_it_may_ask():
    found = on_one_text(0 * Q, K)
    assert found["attended"] == pytest.approx(np.mean([5, 6, 7, 8])) == found["asked"]
    assert found["share"] == pytest.approx(1)
    assert found["spread"] == found["over_nine_tenths"] == 0
    assert found["of_equal"] == pytest.approx(0)
    assert found["previous"] == pytest.approx(np.mean([1 / 5, 1 / 6, 1 / 7, 1 / 8])) == found["largest"]


def test_a_query_that_is_long_asks_one_key():
    found = on_one_text(1000 * np.roll(K, -1, axis=0), K / np.linalg.norm(K, axis=1, keepdims=True))
    assert found["attended"] == found["asked"] == pytest.approx(1, abs=0.01)
    assert found["over_nine_tenths"] == pytest.approx(1)


def test_keys_of_one_length_have_no_prior():
    level = K / np.linalg.norm(K, axis=1, keepdims=True)
    found = on_one_text(Q, level)
    assert found["of_smoothing"] == pytest.approx(0, abs=1e-12)
    assert found["nearest"] == 1
    assert found["of_prior"] == pytest.approx(found["of_equal"])
    centred = on_one_text(Q, level + SHIFT)
    assert centred["of_smoothing"] > 0.01
    assert on_one_text(Q, K)["of_smoothing_centred"] == pytest.approx(
        on_one_text(Q, K + SHIFT)["of_smoothing_centred"]
    )


def test_smoothing_with_its_prior_is_attention():
    A = attention_weights(Q, K, scale=1.0, causal=True)
    both = prior(K, ALLOWED) * smoothed(Q, K, ALLOWED)
    np.testing.assert_allclose(both / both.sum(axis=1, keepdims=True), A, atol=1e-12)


def test_the_longest_key_wins_where_all_queries_are_along_it():
    line = np.outer(np.arange(1, 9), [1.0, 0, 0])
    found = on_one_text(line, line)
    assert found["longest"] == 1
    assert found["can_win"] == 2 / 8
    assert found["win"] == 1
    assert found["spread"] == pytest.approx(np.mean([i * np.arange(1, i + 1).std() for i in range(5, 9)]))


def test_apart_and_attended_by_hand():
    assert apart(np.array([[0.5, 0.5, 0]]), np.array([[0, 0.5, 0.5]])).tolist() == [0.5]
    assert keys_attended(np.array([[1, 2, 4]]) / 7)[0] == pytest.approx(2.60, abs=0.005)


def test_the_metric_of_a_kernel_of_its_negative_and_of_unrelated_matrices():
    W = RNG.normal(size=(6, 2))
    assert of_metric(W, 3 * W) == pytest.approx({"asymmetry": 0, "negative": 0}, abs=1e-12)
    assert of_metric(W, -W)["negative"] == pytest.approx(1)
    unrelated = [of_metric(*RNG.normal(size=(2, 32, 8))) for _ in range(100)]
    assert np.mean([one["asymmetry"] for one in unrelated]) == pytest.approx(0.97, abs=0.02)  # 1 - 1/d
    assert np.mean([one["negative"] for one in unrelated]) == pytest.approx(0.5, abs=0.02)


def test_a_head_divides_its_scale_between_queries_and_keys():
    X = RNG.normal(size=(1, 8, 6))
    W_Q, W_K = RNG.normal(size=(2, 6, 4))
    A = attention_weights(X[0] @ W_Q, X[0] @ W_K, causal=True)
    found = measures(X, W_Q, W_K)
    assert found["largest"] == pytest.approx(A.max(axis=1)[4:].mean())
    assert found["attended"] == pytest.approx(keys_attended(A)[4:].mean())
    assert found["previous"] == pytest.approx(np.diag(A, -1)[3:].mean())
