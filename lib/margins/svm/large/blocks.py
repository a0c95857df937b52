"""Block coordinate ascent for very many points, begun from samples of growing size.

(book: SVM duality, Sequential minimal optimisation)
"""

import numpy as np

from margins.svm.large import constants
from margins.svm.large.box import BoxPoint, Budget, climb
from margins.svm.large.grams import GivenGram
from margins.svm.large.low_rank import balanced
from margins.svm.problem import bounds


def optimum_of_samples(gram, y, C, tolerance):
    """The `BoxPoint` of the dual on a `GaussianGram`, its violation below `tolerance`.

    A sample of m among n points, with C n / m in place of C, has nearly the same decision function: it says
    which points will carry weight, and so where the next sample begins.
    """
    n, C = len(y), np.broadcast_to(C, len(y))
    order = np.random.default_rng(0).permutation(n)
    index, beta = np.empty(0, int), np.empty(0)
    for m in _sample_sizes(n):
        sample, share = np.sort(order[:m]), n / m
        part = gram if m == n else gram.restricted(sample)
        guess = np.zeros(m)
        if beta.any():
            guess[np.searchsorted(sample, index)] = beta
            guess = thresholded(part.product(guess), y[sample], share * C[sample])
        point = BoxPoint.start(part, y[sample], share * C[sample], guess)
        climb_in_blocks(point, y[sample], tolerance if m == n else constants.SAMPLE_VIOLATION)
        index, beta = sample, point.beta
    return point


def _sample_sizes(n):
    """The sizes of the samples, ascending to n."""
    sizes = [n]
    while sizes[0] >= constants.SAMPLE_GROWTH * constants.SMALLEST_SAMPLE:
        sizes.insert(0, sizes[0] // constants.SAMPLE_GROWTH)
    return sizes


def thresholded(scores, y, C):
    """Multipliers that fall from C to 0 where y (scores + t) passes 1, with the t that balances them (n,)."""
    width = constants.THRESHOLD_WIDTH

    def multipliers(t):
        return C * y * np.clip((1 + width - y * (scores + t)) / (2 * width), 0, 1)

    low, high = -np.abs(scores).max() - 2, np.abs(scores).max() + 2
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if multipliers(middle).sum() > 0 else (low, middle)
    beta, limits = multipliers(low), bounds(y, C)
    return balanced(beta, *limits, (beta > limits[0]) & (beta < limits[1]))


def climb_in_blocks(point, y, tolerance):
    """Takes a `BoxPoint` to `tolerance` by climbing on one block of its points after the other."""
    for _ in range(constants.MOST_BLOCKS):
        violation = point.violation
        if violation <= tolerance:
            return
        block = _working_block(point)
        part = point.over(block, GivenGram(point.gram.block(block, block)))
        climb(part, max(tolerance / 2, 0.2 * violation), Budget(constants.MOST_BLOCKS))
        if np.array_equal(part.beta, point.beta[block]):
            return
        point.adopt(part, block)


def _working_block(point):
    """The indices of at most BLOCK_POINTS points: free, violating or nearly so, the worst of both sides."""
    middle = sum(point.intercepts) / 2
    pull = point.gradient - middle
    distance = np.minimum(
        np.where(point.beta < point.high, -pull, np.inf), np.where(point.beta > point.low, pull, np.inf)
    )
    candidates = np.flatnonzero(distance < constants.NEARLY_MOVING)
    sides = [candidates[pull[candidates] > 0], candidates[pull[candidates] <= 0]]
    share = max(constants.BLOCK_POINTS // 2, constants.BLOCK_POINTS - min(map(len, sides)))
    return np.sort(
        np.concatenate([side[np.argsort(distance[side], kind="stable")[:share]] for side in sides])
    )
