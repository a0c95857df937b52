"""Random features of the exponential kernel: phi(x).phi(y) is exp(x.y) on average."""

from __future__ import annotations

import math

import numpy as np

from margins._types import Array, ArrayLike
from margins.random_features.fourier import pairs
from margins.random_features.inputs import exponents, points_and_projections
from margins.validation import one_of

KINDS = ("positive", "trigonometric", "hyperbolic")


def softmax_features(X: ArrayLike, omega: ArrayLike, kind: str = "positive") -> Array:
    """Features phi with E[phi(x).phi(y)] = exp(x.y) exactly, for omega ~ N(0, I) of shape (m, d).

    - "positive": exp(omega.x - |x|^2/2) / sqrt(m), m columns, those of FAVOR+;
    - "hyperbolic": (exp(omega.x - |x|^2/2), exp(-omega.x - |x|^2/2)) / sqrt(2m), 2m columns,
      the positive features of omega and -omega;
    - "trigonometric": exp(|x|^2/2) (cos(omega.x), sin(omega.x)) / sqrt(m), 2m columns.

    No scale is inside: attention with scale s takes the features of sqrt(s) q and sqrt(s) k. Features of long
    vectors may underflow to 0, which `performer_attention` avoids; features that would overflow are refused
    (book: Random features and linear attention, Three ways to estimate the softmax kernel).

    >>> X, omega = np.array([[0.5, 0.0], [0.0, 0.5]]), projections(2**15, 2, rng=0)
    >>> phi = softmax_features(X, omega)
    >>> (phi @ phi.T / np.exp(X @ X.T)).round(1)
    array([[1., 1.],
           [1., 1.]])
    """
    one_of("kind", kind, KINDS)
    X, omega = points_and_projections(X, omega)
    along, half_squares = exponents(X, omega)  # omega.x (..., n, m), |x|^2/2 (..., n, 1)
    with np.errstate(over="ignore", invalid="ignore"):
        if kind == "trigonometric":
            features = np.exp(half_squares) * pairs(X, omega)
        elif kind == "hyperbolic":
            both = np.concatenate([along, -along], axis=-1)
            features = np.exp(both - half_squares) / math.sqrt(2 * len(omega))
        else:
            features = np.exp(along - half_squares) / math.sqrt(len(omega))
    if not np.isfinite(features).all():
        longest = math.sqrt(2 * half_squares.max())
        raise ValueError(f"{kind} features overflow {X.dtype} on X with norms up to {longest:.3g}; rescale X")
    return features
