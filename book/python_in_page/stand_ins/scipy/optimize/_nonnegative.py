"""Least squares whose unknowns may not be negative."""

import numpy as np


def nnls(A, b, maxiter=None):
    """The x >= 0 with the least ||Ax - b||, and that norm: the active sets of Lawson and Hanson.

    Each least squares problem on a set of free columns is solved by LAPACK.
    """
    A, b = np.asarray(A, float), np.asarray(b, float)
    n = A.shape[1]
    x, free = np.zeros(n), np.zeros(n, bool)
    gain = A.T @ b
    tolerance = 10 * max(A.shape) * np.finfo(float).eps * np.abs(A).sum(axis=0).max(initial=0.0)
    barred = np.zeros(n, bool)  # came in and had to go at once: rounding, not gain
    for _ in range(maxiter or 3 * n):
        waiting = ~free & ~barred & (gain > tolerance)
        if not waiting.any():
            break
        new = int(np.where(waiting, gain, -np.inf).argmax())
        x, free, gone = _with_column(A, b, x, free, new)
        barred[new] = gone
        if not gone:
            barred[:] = False
        gain = A.T @ (b - A @ x)
    else:
        raise RuntimeError("Maximum number of iterations reached.")
    return x, float(np.linalg.norm(A @ x - b))


def _with_column(A, b, x, free, new):
    """The solution and the free columns once column `new` is free too, and whether it had to go at once."""
    free[new] = True
    while True:
        s = np.zeros(len(x))
        s[free] = np.linalg.lstsq(A[:, free], b, rcond=None)[0]
        if s[new] <= 0 and x[new] == 0:
            free[new] = False
            return x, free, True
        if (s[free] > 0).all():
            return s, free, False
        going = free & (s <= 0)
        step = (x[going] / (x[going] - s[going])).min()
        x = np.where(free, x + step * (s - x), 0.0)
        free &= x > 1e-15 * x.max()
        x[~free] = 0.0
