"""Sequence and causal attention as single queries: outputs, losses and gradients of the plain formulas."""

import numpy as np
import pytest

from margins.attention_svm import causal_data, loss_gradient, sequence_data, training_loss


def draw(n=3, T=4, d=5, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, T, d)), rng.choice([-1.0, 1.0], size=(n, T)), rng.normal(size=d)


def self_attention_loss(W, X, Y, v, *, causal):
    """1/(nT) sum_ik log(1 + exp(-Y_ik v.o_ik)) with o_ik = sum_t softmax_t(x_it' W x_ik) x_it."""
    total = 0.0
    for sequence, labels in zip(X, Y, strict=True):
        for k, label in enumerate(labels):
            context = sequence[: k + 1] if causal else sequence
            masses = np.exp(context @ W @ sequence[k])
            output = masses @ context / masses.sum()
            total += np.log1p(np.exp(-label * (v @ output)))
    return total / Y.size


@pytest.mark.parametrize("causal", [False, True])
def test_loss_and_gradient_are_those_of_self_attention(causal):
    X, Y, v = draw()
    W = np.random.default_rng(1).normal(size=(5, 5)) / 5
    data = (causal_data if causal else sequence_data)(X, Y, v)
    assert data.sizes == (12, 4, 5)
    assert training_loss(data, W) == pytest.approx(self_attention_loss(W, X, Y, v, causal=causal), rel=1e-13)
    gradient, h = loss_gradient(data, W), 1e-5
    for place in np.ndindex(5, 5):
        step = np.zeros((5, 5))
        step[place] = h
        ends = [self_attention_loss(W + sign * step, X, Y, v, causal=causal) for sign in (1, -1)]
        assert gradient[place] == pytest.approx((ends[0] - ends[1]) / (2 * h), abs=1e-8)


def test_leading_axes_pass_through():
    X, Y, v = (np.stack([a, b]) for a, b in zip(draw(), draw(seed=1), strict=True))
    data = causal_data(X, Y, v)
    assert data.batch_shape == (2,)
    alone = causal_data(X[1], Y[1], v[1])
    for name in ("X", "Z", "Y", "v", "mask"):
        np.testing.assert_array_equal(getattr(data[1], name), getattr(alone, name))
