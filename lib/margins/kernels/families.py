"""The kernels of the book, k(X, Y=None, **parameters) -> (n, m).

All take rows in float32 or float64 and answer in that precision; `out` is a matrix to reuse, which saves the
operating system's page faults in a loop over parameters. Kernels of distances are computed as the formula
is written where the points are few, and tile by tile (`margins.kernels.gram`) where they are many.
"""

from __future__ import annotations

import math

import numpy as np

from margins._types import Array, ArrayLike
from margins.kernels import gram
from margins.kernels.distances import negated_distances, negated_squares
from margins.validation import count, finite_array, positive

FEW_ENTRIES = 2**12  # of a matrix: with more, repeated squaring pays beside the general power
FEW_DIFFERENCES = 2**12  # numbers x_ik - y_jk: with more, a matrix product in their place pays
LARGEST_PLAIN_DEGREE = 100  # a power of floats, which few digits of an exponent suffice for


def linear(X: ArrayLike, Y: ArrayLike | None = None, *, out: Array | None = None) -> Array:
    """The linear kernel x.y (book: Kernels, The kernels of this book).

    >>> linear([[1.0, 2.0]], [[3.0, 4.0], [0.0, 1.0]])
    array([[11.,  2.]])
    """
    X, Y, out = gram.pair(X, Y, out)
    with np.errstate(over="ignore", invalid="ignore"):
        return _finite("linear", np.matmul(X, Y.T, out=out))


def polynomial(
    X: ArrayLike,
    Y: ArrayLike | None = None,
    *,
    gamma: float = 1.0,
    degree: int = 3,
    coef0: float = 0.0,
    out: Array | None = None,
) -> Array:
    """The polynomial kernel (gamma x.y + coef0)^degree; positive definite iff coef0 >= 0.

    A negative `coef0` is allowed because the book shows what it breaks
    (book: Kernels, When a polynomial is no kernel).

    >>> polynomial([[1.0, 2.0]], [[3.0, 4.0]], degree=2, coef0=1.0)  # (11 + 1)^2
    array([[144.]])
    """
    X, Y, out = gram.pair(X, Y, out)
    gamma, degree = _within_range("gamma", gamma, out.dtype), count("degree", degree, at_least=0)
    coef0 = float(finite_array("coef0", coef0, ndim=0))
    with np.errstate(over="ignore", invalid="ignore"):
        K = np.matmul(X, Y.T, out=out)
        K *= gamma
        K += coef0
        return _finite("polynomial", _raised(K, degree))


def exponential(
    X: ArrayLike, Y: ArrayLike | None = None, *, gamma: float = 1.0, out: Array | None = None
) -> Array:
    """The exponential kernel exp(gamma x.y), the kernel inside softmax attention.

    With gamma = 1/sqrt(d) it is the numerator of scaled dot-product attention
    (book: The softmax kernel, Which kernel is inside attention?).

    >>> exponential([[0.0], [1.0]]).round(3)
    array([[1.   , 1.   ],
           [1.   , 2.718]])
    """
    X, Y, out = gram.pair(X, Y, out)
    gamma = _within_range("gamma", gamma, out.dtype)
    with np.errstate(over="ignore", invalid="ignore"):
        K = np.matmul(X, Y.T, out=out)
        K *= gamma
        return _finite("exponential", np.exp(K, out=K))


def laplacian(
    X: ArrayLike, Y: ArrayLike | None = None, *, gamma: float = 1.0, out: Array | None = None
) -> Array:
    """The Laplacian kernel exp(-gamma ||x - y||_1) (book: Kernels, The kernels of this book).

    >>> laplacian([[0.0, 0.0], [1.0, 2.0]]).round(4)  # exp(-3) off the diagonal
    array([[1.    , 0.0498],
           [0.0498, 1.    ]])
    """
    X, Y_, out = gram.pair(X, Y, out)
    gamma = _within_range("gamma", gamma, out.dtype)
    # a difference may overflow; then the kernel is 0, unless gamma is next to nothing
    if out.size * X.shape[1] <= FEW_DIFFERENCES and gamma * float(np.finfo(X.dtype).max) > 1e3:
        with np.errstate(over="ignore"):
            return np.exp(-(gamma * np.abs(X[:, None] - Y_)).sum(axis=-1), out=out)
    return _decay(out, negated_distances(X, Y_, power=1, scale=gamma), symmetric=Y is None)


def gaussian(
    X: ArrayLike, Y: ArrayLike | None = None, *, gamma: float = 1.0, out: Array | None = None
) -> Array:
    """The Gaussian kernel exp(-gamma ||x - y||^2) (book: Kernels, The kernels of this book).

    Of many points ||x - y||^2 comes from one matrix product where its cancellation costs no
    more than half the digits, and from plain differences (slower) where the points lie so far
    from their mean that it would cost more.

    >>> gaussian([[0.0], [1.0], [2.0]], gamma=0.5).round(3)
    array([[1.   , 0.607, 0.135],
           [0.607, 1.   , 0.607],
           [0.135, 0.607, 1.   ]])
    """
    X, Y_, out = gram.pair(X, Y, out)
    gamma = _within_range("gamma", gamma, out.dtype)
    if out.size * X.shape[1] <= FEW_DIFFERENCES:
        with np.errstate(over="ignore"):  # sqrt(gamma) comes first: what then overflows makes the kernel 0
            return np.exp(-np.square(math.sqrt(gamma) * (X[:, None] - Y_)).sum(axis=-1), out=out)
    return _decay(out, negated_squares(X, Y_, scale=gamma), symmetric=Y is None)


def _decay(out, exponents, *, symmetric):
    """The matrix exp(exponents), where rounding may not lift an exponent above 0."""

    def tile(rows, columns, into):
        exponents(rows, columns, into)
        np.minimum(into, 0, out=into)
        np.exp(into, out=into)

    gram.fill(out, tile, symmetric=symmetric)
    if symmetric:
        np.fill_diagonal(out, 1)
    return out


def _finite(kernel, K):
    """The matrix, refused where an entry left the range of its precision."""
    if not np.isfinite([K.min(), K.max()]).all():
        raise ValueError(
            f"the {kernel} kernel overflows {K.dtype} on these X and Y; rescale them or lower gamma"
        )
    return K


def _within_range(name, value, dtype):
    """A positive parameter that neither vanishes nor overflows in the precision of the data."""
    with np.errstate(over="ignore", under="ignore"):
        rounded = dtype.type(positive(name, value))
    if not 0 < rounded < np.inf:
        raise ValueError(f"{name} must be a number > 0 in {dtype}, but {value!r} rounds to {rounded}")
    return float(value)


def _raised(K, degree):
    """K^degree in place; of many entries by squaring, which is far cheaper than the general power."""
    if degree == 0 or (K.size <= FEW_ENTRIES and degree <= LARGEST_PLAIN_DEGREE):
        return np.power(K, degree, out=K)
    base = K.copy()
    for bit in f"{degree:b}"[1:]:
        K *= K
        if bit == "1":
            K *= base
    return K
