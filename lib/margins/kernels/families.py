"""The kernels of the book, k(X, Y=None, **parameters) -> (n, m).

(book: Kernels, The kernels of this book)

All take rows in float32 or float64 and answer in that precision; `out` is a matrix to
reuse, which saves the operating system's page faults in a loop over parameters.
"""

from __future__ import annotations

import numpy as np

from margins._types import Array, ArrayLike
from margins.kernels.distances import squared_distances, summed_differences
from margins.validation import count, finite_array, positive


def linear(X: ArrayLike, Y: ArrayLike | None = None, *, out: Array | None = None) -> Array:
    """The linear kernel x.y (book: Kernels, The kernels of this book).

    >>> linear([[1.0, 2.0]], [[3.0, 4.0], [0.0, 1.0]])
    array([[11.,  2.]])
    """
    X, Y, out = pair(X, Y, out)
    return np.matmul(X, Y.T, out=out)


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
    X, Y, out = pair(X, Y, out)
    gamma, degree = _within_range("gamma", gamma, X.dtype), count("degree", degree, at_least=0)
    base = gamma * np.matmul(X, Y.T, out=out) + float(finite_array("coef0", coef0, ndim=0, min_rows=0))
    out[...] = 1
    with np.errstate(over="ignore", invalid="ignore"):
        for bit in f"{degree:b}":  # base^degree by squaring: far cheaper than the general power
            out *= out
            if bit == "1":
                out *= base
    return _finite("polynomial", out)


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
    X, Y, out = pair(X, Y, out)
    exponents = _within_range("gamma", gamma, X.dtype) * np.matmul(X, Y.T, out=out)
    with np.errstate(over="ignore"):
        return _finite("exponential", np.exp(exponents, out=out))


def laplacian(
    X: ArrayLike, Y: ArrayLike | None = None, *, gamma: float = 1.0, out: Array | None = None
) -> Array:
    """The Laplacian kernel exp(-gamma ||x - y||_1) (book: Kernels, The kernels of this book).

    >>> laplacian([[0.0, 0.0], [1.0, 2.0]]).round(4)  # exp(-3) off the diagonal
    array([[1.    , 0.0498],
           [0.0498, 1.    ]])
    """
    X, Y, out = pair(X, Y, out)
    distances = summed_differences(X, Y, power=1, out=out)
    distances *= -_within_range("gamma", gamma, X.dtype)
    return np.exp(distances, out=distances)


def gaussian(
    X: ArrayLike, Y: ArrayLike | None = None, *, gamma: float = 1.0, out: Array | None = None
) -> Array:
    """The Gaussian kernel exp(-gamma ||x - y||^2) (book: Kernels, The kernels of this book).

    >>> gaussian([[0.0], [1.0], [2.0]], gamma=0.5).round(3)
    array([[1.   , 0.607, 0.135],
           [0.607, 1.   , 0.607],
           [0.135, 0.607, 1.   ]])
    """
    X, Y, out = pair(X, Y, out)
    gamma = _within_range("gamma", gamma, X.dtype)
    squares = squared_distances(X, Y, sharpest=gamma, out=out)
    squares *= -gamma
    if Y is X:
        np.fill_diagonal(squares, 0)  # where the product leaves some rounding
    return np.exp(squares, out=squares)


def pair(X: ArrayLike, Y: ArrayLike | None, out: object = None) -> tuple[Array, Array, Array]:
    """Checked `X` (n, d), `Y` (m, d) in one common precision, and the matrix (n, m) to fill.

    `Y` comes back as the very array `X` where None was given; `out`, if given, must fit.
    """
    X = finite_array("X", X, ndim=2)
    if Y is None:
        Y = X
    else:
        Y = finite_array("Y", Y, ndim=2)
        if X.shape[1] != Y.shape[1]:
            raise ValueError(f"X and Y must have equally many columns, but X has {X.shape}, Y has {Y.shape}")
        dtype = np.result_type(X, Y)
        X, Y = X.astype(dtype, copy=False), Y.astype(dtype, copy=False)
    if isinstance(out, np.ndarray) and (np.shares_memory(out, X) or np.shares_memory(out, Y)):
        raise ValueError("out must have memory of its own, but it shares some with X or Y, which are read")
    return X, Y, _buffer(out, (len(X), len(Y)), X.dtype)


def _buffer(out, shape, dtype):
    """The caller's `out` if it fits, or fresh memory."""
    if out is None:
        return np.empty(shape, dtype)
    if not isinstance(out, np.ndarray):
        raise ValueError(f"out must be a NumPy array, but got a {type(out).__name__}")
    if out.shape != shape or out.dtype != dtype or not out.flags.writeable:
        got = f"{out.shape} {out.dtype}{'' if out.flags.writeable else ' read-only'}"
        raise ValueError(f"out must be a writable {shape} {dtype} array, but got {got}")
    return out


def _within_range(name, value, dtype):
    """A positive parameter that neither vanishes nor overflows in the precision of the data."""
    with np.errstate(over="ignore", under="ignore"):
        rounded = dtype.type(positive(name, value))
    if not 0 < rounded < np.inf:
        raise ValueError(f"{name} must be a number > 0 in {dtype}, but {value!r} rounds to {rounded}")
    return float(value)


def _finite(kernel, K):
    """The matrix K, refused where it left the range of its precision."""
    if not np.isfinite(K).all():
        raise ValueError(
            f"the {kernel} kernel overflows {K.dtype} on these X and Y; rescale them or lower gamma"
        )
    return K
