"""Scaling by powers of two, exactly: numbers brought near 1 have squares that neither overflow nor vanish."""

import numpy as np


def octave(*arrays):
    """The exponent e with every |entry| < 2^e: over 2^e no square and no sum of a few leaves the range."""
    return int(np.frexp(max(np.abs(X).max() for X in arrays))[1])


def near_one(X, axis=None):
    """X / 2^e and the exponents e with every |entry| < 2^e: one for all of X, or one a slice along `axis`."""
    largest = np.maximum(X.max(axis=axis, keepdims=True), -X.min(axis=axis, keepdims=True))
    exponents = np.frexp(largest)[1]
    return _times(X, -exponents), exponents


def lengths(X):
    """The lengths of the rows (..., n, 1), infinite only where they are beyond the numbers themselves."""
    X, exponents = near_one(X, axis=-1)
    with np.errstate(over="ignore"):
        return _times(np.linalg.norm(X, axis=-1, keepdims=True), exponents)


def grown(what, X, exponents):
    """X times 2^exponents, refused where that overflows; `what` it is says the message."""
    with np.errstate(over="ignore"):
        X = _times(X, exponents)
    if not np.isfinite(X).all():
        raise ValueError(f"{what} overflows {X.dtype}; rescale what it is made of")
    return X


def _times(X, exponents):
    """X times 2^exponents: by a product, at a fraction of the time, where these powers are numbers."""
    if np.abs(exponents).max(initial=0) < np.finfo(X.dtype).maxexp - 2:
        return X * np.ldexp(X.dtype.type(1), exponents)
    return np.ldexp(X, exponents)
