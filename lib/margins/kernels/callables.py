"""Calls of a kernel that the caller of the library wrote: its matrix, checked.

(book: Kernels, The kernels of this book)
"""

from __future__ import annotations

from margins._types import Array, Kernel
from margins.validation import finite_array

CONTRACT = "a kernel k takes two matrices (n, d), (m, d) and returns a matrix (n, m)"
REMEDY = "a function k of two points becomes one by lambda X, Y: np.array([[k(x, y) for y in Y] for x in X])"


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
