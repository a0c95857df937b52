"""Newton's method on the free multipliers: one linear system in place of thousands of pair steps.

(book: SVM duality, Sequential minimal optimisation)
"""

import numpy as np

from margins.svm.large import constants


def polish(point, tolerance, lift=constants.POLISH_LIFT):
    """Takes a nearly optimal `BoxPoint` to `tolerance` by Newton steps, while each halves the violation."""
    while (before := point.violation) > tolerance:
        b = point.intercept
        growing, shrinking = point.beta < point.high, point.beta > point.low
        free = point.free | (growing & (point.gradient > b)) | (shrinking & (point.gradient < b))
        newton_step(point, free, lift=lift)
        if point.violation > before / 2:
            return


def newton_step(point, free, *, lift):
    """Raises the dual of `point` (a `BoxPoint`) by a Newton step on the `free` points.

    On them optimality is linear: K_FF delta + mu 1 = v with sum delta = 0. The matrix is lifted by
    `lift` times (violation / C) I, the proximal-point method: it keeps the steps along the
    nearly null directions of K within the box, and fades away near the optimum.
    """
    index = np.flatnonzero(free)
    lift = lift * point.violation / point.width
    delta = _bold_solution(point, index, lift)
    change = point.gram.product(delta)
    if step_length(point, delta, change) < 0.5:
        delta = _cautious_solution(point, index, lift)
        change = point.gram.product(delta)
    length = step_length(point, delta, change)
    point.place(point.beta + length * delta)
    point.gradient = point.gradient - length * change


def step_length(point, delta, change):
    """The share of `delta`, 0 to 1, after which the dual is highest, given change = K delta."""
    slope, curvature = point.gradient @ delta, delta @ change
    return min(1.0, slope / curvature) if slope > 0 and curvature > 0 else float(slope > 0)


def _bold_solution(point, index, lift):
    """The change that solves the equations of the points `index` within the box (n,), or none at all.

    Wherever the solution would carry points over their bounds, these are put on the bounds all at
    once and the rest is solved again: few systems, but the wrong points may be caught.
    """
    delta = np.zeros(len(point.beta))
    while len(index) > 1:
        moved = np.flatnonzero(delta)
        aim = point.gradient[index] - point.gram.block(index, moved) @ delta[moved]
        step = balanced_solution(point.gram.block(index, index), aim, -delta[moved].sum(), lift)
        bounded = np.clip(step, (point.low - point.beta)[index], (point.high - point.beta)[index])
        over = bounded != step
        delta[index] = np.where(over, bounded, 0) if over.any() else step
        if not over.any():
            return delta
        index = index[~over]
    return np.zeros(len(point.beta))


def _cautious_solution(point, index, lift):
    """The change that follows the solution to the first bound, then goes on without that point (n,).

    It climbs all the way, so that it never fails, but every bound costs another system.
    """
    delta = np.zeros(len(point.beta))
    for _ in range(constants.MOST_BOUNDS):
        if len(index) < 2:
            break
        moved = np.flatnonzero(delta)
        aim = point.gradient[index] - point.gram.block(index, moved) @ delta[moved]
        step = balanced_solution(point.gram.block(index, index), aim, 0.0, lift)
        bound = np.where(step > 0, point.high[index], point.low[index])
        room = np.divide(
            bound - (point.beta + delta)[index], step, out=np.full(len(index), np.inf), where=step != 0
        )
        share = min(1.0, room.min())
        delta[index] += share * step
        index = index[room > share]
        if share == 1:
            break
    return delta


def balanced_solution(K, aim, total, lift):
    """The delta with (K + lift I) delta + mu 1 = aim and sum delta = total (k,).

    Centring K removes mu, and keeps the digits that an offset common to all entries of K would cost.
    K may be overwritten.
    """
    k = len(aim)
    start = np.full(k, total / k)
    aim = aim - K @ start
    system, means = K.astype(np.float64, copy=False), K.mean(axis=0, dtype=np.float64)
    size = max(np.trace(system) / k - means.mean(), np.finfo(np.float64).tiny)
    system -= means
    system -= (means - means.mean() - size / k)[:, None]  # 1 is now an eigenvector: the step keeps the sum
    system[np.diag_indices(k)] += lift + 1e-13 * size
    step = np.linalg.solve(system, aim - aim.mean())
    return start + step - step.mean()
