"""Singular matrices raise an error in the page, as they do elsewhere.

NumPy learns from the floating-point flags of the processor that LAPACK has failed. WebAssembly has no such
flags: there NumPy's functions return NaN.
"""

import functools

import numpy as np
from numpy.linalg import LinAlgError

FAILS = {
    "cholesky": "Matrix is not positive definite",
    "inv": "Singular matrix",
    "solve": "Singular matrix",
}


def raising(function, message):
    """The function, with an error where it makes NaN of finite numbers."""

    @functools.wraps(function)
    def checked(*matrices, **options):
        answer = function(*matrices, **options)
        if np.isnan(answer).any() and all(np.isfinite(matrix).all() for matrix in matrices):
            raise LinAlgError(message)
        return answer

    return checked


def install():
    """Puts the functions that raise in the places of NumPy's."""
    for name, message in FAILS.items():
        setattr(np.linalg, name, raising(getattr(np.linalg, name), message))
