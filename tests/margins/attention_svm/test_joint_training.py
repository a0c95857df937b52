"""Training of matrix and head together against differences of the loss, its records and its refusals."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margins.attention_svm import TokenData, loss_gradient, random_token_data, train_together, training_loss

DATA = random_token_data(3, 4, 5, rng=np.random.default_rng(0), batch=2)


def with_head(v):
    return TokenData(DATA.X, DATA.Z, DATA.Y, v)


@pytest.mark.parametrize("normalised", [True, False])
def test_a_step_goes_along_both_gradients(normalised):
    run = train_together(DATA, record=(7, 0, 6), step=0.3, normalised=normalised)
    assert_array_equal(run.iterations, [0, 6, 7])
    assert not run.W[0].any()
    assert not run.v[0].any()
    W, v = run.W[1], run.v[1]
    losses = [training_loss(with_head(v + e), W) for e in 1e-6 * np.vstack([np.eye(5), -np.eye(5)])]
    by_W, by_v = loss_gradient(with_head(v), W), (np.array(losses[:5]) - losses[5:]).T / 2e-6
    size = np.sqrt((by_W**2).sum(axis=(1, 2)) + (by_v**2).sum(axis=1)) if normalised else np.ones(2)
    assert_allclose(run.W[2] - W, -0.3 * by_W / size[:, None, None], atol=1e-8)
    assert_allclose(run.v[2] - v, -0.3 * by_v / size[:, None], atol=1e-8)


def test_without_any_gradient_it_stays():
    data = TokenData([[[1.0, 0.0], [-1.0, 0.0]]], [[1.0, 0.0]], [1.0], [1.0, 0.0])
    run = train_together(data, record=(5,))
    assert not run.W.any()
    assert not run.v.any()
