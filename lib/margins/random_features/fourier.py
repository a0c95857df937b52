"""Random Fourier features: an explicit feature map for the Gaussian and the Laplacian kernel.

(book: Random features and linear attention, Bochner's theorem)
"""

from __future__ import annotations

import math

import numpy as np

from margins._types import Array, ArrayLike
from margins.random_features.inputs import points_and_projections
from margins.validation import finite_array, same_length

TILE = 1 << 17  # entries worked on at a time: up to a megabyte, which the second-level cache holds


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
    _refuse_endless_angles(X, omega)
    if offsets is not None:
        offsets = finite_array("offsets", offsets, ndim=1, dtype=X.dtype)
        same_length(omega=omega, offsets=offsets)
        return math.sqrt(2 / len(omega)) * np.cos(X @ omega.T + offsets)  # (..., n, m)
    out = np.empty((*X.shape[:-1], 2 * len(omega)), X.dtype)  # (..., n, 2m)
    _fill_pairs(out.reshape(-1, out.shape[-1]), X.reshape(-1, X.shape[-1]), omega)
    return out


def _refuse_endless_angles(X, omega):
    """A refusal where an angle omega.x could leave the number range."""
    steepest = float(np.abs(omega).sum(axis=1, dtype=np.float64).max())
    largest = max(float(X.max(initial=0)), -float(X.min(initial=0))) * steepest
    if not largest < float(np.finfo(X.dtype).max):
        raise ValueError(
            f"the angles of X and omega may reach {largest:.1e}, which overflows {X.dtype}; rescale X"
        )


def _fill_pairs(out, X, omega):
    """cos(omega x) and sin(omega x) over sqrt(m) in `out` (n, 2m), both from t = tan(omega x / 2).

    cos = 2/(1 + t^2) - 1 and sin = 2t/(1 + t^2): one tangent is much cheaper than a cosine and a sine.
    """
    m = len(omega)
    halves, height = omega.T / 2, 1 / math.sqrt(m)
    rows = max(1, TILE // m)
    for first in range(0, len(X), rows):
        tile = slice(first, first + rows)
        tangent = X[tile] @ halves  # (rows, m)
        np.tan(tangent, out=tangent)
        factor = tangent * tangent
        factor += 1
        np.divide(2 * height, factor, out=factor)
        np.subtract(factor, height, out=out[tile, :m])
        np.multiply(tangent, factor, out=out[tile, m:])
