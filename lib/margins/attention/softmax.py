"""Softmax attention tile by tile, its n x m matrix of weights for those who want it, and hard attention."""

from __future__ import annotations

import math

import numpy as np

from margins._types import Array, ArrayLike
from margins.attention import inputs
from margins.validation import squarable

QUERIES, KEYS = 512, 512  # a tile of logits, one megabyte of float32: it stays in the second-level cache
TIE_ROUNDINGS = 4  # logits this many roundings of |q||k| apart are the same number computed twice


def softmax_attention(
    Q: ArrayLike,
    K: ArrayLike,
    V: ArrayLike,
    *,
    scale: float | None = None,
    mask: ArrayLike | None = None,
    causal: bool = False,
) -> Array:
    """Softmax attention, row i: sum_j exp(s q_i.k_j) v_j / sum_j exp(s q_i.k_j), s = 1/sqrt(d_k) by default.

    `mask` is True where a query may attend to a key and broadcasts to (..., n, m); `causal` lets query i
    attend to the keys j <= i only, of those that the mask allows. A query that may attend to nothing gets
    zeros, the empty sum. Up to 512 x 512 logits are one matrix, as the formula is written; of more the
    function holds one tile at a time (book: Attention as Nadaraya-Watson regression, The online maximum).

    >>> Q, K, V = np.array([[1.0, 0.0]]), np.array([[0.0, 0.0], [2.0, 0.0]]), np.array([[0.0], [1.0]])
    >>> softmax_attention(Q, K, V, scale=1.0).round(4)  # e^2 / (1 + e^2)
    array([[0.8808]])
    >>> softmax_attention(Q, K, V, mask=[[True, False]])
    array([[0.]])
    """
    Q, K, V = inputs.broadcast_rows(Q=Q, K=K, V=V)
    scale, masks = inputs.logit_scale(scale, Q, K), inputs.allowed_pairs(mask, causal, Q, K)
    inputs.refuse_large_values(V)
    return attend(Q, K, V, scale, masks)


def attend(Q: Array, K: Array, V: Array, scale: float, masks: list[Array]) -> Array:
    """Softmax attention of checked arguments: few logits at once, many tile by tile."""
    logits, tile = math.prod(Q.shape[:-1]) * K.shape[-2], QUERIES * KEYS
    if logits <= tile:
        return _weights(Q, K, scale, masks) @ V
    if Q.ndim == 2:
        return _attend_tile_by_tile(Q, K, V, scale, masks)
    at_once = tile * len(Q) // logits  # problems along the first axis that make one tile together
    if not at_once:
        each = range(len(Q))
        return np.stack([attend(Q[i], K[i], V[i], scale, [mask[i] for mask in masks]) for i in each])
    parts = (slice(first, first + at_once) for first in range(0, len(Q), at_once))
    return np.concatenate([attend(Q[p], K[p], V[p], scale, [mask[p] for mask in masks]) for p in parts])


def _weights(Q, K, scale, masks):
    """The weights exp(s q.k) / sum exp(s q.k), each row relative to its largest logit (..., n, m)."""
    logits = (Q * Q.dtype.type(scale)) @ np.swapaxes(K, -1, -2)
    for mask in masks:
        np.copyto(logits, -np.inf, where=~mask)
    peak = logits.max(axis=-1, keepdims=True)
    weights = np.exp(logits - np.where(peak == -np.inf, 0, peak))
    total = weights.sum(axis=-1, keepdims=True)
    return weights / np.where(total == 0, 1, total)


def _attend_tile_by_tile(Q, K, V, scale, masks):
    """The same answers (n, d_v) for one problem of any size."""
    out = np.empty((len(Q), V.shape[1]), Q.dtype)
    memory = np.empty(min(len(Q), QUERIES) * min(len(K), KEYS), Q.dtype)
    shift = not _exponentials_are_tame(Q, K, V, scale)
    for first in range(0, len(Q), QUERIES):
        tile = slice(first, first + QUERIES)
        allowed = [mask[tile] for mask in masks]
        out[tile] = _attend_tile(Q[tile] * Q.dtype.type(scale), K, V, allowed, memory, shift=shift)
    return out


def _exponentials_are_tame(Q, K, V, scale):
    """Whether |q||k| bounds all logits so well that exp and every sum of exp and v keep their digits."""
    with np.errstate(over="ignore"):
        longest_q, longest_k = (np.sqrt(np.einsum("nd,nd->n", X, X).max(initial=0)) for X in (Q, K))
        largest_logit = scale * float(longest_q) * float(longest_k)  # Cauchy-Schwarz; inf makes us careful
    growth = np.log(len(K) * max(1.0, inputs.largest_entry(V)))
    return largest_logit + growth < np.log(np.finfo(Q.dtype).max) / 2


