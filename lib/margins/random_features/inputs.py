"""Checks that all random features share (book: Random features and linear attention)."""

from __future__ import annotations

import numbers

import numpy as np

from margins._types import Array, ArrayLike
from margins.validation import finite_array, summable_squares


def points_and_projections(X: ArrayLike, omega: ArrayLike) -> tuple[Array, Array]:
    """Checked points `X` (..., n, d) and projections `omega` (m, d), both in the precision of `X`."""
    X, omega = finite_array("X", X, allow_empty=True), projection_matrix(omega, np.shape(X)[-1:])
    if X.ndim < 2 or X.shape[-1] != omega.shape[1]:
        raise ValueError(
            f"expected X (..., n, d) and omega (m, d), but X has shape {X.shape}, omega has {omega.shape}"
        )
    return X, omega.astype(X.dtype, copy=False)


def projection_matrix(omega: ArrayLike, width: tuple[int, ...]) -> Array:
    """Checked projections `omega` (m, d); a number in their place is answered by the call that draws them."""
    if isinstance(omega, numbers.Number):
        d = width[0] if width else "d"
        raise ValueError(
            f"omega must be a matrix (m, d) of projections, but got the number {omega}; "
            f"use projections({omega}, {d}, rng=0)"
        )
    return finite_array("omega", omega, ndim=2)


def vectors(x: ArrayLike, y: ArrayLike) -> tuple[Array, Array]:
    """Checked vectors `x` and `y` (..., d) in float64 whose shapes broadcast."""
    x, y = finite_array("x", x, dtype=np.float64), finite_array("y", y, dtype=np.float64)
    fit = x.ndim > 0 and y.ndim > 0 and x.shape[-1] == y.shape[-1]
    try:
        np.broadcast_shapes(x.shape, y.shape)
    except ValueError:
        fit = False
    if not fit:
        raise ValueError(
            f"x and y must be vectors (..., d) that broadcast, but they are {x.shape} and {y.shape}"
        )
    return summable_squares("x", x), summable_squares("y", y)


def exponents(X: Array, omega: Array) -> tuple[Array, Array]:
    """The projections X omega' (..., n, m) and |x|^2/2 (..., n, 1), refused where they overflow."""
    with np.errstate(over="ignore", invalid="ignore"):
        along = X @ omega.T
        half_squares = np.einsum("...d,...d->...", X, X)[..., None] / 2
    if not (np.isfinite(along).all() and np.isfinite(half_squares).all()):
        raise ValueError(f"the products of X with omega or with itself overflow {X.dtype}; rescale X")
    return along, half_squares
