"""Continuation in C: the dual at a large C, reached through smaller ones.

(book: SVM duality, The soft margin)
"""

import numpy as np

from margins.svm.large import constants
from margins.svm.problem import bounds


def optimum_by_continuation(optimum_at, y, C, variance, start=None):
    """The `BoxPoint` at C, from optimum_at(C, beta), the optimum at a C from a feasible beta.

    A large C is hardly ever reached: where the classes are separable no multiplier gets there, and the
    multipliers, which are small, would drown in the rounding of steps as long as C. So a large C (and
    C = inf) is approached from a smaller one, until no multiplier reaches its bound, or until rounding
    blurs the margins: the violation, measured at C, then tells. `start` is the first pair (C, beta); by
    default beta is 0. `variance` is that of the features. Where every point has a C of its own (n,), all
    are raised in proportion.
    """
    largest = float(np.max(C))
    shares = 1.0 if np.ndim(C) == 0 else C / largest
    is_large = largest > constants.CONTINUATION_C / variance
    first = constants.CONTINUATION_START / variance if is_large else largest
    c, beta = start or (first, np.zeros(len(y)))
    point, steps = optimum_at(shares * c, beta), 0
    while True:
        steps = point.steps = steps + point.steps
        blur = max(point.rounding(np.float64), np.finfo(np.float64).tiny)
        factor = min(constants.CONTINUATION_FACTOR, largest / c, constants.BLURRED_MARGIN / blur)
        if factor <= 1 or (np.abs(point.beta) < shares * c).all():
            break
        c = factor * c
        further = optimum_at(shares * c, factor * point.beta)
        if further.violation > max(constants.BLURRED_MARGIN, point.violation):
            break
        point = further
    point.low, point.high = bounds(y, C)
    point.place(point.beta)
    return point
