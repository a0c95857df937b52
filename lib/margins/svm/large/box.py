"""A feasible point of the dual with finite bounds, and how it climbs: pair steps, shrinking, Newton steps.

(book: SVM duality, Sequential minimal optimisation)
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from margins.svm.large import constants
from margins.svm.large.newton import newton_step, polish
from margins.svm.large.pair_ascent import PairAscent
from margins.svm.problem import bounds


@dataclass(eq=False)
class BoxPoint:
    """A feasible point of the dual, in signed multipliers beta = alpha y, and its gradient v = y - K beta."""

    gram: Any  # of K (n, n): a `GivenGram`, `FactoredGram` or `GaussianGram`
    beta: np.ndarray  # (n,)
    gradient: np.ndarray  # (n,)
    low: np.ndarray  # (n,)
    high: np.ndarray  # (n,)
    steps: int = 0  # pair steps made so far; below, since the last Newton step
    since_newton: float = 0  # inf: the next round begins with one

    @classmethod
    def start(cls, gram, y, C, beta):
        """The point at a feasible `beta`, its gradient computed on the matrix as it comes."""
        return cls(gram, beta, y - gram.product(beta), *bounds(y, C))

    @property
    def width(self):
        """The largest distance between the two bounds of a multiplier: C, or the largest C_i."""
        return float((self.high - self.low).max())

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
        return scores if np.abs(scores).max() > constants.LOST_GRADIENT else self.gram.product(self.beta)

    def rounding(self, dtype):
        """The error that rounding in `dtype` leaves in the gradient."""
        return float(np.linalg.norm(np.finfo(dtype).eps * self.gram.largest * self.beta))

    def place(self, beta):
        """Moves the multipliers to `beta`, exactly onto the bounds it reaches up to rounding."""
        near = constants.ON_BOUND * np.abs(beta).max()
        beta = np.where(beta - self.low <= near, self.low, beta)
        self.beta = np.where(self.high - beta <= near, self.high, beta)

    def recompute_gradient(self, y):
        """Computes the gradient anew, with the kernel as exact as it comes."""
        self.gradient = y - self.gram.exact.product(self.beta)

    def over(self, index, gram):
        """The dual over the points `index` whose Gram matrix is `gram`, the others held where they are."""
        beta, gradient, low, high = (
            array[index] for array in (self.beta, self.gradient, self.low, self.high)
        )
        return BoxPoint(gram, beta, gradient, low, high, self.steps, self.since_newton)

    def adopt(self, part, index):
        """Moves the points `index` to where `part`, the dual restricted to them, has come."""
        delta = np.zeros_like(self.beta)
        delta[index] = part.beta - self.beta[index]
        self.beta = self.beta.copy()
        self.beta[index] = part.beta
        self.gradient = self.gradient - self.gram.product(delta)
        self.steps, self.since_newton = part.steps, part.since_newton


@dataclass
class Budget:
    """What a climb may spend: rounds, each of pair steps after at most one Newton step, and pair steps."""

    rounds: int
    pair_steps: float = np.inf


def climb_all(point, y, tolerance):
    """Takes `point` to a violation of `tolerance` by pair steps and Newton steps on all of its points."""
    climb(point, tolerance, Budget(constants.MOST_CLIMB_ROUNDS))


def refine(point, y, tolerance, ascend=climb_all):
    """Climbs and polishes until no violation is above `tolerance`, unless rounding forbids.

    After a first failure the work goes on in float64, from a finer start for Newton's method, and it ends
    where a climb in float64 has used up its rounds.
    """
    for attempt in range(constants.MOST_ATTEMPTS):
        aim = max(tolerance, constants.COARSE_VIOLATION / 10**attempt)
        ascend(point, y, aim)
        # in float64 a climb that ends above its aim will not come nearer by another one
        stalled = point.violation > max(aim, point.rounding(np.float64)) and point.gram.dtype == np.float64
        if point.gram.is_coarse or point.rounding(point.gram.dtype) > tolerance / 100:
            point.recompute_gradient(y)
        if tolerance < constants.COARSE_VIOLATION:
            point.gram = point.gram.exact
            polish(point, tolerance)
            point.recompute_gradient(y)
        if stalled or point.violation <= max(tolerance, point.rounding(np.float64)):
            break
        point.gram = point.gram.in_float64()
    point.place(point.beta)  # a multiplier of 1e-17 is not free, and must not settle the intercept


def climb(point, tolerance, budget, ascent=None):
    """Takes `point` to a violation of `tolerance` by pair steps and Newton steps in turn.

    Points that a bound holds where they belong are left out for a while (shrinking), and so again among
    the rest; all these restricted problems share the `budget`.
    `ascent` keeps what an earlier climb on the same matrix has computed.
    """
    n, ascent = len(point.beta), ascent or PairAscent(point.gram, point.low, point.high)
    while budget.rounds > 0 and budget.pair_steps > 0:
        budget.rounds -= 1
        if point.violation <= max(tolerance, point.rounding(point.gram.dtype)):
            return
        # shrinking: where few can move, the climb goes on among these, then looks at all again
        mobile = np.flatnonzero(point.mobile)
        if len(mobile) < constants.SHRINKING_SHARE * n:
            part = point.over(mobile, point.gram.restricted(mobile))
            climb(part, tolerance, budget)
            point.adopt(part, mobile)
            continue
        # a Newton step, once pair steps have cost as much since the last one
        free = point.free
        if point.since_newton >= constants.PAIR_STEPS_PER_CUBED_FREE_POINT * np.count_nonzero(free) ** 3:
            newton_step(point, free, lift=constants.CLIMB_LIFT)
            point.since_newton = 0
        ascent.start(point.beta, point.gradient)
        taken = ascent.climb(tolerance, max(constants.FEWEST_PAIR_STEPS, n // 2))
        point.beta, point.gradient = np.array(ascent.beta), ascent.gradient().astype(np.float64)
        point.steps, point.since_newton = point.steps + taken, point.since_newton + taken
        budget.pair_steps -= taken
