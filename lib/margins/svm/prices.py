"""The dual at a high price of slack, reached through lower ones.

(book: SVM duality, The soft margin)
"""

import numpy as np

from margins.svm.box import bounds, box_optimum
from margins.svm.problem import variance

HIGH = 1e8  # times 1 / variance: prices from here on are approached from below
FIRST = 1e3  # times 1 / variance
BLURRED = 1e-3  # a margin of 1 that rounding blurs by more gets no sharper at a higher price


def priced_optimum(K, y, C, tolerance):
    """The optimal `BoxPoint` at the finite price C.

    A high price is hardly ever paid in full: where the classes are separable no multiplier reaches it,
    and the multipliers, which are small, would drown in the rounding of steps as long as C.
    """
    unit, beta = 1 / variance(K), np.zeros(len(y))
    first = FIRST * unit if HIGH * unit < C else C
    return risen_optimum(K, y, first, C, tolerance, beta)


def risen_optimum(K, y, price, C, tolerance, beta):
    """The `BoxPoint` at C from the feasible `beta` at `price`, which rises until no multiplier pays it.

    It rises to C, or until rounding blurs the margins: the violation, measured at C, then tells.
    """
    steps = 0
    while True:
        point = box_optimum(K, y, price, tolerance, beta)
        steps = point.steps = steps + point.steps
        blur = max(point.rounding(np.float64), np.finfo(np.float64).tiny)
        factor = min(100.0, C / price, BLURRED / blur)
        if factor <= 1 or np.abs(point.beta).max() < price:
            point.low, point.high = bounds(y, C)
            point.place(point.beta)
            return point
        price, beta = factor * price, factor * point.beta
