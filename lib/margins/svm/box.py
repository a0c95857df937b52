"""The dual with finite bounds: pair steps and Newton steps in turn, on ever fewer points.

(book: SVM duality, Sequential minimal optimisation)
"""

from dataclasses import dataclass

import numpy as np

from margins.svm.grams import FactoredGram, GaussianGram, GivenGram
from margins.svm.newton import newton_step
from margins.svm.pairs import PairAscent

COARSE = 1e-3  # the violation from which Newton steps alone usually find the optimum
ATTEMPTS = 8  # at that, each from ten times closer
ROUNDS = 250  # of pair steps and Newton steps in one attempt; a tenth of them usually does
CHUNK = 100  # pair steps at least in one round
CROWDED = 0.5  # the share of points that must still be able to move for all to stay on stage
PRICE = 7e-6  # a Newton step on k free points costs as much time as PRICE k^3 pair steps


@dataclass(eq=False)
class BoxPoint:
    """A feasible point of the dual, in signed multipliers beta = alpha y, and its gradient v = y - K beta."""

    gram: GivenGram | FactoredGram | GaussianGram  # of K (n, n)
    beta: np.ndarray  # (n,)
    gradient: np.ndarray  # (n,)
    low: np.ndarray  # (n,)
    high: np.ndarray  # (n,)
    steps: int = 0  # pair steps made so far, and since the last Newton step
    since_newton: int = 0

    @property
    def width(self):
        """The distance between the bounds of every multiplier, C."""
        return self.high[0] - self.low[0]

    @property
    def free(self):
        """Which multipliers lie strictly between their bounds (n,)."""
        return (self.beta > self.low) & (self.beta < self.high)

    @property
    def intercepts(self):
        """The pair (max v over points that may grow, min v over points that may shrink).

        In this order they are the interval of optimal intercepts; in the opposite order their
        distance is the violation of optimality.
        """
        growing, shrinking = self.beta < self.high, self.beta > self.low
        lower = self.gradient[growing].max(initial=-np.inf)
        return float(lower), float(self.gradient[shrinking].min(initial=np.inf))

    @property
    def violation(self):
        """By how much no single intercept meets the optimality conditions."""
        lower, upper = self.intercepts
        return max(lower - upper, 0.0)

    @property
    def intercept(self):
        """The intercept of the free points, or the middle of its interval if there are none."""
        return float(self.gradient[self.free].mean() if self.free.any() else sum(self.intercepts) / 2)

    @property
    def mobile(self):
        """Which points no bound holds where the present intercepts want them (n,)."""
        lower, upper = self.intercepts
        growing, shrinking = self.beta < self.high, self.beta > self.low
        return (growing & (self.gradient >= upper)) | (shrinking & (self.gradient <= lower)) | self.free

    @property
    def scores(self):
        """The products K beta (n,), from the gradient unless y - K beta has lost their digits."""
        scores = np.sign(self.high + self.low) - self.gradient
        return scores if np.abs(scores).max() > 1e-3 else self.gram.product(self.beta)

    def rounding(self, dtype):
        """By how much rounding in `dtype` blurs the gradient."""
        return float(np.linalg.norm(np.finfo(dtype).eps * self.gram.largest * self.beta))

    def place(self, beta):
        """Moves the multipliers to `beta`, exactly onto the bounds it reaches up to rounding."""
        near = 1e-14 * np.abs(beta).max()
        beta = np.where(beta - self.low <= near, self.low, beta)
        self.beta = np.where(self.high - beta <= near, self.high, beta)

    def judge(self, y):
        """Computes the gradient anew, with the kernel as exact as it comes."""
        self.gradient = y - self.gram.exact.product(self.beta)

    def restricted(self, index):
        """The dual over the points `index` alone, the others held where they are."""
        return self.over(index, self.gram.restricted(index))

    def over(self, index, gram):
        """The dual over the points `index` whose Gram matrix is `gram`, the others held where they are."""
        rest = (array[index] for array in (self.beta, self.gradient, self.low, self.high))
        part = BoxPoint(gram, *rest)
        part.steps, part.since_newton = self.steps, self.since_newton
        return part

    def adopt(self, part, index):
        """Moves the points `index` to where `part`, the dual restricted to them, has come."""
        delta = np.zeros_like(self.beta)
        delta[index] = part.beta - self.beta[index]
        self.beta = self.beta.copy()
        self.beta[index] = part.beta
        self.gradient = self.gradient - self.gram.product(delta)
        self.steps, self.since_newton = part.steps, part.since_newton


