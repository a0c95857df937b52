"""Positional encodings as factors of the kernel: what each multiplies exp(q.k) by.

Additive encodings contribute Gram matrices of their own,
rotary ones change the features, and a relative bias b multiplies by e^{b(i - j)}.
"""

from __future__ import annotations

import numpy as np

from margins._records import frozen
from margins._types import Array, ArrayLike
from margins.kernels import exponential, is_psd, laplacian, psd_witness, smallest_eigenvalue
from margins.kernels.diagnostics import is_symmetric, square_matrix
from margins.kernels.tapers import causal_mask, offsets
from margins.validation import count, finite_array, positive, same_length

LARGEST_BIAS = 700.0  # exp(709.8) is the largest float64


def sinusoidal(positions: ArrayLike, dimension: int, *, base: float = 1e4) -> Array:
    """The additive encodings (sin(w_k s), cos(w_k s)), w_k = base^(-2k/dimension), (n, dimension).

    Their inner product depends on the offset alone: it is sum_k cos(w_k (s - t))
    (book: The softmax kernel, Position is a kernel too).

    >>> P = sinusoidal([0, 1, 5, 6], 4)
    >>> (P @ P.T).round(3)  # depends on the difference of positions alone
    array([[2.   , 1.54 , 1.282, 1.958],
           [1.54 , 2.   , 0.346, 1.282],
           [1.282, 0.346, 2.   , 1.54 ],
           [1.958, 1.282, 1.54 , 2.   ]])
    """
    angles = _angles(positions, dimension, base)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(len(angles), -1)


def rotate(X: ArrayLike, positions: ArrayLike, *, base: float = 1e4) -> Array:
    """The rotary features R_s x: each pair of coordinates turned by its angle w_k s, (n, d).

    R_s x . R_t y depends on the positions through s - t alone, and with W_Q = W_K the rotated
    tokens are features of (token, position): exp(R_s x . R_t y) is a genuine kernel
    (book: The softmax kernel, Position is a kernel too).

    >>> rotate([[1.0, 0.0], [1.0, 0.0]], [0.0, np.pi / 2]).round(3)
    array([[1., 0.],
           [0., 1.]])
    """
    X = finite_array("X", X, ndim=2)
    angles = _angles(positions, X.shape[1], base).astype(X.dtype)
    same_length(X=X, positions=angles)
    cosine, sine = np.cos(angles), np.sin(angles)  # (n, d/2)
    even, odd = X[:, ::2], X[:, 1::2]
    return np.stack([even * cosine - odd * sine, even * sine + odd * cosine], axis=-1).reshape(X.shape)


def additive_factors(X: ArrayLike, P: ArrayLike, *, scale: float = 1.0) -> Array:
    """The four Gram factors of exp(scale (x + p).(x' + p')), (4, n, n), whose product it is.

    In order e^{x.x'}, e^{x.p'}, e^{p.x'}, e^{p.p'}: the first and the last are kernels, of
    content and of position; the two between are each other's transposes and no kernels alone
    (book: The softmax kernel, Position is a kernel too).

    >>> X, P = np.array([[1.0], [2.0]]), np.array([[0.0], [1.0]])
    >>> factors = additive_factors(X, P)
    >>> np.allclose(factors.prod(axis=0), np.exp((X + P) @ (X + P).T))
    True
    """
    X, P = finite_array("X", X, ndim=2), finite_array("P", P, ndim=2)
    if X.shape != P.shape:
        raise ValueError(f"X and P must have one shape, but X has {X.shape}, P has {P.shape}")
    scale = positive("scale", scale)
    return np.stack([exponential(left, right, gamma=scale) for left in (X, P) for right in (X, P)])


def alibi(positions: ArrayLike, *, slope: float, causal: bool = False) -> Array:
    """ALiBi's factor e^{-slope |s - t|}, (n, n): the Laplacian kernel of the positions.

    The causal form, zero where s < t, is not symmetric, hence no kernel
    (book: The softmax kernel, Position is a kernel too).

    >>> alibi(np.arange(3), slope=1.0).round(3)
    array([[1.   , 0.368, 0.135],
           [0.368, 1.   , 0.368],
           [0.135, 0.368, 1.   ]])
    """
    positions = finite_array("positions", positions, ndim=1, dtype=np.float64)
    factor = laplacian(positions[:, None], gamma=positive("slope", slope))
    return np.where(causal_mask(positions), factor, 0.0) if causal else factor


