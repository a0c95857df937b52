"""Variances of random feature estimates in closed form, for independent and for orthogonal projections.

Throughout a = |x + y|^2, b = |x - y|^2, and m projections are drawn.
"""

from __future__ import annotations

import numpy as np

from margins._extras import extra
from margins._types import Array, ArrayLike
from margins.random_features.inputs import vectors
from margins.random_features.softmax import KINDS
from margins.validation import count, one_of


def softmax_feature_variance(
    x: ArrayLike, y: ArrayLike, m: int, kind: str = "positive", *, orthogonal: bool = False
) -> Array:
    """The variance of phi(x).phi(y) for `softmax_features` with m projections.

    Independent projections (K = exp(x.y), c = |x|^2 + |y|^2):

    - positive: K^2 (e^a - 1) / m;
    - hyperbolic: e^-c (e^a - 1)^2 / 2m, which is (1 - e^-a)/2 times the positive one;
    - trigonometric: e^c (1 - e^-b)^2 / 2m.

    Orthogonal ones add the covariance of two projections of a block for every ordered pair in a block. `x`
    and `y` are (..., d) and broadcast (book: Random features and linear attention, What an estimate costs).

    >>> x, y = [1.0, 0.0], [-1.0, 0.0]
    >>> float(softmax_feature_variance(x, y, 10))  # exact where x + y = 0
    0.0
    """
    one_of("kind", kind, KINDS)
    (x, y), m = vectors(x, y), count("m", m)
    a, b, c = _square(x + y), _square(x - y), _square(x) + _square(y)
    with np.errstate(over="ignore", invalid="ignore"):
        if kind == "trigonometric":
            factor, single, covariance = np.exp(c), np.expm1(-b) ** 2 / 2, _covariance(x.shape[-1], -b)
        else:
            factor, covariance = np.exp(-c), _covariance(x.shape[-1], a)
            single = np.expm1(a) * (np.exp(a) if kind == "positive" else np.expm1(a) / 2)
        variance = factor * (single / m + (_pair_share(m, x.shape[-1]) * covariance if orthogonal else 0))
    if not np.isfinite(variance).all():
        raise ValueError(f"the variance overflows at norms |x + y| up to {np.sqrt(a.max()):.3g}")
    return np.maximum(variance, 0)


def fourier_feature_variance(
    x: ArrayLike, y: ArrayLike, m: int, *, offset: bool = False, orthogonal: bool = False
) -> Array:
    """The variance of phi(x).phi(y) for `fourier_features` of m projections N(0, I).

    With k(b) = exp(-b/2): (1 - e^-b)^2 / 2m for pairs of cosine and sine (2m columns), (1 + k(4b)/2 - k(b)^2)
    / m with offsets (m columns). Orthogonal projections add the covariances of their blocks, equal for both
    (book: Random features and linear attention, What an estimate costs).

    >>> fourier_feature_variance([1.0], [[1.0], [0.0]], 10).round(4)  # none at x = y
    array([0.  , 0.02])
    """
    (x, y), m = vectors(x, y), count("m", m)
    b, d = _square(x - y), x.shape[-1]
    single = 1 + np.exp(-2 * b) / 2 - np.exp(-b) if offset else np.expm1(-b) ** 2 / 2
    return np.maximum(single / m + (_pair_share(m, d) * _covariance(d, -b) if orthogonal else 0), 0)


def _covariance(d, s):
    """The covariance 1F1(d; d/2; s/2) - e^s of two orthogonal projections of one block.

    The sum of two such projections has a uniform direction and a length chi_2d, so
    E exp((w + w').z) = 1F1(d; d/2; |z|^2/2) for the exponential features, s = a, and
    E cos((w + w').z) = 1F1(d; d/2; -|z|^2/2) for the trigonometric ones, s = -b.
    """
    with extra("solvers", "margins.random_features for orthogonal projections"):
        from scipy.special import hyp1f1

    return hyp1f1(d, d / 2, s / 2) - np.exp(s)


def _pair_share(m, d):
    """The ordered pairs of distinct projections of the same block of d, as a share of m^2."""
    blocks, rest = divmod(m, d)
    return (blocks * d * (d - 1) + rest * (rest - 1)) / m**2


def _square(x):
    return np.square(x).sum(axis=-1)