def bounds(y, C):
    """The least and the largest signed multiplier of every point, (0, C) or (-C, 0) by its label."""
    return np.minimum(C * y, 0), np.maximum(C * y, 0)


def box_optimum(K, y, C, beta, tolerance):
    """The `BoxPoint` that maximises the dual from a feasible `beta`, see `refine`."""
    gram = GivenGram(K)
    point = BoxPoint(gram, beta, y - gram.product(beta), *bounds(y, C))
    refine(point, y, tolerance)
    return point


def climb_all(point, tolerance):
    """Takes `point` to a violation of `tolerance`, all points on stage."""
    climb(point, tolerance, iter(range(ROUNDS)))


def refine(point, y, tolerance, ascend=climb_all):
    """Climbs and polishes until no violation is above `tolerance`, unless rounding forbids.

    After a first failure the work goes on in float64, from a finer start for Newton's method, and it ends
    where a climb in float64 has used up its rounds.
    """
    for attempt in range(ATTEMPTS):
        aim = max(tolerance, COARSE / 10**attempt)
        ascend(point, aim)
        stalled = point.violation > max(aim, point.rounding(np.float64)) and point.gram.dtype == np.float64
        if point.gram.is_coarse or point.rounding(point.gram.dtype) > tolerance / 100:
            point.judge(y)
        if tolerance < COARSE:
            point.gram = point.gram.exact
            polish(point, tolerance)
            point.judge(y)
        if stalled or point.violation <= max(tolerance, point.rounding(np.float64)):
            break
        point.gram = point.gram.wide()
    point.place(point.beta)  # a multiplier of 1e-17 is not free, and must not settle the intercept


def climb(point, tolerance, rounds):
    """Takes `point` to a violation of `tolerance` by pair steps and Newton steps in turn.

    Points that a bound holds where they belong are left out for a while, and so again among the
    rest; `rounds` is an iterator that they all draw on.
    """
    n, ascent = len(point.beta), PairAscent(point.gram, point.low, point.high)
    for _ in rounds:
        if point.violation <= max(tolerance, point.rounding(point.gram.dtype)):
            return
        mobile = np.flatnonzero(point.mobile)
        if len(mobile) < CROWDED * n:
            part = point.restricted(mobile)
            climb(part, tolerance, rounds)
            point.adopt(part, mobile)
            continue
        if point.since_newton >= PRICE * np.count_nonzero(point.free) ** 3:
            newton_step(point, point.free, caution=0.1)
            point.since_newton = 0
        ascent.start(point.beta, point.gradient)
        taken = ascent.climb(tolerance, max(CHUNK, n // 2))
        point.beta, point.gradient = np.array(ascent.beta), ascent.gradient().astype(np.float64)
        point.steps, point.since_newton = point.steps + taken, point.since_newton + taken


def polish(point, tolerance):
    """Takes `point` from nearly optimal to `tolerance` by Newton steps, while they help."""
    while (before := point.violation) > tolerance:
        b = point.intercept
        growing, shrinking = point.beta < point.high, point.beta > point.low
        free = point.free | (growing & (point.gradient > b)) | (shrinking & (point.gradient < b))
        newton_step(point, free, caution=1e-6)
        if point.violation > before / 2:
            return
