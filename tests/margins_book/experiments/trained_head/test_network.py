"""The network is the one of chapter 4, looks at no later letter, and its gradients are those of its loss."""

import numpy as np
import pytest

from margins.attention import multi_head_attention
from margins_book.experiments.trained_head import network

SIZES = network.Sizes(letters=5, length=6, width=8, heads=2, inner=12)
PARAMETERS = network.initial(SIZES, np.random.default_rng(0), np.float64)
CODES = np.random.default_rng(1).integers(5, size=(3, 7))


@pytest.mark.parametrize("name", PARAMETERS)
def test_gradients_are_those_of_finite_differences(name):
    way, step = np.random.default_rng(2).normal(size=PARAMETERS[name].shape), 1e-5
    moved = [PARAMETERS | {name: PARAMETERS[name] + sign * step * way} for sign in (1, -1)]
    up, down = (network.loss_and_gradients(one, SIZES, CODES)[0] for one in moved)
    slope = np.sum(network.loss_and_gradients(PARAMETERS, SIZES, CODES)[1][name] * way)
    assert abs(slope) > 1e-4
    assert (up - down) / (2 * step) == pytest.approx(slope, rel=1e-5)


def test_heads_are_those_of_the_library():
    x = np.random.default_rng(3).normal(size=(2, 6, 8))
    W = [np.random.default_rng(k).normal(size=(8, 8)) for k in range(4)]
    of_heads = [w.reshape(8, 2, 4).swapaxes(0, 1) for w in W[:3]]
    answer, _ = network.attended(x, W, 2)
    np.testing.assert_allclose(answer, multi_head_attention(x, *of_heads, W[3], causal=True), atol=1e-12)


def test_a_letter_is_foretold_from_those_before_it():
    later = CODES[:, :6].copy()
    later[:, 4:] = (later[:, 4:] + 1) % 5
    here, there = (network.forward(PARAMETERS, SIZES, codes)[0] for codes in (CODES[:, :6], later))
    np.testing.assert_allclose(here[:, :4], there[:, :4], atol=1e-14)
    assert np.abs(here[:, 4:] - there[:, 4:]).max() > 0.01