def _attend_tile(q, K, V, allowed, memory, *, shift):
    """The answers (r, d_v) for the scaled queries `q` (r, d_k), reading the keys in one pass."""
    peak = np.full((len(q), 1), -np.inf, q.dtype)  # (r, 1)
    denominator, numerator = np.zeros_like(peak), np.zeros((len(q), V.shape[1]), q.dtype)  # (r, d_v)
    for first in range(0, len(K), KEYS):
        keys = slice(first, first + KEYS)
        masks = [mask[:, keys] for mask in allowed]
        if not all(mask.any() for mask in masks):
            continue  # as a causal query meets half of the keys only
        weights = memory[: len(q) * len(K[keys])].reshape(len(q), -1)
        np.matmul(q, K[keys].T, out=weights)  # logits, as yet
        for mask in masks:
            np.copyto(weights, -np.inf, where=~mask)
        if shift:
            peak = _move_origin(peak, weights, numerator, denominator)
        np.exp(weights, out=weights)
        denominator += weights @ np.ones((weights.shape[1], 1), q.dtype)  # quicker than weights.sum
        numerator += weights @ V[keys]
    return numerator / np.where(denominator == 0, 1, denominator)


def _move_origin(peak, logits, numerator, denominator):
    """The largest logit so far; logits, numerator and denominator become relative to it.

    With the running maximum as origin no exponential ever exceeds 1, and one of them is 1.
    """
    highest = np.maximum(peak, logits.max(axis=-1, keepdims=True))
    origin = np.where(highest == -np.inf, 0, highest)  # nothing allowed yet: any origin will do
    shrink = np.exp(peak - origin)  # what was summed up to now counted from the old origin
    numerator *= shrink
    denominator *= shrink
    logits -= origin
    return highest


def attention_weights(
    Q: ArrayLike,
    K: ArrayLike,
    *,
    scale: float | None = None,
    mask: ArrayLike | None = None,
    causal: bool = False,
) -> Array:
    """The matrix of attention weights softmax(s Q K') of shape (..., n, m), rows summing to 1.

    `mask` and `causal` are those of `softmax_attention`; a row whose keys are all masked is zero
    (book: Attention as Nadaraya-Watson regression, The master equation).

    >>> attention_weights([[1.0]], [[0.0], [np.log(3.0)]]).round(6)
    array([[0.25, 0.75]])
    """
    Q, K = inputs.broadcast_rows(Q=Q, K=K)
    return _weights(Q, K, inputs.logit_scale(scale, Q, K), inputs.allowed_pairs(mask, causal, Q, K))


def hard_attention(
    Q: ArrayLike, K: ArrayLike, V: ArrayLike, *, mask: ArrayLike | None = None, causal: bool = False
) -> Array:
    """Hard attention, row i: the mean of v_j over all keys j that maximise q_i.k_j.

    It is the limit of softmax attention for scale -> infinity; logits that differ by no more than the
    rounding of a dot product are ties. `mask` and `causal` are those of `softmax_attention`; a query whose
    keys are all masked gets zeros (book: Attention as Nadaraya-Watson regression, Hard attention).

    >>> K, V = [[2.0, 0.0], [2.0, 5.0], [1.0, 9.0]], [[10.0], [20.0], [30.0]]
    >>> hard_attention([[1.0, 0.0]], K, V)  # the first two tie
    array([[15.]])
    """
    Q, K, V = inputs.broadcast_rows(Q=Q, K=K, V=V)
    inputs.logit_scale(1.0, Q, K)
    inputs.refuse_large_values(V)
    masks = inputs.allowed_pairs(mask, causal, Q, K)
    logits = squarable("Q", Q) @ np.swapaxes(squarable("K", K), -1, -2)  # (..., n, m)
    for allowed in masks:
        np.copyto(logits, -np.inf, where=~allowed)
    peak = logits.max(axis=-1, keepdims=True)
    winners = ((logits >= peak - _tolerance(Q, K)) & (logits > -np.inf)).astype(logits.dtype)
    return (winners @ V) / np.maximum(winners.sum(axis=-1, keepdims=True), 1)


def _tolerance(Q, K):
    """The difference below which two logits of a query are ties (..., n, 1)."""
    query, key = (np.linalg.norm(X.astype(np.float64), axis=-1, keepdims=True) for X in (Q, K))
    return TIE_ROUNDINGS * np.finfo(Q.dtype).eps * query * key.max(axis=-2, keepdims=True)
