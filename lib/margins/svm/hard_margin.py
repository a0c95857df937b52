"""The hard margin: the dual without an upper bound, and what happens when no margin exists.

(book: SVM duality, When no line separates)
"""

import numpy as np

from margins.svm.box import box_optimum
from margins.svm.problem import weighted_rows

SMALLEST_SQUARED_MARGIN = 1e-13  # of the data's variance; below it rounding decides what is separable


class NotSeparableError(ValueError):
    """The refusal of a hard margin, with the certificate `ray`.

    The ray r >= 0 has y'r = 0, sum r = 1 and sum r_i y_i phi(x_i) = 0, so that the dual grows along t r
    without end; in other words some convex combination of one class is also one of the other.
    """

    def __init__(self, message, ray):
        super().__init__(message)
        self.ray = ray  # (n,)


def hard_margin_optimum(K, y, tolerance, *, max_steps):
    """The optimal `BoxPoint` of the dual without upper bound.

    It is the soft-margin optimum of any C that no multiplier reaches; C grows until that happens
    or until a ray shows that it never will.
    """
    variance = max(float(np.trace(K)) / len(K) - float(K.mean()), float(np.finfo(np.float64).tiny))
    C, beta = 1e3 / variance, np.zeros(len(y))
    while True:
        point = box_optimum(K, y, C, tolerance, beta, max_steps=max_steps)
        if np.abs(point.beta).max() < C or point.steps >= max_steps:
            return point
        ray = np.abs(point.beta) / np.abs(point.beta).sum()
        if _squared_norm(K, ray * y) <= SMALLEST_SQUARED_MARGIN * variance:
            raise NotSeparableError(_message(ray, y), ray)
        C, beta = 100 * C, 100 * point.beta


def refuse_hard_margin(K, y):
    """Nothing but `NotSeparableError`, for data that another solver found not separable."""
    hard_margin_optimum(K, y, 1e-6, max_steps=10**7)
    raise RuntimeError("two solvers disagree whether the data are separable: rescale them")


def _squared_norm(K, beta):
    return float(beta @ weighted_rows(K, beta))


def _message(ray, y):
    count = int((ray > 0).sum())
    return (
        "C = inf asks for a hard margin, but the classes are not separable: the dual is unbounded along the "
        f"ray r >= 0 in this error's attribute `ray` ({count} points), because y'r = 0 and "
        "sum r_i y_i phi(x_i) = 0; pass a finite C"
    )
