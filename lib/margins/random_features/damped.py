"""Positive features of least variance: damp the long projections."""

from __future__ import annotations

import math

import numpy as np

from margins._types import Array, ArrayLike
from margins.random_features.inputs import exponents, points_and_projections, vectors
from margins.validation import count, finite_array, positive


def damped_features(X: ArrayLike, omega: ArrayLike, A: float) -> Array:
    """Features (1 - 4A)^(d/4) exp(A |omega|^2 + sqrt(1 - 4A) omega.x - |x|^2/2) / sqrt(m), omega ~ N(0, I).

    phi(x).phi(y) has mean exp(x.y) for every A < 1/4 and a variance for A < 1/8; A = 0 gives
    the positive features (book: Random features and linear attention, The best positive features).

    >>> X, omega = np.array([[0.6, 0.0], [0.0, 0.8]]), projections(2**15, 2, rng=0)
    >>> phi = damped_features(X, omega, best_damping(2, 1.0))
    >>> (phi @ phi.T / np.exp(X @ X.T)).round(1)
    array([[1., 1.],
           [1., 1.]])
    """
    A = float(finite_array("A", A, ndim=0))
    if not A < 0.25:
        raise ValueError(f"A must be < 1/4, or the estimate has no mean, but got {A}")
    X, omega = points_and_projections(X, omega)
    along, half_squares = exponents(math.sqrt(1 - 4 * A) * X, omega)
    growth = A * np.einsum("md,md->m", omega, omega) + X.shape[-1] / 4 * math.log(1 - 4 * A)
    with np.errstate(over="ignore"):
        features = np.exp(along + growth - half_squares / (1 - 4 * A)) / math.sqrt(len(omega))
    if not np.isfinite(features).all():
        raise ValueError(f"the features overflow {X.dtype} with A = {A}; rescale X or choose a smaller A")
    return features


def damped_feature_variance(x: ArrayLike, y: ArrayLike, m: int, A: float) -> Array:
    """The variance of phi(x).phi(y) for `damped_features` with m independent projections, A < 1/8.

    With a = |x + y|^2 and c = |x|^2 + |y|^2 it is [(1 - 4A)^d (1 - 8A)^(-d/2) exp(2a (1 - 4A)/(1 - 8A) - c) -
    exp(2 x.y)] / m (book: Random features and linear attention, The best positive features).

    >>> x, y = np.array([0.6, 0.0]), np.array([0.0, 0.8])
    >>> A = best_damping(2, 1.0)
    >>> bool(damped_feature_variance(x, y, 64, A) < damped_feature_variance(x, y, 64, 0.0))
    True
    """
    x, y = vectors(x, y)
    A, d = float(finite_array("A", A, ndim=0)), x.shape[-1]
    if not A < 0.125:
        raise ValueError(f"A must be < 1/8, or the estimate has no variance, but got {A}")
    a, c = np.square(x + y).sum(axis=-1), (np.square(x) + np.square(y)).sum(axis=-1)
    growth = d * math.log(1 - 4 * A) - d / 2 * math.log(1 - 8 * A)
    with np.errstate(over="ignore", invalid="ignore"):
        second_moment = np.exp(growth + 2 * a * (1 - 4 * A) / (1 - 8 * A) - c)
        variance = (second_moment - np.exp(a - c)) / count("m", m)
    if not np.isfinite(variance).all():
        raise ValueError(f"the variance overflows at norms |x + y| up to {np.sqrt(a.max()):.3g} with A = {A}")
    return variance


def best_damping(d: int, mean_square: float) -> float:
    """The A of least variance in dimension d for pairs with |x + y|^2 = mean_square.

    A = (1 - 1/rho)/8, where rho = 1/(1 - 8A) is the positive root of 2a rho^2 + (2a + d) rho - d = 0, a = |x
    + y|^2 (book: Random features and linear attention, The best positive features).

    >>> round(best_damping(2, 1.0), 4)
    -0.1768
    """
    d, a = count("d", d), positive("mean_square", mean_square, allow_zero=True)
    b = 2 * a + d
    return (1 - (b + math.hypot(b, math.sqrt(8 * a * d))) / (2 * d)) / 8
