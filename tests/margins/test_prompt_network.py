"""Networks that answer prompts, written out token by token, and the learners that they are compared with."""

import numpy as np
import pytest

from margins.attention import softmax_attention
from margins.prompt_network import (
    PromptNetwork,
    inferred_answers,
    read_prompts,
    ridge_answers,
)


def example(inner=5, leading=()):
    rng = np.random.default_rng(0)
    d, n, B, e, w = 2, 4, 3, 4, 12
    network = PromptNetwork(
        *(rng.normal(size=(*leading, *shape)) for shape in ((2, e, e), (w,), (w, inner), (inner,)))
    )
    X, y, queries = (rng.normal(size=(*leading, *shape)) for shape in ((B, n, d), (B, n), (B, d)))
    return network, X, y, queries


@pytest.mark.parametrize("inner", [0, 5])
def test_answers_are_those_of_heads_and_layer_written_out(inner):
    network, X, y, queries = example(inner)
    read = read_prompts(network, X, y, queries)
    for b in range(3):
        tokens = np.column_stack([X[b], y[b], np.ones(4)])
        query = np.array([*queries[b], 0, 1])
        heads = [softmax_attention(query[None] @ W, tokens, tokens, scale=1.0)[0] for W in network.heads]
        z = np.concatenate([query, *heads])
        inside = np.maximum(z @ network.up, 0)
        np.testing.assert_allclose(read.features[b], np.concatenate([z, inside]), atol=1e-12)
        assert read.answers[b] == pytest.approx(z @ network.out + inside @ network.down)


def test_networks_in_leading_axes_are_read_one_by_one():
    network, X, y, queries = example(leading=(2,))
    read = read_prompts(network, X, y, queries)
    for r in range(2):
        alone = read_prompts(PromptNetwork(*(a[r] for a in network)), X[r], y[r], queries[r])
        for one, all_ in zip(alone, read, strict=True):
            np.testing.assert_allclose(one, all_[r], atol=1e-12)


def test_ridge_is_the_limit_of_many_normal_tasks():
    rng = np.random.default_rng(3)
    X, queries = rng.normal(size=(4, 5, 2)), rng.normal(size=(4, 2))
    y = (X @ rng.normal(size=(4, 2, 1)))[..., 0]
    many = inferred_answers(X, y, queries, rng.normal(size=(200_000, 2)), noise=0.8)
    np.testing.assert_allclose(ridge_answers(X, y, queries, 0.8), many, atol=0.02)
