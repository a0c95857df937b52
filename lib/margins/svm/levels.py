"""The Gaussian machine of very many points: samples of growing size, each solved block by block.

(book: SVM duality, Sequential minimal optimisation)
"""

import numpy as np

from margins.svm.box import BoxPoint, bounds, climb
from margins.svm.grams import GivenGram
from margins.svm.low_rank import balanced

SMALLEST = 500  # points of the first sample at least
GROWTH = 4
ROUGH = 0.3  # the violation left on all samples but the last: they only say where to begin
WIDTH = 0.05  # of the soft threshold by which a sample's scores become multipliers
BLOCK = 2048  # points that climb together
NEAR = 0.15  # points whose gradient is this close to moving them join a block
MOST_ROUNDS = 100


def levelled_point(gram, y, C, tolerance):
    """The `BoxPoint` of the dual on a `GaussianGram`, its violation below `tolerance`.

    A sample of m among n points, at the price C n / m, has nearly the same decision function: it says
    which points will carry weight, and so where the next sample begins.
    """
    n = len(y)
    order, sizes = np.random.default_rng(0).permutation(n), [n]
    while sizes[0] >= GROWTH * SMALLEST:
        sizes.insert(0, sizes[0] // GROWTH)
    index, beta = np.sort(order[: sizes[0]]), np.zeros(sizes[0])
    for m in sizes:
        wider, price = np.sort(order[:m]), C * n / m
        part = gram if m == n else gram.restricted(wider)
        scattered = np.zeros(m)
        scattered[np.searchsorted(wider, index)] = beta
        labels = y[wider]
        start = thresholded(part.product(scattered), labels, price) if beta.any() else scattered
        point = BoxPoint(part, start, labels - part.product(start), *bounds(labels, price))
        climb_in_blocks(point, tolerance if m == n else ROUGH)
        index, beta = wider, point.beta
    return point


def thresholded(scores, y, C):
    """Multipliers that fall from C to 0 where y (scores + t) passes 1, with the t that balances them (n,)."""

    def multipliers(t):
        return C * y * np.clip((1 + WIDTH - y * (scores + t)) / (2 * WIDTH), 0, 1)

    low, high = -np.abs(scores).max() - 2, np.abs(scores).max() + 2
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if multipliers(middle).sum() > 0 else (low, middle)
    beta, limits = multipliers(low), bounds(y, C)
    return balanced(beta, *limits, (beta > limits[0]) & (beta < limits[1]))


def climb_in_blocks(point, tolerance):
    """Takes a `BoxPoint` to `tolerance` by climbing on one block of its points after the other."""
    for _ in range(MOST_ROUNDS):
        violation = point.violation
        if violation <= tolerance:
            return
        block = _restless(point)
        part = point.over(block, GivenGram(point.gram.block(block, block)))
        climb(part, max(tolerance / 2, 0.2 * violation), iter(range(MOST_ROUNDS)))
        if np.array_equal(part.beta, point.beta[block]):
            return
        point.adopt(part, block)


def _restless(point):
    """The indices of at most BLOCK points: free, violating or close to moving, the worst of either side."""
    middle = sum(point.intercepts) / 2
    pull = point.gradient - middle
    distance = np.minimum(
        np.where(point.beta < point.high, -pull, np.inf), np.where(point.beta > point.low, pull, np.inf)
    )
    restless = np.flatnonzero(distance < NEAR)
    sides = [restless[pull[restless] > 0], restless[pull[restless] <= 0]]
    share = max(BLOCK // 2, BLOCK - min(map(len, sides)))
    return np.sort(
        np.concatenate([side[np.argsort(distance[side], kind="stable")[:share]] for side in sides])
    )