def relative_bias(positions: ArrayLike, table: ArrayLike) -> Array:
    """The factor e^{b(s - t)}, (n, n), of a table b(-r), ..., b(r) on integer positions, clipped outside.

    T5's learned tables tell past from future, b(-k) != b(k), so they are not even symmetric
    (book: The softmax kernel, Position is a kernel too).

    >>> relative_bias(np.arange(3), np.log([2.0, 1.0, 3.0])).round(6)  # b(-1), b(0), b(1)
    array([[1., 2., 2.],
           [3., 1., 2.],
           [3., 3., 1.]])
    """
    table, reach = _table(table)
    steps = offsets(finite_array("positions", positions, ndim=1, dtype=np.float64))
    if not np.equal(steps, np.rint(steps)).all():
        raise ValueError("positions must be a whole number of steps apart for a table of biases")
    return np.exp(table[np.clip(steps, -reach, reach).astype(int) + reach])


def bias_symbol(table: ArrayLike, frequencies: ArrayLike) -> Array:
    """The density c + sum_{|k| < r} (e^{b(k)} - c) cos(k theta), c = e^{b(r)}, of a symmetric table.

    e^{b(i - j)} is positive definite on every set of integers iff the sum is nowhere negative
    (c > 0 itself is a spike at theta = 0): the theorem of Herglotz. The values here leave the
    spike out: they are the sum alone (book: The softmax kernel, Position is a kernel too).

    >>> bias_symbol(np.log([1.0, 3.0, 4.0, 3.0, 1.0]), [0.0, np.pi]).round(6)  # negative at pi: no kernel
    array([ 7., -1.])
    """
    table, reach = _table(table)
    if not np.allclose(table, table[::-1], rtol=1e-12, atol=1e-12):
        raise ValueError("table must be symmetric, b(-k) = b(k), to have a real density")
    theta = finite_array("frequencies", frequencies, ndim=1, dtype=np.float64)
    excess = np.exp(table) - np.exp(table[0])  # (2r + 1,), zero at both ends
    return np.cos(np.outer(theta, np.arange(-reach, reach + 1))) @ excess


@frozen
class FactorVerdict:
    """What a factor of position does to a content kernel.

    (book: The softmax kernel, Position is a kernel too)

    >>> factor_verdict(np.array([[1.0, 2.0], [2.0, 1.0]])).safe_for_every_content
    False
    """

    symmetric: bool
    safe_for_every_content: bool  # the product with any PSD content kernel stays PSD
    witness: Array | None  # u with u'Fu < 0; equal tokens (content 1 1') expose it
    smallest_eigenvalue: float | None  # of the product with the given content (None: asymmetric)


def factor_verdict(factor: ArrayLike, content: ArrayLike | None = None) -> FactorVerdict:
    """The verdict on F * K (entry by entry), F a factor of position and K a content Gram matrix.

    The product is PSD for every PSD content K iff F itself is (Schur one way, K = 11' the
    other); for one given K it may be PSD all the same. Content None is K = 11'
    (book: The softmax kernel, Position is a kernel too).

    >>> verdict = factor_verdict(alibi(np.arange(4), slope=0.5))
    >>> verdict.symmetric, verdict.safe_for_every_content
    (True, True)
    """
    factor = square_matrix("factor", factor)
    content = np.ones_like(factor) if content is None else square_matrix("content", content)
    same_length(factor=factor, content=content)
    if not is_symmetric(factor):
        return FactorVerdict(False, False, None, None)
    smallest = smallest_eigenvalue(factor * content)
    return FactorVerdict(True, is_psd(factor), psd_witness(factor), smallest)


def _angles(positions: ArrayLike, dimension: int, base: float) -> Array:
    """The angles w_k s, (n, dimension / 2)."""
    positions = finite_array("positions", positions, ndim=1, dtype=np.float64)
    if count("dimension", dimension) % 2:
        raise ValueError(f"dimension must be even, pairs of sine and cosine, but got {dimension}")
    frequencies = positive("base", base) ** (-np.arange(0, dimension, 2) / dimension)
    return np.outer(positions, frequencies)


def _table(table: ArrayLike) -> tuple[Array, int]:
    """A table of 2r + 1 biases and r."""
    table = finite_array("table", table, ndim=1, dtype=np.float64)
    if len(table) % 2 == 0:
        raise ValueError(f"table must hold b(-r), ..., b(r), an odd number, but got {len(table)}")
    if table.max() > LARGEST_BIAS:
        raise ValueError(
            f"table must stay below {LARGEST_BIAS:g}, where e^b overflows, but got {table.max():g}"
        )
    return table, len(table) // 2
