"""A small network that answers the query of a prompt: heads of softmax attention, then a feed-forward layer.

It holds any number of networks of one shape at once, as leading axes of its arrays.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from margins._types import Array, ArrayLike


class PromptNetwork(NamedTuple):
    """The parameters of the network; e = d + 2 is the width of a token (x, y, 1), w = (H + 1) e.

    Head h gives the examples t_j the weights softmax_j(t_q' W_h t_j), where t_q = (x_q, 0, 1), and answers
    with their weighted mean. The query and the answers of the heads, one after the other, are the row z, and
    the network answers z'out + relu(z'up) down; without a feed-forward layer `up` and `down` have width 0
    (book: Beyond the equivalence, Trained in context).

    >>> one_head = PromptNetwork(np.zeros((1, 3, 3)), np.ones(6), np.zeros((6, 0)), np.zeros(0))
    >>> sum(part.size for part in one_head)
    15
    """

    heads: Array  # (..., H, e, e)
    out: Array  # (..., w)
    up: Array  # (..., w, m)
    down: Array  # (..., m)


class Reading(NamedTuple):
    """What a network does with B prompts of n examples (book: Beyond the equivalence, Trained in context).

    >>> one_head = PromptNetwork(np.zeros((1, 3, 3)), np.ones(6), np.zeros((6, 0)), np.zeros(0))
    >>> read_prompts(one_head, [[[1.0], [2.0]]], [[3.0, 5.0]], [[0.5]]).weights  # equal: nothing is compared
    array([[[0.5, 0.5]]])
    """

    tokens: Array  # (..., B, n, e)
    query: Array  # (..., B, e)
    weights: Array  # (..., H, B, n)
    mixed: Array  # (..., B, w): the row z
    inner: Array  # (..., B, m): what the feed-forward layer makes of it
    answers: Array  # (..., B)

    @property
    def features(self) -> Array:
        """The features (..., B, w + m) in which the answer is linear."""
        return np.concatenate([self.mixed, self.inner], axis=-1)


def read_prompts(network: PromptNetwork, X: ArrayLike, y: ArrayLike, queries: ArrayLike) -> Reading:
    """The answers of the network to the `queries` (..., B, d), with what led to them.

    `X` is (..., B, n, d) and `y` (..., B, n); leading axes are those of the network
    (book: Beyond the equivalence, Trained in context).

    >>> out = np.array([0.0, 0, 0, 0, 1, 0])
    >>> mean = PromptNetwork(np.zeros((1, 3, 3)), out, np.zeros((6, 0)), np.zeros(0))
    >>> read_prompts(mean, [[[1.0], [2.0]]], [[3.0, 5.0]], [[0.5]]).answers  # a head that compares nothing
    array([4.])
    """
    tokens, query = prompt_tokens(X, y, queries)
    keys = query[..., None, :, :] @ network.heads  # (..., H, B, e)
    logits = np.einsum("...hbe,...bne->...hbn", keys, tokens)
    weights = np.exp(logits - logits.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    means = np.einsum("...hbn,...bne->...bhe", weights, tokens)
    mixed = np.concatenate([query, means.reshape(*query.shape[:-1], -1)], axis=-1)
    inner = np.maximum(mixed @ network.up, 0)
    answers = _along(mixed, network.out) + _along(inner, network.down)
    return Reading(tokens, query, weights, mixed, inner, answers)


def prompt_tokens(X: ArrayLike, y: ArrayLike, queries: ArrayLike) -> tuple[Array, Array]:
    """The tokens (x, y, 1) of the examples, and that of the query, whose value is 0.

    (book: Beyond the equivalence, Trained in context)

    >>> prompt_tokens([[[7.0]]], [[8.0]], [[9.0]])
    (array([[[7., 8., 1.]]]), array([[9., 0., 1.]]))
    """
    X, y, queries = np.asarray(X), np.asarray(y), np.asarray(queries)
    ones, query = np.ones_like(y)[..., None], np.ones_like(queries[..., :1])
    return (
        np.concatenate([X, y[..., None], ones], axis=-1),
        np.concatenate([queries, 0 * query, query], axis=-1),
    )


def _along(rows, vector):
    """The products (..., B) of rows (..., B, w) with one vector (..., w) for each network."""
    return (rows @ vector[..., None])[..., 0]


def inferred_answers(X: ArrayLike, y: ArrayLike, queries: ArrayLike, tasks: ArrayLike, noise: float) -> Array:
    """The best answers (B,) if each prompt shows one of the linear `tasks` (M, d), all equally likely.

    Softmax attention from the values y of the prompt to the tasks, sum_k s_k <w_k, x_q>
    (book: Beyond the equivalence, Inferring the task).

    >>> inferred_answers([[[1.0]]], [[0.9]], [[2.0]], [[1.0], [-1.0]], noise=0.1)
    array([2.])
    """
    X, y, queries, tasks = (np.asarray(a, dtype=float) for a in (X, y, queries, tasks))
    logits = -np.square(y[..., None] - X @ tasks.T).sum(axis=-2) / (2 * noise**2)  # (B, M)
    s = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.sum((s / s.sum(axis=-1, keepdims=True)) @ tasks * queries, axis=-1)


def ridge_answers(X: ArrayLike, y: ArrayLike, queries: ArrayLike, noise: float) -> Array:
    """The best answers (B,) if the tasks are normal: ridge regression with the penalty noise^2.

    (book: Beyond the equivalence, What training puts into a layer)

    >>> ridge_answers([[[1.0]]], [[0.9]], [[2.0]], noise=0.5).round(3)
    array([1.44])
    """
    X, y, queries = (np.asarray(a, dtype=float) for a in (X, y, queries))
    grams = X.swapaxes(-1, -2) @ X + noise**2 * np.eye(X.shape[-1])
    w = np.linalg.solve(grams, X.swapaxes(-1, -2) @ y[..., None])[..., 0]
    return np.sum(w * queries, axis=-1)
