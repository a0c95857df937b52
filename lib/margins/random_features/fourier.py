"""Random Fourier features: an explicit feature map for the Gaussian and the Laplacian kernel.

(book: Random features and linear attention, Bochner's theorem)
"""

from __future__ import annotations

import math

import numpy as np

from margins._types import Array, ArrayLike
from margins.random_features.inputs import points_and_projections
from margins.validation import finite_array, same_length


def fourier_features(X: ArrayLike, omega: ArrayLike, *, offsets: ArrayLike | None = None) -> Array:
    """Fourier features phi with E[phi(x).phi(y)] = E[cos(omega.(x - y))], the kernel whose spectrum omega is.

    - offsets None: (cos(omega x), sin(omega x)) / sqrt(m), 2m columns, cosines first;
    - offsets b (m,) uniform on [0, 2 pi): sqrt(2/m) cos(omega x + b), m columns.

    omega ~ N(0, I) gives exp(-|x - y|^2/2); sqrt(2 gamma) omega gives exp(-gamma |x - y|^2);
    Cauchy omega gives exp(-|x - y|_1). Only the pair is exact at x = y
    (book: Random features and linear attention, Bochner's theorem).

    >>> omega = projections(1000, 2, rng=0)
    >>> phi = fourier_features([[0.0, 0.0], [1.0, 0.0]], omega)
    >>> (phi @ phi.T).round(1)  # exp(-1/2) = .6 off the diagonal
    array([[1. , 0.6],
           [0.6, 1. ]])
    """
    X, omega = points_and_projections(X, omega)
    angles = X @ omega.T  # (..., n, m)
    if offsets is None:
        return np.concatenate([np.cos(angles), np.sin(angles)], axis=-1) / math.sqrt(len(omega))
    offsets = finite_array("offsets", offsets, ndim=1, dtype=X.dtype)
    same_length(omega=omega, offsets=offsets)
    return math.sqrt(2 / len(omega)) * np.cos(angles + offsets)
