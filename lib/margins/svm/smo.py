"""The solver of the dual: sequential minimal optimisation with shrinking and a Newton polish.

(book: SVM duality, Sequential minimal optimisation)
"""

import warnings
from dataclasses import dataclass

import numpy as np

from margins.svm.box import bounds
from margins.svm.hard_margin import hard_margin_optimum
from margins.svm.pairs import PairAscent
from margins.svm.prices import priced_optimum
from margins.svm.problem import (
    checked_gram,
    checked_problem,
    dual_value,
    primal_value,
    require_psd,
)
from margins.validation import ascending_counts, positive, signs

_ADVICE = ": rescale the features, lower C or accept a larger tol"


@dataclass(frozen=True)
class Solution:
    """An optimum of the dual and what it says about the primal.

    `b_interval` holds every optimal intercept: one number twice if some multiplier lies strictly between its
    bounds, in general an interval, of which `b` is the middle. `violation` is by how much no single b fits.
    `primal_objective` belongs to (w, b), or to (w, b) enlarged until no point has slack if that costs less.
    """

    alpha: np.ndarray  # (n,)
    b: float
    b_interval: tuple[float, float]
    dual_objective: float
    primal_objective: float
    margin: float  # 1 / ||w||
    violation: float
    steps: int
    status: str  # "optimal", or "tolerance not reached"

    @property
    def gap(self):
        """The duality gap: primal minus dual objective, never negative but for rounding."""
        return self.primal_objective - self.dual_objective


def smo(K, y, C=np.inf, *, tol=1e-10, trusted=False):
    """The maximiser of the dual sum_i alpha_i - 1/2 sum_ij alpha_i alpha_j y_i y_j K_ij.

    The constraints are y'alpha = 0 and 0 <= alpha_i <= C; C = inf is the hard margin, refused with a
    `NotSeparableError` where there is none. Optimal to `tol` means that a single b meets
    y_i f(x_i) >= 1 where alpha_i = 0, <= 1 where alpha_i = C and = 1 between, to within `tol`. K need
    only be positive semi-definite on vectors of sum zero; `trusted=True` says that K is a finite and
    symmetric matrix of this kind, and saves the check. For the iterates themselves see `smo_iterates`
    (book: SVM duality, Sequential minimal optimisation).
    """
    y, C, tol = signs("y", y), positive("C", C, allow_infinity=True), positive("tol", tol)
    if not trusted:
        K = checked_gram(K, len(y))
        require_psd(K, on_zero_sums=True)
    point = hard_margin_optimum(K, y, tol) if np.isinf(C) else priced_optimum(K, y, C, tol)
    solution = _solution(point, y, C, tol)
    if solution.status != "optimal":
        warnings.warn(
            f"smo stopped at a violation of {point.violation:.3g} and a gap of {solution.gap:.3g}, short of "
            f"tol={tol:g}; rounding blurs it by about {point.rounding(np.float64):.1g}{_ADVICE}",
            RuntimeWarning,
            stacklevel=2,
        )
    _require_norm(point, K.dtype)
    return solution


def smo_iterates(K, y, C=np.inf, *, at):
    """The multipliers after each of the step counts `at`, ascending, without shrinking or polish.

    These are the pair steps that `smo` begins with, shown one by one: the rows of the answer
    (len(at), n) go into `dual_objective` and `primal_objective` to draw the two closing on each
    other. Once the climb has converged its last multipliers repeat
    (book: SVM duality, Sequential minimal optimisation).
    """
    K, y, C = checked_problem(K, y, C)
    ascent = PairAscent(K, *bounds(y, C))
    ascent.start(np.zeros(len(y)), y)
    alphas, done = [], 0
    for step in ascending_counts("at", at):
        ascent.climb(1e-12, step - done)
        alphas.append(np.abs(ascent.beta))
        done = step
    return np.array(alphas)


def _solution(point, y, C, tol):
    """The `Solution` at a `BoxPoint`, its objectives and intercepts in float64."""
    alpha, scores, b = np.abs(point.beta), point.scores, point.intercept
    interval = (b, b) if point.free.any() else tuple(sorted(point.intercepts))
    dual, primal = dual_value(scores, y, alpha), _least_primal(scores, y, alpha, b, C)
    reached = point.violation <= tol and primal - dual <= max(1e-9, np.sqrt(tol)) * primal
    return Solution(
        alpha=alpha,
        b=b,
        b_interval=interval,
        dual_objective=dual,
        primal_objective=primal,
        margin=_inverse_norm(point.beta, scores),
        violation=point.violation,
        steps=point.steps,
        status="optimal" if reached else "tolerance not reached",
    )


def _require_norm(point, dtype):
    """Nothing, if ||w||^2 = beta'K beta is not negative by more than rounding; else a refusal."""
    squared_norm = point.beta @ point.scores
    if squared_norm < -(1e-6 + point.rounding(np.float64)) * np.abs(point.beta).sum():
        what = f"the solution has ||w||^2 = {squared_norm:.3g}"
        what += "; pass float64" if dtype == np.float32 else ""
        raise ValueError(f"K must be positive semi-definite on vectors of sum zero, but {what}")


def _least_primal(scores, y, alpha, b, C):
    """The primal objective at (w, b), or at its enlargement without slack, whichever is less."""
    return min(primal_value(scores, y, alpha, b, price) for price in (C, np.inf))


def _inverse_norm(beta, scores):
    """The margin 1 / ||w|| = (beta'K beta)^(-1/2), whose squares may leave the range of floats."""
    size = np.abs(beta).max()
    if size == 0:
        return np.inf
    unit = (beta / size) @ (scores / size)
    return float(1 / np.sqrt(unit) / size) if unit > 0 else np.inf
