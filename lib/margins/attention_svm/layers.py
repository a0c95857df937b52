"""Layers of self-attention one above the other, trained together and read one by one.

Every position attends in every layer; the last layer's first output is what the head reads. Leading axes
hold independent problems.
"""

from __future__ import annotations

import numpy as np

from margins._records import frozen
from margins._types import Array, ArrayLike
from margins.attention_svm.data import TokenData, trainable
from margins.attention_svm.training import recorded_steps
from margins.validation import count, finite_array, positive

__all__ = ["Pass", "Reading", "asked_positions", "forward", "layer_data", "readings", "train_layers"]

LEAST = 1e-3  # attention to a position with which it counts as asked


@frozen
class Pass:
    """What a stack computes at one moment: the tokens that enter each layer, its weights, the outputs.

    (book: Sequences, causality, depth and real data, Two layers)

    >>> data = random_token_data(2, 3, 4, rng=np.random.default_rng(0))
    >>> [tokens.shape for tokens in forward(data, np.zeros((2, 4, 4))).tokens]  # into both layers, and out
    [(2, 3, 4), (2, 3, 4), (2, 3, 4)]
    """

    tokens: list  # of (..., n, T, d), one a layer, and last what leaves the last layer
    weights: list  # of (..., n, T, T), rows are queries
    outputs: Array  # (..., n), v . (first output of the last layer)


@frozen
class Reading:
    """The gradient of the loss by a layer's W, and the scores under which it is a covariance.

    (book: Sequences, causality, depth and real data, Two layers)

    >>> data = random_token_data(2, 3, 4, rng=np.random.default_rng(0))
    >>> readings(data, np.zeros((1, 4, 4)))[0].scores.shape
    (2, 3, 3)
    """

    gradient: Array  # (..., d, d)
    scores: Array  # (..., n, T, T), of token t for query k


def forward(data: TokenData, W: ArrayLike, *, residual: bool = False) -> Pass:
    """The `Pass` of token data through layers with matrices W (L, ..., d, d).

    A layer makes u_k into sum_t s_kt u_t, plus u_k with `residual`; s_k = softmax_t(u_t' W u_k).
    (book: Sequences, causality, depth and real data, Two layers)

    >>> data = random_token_data(2, 3, 4, rng=np.random.default_rng(0))
    >>> passed = forward(data, np.zeros((1, 4, 4)))  # one layer that attends to all tokens alike
    >>> np.allclose(passed.outputs, data.X.mean(axis=-2) @ data.v)
    True
    """
    return _forward(data, checked_layers(W, data), residual)[0]


def _forward(data, W, residual):
    """The same for data and matrices that were checked, and the vectors W u_k of each layer."""
    tokens, weights, queries = [data.X], [], []
    for matrix in W:
        U = tokens[-1]
        queries.append(_each_times(U, matrix.mT))
        weights.append(_softmax(queries[-1] @ U.mT))  # row k: of u_t' W u_k
        tokens.append(weights[-1] @ U + U if residual else weights[-1] @ U)
    outputs = (tokens[-1][..., 0, :] @ data.v[..., :, None])[..., 0]  # (..., n)
    return Pass(tokens, weights, outputs), queries


def readings(data: TokenData, W: ArrayLike, *, residual: bool = False) -> list[Reading]:
    """The `Reading` of each layer: its momentary scores are c_kt = -dL/do_k . u_t, o_k its output at k.

    With them -<dL/dW, U> = sum_k Cov_{s_k}(c_k, (u_t' U u_k)_t) in every layer
    (book: Sequences, causality, depth and real data, Two layers).

    >>> data = random_token_data(2, 3, 4, rng=np.random.default_rng(0))
    >>> [reading.gradient.shape for reading in readings(data, np.zeros((2, 4, 4)))]
    [(4, 4), (4, 4)]
    """
    return _readings(data, checked_layers(W, data), residual)


def _readings(data, W, residual):
    """The same for data and matrices that were checked."""
    passed, queries = _forward(data, W, residual)
    pull = _pull_on_outputs(data, passed.outputs)
    found = []
    for l in range(len(W) - 1, -1, -1):
        U, s = passed.tokens[l], passed.weights[l]
        scores = pull @ U.mT  # (..., n, T, T)
        q = s * scores  # becomes -dL/d(logits)
        q -= s * np.einsum("...t->...", q)[..., None]
        found.append(Reading(-(_rows(U).mT @ _rows(q.mT @ U)), scores))
        if l:  # what is below the first layer is not trained
            through = s.mT @ pull + q.mT @ queries[l] + q @ _each_times(U, W[l])
            pull = through + pull if residual else through
    return found[::-1]


