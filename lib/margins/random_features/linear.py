"""Linear attention: move the brackets, and the n x m matrix of weights is never formed."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from margins._types import Array, ArrayLike
from margins.attention.inputs import require_as_many, rows_that_fit
from margins.validation import count, finite_array

FEW = 64  # tokens: with more, running sums pay for their loop
CHUNK = 32  # tokens: longer chunks cost more inside, shorter ones make the products too small


def linear_attention(phi_q: ArrayLike, phi_k: ArrayLike, V: ArrayLike, *, causal: bool = False) -> Array:
    """Linear attention, row i: phi(q_i)'(sum_j phi(k_j) v_j') / phi(q_i)'(sum_j phi(k_j)).

    The sums run over all keys, or over j <= i with `causal`. Time is O(n D d_v) and the state
    is D (d_v + 1) numbers for D features; `phi_q` is (..., n, D), `phi_k` (..., m, D), `V`
    (..., m, d_v). A denominator that vanishes is refused: features > 0 exclude it, features
    >= 0 or of changing sign do not (book: Random features and linear attention, Moving the brackets).

    >>> phi = np.array([[1.0, 0.0], [1.0, 1.0]])
    >>> linear_attention(phi, phi, [[0.0], [3.0]])
    array([[1.5],
           [2. ]])
    >>> linear_attention(phi, phi, [[0.0], [3.0]], causal=True)
    array([[0.],
           [2.]])
    """
    phi_q, phi_k, V = rows_that_fit(phi_q=phi_q, phi_k=phi_k, V=V)
    if causal:
        require_as_many(phi_q=phi_q, phi_k=phi_k)
    with np.errstate(over="ignore", invalid="ignore"):
        if not causal:
            sums = phi_q @ (phi_k.mT @ with_ones(V))
        elif phi_q.shape[-2] <= FEW:
            sums = np.tril(phi_q @ phi_k.mT) @ with_ones(V)
        else:
            sums = _running_sums(phi_q, phi_k, with_ones(V))
        return quotient(sums)


def with_ones(V: Array) -> Array:
    """The values with a last column of ones (..., m, d_v + 1): its sums are the denominators."""
    return np.concatenate([V, np.ones_like(V[..., :1])], axis=-1)


def quotient(sums: Array) -> Array:
    """Numerators over denominators (..., n, d_v), refused where a denominator has no digits."""
    size = np.abs(sums[..., -1])
    bad = ~((size >= np.finfo(sums.dtype).tiny) & (size < np.inf))
    if bad.any():
        where = np.argwhere(bad)[0].tolist()
        value = sums[..., -1][bad][0]
        raise ValueError(
            f"the denominator of linear attention must be a finite number other than 0, but it is {value:g}"
            f" for {bad.sum()} queries, first at {where}; use features > 0 or, for long vectors,"
            " performer_attention"
        )
    answer = sums[..., :-1] / sums[..., -1:]
    if not np.isfinite(answer).all():
        raise ValueError(f"the answer overflows {sums.dtype}; rescale the features or the values")
    return answer


def _running_sums(phi_q, phi_k, V):
    """Numerators and denominators (..., n, d_v + 1) over j <= i, by running sums over chunks of tokens."""
    n, features = phi_q.shape[-2:]
    leading = np.broadcast_shapes(*(x.shape[:-2] for x in (phi_q, phi_k, V)))
    out = np.empty((*leading, n, V.shape[-1]), V.dtype)
    state = np.zeros((*leading, features, V.shape[-1]), V.dtype)  # sum of phi(k) v' over finished chunks
    past = np.tri(CHUNK, dtype=V.dtype)
    for first in range(0, n, CHUNK):
        q, k, v = (x[..., first : first + CHUNK, :] for x in (phi_q, phi_k, V))
        length = q.shape[-2]
        weights = q @ k.mT  # (..., chunk, chunk)
        weights *= past[:length, :length]
        chunk = out[..., first : first + CHUNK, :]
        np.matmul(q, state, out=chunk)
        chunk += weights @ v
        state += k.mT @ v
    return out


def fast_weights(phi_k: ArrayLike, V: ArrayLike, *, rate: float | None = None) -> Iterator[Array]:
    """The fast weights W_1, W_2, ... (d_v, D) that a linear transformer writes token by token.

    Without `rate`: W_t = W_(t-1) + v_t phi(k_t)', and W_t phi(q_t) is causal linear attention
    before normalisation, exactly. With `rate`: the delta rule
    W_t = W_(t-1) + rate (v_t - W_(t-1) phi(k_t)) phi(k_t)', a step of gradient descent on
    |v_t - W phi(k_t)|^2/2 (book: Random features and linear attention, Fast weights).

    >>> list(fast_weights([[1.0, 0.0], [1.0, 1.0]], [[2.0], [3.0]]))[-1]
    array([[5., 3.]])
    """
    phi_k, V = finite_array("phi_k", phi_k, ndim=2), finite_array("V", V, ndim=2)
    if len(phi_k) != len(V):
        raise ValueError(f"expected equally many rows, but phi_k has {len(phi_k)}, V has {len(V)}")
    rate = None if rate is None else float(finite_array("rate", rate, ndim=0))
    return _write(phi_k, V, rate)


def _write(phi_k, V, rate):
    W = np.zeros((V.shape[1], phi_k.shape[1]))
    for written, (phi, v) in enumerate(zip(phi_k, V, strict=True), start=1):
        with np.errstate(over="ignore", invalid="ignore"):
            change = v if rate is None else rate * (v - W @ phi)
            W = W + np.outer(change, phi)  # a new matrix: the caller may keep the old ones
        if not np.isfinite(W).all():
            raise ValueError(f"the fast weights overflow with token {written}; lower rate or rescale phi_k")
        yield W


def attention_flops(n: int, d: int, d_v: int | None = None) -> int:
    """Multiplications and additions of exact attention, (QK')V: 2 n^2 (d + d_v), besides n^2 exponentials.

    (book: Random features and linear attention, What it costs)

    >>> attention_flops(1000, 64)
    256000000
    """
    n, d = count("n", n), count("d", d)
    return 2 * n * n * (d + (d if d_v is None else count("d_v", d_v)))


def linear_attention_flops(n: int, d: int, n_features: int, d_v: int | None = None) -> int:
    """Multiplications and additions of linear attention, phi(Q)(phi(K)'V) with projected features.

    4 n D d for the features of queries and keys, 4 n D (d_v + 1) for the two products with
    values and ones (book: Random features and linear attention, Moving the brackets).

    >>> linear_attention_flops(1000, 64, 128) / attention_flops(1000, 64)
    0.258
    """
    n, d, n_features = count("n", n), count("d", d), count("n_features", n_features)
    return 4 * n * n_features * (d + (d if d_v is None else count("d_v", d_v)) + 1)
