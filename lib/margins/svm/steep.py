"""A high price of slack where the kernel sees few directions: an interior point on a partial factor of K.

(book: SVM duality, The soft margin)

Pair steps grow in number with the price, some thirty steps of an interior point suffice at any. They need
K = F F' with few columns, which smooth kernels have but for rounding.
"""

from functools import cache

from margins.svm.few_directions import partial_factor
from margins.svm.low_rank import factored_optimum
from margins.svm.prices import BLURRED, HIGH

STEEP = 1e5  # times 1 / variance: the price from which on pair steps are many
MANY = 200  # points; with fewer pair steps are quicker all the same
SHARE, MOST = 0.25, 400  # of the number of points, and of columns at most
ROUNDING = 1e-13  # of the largest K_ii is what a factor may lack that stands for K


def with_steep_prices(at_price, gram, y, tolerance, spread):
    """The function at_price(price, beta) of `risen_optimum`, with the interior point for steep prices.

    `gram` () makes the matrix in float64, `spread` is the variance of the features.
    """

    @cache
    def factored():
        exact = gram()
        return exact, partial_factor(exact, min(int(SHARE * len(y)), MOST), ROUNDING * exact.largest)

    def at_any_price(price, beta):
        if price * spread < STEEP or len(y) < MANY or factored()[1] is None:
            return at_price(price, beta)
        point = factored_optimum(*factored(), y, price, tolerance)
        risen = price * spread > HIGH  # and then the point at a lower price remains
        return point if risen or point.violation <= BLURRED else at_price(price, point.beta)

    return at_any_price
