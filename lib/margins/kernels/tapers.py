"""Masks and tapers over positions: which pairs may meet, and which way of saying so is a kernel.

Positions are real numbers (n,); the product of a Gram
matrix with a PSD taper is PSD, with the band mask it need not be.
"""

from __future__ import annotations

import numpy as np

from margins._types import Array, ArrayLike
from margins.validation import finite_array, positive


def offsets(s: ArrayLike, t: ArrayLike | None = None) -> Array:
    """The differences s_i - t_j, (n, m), of positions on a line (t = s where None came)."""
    s = finite_array("s", s, ndim=1, dtype=np.float64)
    t = s if t is None else finite_array("t", t, ndim=1, dtype=np.float64)
    return s[:, None] - t  # (n, m)


def band_mask(s: ArrayLike, t: ArrayLike | None = None, *, width: int) -> Array:
    """The mask |s - t| <= width, True where the pair may meet; not positive definite.

    Its Fourier transform, the Dirichlet kernel, changes sign: already three equal tokens at 0, width and 2
    width have the eigenvalue 1 - sqrt 2 (book: Attention as Nadaraya-Watson regression, Who may look where).

    >>> band_mask(np.arange(4), width=1).astype(int)
    array([[1, 1, 0, 0],
           [1, 1, 1, 0],
           [0, 1, 1, 1],
           [0, 0, 1, 1]])
    """
    return np.abs(offsets(s, t)) <= positive("width", width, allow_zero=True)


def causal_mask(s: ArrayLike, t: ArrayLike | None = None) -> Array:
    """The mask s >= t: each position sees itself and its past; not even symmetric.

    (book: Attention as Nadaraya-Watson regression, Who may look where)

    >>> causal_mask(np.arange(3)).astype(int)
    array([[1, 0, 0],
           [1, 1, 0],
           [1, 1, 1]])
    """
    return offsets(s, t) >= 0


def triangle_taper(s: ArrayLike, t: ArrayLike | None = None, *, width: int) -> Array:
    """Bartlett's taper max(0, 1 - |s - t| / (width + 1)), positive definite on the line.

    It is a box convolved with itself, so its Fourier transform is a square. On integer positions it vanishes
    on the same pairs as the band mask of the same width (book: Kernels, Masks and tapers).

    >>> triangle_taper(np.arange(3), width=1)
    array([[1. , 0.5, 0. ],
           [0.5, 1. , 0.5],
           [0. , 0.5, 1. ]])
    """
    reach = positive("width", width, allow_zero=True) + 1
    return np.maximum(0, 1 - np.abs(offsets(s, t)) / reach)
