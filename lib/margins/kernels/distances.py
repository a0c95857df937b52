"""Distances between the rows of two matrices, tile by tile, with their digits kept.

(book: Kernels, Which matrices are Gram matrices)
"""

from __future__ import annotations

import math

import numpy as np

from margins._types import Array, Tile


def negated_squares(X: Array, Y: Array, *, scale: float, sharpest: float = 1.0) -> Tile:
    """A tile-maker: -scale |x - y|^2, to half its digits where it is later multiplied by `sharpest`.

    One matrix product makes it where the points lie so near their mean that its cancellation leaves
    those digits, plain differences (slower) where it would not.
    """
    return _expanded_squares(X, Y, scale, sharpest) or negated_distances(X, Y, power=2, scale=scale)


def _expanded_squares(X, Y, scale, sharpest):
    """A tile-maker for scale (2 x.y - |x|^2 - |y|^2), or None where that cancels too many digits."""
    with np.errstate(over="ignore", invalid="ignore"):
        centre, root = X.mean(axis=0), math.sqrt(2 * scale)
        A, B = root * (X - centre), root * (Y - centre)  # (n, d), (m, d)
        a, b = (np.einsum("id,id->i", M, M) / 2 for M in (A, B))  # scale |x|^2, scale |y|^2
        if not (a.max() + b.max()) * sharpest <= np.finfo(X.dtype).eps ** -0.5:
            return None
    # -|x|^2 and -|y|^2 ride along as two more columns: one product, no pass over the matrix.
    left = np.column_stack([A, -a, np.ones_like(a)])  # (n, d + 2)
    right = np.ascontiguousarray(np.column_stack([B, np.ones_like(b), -b]).T)  # (d + 2, m)

    def tile(rows, columns, into):
        np.matmul(left[rows], right[:, columns], out=into)

    return tile


def negated_distances(X: Array, Y: Array, *, power: int, scale: float) -> Tile:
    """A tile-maker: -scale * sum_k |x_k - y_k|^power by plain differences, which never cancel."""
    # Shrinking before the power and growing after it keeps 0 * inf and inf - inf away.
    before, after = min(scale, 1.0) ** (1 / power), max(scale, 1.0)
    X, Y = before * X, before * Y
    size = np.abs if power == 1 else np.square

    def tile(rows, columns, into):
        into[:], step = 0, np.empty_like(into)
        with np.errstate(over="ignore"):
            for x, y in zip(X[rows].T, Y[columns].T, strict=True):
                np.subtract.outer(x, y, out=step)
                into -= size(step, out=step)
            into *= after

    return tile
