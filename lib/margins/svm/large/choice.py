"""The choice between pair steps and a low-rank factor of K: `margins.svm.large` says why it is tried later.

(book: SVM duality, Sequential minimal optimisation)
"""

from functools import cache
from typing import Any

import numpy as np

from margins.svm.large import constants
from margins.svm.large.box import Budget, climb, climb_all
from margins.svm.large.grams import GivenGram
from margins.svm.large.low_rank import factored_optimum, incomplete_cholesky
from margins.svm.large.pair_ascent import PairAscent
from margins.svm.problem import exceeds_on_zero_sums


class CentredGram:
    """The matrix of the features' differences from their mean, which is all of K that sums of zero see.

    It is positive semi-definite where K is so on sums of zero only, and an offset of K costs it no column.
    """

    def __init__(self, gram):
        self.gram = gram
        self.means = gram.K.mean(axis=0, dtype=np.float64)  # (n,)

    def _centred(self, entries, rows, columns):
        return entries - rows - columns + self.means.mean()

    def diagonal(self):
        return self._centred(self.gram.diagonal(), self.means, self.means)

    def full_rows(self, rows):
        return self._centred(self.gram.full_rows(rows), self.means[rows, None], self.means)


def low_rank_factor(gram, most):
    """The F (n, r), r <= most, with K = F F' on sums of zero up to rounding, or None."""
    n = len(gram.diagonal())
    lack = constants.FACTOR_ROUNDINGS * float(np.finfo(gram.dtype).eps) * gram.largest
    if not isinstance(gram, GivenGram):
        return incomplete_cholesky(gram, most, lack)
    few = np.linspace(0, n - 1, min(most + 2, n)).astype(int)
    if exceeds_on_zero_sums(gram.block(few, few), lack):  # the matrix of these few has full rank
        return None
    return incomplete_cholesky(CentredGram(gram), most, lack)


def climb_or_factor(point, y, tolerance):
    """Takes a `BoxPoint` to a violation of `tolerance` by climbing or, where that lasts, by a factor of K.

    A factor is tried after `FIRST_TRY` n pair steps, then after `NEXT_TRY` times as many each time, with as
    many columns as cost no more.
    """
    if len(y) < constants.FEWEST_FACTORED or not isinstance(point.gram, GivenGram):
        climb_all(point, y, tolerance)
        return
    budget, pair_steps = Budget(constants.MOST_CLIMB_ROUNDS), constants.FIRST_TRY * len(y)
    ascent = PairAscent(point.gram, point.low, point.high)  # its weights serve all tries
    while budget.rounds > 0:
        budget.pair_steps = pair_steps
        climb(point, tolerance, budget, ascent)
        if point.violation <= max(tolerance, point.rounding(point.gram.dtype)):
            return
        _move_to_factored_optimum(point, y, tolerance)
        pair_steps *= constants.NEXT_TRY


def _move_to_factored_optimum(point, y, tolerance):
    """Moves the point to the optimum of a low-rank factor of K, where there is one and it is better."""
    # with this many columns the interior point costs what the pair steps have cost so far
    rank = int(np.sqrt(point.steps / constants.PAIR_STEPS_PER_SQUARED_RANK))
    factor = low_rank_factor(point.gram, min(rank, most_rank(len(y))))
    if factor is not None:
        found = factored_optimum(point.gram, factor, y, point.high - point.low, tolerance)
        if found.violation < point.violation:
            point.beta, point.gradient = found.beta, found.gradient


def most_rank(n):
    """The most columns of a factor with which an interior-point step is cheaper than a Newton step."""
    return min(int(constants.MOST_RANK_SHARE * n), constants.MOST_RANK)


def with_factor_at_large_c(optimum_at, gram, y, tolerance, variance):
    """The function optimum_at(C, beta) of `optimum_by_continuation`, by a low-rank factor where C is large.

    `gram` () makes the matrix in float64, `variance` is that of the features.
    """

    @cache
    def factored() -> tuple[Any, Any]:
        exact = gram()
        return exact, low_rank_factor(exact, most_rank(len(y)))

    def optimum(C, beta):
        relative = float(np.max(C)) * variance
        if relative < constants.LARGE_C or len(y) < constants.FEWEST_FACTORED or factored()[1] is None:
            return optimum_at(C, beta)
        exact, factor = factored()
        point = factored_optimum(exact, factor, y, C, tolerance)
        continued = relative > constants.CONTINUATION_C  # then the optimum at a smaller C remains in any case
        is_close = point.violation <= constants.BLURRED_MARGIN
        return point if continued or is_close else optimum_at(C, point.beta)

    return optimum
