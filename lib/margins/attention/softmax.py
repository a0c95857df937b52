"""Softmax attention tile by tile, and its n x m matrix of weights for those who want it.

(book: Attention as Nadaraya-Watson regression, The master equation)
"""

from __future__ import annotations

import numpy as np

from margins._types import Array, ArrayLike
from margins.attention import inputs

QUERIES, KEYS = 512, 512  # one megabyte of float32 logits: the tile stays in the second-level cache


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

    `mask` is True where a query may attend to a key and broadcasts to (..., n, m); `causal`
    lets query i attend to the keys j <= i only, of those that the mask allows. A query that may attend
    to nothing gets zeros, the empty sum. Beyond its answer the function holds one tile of
    logits at a time (book: Attention as Nadaraya-Watson regression, The online maximum).

    >>> Q, K, V = np.array([[1.0, 0.0]]), np.array([[0.0, 0.0], [2.0, 0.0]]), np.array([[0.0], [1.0]])
    >>> softmax_attention(Q, K, V, scale=1.0).round(4)  # e^2 / (1 + e^2)
    array([[0.8808]])
    >>> softmax_attention(Q, K, V, mask=[[True, False]])
    array([[0.]])
    """
    Q, K, V = inputs.queries_keys_values(Q, K, V)
    scale, masks = inputs.logit_scale(scale, Q, K), inputs.allowed_pairs(mask, causal, Q, K)
    inputs.refuse_large_values(V)
    return attend(Q, K, V, scale, masks)


def attend(Q: Array, K: Array, V: Array, scale: float, masks: list[Array]) -> Array:
    """Softmax attention of checked arguments, tile by tile; small problems are stacked into one tile."""
    if Q.ndim == 2:
        return attend(Q[None], K[None], V[None], scale, [mask[None] for mask in masks])[0]
    *outer, problems, n, _ = Q.shape
    m = K.shape[-2]
    out = np.empty((*Q.shape[:-1], V.shape[-1]), Q.dtype)  # (..., n, d_v)
    stacked = max(1, QUERIES * KEYS // max(1, n * m))
    memory = np.empty(min(stacked, problems) * min(n, QUERIES) * min(m, KEYS), Q.dtype)
    shift = not _exponentials_are_tame(Q, K, V, scale)
    for index in np.ndindex(*outer):
        for start in range(0, problems, stacked):
            stack = (*index, slice(start, start + stacked))
            for first in range(0, n, QUERIES):
                tile = (*stack, slice(first, first + QUERIES))
                allowed = [mask[tile] for mask in masks]
                q = Q[tile] * Q.dtype.type(scale)
                out[tile] = _attend_tile(q, K[stack], V[stack], allowed, memory, shift=shift)
    return out


def _exponentials_are_tame(Q, K, V, scale):
    """Whether |q||k| bounds all logits so well that exp and every sum of exp and v keep their digits."""
    with np.errstate(over="ignore"):
        longest_q, longest_k = (np.sqrt(np.einsum("...d,...d->...", X, X).max(initial=0)) for X in (Q, K))
        reach = scale * float(longest_q) * float(longest_k)  # Cauchy-Schwarz; inf only makes us careful
    growth = np.log(K.shape[-2] * max(1.0, inputs.largest_entry(V)))
    return reach + growth < np.log(np.finfo(Q.dtype).max) / 2


def _attend_tile(q, K, V, allowed, memory, *, shift):
    """The answers (b, r, d_v) for the scaled queries `q` (b, r, d_k), reading the keys in one pass."""
    peak = np.full((*q.shape[:-1], 1), -np.inf, q.dtype)  # (b, r, 1)
    denominator = np.zeros_like(peak)
    numerator = np.zeros((*q.shape[:-1], V.shape[-1]), q.dtype)  # (b, r, d_v)
    for first in range(0, K.shape[-2], KEYS):
        keys = slice(first, first + KEYS)
        masks = [mask[..., keys] for mask in allowed]
        if not all(mask.any() for mask in masks):
            continue  # as a causal query meets half of the keys only
        weights = _logits(q, K[:, keys], masks, memory)
        if shift:
            peak = _move_origin(peak, weights, numerator, denominator)
        np.exp(weights, out=weights)
        denominator += weights @ np.ones((weights.shape[-1], 1), q.dtype)
        numerator += weights @ V[:, keys]
    return numerator / np.where(denominator == 0, 1, denominator)


def _logits(q, K, masks, memory):
    """The logits q.k (b, r, m) in reused memory, -inf where attention is not allowed."""
    shape = (*q.shape[:-1], K.shape[-2])
    logits = np.matmul(q, np.swapaxes(K, -1, -2), out=memory[: np.prod(shape)].reshape(shape))
    for mask in masks:
        np.copyto(logits, -np.inf, where=~mask)
    return logits


def _move_origin(peak, logits, numerator, denominator):
    """The largest logit so far; logits, numerator and denominator become relative to it.

    With the running maximum as origin no exponential ever exceeds 1, and one of them is 1.
    """
    highest = np.maximum(peak, logits.max(axis=-1, keepdims=True))
    origin = np.where(highest == -np.inf, 0, highest)  # nothing allowed yet: any origin will do
    shrink = np.exp(peak - origin)
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
    Q, K = inputs.queries_keys(Q=Q, K=K)
    scale, masks = inputs.logit_scale(scale, Q, K), inputs.allowed_pairs(mask, causal, Q, K)
    weights = (Q * Q.dtype.type(scale)) @ np.swapaxes(K, -1, -2)  # (..., n, m)
    for mask in masks:
        np.copyto(weights, -np.inf, where=~mask)
    peak = weights.max(axis=-1, keepdims=True)
    weights -= np.where(peak == -np.inf, 0, peak)
    np.exp(weights, out=weights)
    total = weights.sum(axis=-1, keepdims=True)
    weights /= np.where(total == 0, 1, total)
    return weights