def train_layers(
    data: TokenData,
    W: ArrayLike,
    *,
    residual: bool = False,
    iterations: int = 2000,
    step: float = 0.05,
    record: int | ArrayLike = 1,
) -> Array:
    """The matrices (R, L, ..., d, d) on the way of descent in which each layer takes normalised steps.

    `record` says after how many, as in `train`; by default the last ones are kept

    (book: Sequences, causality, depth and real data, Two layers)

    >>> data = random_token_data(2, 3, 4, rng=np.random.default_rng(0), self_attention=True)
    >>> train_layers(data, np.zeros((2, 4, 4)), iterations=10, record=[0, 10]).shape
    (2, 2, 4, 4)
    """
    W, step = checked_layers(W, data).copy(), positive("step", step)
    iterations, seen = count("iterations", iterations), []
    due = set(recorded_steps(record, iterations).tolist())
    for done in range(iterations + 1):
        seen += [W.copy()] if done in due else []
        G = np.array([reading.gradient for reading in _readings(data, W, residual)])
        norm = np.linalg.norm(G, axis=(-2, -1), keepdims=True)
        W -= step * np.divide(G, norm, out=np.zeros_like(G), where=norm > 0)
    return np.array(seen)


def checked_layers(W: ArrayLike, data: TokenData) -> Array:
    """`W` as (L, ..., d, d), or a message that says which shape fits the data."""
    W, d = finite_array("W", W, dtype=np.float64), trainable(data).sizes[-1]
    if W.shape[1:] != (*data.batch_shape, d, d):
        expected = ("layers", *data.batch_shape, d, d)
        raise ValueError(f"W must be {expected} beside X of {data.X.shape}, but its shape is {W.shape}")
    return W


def asked_positions(weights: list[Array], *, residual: bool = False) -> Array:
    """The queries of each layer that the output depends on (L, ..., n, T), from the `weights` of a `Pass`.

    The last layer is asked at position 1; a layer below at all positions that an asked query above attends to
    by more than a thousandth, and with `residual` at the asked query itself
    (book: Sequences, causality, depth and real data, Which queries count).

    >>> data = random_token_data(1, 3, 4, rng=np.random.default_rng(0))
    >>> weights = forward(data, np.zeros((2, 4, 4))).weights
    >>> asked_positions(weights).astype(int)[:, 0]  # the upper layer is asked at position 1 alone
    array([[1, 1, 1],
           [1, 0, 0]])
    """
    asked: list[Array] = [np.broadcast_to(np.arange(weights[-1].shape[-1]) == 0, weights[-1].shape[:-1])]
    for s in weights[:0:-1]:
        reached = (asked[-1][..., None] & (s > LEAST)).any(axis=-2)
        asked.append(np.asarray(reached | asked[-1] if residual else reached))
    return np.array(asked[::-1])


def layer_data(tokens: Array, data: TokenData, asked: Array) -> TokenData:
    """The token data of one layer: the queries of its `tokens` (n, T, d) at the positions `asked` (n, T).

    Labels and head are those of `data`, one set
    (book: Sequences, causality, depth and real data, Which queries count).

    >>> data = random_token_data(1, 3, 4, rng=np.random.default_rng(0))
    >>> layer_data(data.X, data, np.array([[True, False, True]])).Z.shape  # two queries
    (2, 4)
    """
    sequence, position = np.nonzero(asked)
    return TokenData(tokens[sequence], tokens[sequence, position], data.Y[sequence], data.v)


def _softmax(logits):
    """The weights of the last axis; uses up the logits."""
    logits -= np.maximum.reduce(logits, axis=-1, keepdims=True)
    masses = np.exp(logits, out=logits)
    masses /= np.einsum("...t->...", masses)[..., None]  # few terms a sum, which `sum` is slow at
    return masses


def _rows(U):
    """The rows of all sequences (..., n, T, d) as those of one matrix (..., n T, d)."""
    return U.reshape(*U.shape[:-3], -1, U.shape[-1])


def _each_times(U, matrix):
    """The products of all sequences with the matrix (..., d, d) of their problem, one product a problem."""
    return (_rows(U) @ matrix).reshape(U.shape)


def _pull_on_outputs(data, outputs):
    """-dL/do_k of the last layer (..., n, T, d): |l'| Y v / n at the first position, 0 elsewhere."""
    slope = data.Y / (1 + np.exp(data.Y * outputs)) / outputs.shape[-1]  # (..., n)
    pull = np.zeros_like(data.X)
    pull[..., 0, :] = slope[..., None] * data.v[..., None, :]
    return pull
