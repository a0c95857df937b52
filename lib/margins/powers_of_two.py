"""Scaling by powers of two, exactly: numbers brought near 1 have squares that neither overflow nor vanish."""

from __future__ import annotations

import numpy as np

from margins._types import Array


def common_exponent(*arrays: Array) -> int:
    """The exponent e with every |entry| < 2^e: over 2^e no square and no sum of a few leaves the range."""
    return int(np.frexp(max(np.abs(X).max() for X in arrays))[1])


def scaled_to_one(X: Array, axis: int | tuple[int, ...] | None = None) -> tuple[Array, Array]:
    """X / 2^e and the exponents e with every |entry| < 2^e: one for all of X, or one a slice along `axis`."""
    largest = np.maximum(X.max(axis=axis, keepdims=True), -X.min(axis=axis, keepdims=True))
    exponents = np.frexp(largest)[1]
    return _times_power(X, -exponents), exponents


def row_norms(X: Array) -> Array:
    """The lengths of the rows (..., n, 1), infinite only where they are beyond the numbers themselves."""
    X, exponents = scaled_to_one(X, axis=-1)
    with np.errstate(over="ignore"):
        return _times_power(np.linalg.norm(X, axis=-1, keepdims=True), exponents)


def scaled_back(what: str, X: Array, exponents: Array) -> Array:
    """X times 2^exponents, refused where that overflows, by a message about `what`."""
    with np.errstate(over="ignore"):
        X = _times_power(X, exponents)
    if not np.isfinite(X).all():
        raise ValueError(f"{what} overflows {X.dtype}; rescale what it is made of")
    return X


def _times_power(X, exponents):
    """X times 2^exponents: by a product, which takes less time than ldexp, unless a power overflows."""
    if np.abs(exponents).max(initial=0) < np.finfo(X.dtype).maxexp - 2:
        return X * np.ldexp(X.dtype.type(1), exponents)
    return np.ldexp(X, exponents)
