"""Random Fourier features: an explicit feature map for the Gaussian and the Laplacian kernel."""

from __future__ import annotations

import math

import numpy as np

from margins._types import Array, ArrayLike
from margins.random_features.inputs import points_and_projections
from margins.validation import finite_array, same_length

TILE = 1 << 17  # angles worked on at a time: up to a megabyte, which the second-level cache holds
FEW = 1 << 11  # angles: with more, one tangent in place of a cosine and a sine pays


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
    return pairs(X, omega)


def pairs(X: Array, omega: Array) -> Array:
    """The pairs (cos(omega x), sin(omega x)) / sqrt(m) (..., n, 2m) of checked points and projections."""
    if math.prod(X.shape[:-1]) * len(omega) > FEW:
        return _tile_by_tile(X, omega)
    angles = X @ omega.T
    return np.concatenate([np.cos(angles), np.sin(angles)], axis=-1) / math.sqrt(len(omega))


def _refuse_endless_angles(X, omega):
    """A refusal where an angle omega.x could leave the number range."""
    steepest = float(np.abs(omega).sum(axis=1, dtype=np.float64).max())
    largest = max(float(X.max(initial=0)), -float(X.min(initial=0))) * steepest
    if not largest < float(np.finfo(X.dtype).max):
        raise ValueError(
            f"the angles of X and omega may reach {largest:.1e}, which overflows {X.dtype}; rescale X"
        )


def _tile_by_tile(X, omega):
    """The same pairs (..., n, 2m) of many points, a few rows of them at a time."""
    m, points = len(omega), X.reshape(-1, X.shape[-1])
    out, rows = np.empty((len(points), 2 * m), X.dtype), max(1, TILE // m)
    fill = _fill_directly if X.dtype == np.float32 else _fill_by_tangents
    for first in range(0, len(points), rows):
        tile = slice(first, first + rows)
        fill(points[tile], omega, out[tile, :m], out[tile, m:])
    return out.reshape(*X.shape[:-1], 2 * m)


def _fill_directly(X, omega, cosines, sines):
    """cos(omega x) and sin(omega x) over sqrt(m), both quick in float32."""
    angles, height = X @ omega.T, 1 / math.sqrt(len(omega))
    np.multiply(np.cos(angles), height, out=cosines)
    np.multiply(np.sin(angles, out=angles), height, out=sines)


def _fill_by_tangents(X, omega, cosines, sines):
    """The same in float64, both from t = tan(omega x / 2), which takes half their time.

    cos = 2/(1 + t^2) - 1 and sin = 2t/(1 + t^2).
    """
    tangent, height = X @ (omega.T / 2), 1 / math.sqrt(len(omega))  # (rows, m)
    np.tan(tangent, out=tangent)
    factor = tangent * tangent
    factor += 1
    np.divide(2 * height, factor, out=factor)
    np.subtract(factor, height, out=cosines)
    np.multiply(tangent, factor, out=sines)
