"""Performer attention (FAVOR+): softmax attention estimated with random features, at any norm.

(book: Random features and linear attention, A Performer that cannot overflow)
"""

from __future__ import annotations

import math

import numpy as np

from margins._types import Array, ArrayLike
from margins.attention import inputs
from margins.random_features.fourier import fourier_features
from margins.random_features.inputs import projection_matrix
from margins.random_features.linear import linear_attention, with_ones
from margins.random_features.softmax import KINDS
from margins.validation import one_of


def performer_attention(
    Q: ArrayLike,
    K: ArrayLike,
    V: ArrayLike,
    omega: ArrayLike,
    *,
    kind: str = "positive",
    scale: float | None = None,
    causal: bool = False,
) -> Array:
    """Linear attention with the `softmax_features` of sqrt(s) Q and sqrt(s) K, s = 1/sqrt(d_k) by default.

    With positive features and orthogonal projections, `projections(m, d_k, rng=0, orthogonal=True)`, it is
    FAVOR+, the attention of the Performer.

    Key features are kept relative to the largest exponent of each feature, which moves to
    the query; query features relative to the largest of each query, which cancels. So the
    estimate with positive or hyperbolic features is the same, no norm overflows and no
    denominator vanishes. Adding a small number to the features instead, as is common,
    changes the estimate.
    Trigonometric features give no such guarantee: their denominator may have any sign, so
    the estimate need not have a mean, and one that vanishes is refused
    (book: Random features and linear attention, A Performer that cannot overflow).

    >>> Q, K, V = [[1.0, 0.0]], [[0.0, 0.0], [2.0, 0.0]], [[0.0], [1.0]]
    >>> performer_attention(Q, K, V, projections(2**14, 2, rng=0), scale=1.0).round(1)  # e^2 / (1 + e^2)
    array([[0.9]])
    """
    one_of("kind", kind, KINDS)
    Q, K, V = inputs.queries_keys_values(Q, K, V)
    if causal:
        inputs.require_as_many(Q=Q, K=K)
    root, omega = math.sqrt(inputs.logit_scale(scale, Q)), _projections(omega, Q)
    Q, K = root * Q, root * K
    half_squares = np.square(K).sum(axis=-1, keepdims=True) / 2  # (..., m, 1)
    if kind == "trigonometric":  # exp(|q|^2/2) cancels, exp(|k|^2/2) counts from that of the longest key
        phi_k = np.exp(half_squares - half_squares.max(axis=-2, keepdims=True)) * fourier_features(K, omega)
        return linear_attention(fourier_features(Q, omega), phi_k, V, causal=causal)
    omega = np.concatenate([omega, -omega]) if kind == "hyperbolic" else omega  # (D, d_k)
    of_queries, of_keys = Q @ omega.T, K @ omega.T - half_squares  # exponents (..., n, D), (..., m, D)
    origin = of_keys.max(axis=-2, keepdims=True)
    if causal and (origin - of_keys).max(initial=0) > _largest_spread(V.dtype):
        return _token_by_token(of_queries, of_keys, V)
    of_keys -= origin
    of_queries += origin
    of_queries -= of_queries.max(axis=-1, keepdims=True)
    phi_q, phi_k = (np.exp(exponents, out=exponents) for exponents in (of_queries, of_keys))
    return linear_attention(phi_q, phi_k, V, causal=causal)


def _projections(omega: ArrayLike, Q: Array) -> Array:
    """`omega` (m, d_k) in the precision of Q."""
    omega = projection_matrix(omega, Q.shape[-1:])
    if omega.shape[1] != Q.shape[-1]:
        raise ValueError(f"omega must have {Q.shape[-1]} columns as Q has, but its shape is {omega.shape}")
    return omega.astype(Q.dtype, copy=False)


def _largest_spread(dtype):
    """How far below the largest exponent of a feature one may lie, so that exp of it keeps its digits."""
    return -math.log(np.finfo(dtype).tiny) / 2


def _token_by_token(of_queries, of_keys, V):
    """The causal estimates from exponents whose features would underflow beside those of later keys.

    The sums of each feature count from the largest exponent up to now: where a key raises it, the sums so far
    shrink by as much. That largest key adds 1 to its sum, so no denominator vanishes.
    """
    out, V = np.empty(V.shape, V.dtype), with_ones(V)
    origin = np.full_like(of_keys[..., 0, :], -np.inf)  # (..., D)
    sums = np.zeros((*origin.shape, V.shape[-1]), V.dtype)  # (..., D, d_v + 1)
    for i in range(V.shape[-2]):
        higher = np.maximum(origin, of_keys[..., i, :])
        sums *= np.exp(origin - higher)[..., None]
        sums += np.exp(of_keys[..., i, :] - higher)[..., None] * V[..., i, None, :]
        origin, exponents = higher, of_queries[..., i, :] + higher
        phi_q = np.exp(exponents - exponents.max(axis=-1, keepdims=True))  # (..., D)
        answer = (phi_q[..., None, :] @ sums)[..., 0, :]
        out[..., i, :] = answer[..., :-1] / answer[..., -1:]
    return out
