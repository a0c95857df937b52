"""Newton's method on the free multipliers: one linear system in place of thousands of pair steps.

(book: SVM duality, The last ten digits)
"""

import numpy as np

from margins.svm.problem import weighted_rows

PATIENCE = 0.3  # how far a null direction of K may carry a multiplier in one step, as a share of C


def newton_step(point, free):
    """Whether a Newton step on the `free` points raised the dual of `point` (a `BoxPoint`), and took it.

    On the free points optimality is linear: K_FF delta + mu 1 = v with sum delta = 0. Where the solution
    would carry a point over a bound, it is put on the bound and the rest is solved again.
    The matrix is lifted by (violation / C) I, the proximal-point method: it keeps the steps
    along the nearly null directions of K within the box, and fades away near the optimum.
    """
    lift = PATIENCE * point.violation / (point.high - point.low)[0]
    delta = _feasible_solution(point, np.flatnonzero(free), lift)
    if delta is None:
        return False
    slope, change = point.gradient @ delta, weighted_rows(point.K, delta)
    if slope <= 0:
        return False
    curvature = delta @ change
    length = min(1.0, slope / curvature) if curvature > 0 else 1.0
    point.beta = np.clip(point.beta + length * delta, point.low, point.high)
    point.gradient = point.gradient - length * change
    return True


def _feasible_solution(point, index, lift):
    """The change of beta that solves the free points' equations within the box (n,), None if none does."""
    delta = np.zeros(len(point.beta))
    while len(index) > 1:
        moved = np.flatnonzero(delta)
        aim = point.gradient[index] - point.K[np.ix_(index, moved)] @ delta[moved]
        step = _balanced_solution(point.K[np.ix_(index, index)], aim, -delta[moved].sum(), lift)
        bounded = np.clip(step, (point.low - point.beta)[index], (point.high - point.beta)[index])
        over = bounded != step
        delta[index] = np.where(over, bounded, 0) if over.any() else step
        if not over.any():
            return delta
        index = index[~over]
    return None


def _balanced_solution(K, aim, total, lift):
    """The delta with (K + lift I) delta + mu 1 = aim and sum delta = total (k,).

    Centring K removes mu, and keeps the digits that an offset common to all entries of K would cost.
    """
    k = len(aim)
    start = np.full(k, total / k)
    aim = aim - K @ start
    system, means = K.astype(np.float64), K.mean(axis=0, dtype=np.float64)
    size = max(np.trace(system) / k - means.mean(), np.finfo(np.float64).tiny)
    system -= means
    system -= (means - means.mean() - size / k)[:, None]  # 1 is now an eigenvector: the step keeps the sum
    system[np.diag_indices(k)] += lift + 1e-13 * size
    step = np.linalg.solve(system, aim - aim.mean())
    return start + step - step.mean()
