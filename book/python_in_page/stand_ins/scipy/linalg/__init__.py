"""Triangles and Cholesky factors by NumPy; what `numpy.linalg` has under the same name comes from there."""

import numpy as np
from numpy.linalg import LinAlgError, det, eigh, inv, lstsq, norm, pinv, qr, solve, svd

from .. import names_missing_from

__all__ = [
    "LinAlgError",
    "cho_factor",
    "cho_solve",
    "det",
    "eigh",
    "inv",
    "lstsq",
    "norm",
    "pinv",
    "qr",
    "solve",
    "solve_triangular",
    "svd",
]
__getattr__ = names_missing_from(__name__)


def solve_triangular(a, b, trans=0, lower=False, check_finite=True):
    """The solution of a x = b, or of its transpose, for a triangle `a`."""
    a, b = np.asarray(a), np.asarray(b)
    upper = not lower
    if trans not in (0, "N"):
        a, upper = a.T, not upper
    a = np.triu(a) if upper else np.tril(a)
    # LU leaves the pivots of an upper triangle where they are; a lower one read from its end is upper
    return np.linalg.solve(a, b) if upper else np.linalg.solve(a[::-1, ::-1], b[::-1])[::-1]


def cho_factor(a, lower=False, overwrite_a=False, check_finite=True):
    """The Cholesky factor of the triangle of `a` that `lower` names, and `lower`."""
    a = np.asarray(a)
    L = np.linalg.cholesky(a if lower else a.T)
    return (L if lower else L.T), lower


def cho_solve(c_and_lower, b, overwrite_b=False, check_finite=True):
    """The solution of a x = b from the factor of a."""
    c, lower = c_and_lower
    half = solve_triangular(c, b, trans=0 if lower else 1, lower=lower)
    return solve_triangular(c, half, trans=1 if lower else 0, lower=lower)
