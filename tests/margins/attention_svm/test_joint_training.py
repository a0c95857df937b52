"""Training of matrix and head together against differences of the loss, its records and its refusals."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margins.attention_svm import TokenData, loss_gradient, random_token_data, train_together, training_loss

DATA = random_token_data(3, 4, 5, rng=np.random.default_rng(0), batch=2)


def with_head(data, v):
    return TokenData(data.X, data.Z, data.Y, v, data.mask)


@pytest.mark.parametrize("normalised", [True, False])
def test_a_step_goes_along_both_gradients(normalised):
    run = train_together(DATA, record=(6, 7), step=0.3, normalised=normalised)
    W, v = run.W[0], run.v[0]
    by_W = loss_gradient(with_head(DATA, v), W)
    by_v, e = np.empty_like(v), 1e-6
    for j in range(5):
        there, here = v + e * np.eye(5)[j], v - e * np.eye(5)[j]
        by_v[:, j] = (training_loss(with_head(DATA, there), W) - training_loss(with_head(DATA, here), W)) / (
            2 * e
        )
    size = np.sqrt((by_W**2).sum(axis=(1, 2)) + (by_v**2).sum(axis=1)) if normalised else np.ones(2)
    assert_allclose(run.W[1] - W, -0.3 * by_W / size[:, None, None], atol=1e-8)
    assert_allclose(run.v[1] - v, -0.3 * by_v / size[:, None], atol=1e-8)


def test_it_starts_at_zero_and_keeps_what_is_asked_for():
    run = train_together(DATA, record=(4, 0))
    assert_array_equal(run.iterations, [0, 4])
    assert run.W.shape == (2, 2, 5, 5)
    assert not run.W[0].any()
    assert not run.v[0].any()
    assert_allclose(run.weights[0], 0.25)


def test_one_set_is_a_stack_without_leading_axes_and_masked_tokens_get_nothing():
    mask = np.array([[True, True, False, True]] * 3)
    data = TokenData(DATA.X[0], DATA.Z[0], DATA.Y[0], DATA.v[0], mask)
    run = train_together(data, record=(30,))
    assert run.weights.shape == (1, 3, 4)
    assert not run.weights[0][~mask].any()
    kept = np.array([0, 1, 3])
    shorter = train_together(TokenData(data.X[:, kept], data.Z, data.Y, data.v), record=(30,))
    assert_allclose(run.W, shorter.W, atol=1e-12)


def test_without_any_gradient_it_stays():
    data = TokenData([[[1.0, 0.0], [-1.0, 0.0]]], [[1.0, 0.0]], [1.0], [1.0, 0.0])
    run = train_together(data, record=(5,))
    assert not run.W.any()
    assert not run.v.any()
