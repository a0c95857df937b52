"""The kernel inside a wide random ReLU layer."""

from __future__ import annotations

import numpy as np

from margins._types import Array, ArrayLike
from margins.kernels import gram
from margins.random_features.inputs import points_and_projections
from margins.validation import finite_product, squarable


def relu_features(X: ArrayLike, omega: ArrayLike) -> Array:
    """Features sqrt(2/m) max(omega.x, 0): a random ReLU layer, whose kernel tends to `arc_cosine` with m.

    (book: Attention as Nadaraya-Watson regression, Wide layers are kernels, and depth composes them)

    >>> relu_features([[1.0, 0.0]], [[3.0, 1.0], [-2.0, 0.5]])
    array([[3., 0.]])
    """
    X, omega = points_and_projections(X, omega)
    return np.sqrt(2 / len(omega)).astype(X.dtype) * np.maximum(finite_product("X omega'", X, omega.T), 0)


def arc_cosine(X: ArrayLike, Y: ArrayLike | None = None) -> Array:
    """The arc-cosine kernel of order 1, |x||y| (sin t + (pi - t) cos t)/pi with t the angle between x and y.

    It is 2 E[max(omega.x, 0) max(omega.y, 0)] for omega ~ N(0, I)
    (book: Attention as Nadaraya-Watson regression, From one head to a layer).

    >>> arc_cosine([[2.0, 0.0]], [[3.0, 0.0], [0.0, 1.0], [-1.0, 0.0]]).round(4)
    array([[6.    , 0.6366, 0.    ]])
    """
    X, Y, _ = gram.pair(X, Y, None)
    (X, x), (Y, y) = _unit_rows(squarable("X", X)), _unit_rows(squarable("Y", Y))
    products = finite_product("|x||y|", x, y.T)  # (n, m)
    cosine = np.clip(X @ Y.T, -1, 1)
    angle = np.arccos(cosine)
    return products * ((np.sin(angle) + (np.pi - angle) * cosine) / np.pi)


def _unit_rows(X: Array) -> tuple[Array, Array]:
    """The unit vectors along the rows (n, d), 0 along 0, and the lengths of the rows (n, 1)."""
    lengths = np.linalg.norm(X, axis=-1, keepdims=True)
    return X / np.where(lengths == 0, 1, lengths), lengths
