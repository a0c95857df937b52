"""The dual at a high price of slack, reached through lower ones.

(book: SVM duality, The soft margin)
"""

import numpy as np

from margins.svm.box import bounds

HIGH = 1e8  # times 1 / variance: prices from here on are approached from below
FIRST = 1e3  # times 1 / variance
BLURRED = 1e-4  # where rounding blurs a margin of 1 by more, a higher price makes nothing sharper


def risen_optimum(at_price, y, C, spread, price=None, beta=None):
    """The `BoxPoint` at C from at_price(price, beta), the optimum at a price from a feasible beta.

    A high price is hardly ever paid in full: where the classes are separable no multiplier reaches it,
    and the multipliers, which are small, would drown in the rounding of steps as long as C. So a high
    price (and C = inf) is approached from a lower one, by default from beta = 0, until no multiplier pays
    it, or until rounding blurs the margins: the violation, measured at C, then tells. `spread` is the
    variance of the features.
    """
    if price is None:
        price, beta = FIRST / spread if HIGH / spread < C else C, np.zeros(len(y))
    point, steps = at_price(price, beta), 0
    while True:
        steps = point.steps = steps + point.steps
        blur = max(point.rounding(np.float64), np.finfo(np.float64).tiny)
        factor = min(100.0, C / price, BLURRED / blur)
        if factor <= 1 or np.abs(point.beta).max() < price:
            break
        price = factor * price
        dearer = at_price(price, factor * point.beta)
        if dearer.violation > max(BLURRED, point.violation):
            break
        point = dearer
    point.low, point.high = bounds(y, C)
    point.place(point.beta)
    return point
