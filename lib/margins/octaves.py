"""Scaling by powers of two, exactly: numbers brought near 1 have squares that neither overflow nor vanish."""

import numpy as np


def octave(*arrays):
    """The exponent e with every |entry| < 2^e: over 2^e no square and no sum of a few leaves the range."""
    return int(np.frexp(max(np.abs(X).max() for X in arrays))[1])


def near_one(X, axis=None):
    """X / 2^e and the exponents e with every |entry| < 2^e: one for all of X, or one a slice along `axis`."""
    exponents = np.frexp(np.abs(X).max(axis=axis, keepdims=True))[1]
    return np.ldexp(X, -exponents), exponents


def lengths(X):
    """The lengths of the rows (..., n, 1), infinite only where they are beyond the numbers themselves."""
    X, exponents = near_one(X, axis=-1)
    with np.errstate(over="ignore"):
        return np.ldexp(np.linalg.norm(X, axis=-1, keepdims=True), exponents)


def grown(what, X, exponents):
    """X times 2^exponents, refused where that overflows; `what` it is says the message."""
    with np.errstate(over="ignore"):
        X = np.ldexp(X, exponents)
    if not np.isfinite(X).all():
        raise ValueError(f"{what} overflows {X.dtype}; rescale what it is made of")
    return X
