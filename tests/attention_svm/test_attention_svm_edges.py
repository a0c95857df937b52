"""Edges of the attention SVM: the size of a start, of a gap that is none, of a difference that is none."""

import warnings

import numpy as np
import pytest

from margins.attention_svm import (
    LOGISTIC,
    TokenData,
    equal_scores,
    first_gradient_margin,
    frobenius_svm,
    log_excess,
    random_start,
    random_token_data,
)
from margins.attention_svm.constraints import pair_constraints
from margins.attention_svm.frobenius import _direct
from margins.attention_svm.solution import solved


def test_a_start_is_uniform_up_to_the_root_of_the_dimension():
    data = random_token_data(2, 3, 16, rng=np.random.default_rng(0), batch=(20,))
    for start in (
        random_start(data, rng=np.random.default_rng(1)),
        random_start(data, rng=np.random.default_rng(1), width=5)[1],
    ):
        assert 0.24 < np.abs(start).max() <= 0.25
        assert np.abs(start).mean() == pytest.approx(0.125, abs=0.01)


@pytest.mark.parametrize(("blur", "status"), [(1e-6, "optimal"), (1e-3, "inaccurate")])
def test_a_gap_above_a_billionth_is_confessed(blur, status):
    """The gap grows with the square of what is wrong with the multipliers, here 1e-12 or 1e-6."""
    data = random_token_data(3, 3, 6, rng=np.random.default_rng(0))
    svm = frobenius_svm(data, data.optimal_tokens)
    constraints = pair_constraints(data, data.optimal_tokens)
    multipliers = svm.multipliers * (1 + blur * np.where(np.arange(len(svm.multipliers)) % 2, 1, -1))
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        again = solved(constraints, "frobenius", svm.W, multipliers)
    assert again.status == status
    assert len(said) == (status == "inaccurate")
    assert 0 <= again.gap < 10 * blur**2 + 1e-12


@pytest.mark.parametrize(("factor", "duplicates"), [(1, True), (100, False)])
def test_tokens_within_rounding_are_duplicates(factor, duplicates):
    x = np.array([1.0, 2.0])
    X = np.array([[x, x * (1 + factor * np.finfo(float).eps), -x]])
    constraints = pair_constraints(TokenData(X, [[1.0, 0.0]], [1.0], [1.0, 0.0]), [0])
    assert constraints.present.tolist() == [[False, True, True]]
    assert (not constraints.differences[0, 1].any()) == duplicates
    np.testing.assert_array_equal(constraints.differences[0, 2], 2 * x)
    assert (constraints.lengths[0] == 0) == duplicates


def test_hidden_tokens_lose_nothing():
    """The excess of a masked sequence is that of the sequence without the hidden token."""
    rng = np.random.default_rng(0)
    data, W = random_token_data(1, 4, 3, rng=rng), rng.normal(size=(3, 3))
    hidden = int(data.optimal_tokens[0])
    seen = np.arange(4) != hidden
    masked = TokenData(data.X, data.Z, data.Y, data.v, seen[None])
    shorter = TokenData(data.X[:, seen], data.Z, data.Y, data.v)
    assert log_excess(masked, W) == pytest.approx(log_excess(shorter, W), rel=1e-12)
    assert log_excess(masked, W) != pytest.approx(log_excess(data, W), rel=1e-3)


@pytest.mark.parametrize(
    ("others", "equal"),
    [
        ([-3.0, -3.0], True),
        ([1e6, 1e6 * (1 + 1e-14)], True),
        ([1.0, 1 + 1e-10], False),
    ],
)
def test_scores_are_equal_up_to_the_rounding_of_their_size(others, equal):
    """In one dimension, where the head is 1; the best score is 2 in size above them, or twice the largest."""
    best = 2 * max(others) if others[0] > 0 else -1.0
    assert equal_scores(TokenData([[[best], *([x] for x in others)]], [[1.0]], [1.0], [1.0])) == equal


def test_a_hidden_token_says_nothing_of_the_size_of_scores():
    """The third token's score is 1e13, beside which 1 and 2 would be equal."""
    data = TokenData([[[3.0], [2.0], [1e13], [1.0]]], [[1.0]], [1.0], [1.0], [[True, True, False, True]])
    assert not equal_scores(data)


def test_the_first_gradient_is_that_at_zero():
    """With weights 1 / T and the mean m: minus it is mean_i Y_i / (1 + e^(Y v.m)) X'(X - m) v z' / T."""
    data = random_token_data(3, 4, 5, rng=np.random.default_rng(0))
    descent, margins = np.zeros((5, 5)), []
    for X, z, y in zip(data.X, data.Z, data.Y, strict=True):
        mean = X.mean(axis=0)
        pull = y / (1 + np.exp(y * data.v @ mean)) / 4 / 3
        descent += pull * np.outer(X.T @ ((X - mean) @ data.v), z)
    for X, z, best in zip(data.X, data.Z, data.optimal_tokens, strict=True):
        margins += [(X[best] - x) @ descent @ z for t, x in enumerate(X) if t != best]
    assert first_gradient_margin(data) == pytest.approx(min(margins))


def test_a_constraint_missed_by_a_billionth_joins_the_working_set():
    data = TokenData(X=[[[0.0, 0.0], [-1.0, 0.0], [1e-9 - 1, -0.5]]], Z=[[1.0, 0.0]], Y=[1.0], v=[1.0, 0.0])
    constraints = pair_constraints(data, [0])
    W, weights, _ = _direct(constraints, np.array([True, False]))
    assert constraints.margins(W)[0, 1:].min() >= 1 - 1e-12
    assert (weights > 0).all()


def test_the_slope_of_a_loss_far_below_rounding_is_found_in_silence():
    with np.errstate(over="raise"):
        slopes = LOGISTIC.slope(np.array([0.0, 30.0, 1e4]))
    np.testing.assert_allclose(slopes, [-0.5, -np.exp(-30), 0], atol=1e-25)
