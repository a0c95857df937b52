"""Performer attention (FAVOR+): softmax attention estimated with random features, at any norm."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from margins._types import Array, ArrayLike
from margins.attention import inputs
from margins.random_features.fourier import pairs
from margins.random_features.inputs import projection_matrix
from margins.random_features.linear import linear_attention, with_ones
from margins.random_features.softmax import KINDS
from margins.validation import one_of

FEW = 2**15  # features of all queries and keys: with more, the loop over blocks pays
BLOCK = 512  # tokens whose features are made at a time
CHUNK = 64  # tokens at a time under causality
# Features up to e^20 are not shifted, because a shift costs a pass over all of them.
LARGEST_UNSHIFTED_EXPONENT = 20.0
LARGEST_VALUE = 1e6  # larger values are scaled down first, for a sum of e^40 of them may overflow float32


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
    FAVOR+, the attention of the Performer. Few short vectors are answered by that formula. Otherwise keys'
    features are relative to the largest exponent of each feature, which moves to the query, and queries' to
    their own largest, which cancels: with positive or hyperbolic features the estimate is the same, no norm
    overflows, no denominator vanishes. With trigonometric ones a denominator may have any sign, so that the
    estimate need not have a mean; one that vanishes is refused
    (book: Random features and linear attention, A Performer that cannot overflow).

    >>> Q, K, V = [[1.0, 0.0]], [[0.0, 0.0], [2.0, 0.0]], [[0.0], [1.0]]
    >>> performer_attention(Q, K, V, projections(2**14, 2, rng=0), scale=1.0).round(1)  # e^2 / (1 + e^2)
    array([[0.9]])
    """
    one_of("kind", kind, KINDS)
    Q, K, V = inputs.broadcast_rows(Q=Q, K=K, V=V)
    root = math.sqrt(inputs.logit_scale(scale, Q, K))
    omega = _projections(omega, Q, K, root)
    if causal:
        inputs.require_as_many(Q=Q, K=K)
    if kind == "trigonometric":
        return _trigonometric(root * Q, root * K, V, omega, causal)
    directions = root * (np.concatenate([omega, -omega]) if kind == "hyperbolic" else omega)  # (D, d_k)
    largest = inputs.largest_entry(V)
    if largest <= LARGEST_VALUE and _are_few_and_tame(Q, K, directions, root):
        phi_k = np.exp(K @ directions.T - np.square(root * K).sum(axis=-1, keepdims=True) / 2)  # (..., m, D)
        weights = np.exp(Q @ directions.T) @ phi_k.mT  # (..., n, m); what scales a whole row cancels
        weights = np.tril(weights) if causal else weights
        return weights @ V / weights.sum(axis=-1, keepdims=True)
    if largest > LARGEST_VALUE:
        return largest * performer_attention(Q, K, V / largest, omega, kind=kind, scale=scale, causal=causal)
    return _head_by_head(_causal if causal else _all_keys, Q, K, V, directions, root)


def _are_few_and_tame(Q, K, directions, root):
    """Whether the features are few, and all exponents so small that no product of features loses digits."""
    if (math.prod(Q.shape[:-1]) + math.prod(K.shape[:-1])) * len(directions) > FEW:
        return False
    query, key = _longest(Q), _longest(K)  # |omega.x| is at most |omega||x|
    largest = max(query, key) * _longest(directions) + (root * key) ** 2 / 2
    return largest < math.log(np.finfo(Q.dtype).max) / 4


def _longest(X):
    """The length of the longest row, infinite where its square overflows."""
    with np.errstate(over="ignore"):
        return math.sqrt(np.einsum("...d,...d->...", X, X).max(initial=0))


def _head_by_head(estimate, Q, K, V, directions, root):
    """The estimates (..., n, d_v) of all heads; each head is given its arrays with a column of ones."""
    out = np.empty((*Q.shape[:-1], V.shape[-1]), Q.dtype)
    for index in np.ndindex(Q.shape[:-2]):
        half_squares = np.square(root * K[index]).sum(axis=-1, keepdims=True) / 2
        keys = with_ones(np.concatenate([K[index], -half_squares], axis=-1))  # (n, d_k + 2)
        estimate(with_ones(Q[index]), keys, with_ones(V[index]), directions, out[index])
    return out


def _trigonometric(Q, K, V, omega, causal):
    """The estimate with trigonometric features, keys relative to the longest."""
    inputs.refuse_large_values(V)
    half_squares = np.einsum("...d,...d->...", K, K)[..., None] / 2
    phi_k = pairs(K, omega) * np.exp(half_squares - half_squares.max(axis=-2, keepdims=True))
    return linear_attention(pairs(Q, omega), phi_k, V, causal=causal)


