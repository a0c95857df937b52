"""Hard attention: the limit of softmax attention as its logits grow without bound."""

from __future__ import annotations

import numpy as np

from margins._types import Array, ArrayLike
from margins.attention import inputs
from margins.validation import squarable

TIE_ROUNDINGS = 4  # logits this many roundings of |q||k| apart are the same number computed twice


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
