"""Newton's method on the free multipliers: from nearly optimal to optimal in a few linear systems.

(book: SVM duality, The last ten digits)
"""

import numpy as np

from margins.svm.problem import centred


def newton_direction(K, beta, gradient, low, high, b):
    """A feasible change of beta that solves the optimality conditions of the points it frees (n,).

    On the free points the conditions are linear: K_FF delta + mu = v - b with sum delta = 0. A point that the
    solution would carry over a bound is put on that bound, and the rest solved again.
    """
    free = ((beta > low) | (gradient > b)) & ((beta < high) | (gradient < b))
    delta = np.zeros(len(beta))
    while free.any():
        index = np.flatnonzero(free)
        moved = np.flatnonzero(delta)
        residual = gradient[index] - b - K[np.ix_(index, moved)] @ delta[moved]
        step = _balanced_solution(K[np.ix_(index, index)], residual, -delta[moved].sum())
        over = np.clip(step, low[index] - beta[index], high[index] - beta[index])
        out = over != step
        if not out.any():
            delta[index] = step
            return delta
        delta[index[out]] = over[out]
        free[index[out]] = False
    return None if abs(delta.sum()) > 1e-12 * np.abs(delta).sum() else delta


def _balanced_solution(K, residual, total):
    """The delta with K delta + mu 1 = residual and sum delta = total, K lifted off singularity (k,).

    Centring K removes mu, and keeps the digits that an offset common to all entries of K would cost.
    """
    k = len(residual)
    start = np.full(k, total / k)
    aim = residual - K @ start
    system = centred(K.astype(np.float64))
    size = max(np.trace(system) / k, np.finfo(np.float64).tiny)
    system += size / k  # 1 becomes an eigenvector of eigenvalue `size`: the step keeps the sum
    system[np.diag_indices(k)] += 1e-13 * size
    step = np.linalg.solve(system, aim - aim.mean())
    return start + step - step.mean()