def _projections(omega: ArrayLike, Q: Array, K: Array, root: float) -> Array:
    """`omega` (m, d_k) in the precision of Q, refused where an exponent could overflow."""
    omega = projection_matrix(omega, Q.shape[-1:])
    if omega.shape[1] != Q.shape[-1]:
        raise ValueError(f"omega must have {Q.shape[-1]} columns as Q has, but its shape is {omega.shape}")
    largest = max(root * max(inputs.largest_entry(Q), inputs.largest_entry(K)), inputs.largest_entry(omega))
    limit = math.sqrt(float(np.finfo(Q.dtype).max) / (8 * Q.shape[-1]))
    if not largest < limit:
        got = f"but got entries up to {largest:.1e}"
        raise ValueError(f"sqrt(scale) Q, sqrt(scale) K and omega must stay below {limit:.1e}, {got}")
    return omega.astype(Q.dtype, copy=False)


def _all_keys(Q, K, V, directions, out):
    """The estimates with every key in every sum."""
    state: Any = None
    for first in range(0, len(K), BLOCK):
        keys = slice(first, first + BLOCK)
        features, (origin, sums) = _key_features(K[keys], V.shape[1], directions, state)
        state = origin, sums + features.T @ V[keys]
    origin, sums = state
    for first in range(0, len(Q), BLOCK):
        queries = slice(first, first + BLOCK)
        result = _query_features(Q[queries], directions, origin) @ sums
        np.divide(result[:, :-1], result[:, -1:], out=out[queries])  # no denominator is small by construction


def _key_features(K, width, directions, state):
    """Features exp(omega.k - |k|^2/2 - origin) of the keys (n, D), and the state relative to that origin.

    The state is the origin of the exponents of each feature (D,) and the sums of features
    times values (D, d_v + 1). Every origin is the exponent of a key, which adds 1 to the sum.
    """
    origin, sums = state or (np.zeros(len(directions), K.dtype), np.zeros((len(directions), width), K.dtype))
    # K ends with -|k|^2/2 and 1, so one product makes omega.k - |k|^2/2 - origin
    exponents = K @ np.column_stack([directions, np.ones_like(origin), -origin]).T
    top = exponents.max(axis=0)  # of each feature, the key that would overflow first
    if state is None:
        exponents -= top
        origin = top
    elif top.max() > LARGEST_UNSHIFTED_EXPONENT:
        rise = np.maximum(top, 0)  # an origin only rises: what was summed shrinks and cannot overflow
        exponents -= rise
        origin, sums = origin + rise, sums * np.exp(-rise)[:, None]
    return np.exp(exponents, out=exponents), (origin, sums)


def _query_features(Q, directions, origin):
    """Features exp(omega.q + origin) up to a factor for each query (n, D)."""
    exponents = np.column_stack([directions, origin]) @ Q.T  # (D, n): maxima over the first axis are fast
    top = exponents.max(axis=0)
    if np.abs(top).max() > LARGEST_UNSHIFTED_EXPONENT:
        exponents -= top
    return np.exp(exponents, out=exponents).T


def _causal(Q, K, V, directions, out):
    """The estimates with the keys j <= i in the sums of query i."""
    state = None
    for first in range(0, len(Q), CHUNK):
        tokens = slice(first, first + CHUNK)
        result, state = _causal_chunk(Q[tokens], K[tokens], V[tokens], directions, state)
        np.divide(result[:, :-1], result[:, -1:], out=out[tokens])


def _causal_chunk(Q, K, V, directions, state):
    """Numerators and denominators of a chunk (n, d_v + 1), and the state after it.

    Later keys of the chunk may lift an origin so far that an early query loses its digits;
    then the chunk is halved. A chunk of one token is safe: its own key is in every sum.
    """
    features, (origin, sums) = _key_features(K, V.shape[1], directions, state)
    readers = _query_features(Q, directions, origin)
    # keys of earlier chunks through their sums, keys of this one through the lower triangle
    result = readers @ sums + np.tril(readers @ features.T) @ V
    if len(Q) > 1 and result[:, -1].min() < np.sqrt(np.finfo(V.dtype).tiny):
        half = len(Q) // 2
        early, state = _causal_chunk(Q[:half], K[:half], V[:half], directions, state)
        late, state = _causal_chunk(Q[half:], K[half:], V[half:], directions, state)
        return np.concatenate([early, late]), state
    return result, (origin, sums + features.T @ V)
