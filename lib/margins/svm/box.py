"""The dual with finite bounds: pair steps on ever fewer points, then Newton's method.

(book: SVM duality, Sequential minimal optimisation)
"""

from dataclasses import dataclass

import numpy as np

from margins.svm.newton import newton_direction
from margins.svm.pairs import PairAscent
from margins.svm.problem import weighted_rows

COARSE = 1e-3  # from a rougher point Newton's method tends to free the wrong multipliers


@dataclass
class BoxPoint:
    """A feasible point of the dual, in signed multipliers beta = alpha y, and its gradient v = y - K beta."""

    K: np.ndarray  # (n, n)
    y: np.ndarray  # (n,)
    C: float
    beta: np.ndarray  # (n,)
    steps: int = 0

    def __post_init__(self):
        self.low, self.high = np.minimum(self.C * self.y, 0), np.maximum(self.C * self.y, 0)
        self.refresh()

    def refresh(self):
        """The gradient, computed afresh in float64."""
        self.gradient = self.y - weighted_rows(self.K, self.beta)

    def intercepts(self):
        """The ends (max v over points that may grow, min v over points that may shrink).

        In this order they are the interval of optimal intercepts; in the opposite order their
        distance is the violation of optimality.
        """
        growing, shrinking = self.beta < self.high, self.beta > self.low
        return self.gradient[growing].max(), self.gradient[shrinking].min()

    @property
    def violation(self):
        lower, upper = self.intercepts()
        return max(lower - upper, 0.0)

    @property
    def free(self):
        return (self.beta > self.low) & (self.beta < self.high)

    def open_points(self):
        """The points that a bound does not already hold where the present intercepts want them."""
        lower, upper = self.intercepts()
        growing, shrinking = self.beta < self.high, self.beta > self.low
        return (growing & (self.gradient >= upper)) | (shrinking & (self.gradient <= lower)) | self.free


def box_optimum(K, y, C, tolerance, beta, *, max_steps):
    """The `BoxPoint` that maximises the dual up to `tolerance`, or the best within `max_steps` pair steps."""
    point, target = BoxPoint(K, y, C, beta), max(tolerance, COARSE)
    while point.violation > tolerance and point.steps < max_steps:
        climb_shrinking(point, target, max_steps)
        if point.violation > tolerance:
            polish(point, tolerance)
        target = max(target / 10, tolerance)
    return point


def climb_shrinking(point, tolerance, max_steps):
    """Nothing: takes `point` to a violation of `tolerance` by pair steps on the points still open."""
    active = np.arange(len(point.y))
    while point.violation > tolerance and point.steps < max_steps:
        ascent = _ascent(point, active)
        chunk = max(200, len(active) // 2)
        taken = chunk
        while taken == chunk and point.steps < max_steps:
            taken = ascent.climb(tolerance, chunk)
            point.steps += taken
            point.beta[active], point.gradient[active] = ascent.beta, ascent.gradient()
            still_open = point.open_points()[active]
            if 0 < still_open.mean() < 0.7:
                active = active[still_open]
                ascent = _ascent(point, active)
        point.refresh()
        active = np.flatnonzero(point.open_points())


def _ascent(point, active):
    """The dual over the `active` points alone, the others held where they are."""
    K = point.K if len(active) == len(point.y) else point.K[np.ix_(active, active)]
    return PairAscent(K, *(a[active] for a in (point.beta, point.gradient, point.low, point.high)))


def polish(point, tolerance, rounds=20):
    """Nothing: takes `point` from nearly optimal to `tolerance` by Newton steps, as long as they ascend."""
    for _ in range(rounds):
        lower, upper = point.intercepts()
        if lower - upper <= tolerance:
            return
        b = point.gradient[point.free].mean() if point.free.any() else (lower + upper) / 2
        delta = newton_direction(point.K, point.beta, point.gradient, point.low, point.high, b)
        if delta is None or (slope := point.gradient @ delta) <= 0:
            return
        curvature = delta @ weighted_rows(point.K, delta)
        length = min(1.0, slope / curvature) if curvature > 0 else 1.0
        point.beta = np.clip(point.beta + length * delta, point.low, point.high)
        point.refresh()
