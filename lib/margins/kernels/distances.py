"""Distances between the rows of two matrices, with their digits kept.

(book: Kernels, Gram matrices)
"""

from __future__ import annotations

import numpy as np

from margins._types import Array

ENTRIES_AT_A_TIME = 2**16  # half a megabyte: what is done to them one after the other stays in the cache


def squared_distances(X: Array, Y: Array, *, sharpest: float = 1.0, out: Array | None = None) -> Array:
    """The matrix |x - y|^2 = |x|^2 + |y|^2 - 2 x.y (n, m), to half its digits when `sharpest` multiplies it.

    That is one matrix product. The points are moved to their mean first, which changes no distance; where
    the cancellation would still cost more than half the digits, plain differences (slower) are squared.
    """
    centre = X.mean(axis=0)
    A, B = X - centre, Y - centre
    a, b = np.square(A).sum(axis=1), np.square(B).sum(axis=1)  # (n,), (m,)
    if not (a.max() + b.max()) * sharpest <= np.finfo(X.dtype).eps ** -0.5:
        return summed_differences(X, Y, power=2, out=out)
    # A A' of one matrix with itself is symmetric to the last bit, and so are the sums of a and b
    squares = np.matmul(A, A.T if Y is X else B.T, out=out)
    for rows in _blocks(*squares.shape):
        squares[rows] *= -2
        squares[rows] += a[rows, None] + b
        np.maximum(squares[rows], 0, out=squares[rows])
    return squares


def summed_differences(X: Array, Y: Array, *, power: int, out: Array | None = None) -> Array:
    """The matrix sum_k |x_k - y_k|^power (n, m) by plain differences, which never cancel; power is 1 or 2."""
    size = np.abs if power == 1 else np.square
    total = np.empty((len(X), len(Y)), X.dtype) if out is None else out
    for rows in _blocks(*total.shape):
        total[rows] = 0
        for x, y in zip(X[rows].T, Y.T, strict=True):
            step = np.subtract.outer(x, y)
            total[rows] += size(step, out=step)
    return total


def _blocks(n, m):
    """Slices of the rows of a matrix (n, m)."""
    size = max(1, ENTRIES_AT_A_TIME // max(1, m))
    return [slice(first, first + size) for first in range(0, n, size)]
