"""Edges of attention: what just fits is answered, what just does not is refused by its name."""

import sys

import numpy as np
import pytest

from margins import attention
from margins.attention.metric import learn_metric, left_out


@pytest.mark.parametrize("share", [3.5, 4.2, 4.8])
def test_logits_up_to_a_quarter_of_the_range_are_compared(share):
    largest = np.finfo(np.float64).max / share
    arguments = [[1.0]], [[largest], [largest / 2]], [[1.0], [2.0]]
    if share > 4:
        np.testing.assert_array_equal(attention.hard_attention(*arguments), [[1.0]])
    else:
        with pytest.raises(ValueError, match="overflows float64"):
            attention.hard_attention(*arguments)


@pytest.mark.parametrize("name", ["W_Q", "W_K", "W_V"])
def test_one_weight_of_another_width_is_refused(name):
    weights = dict.fromkeys(("W_Q", "W_K", "W_V"), np.ones((2, 3, 4))) | {name: np.ones((2, 5, 4))}
    with pytest.raises(ValueError, match="expected X"):
        attention.multi_head_attention(np.ones((6, 3)), **weights, W_O=np.ones((8, 3)))


@pytest.mark.parametrize(("query", "key"), [(0.0, 1e200), (1e200, 0.0)])
def test_a_lift_whose_one_side_overflows_is_refused(query, key):
    with pytest.raises(ValueError, match="their lift overflows"):
        attention.gaussian_lift([[query]], [[key]], bandwidth=1e-60)


def test_single_values_are_answered_in_double_precision():
    values = np.array([1, 2], np.float32)
    answer = attention.nadaraya_watson([0.3], [0.0, 1.0], values, 0.5)
    assert answer.dtype == np.float64
    weights = np.exp(-np.array([0.09, 0.49]) / 0.5)
    np.testing.assert_allclose(answer, (weights @ [1, 2]) / weights.sum(), rtol=1e-15)


def test_a_metric_is_learned_at_half_the_gradient():
    rng = np.random.default_rng(0)
    A, X = np.eye(2), rng.normal(size=(9, 2))
    _, gradient = left_out(A, X, X[:, 0])
    np.testing.assert_allclose(learn_metric(A, X, X[:, 0], steps=1)[1], A - 0.5 * gradient)


def test_keys_are_told_apart_beyond_rounding_whatever_the_length_of_a_query():
    keys = np.array([[1.0], [1.0 + 1e-14]])
    for length in (1e-6, 1e6):
        np.testing.assert_array_equal(attention.hard_attention([[length]], keys, [[0.0], [1.0]]), [[1.0]])


def test_hard_attention_is_answered_in_the_precision_that_came():
    Q, K, V = (np.array(rows, np.float32) for rows in ([[1.0]], [[2.0], [2.0]], [[1.0], [4.0]]))
    answer = attention.hard_attention(Q, K, V)
    assert (answer.dtype, answer.item()) == (np.float32, 2.5)


def test_values_whose_mean_overflows_are_refused():
    with pytest.raises(ValueError, match="sums of values V may reach"):
        attention.hard_attention([[1.0]], [[1.0], [1.0]], [[1.7e308], [1.7e308]])


def test_regression_tile_by_tile_is_the_same(monkeypatch):
    rng = np.random.default_rng(0)
    queries, keys, values = rng.normal(size=(50, 2)), rng.normal(size=(20, 2)), rng.normal(size=20)
    whole = attention.nadaraya_watson(queries, keys, values, 0.5)
    module = sys.modules["margins.attention.nadaraya_watson"]  # by its name the package has the function
    monkeypatch.setattr(module, "TILE", 7 * 20)
    np.testing.assert_allclose(attention.nadaraya_watson(queries, keys, values, 0.5), whole, rtol=1e-13)


def test_a_lift_of_any_bandwidth_is_answered_and_its_arguments_have_their_names():
    queries, keys = attention.gaussian_lift([[1.0]], [[2.0]], bandwidth=1e200)  # whose square is no number
    np.testing.assert_array_equal(queries @ keys.T, [[0.0]])
    with pytest.raises(ValueError, match=r"queries and keys must .* columns, but queries has shape \(1, 2\)"):
        attention.gaussian_lift([[1.0, 2.0]], [[2.0]])
