"""Gram matrices: filled tile by tile, so that what is between stays in the cache, or by a caller's kernel.

(book: Kernels, The kernels of this book)
"""

from __future__ import annotations

import numpy as np

from margins._types import Array, ArrayLike, Kernel, Tile
from margins.validation import finite_array

TILE = 256  # a 256 x 256 tile of float64 is half a megabyte: it lives in the second-level cache
CONTRACT = "a kernel k takes two matrices (n, d), (m, d) and returns a matrix (n, m)"
REMEDY = "a function k of two points becomes one by lambda X, Y: np.array([[k(x, y) for y in Y] for x in X])"


def pair(X: ArrayLike, Y: ArrayLike | None, out: object) -> tuple[Array, Array, Array]:
    """Checked `X` (n, d), `Y` (m, d) in one common precision, and the matrix (n, m) to fill.

    `Y` comes back as the very array `X` where None came; `out`, if given, must fit.
    """
    X = finite_array("X", X, ndim=2)
    if Y is None:
        Y = X
    else:
        Y = finite_array("Y", Y, ndim=2)
        if X.shape[1] != Y.shape[1]:
            raise ValueError(f"X and Y must have equally many columns, but X has {X.shape}, Y has {Y.shape}")
        dtype = np.result_type(X, Y)
        X, Y = X.astype(dtype, copy=False), Y.astype(dtype, copy=False)
    if isinstance(out, np.ndarray) and (np.shares_memory(out, X) or np.shares_memory(out, Y)):
        raise ValueError("out must have memory of its own, but it shares some with X or Y, which are read")
    return X, Y, _buffer(out, (len(X), len(Y)), X.dtype)


def _buffer(out, shape, dtype):
    """The caller's `out` if it fits, or fresh memory."""
    if out is None:
        return np.empty(shape, dtype)
    if not isinstance(out, np.ndarray):
        raise ValueError(f"out must be a NumPy array, but got a {type(out).__name__}")
    if out.shape != shape or out.dtype != dtype or not out.flags.writeable:
        got = f"{out.shape} {out.dtype}{'' if out.flags.writeable else ' read-only'}"
        raise ValueError(f"out must be a writable {shape} {dtype} array, but got {got}")
    return out


def fill(out: Array, tile: Tile, *, symmetric: bool) -> Array:
    """The matrix `out` with every block made by `tile(rows, columns, into)`.

    A symmetric matrix is made below the diagonal only and mirrored, which halves the
    work and makes it symmetric to the last bit.
    """
    scratch = np.empty((TILE, TILE), out.dtype)  # contiguous, hence faster to work in than `out`
    for rows in slices(out.shape[0], TILE):
        for columns in slices(rows.stop if symmetric else out.shape[1], TILE):
            block = scratch[: rows.stop - rows.start, : columns.stop - columns.start]
            tile(rows, columns, block)
            if symmetric and rows == columns:
                block = np.tril(block) + np.tril(block, -1).T
            elif symmetric:
                out[columns, rows] = block.T
            out[rows, columns] = block
    return out


def slices(length: int, size: int) -> list[slice]:
    """Consecutive slices of at most `size` indices that cover range(length)."""
    return [slice(start, min(start + size, length)) for start in range(0, length, size)]


def kernel_matrix(kernel: Kernel, X: Array, Y: Array) -> Array:
    """The matrix kernel(X, Y) (n, m), refused where the function returns something else."""
    try:
        K = kernel(X, Y)
    except Exception as error:
        error.add_note(f"raised by the kernel for matrices {X.shape} and {Y.shape}; {CONTRACT}; {REMEDY}")
        raise
    return finite_array("the matrix of the kernel", require_matrix(K, len(X), len(Y)), ndim=2)


def require_matrix(K: Array, n: int, m: int) -> Array:
    """What a kernel returned for n and m points, refused unless it is a matrix (n, m)."""
    shape = getattr(K, "shape", ())
    if shape != (n, m):
        got = f"an array of shape {shape}" if shape else f"the number {K!r:.30}"
        raise ValueError(f"{CONTRACT}; for {n} and {m} points it returned {got}; {REMEDY}")
    return K
