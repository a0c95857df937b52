"""Stacks of layers: against softmax attention, against differences, and the tree of queries asked."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margins.attention import softmax_attention
from margins.attention_svm import layers, random_token_data, softmax_weights, train


@pytest.mark.parametrize("residual", [False, True])
def test_a_stack_is_attention_upon_attention(residual):
    data = random_token_data(3, 4, 5, rng=np.random.default_rng(0), batch=2)
    W = np.random.default_rng(1).normal(size=(3, 2, 5, 5))
    passed, U = layers.forward(data, W, residual=residual), data.X
    for matrix in W:
        U = softmax_attention(U @ matrix[:, None].mT, U, U, scale=1.0) + residual * U
    assert_allclose(passed.tokens[-1], U, atol=1e-12)
    assert_allclose(passed.outputs, np.einsum("bnd,bd->bn", U[:, :, 0], data.v), atol=1e-12)


def test_one_layer_is_self_attention_of_chapter_6():
    data = random_token_data(3, 4, 5, rng=np.random.default_rng(2), self_attention=True)
    W = np.random.default_rng(3).normal(size=(5, 5))
    assert_allclose(layers.forward(data, W[None]).weights[0][:, 0], softmax_weights(data, W), atol=1e-12)
    steps = layers.train_layers(data, W[None], iterations=50, step=0.1)[-1, 0]
    assert_allclose(steps, train(data, W, iterations=50, step=0.1, record=1).W[-1], atol=1e-9)


def test_only_what_is_attended_to_from_above_is_asked():
    first, second = np.full((1, 3, 3), 1 / 3), np.zeros((1, 3, 3))
    second[0, 0, 2], second[0, 1:, 0] = 1, 1
    assert layers.asked_positions([first, second]).tolist() == [
        [[False, False, True]],
        [[True, False, False]],
    ]
    with_residual = layers.asked_positions([first, second], residual=True)
    assert with_residual.tolist() == [[[True, False, True]], [[True, False, False]]]


def test_the_data_of_a_layer_holds_one_sample_a_query():
    data = random_token_data(3, 4, 5, rng=np.random.default_rng(6))
    asked = np.zeros((3, 4), dtype=bool)
    asked[0, 1] = asked[2, [0, 3]] = True
    one = layers.layer_data(data.X, data, asked)
    assert_allclose(one.Z, [data.X[0, 1], data.X[2, 0], data.X[2, 3]])
    assert_allclose(one.X, data.X[[0, 2, 2]])
    assert_allclose(one.Y, data.Y[[0, 2, 2]])


def test_moments_are_recorded_and_the_start_is_kept():
    data, W = random_token_data(2, 3, 4, rng=7), np.random.default_rng(8).normal(size=(2, 4, 4))
    seen = layers.train_layers(data, W, iterations=20, record=[0, 5, 20])
    assert seen.shape == (3, 2, 4, 4)
    assert_allclose([seen[0], W], [np.random.default_rng(8).normal(size=(2, 4, 4))] * 2)
    assert (np.linalg.norm(seen[1] - seen[0], axis=(1, 2)) <= 5 * 0.05 + 1e-12).all()
