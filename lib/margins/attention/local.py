"""Attention within a window of positions."""

from __future__ import annotations

import numpy as np

from margins._types import Array, ArrayLike
from margins.attention import inputs
from margins.attention.softmax import attend
from margins.kernels import band_mask, causal_mask
from margins.validation import count

QUERIES_AT_A_TIME = 64, 512  # at least and at most: fewer make the loop dear, more make the mask large


def local_attention(
    Q: ArrayLike, K: ArrayLike, V: ArrayLike, width: int, *, scale: float | None = None, causal: bool = False
) -> Array:
    """Softmax attention to the keys |i - j| <= width, with `causal` to those j <= i, in O(n width d) time.

    It equals `softmax_attention` under the band mask (`margins.kernels.band_mask`), but no query meets more
    than max(64, min(width, 512)) + 2 width keys, however many there are
    (book: Attention as Nadaraya-Watson regression, Who may look where).

    >>> Q = K = np.zeros((4, 1))
    >>> local_attention(Q, K, [[0.0], [1.0], [2.0], [3.0]], width=1)[:, 0]  # means of neighbours
    array([0.5, 1. , 2. , 2.5])
    """
    Q, K, V = inputs.broadcast_rows(Q=Q, K=K, V=V)
    n, width = Q.shape[-2], count("width", width, at_least=0)
    if n != K.shape[-2]:
        raise ValueError(f"Q and K must have equally many rows, but Q has shape {Q.shape}, K has {K.shape}")
    scale = inputs.logit_scale(scale, Q, K)
    inputs.refuse_large_values(V)
    out = np.empty((*Q.shape[:-1], V.shape[-1]), Q.dtype)  # (..., n, d_v)
    positions, block = np.arange(n), int(np.clip(width, *QUERIES_AT_A_TIME))
    for first in range(0, n, block):
        queries = slice(first, min(first + block, n))
        keys = slice(max(first - width, 0), min(queries.stop + (0 if causal else width), n))
        near = band_mask(positions[queries], positions[keys], width=width)
        if causal:
            near &= causal_mask(positions[queries], positions[keys])
        q, k, v = Q[..., queries, :], K[..., keys, :], V[..., keys, :]
        out[..., queries, :] = attend(q, k, v, scale, [np.broadcast_to(near, (*q.shape[:-1], k.shape[-2]))])
    return out
