"""The solution that an optimum of the dual gives: intercept, both objectives, margin and status."""

import warnings
from dataclasses import dataclass

import numpy as np

from margins._types import ArrayLike
from margins.svm.problem import dual_value, primal_value
from margins.validation import finite_array


@dataclass(frozen=True, eq=False)
class Solution:
    """An optimum of the dual and what it says about the primal.

    `status` is "optimal", or "inaccurate" where `violation` or `gap` is larger than was asked for.
    `b_interval` holds every optimal intercept: one number twice if some multiplier lies strictly between its
    bounds, in general an interval, of which `b` is the middle. `violation` is by how much no single b fits.
    `primal_objective` belongs to (w, b), or to (w, b) enlarged until no point has slack if that costs less
    (book: SVM duality, The dual).

    >>> x, y = np.array([-1.0, 1.0, 4.0]), np.array([-1, 1, 1])
    >>> solution = smo(np.outer(x, x), y)
    >>> solution.status, abs(solution.gap) < 1e-12, solution.margin
    ('optimal', True, 1.0)
    >>> solution.decision_function(np.outer([-2.0, 0.5], x)).round(6)  # f(x) = x
    array([-2. ,  0.5])
    """

    alpha: np.ndarray  # (n,)
    y: np.ndarray  # (n,)
    C: float | np.ndarray  # one number, or one a point (n,)
    b: float
    b_interval: tuple[float, float]
    dual_objective: float
    primal_objective: float
    margin: float  # 1 / ||w||
    violation: float
    steps: int
    status: str

    @property
    def gap(self) -> float:
        """The duality gap: primal minus dual objective, never negative but for rounding."""
        return self.primal_objective - self.dual_objective

    def __repr__(self):
        support = np.count_nonzero(self.alpha)
        return (
            f"Solution(n={len(self.alpha)}, C={shown_bound(self.C)}, {support} support vectors, "
            f"status={self.status!r}, margin={self.margin:.6g}, gap={legible(self.gap)})"
        )

    def decision_function(self, K: ArrayLike) -> np.ndarray:
        """The values f(x) = sum_j alpha_j y_j k(x, x_j) + b (m,) of m points with the kernel's rows K (m, n).

        (book: SVM duality, The dual)
        """
        K = finite_array("K", K, ndim=2)
        if K.shape[1] != len(self.alpha):
            raise ValueError(f"K must have {len(self.alpha)} columns, one a multiplier, but it is {K.shape}")
        return K @ (self.alpha * self.y) + self.b  # (m,)


def shown_bound(C):
    """C in a few letters: a number, or the range of the C_i."""
    return f"{C:g}" if np.ndim(C) == 0 else f"{C.min():g} to {C.max():g}"


def legible(residual):
    """A residual to two digits, or "< 1e-12": below that, another BLAS rounds otherwise."""
    return f"{residual:.1e}" if abs(residual) >= 1e-12 else "< 1e-12"


def solution_at(point, y, C, tol, dtype):
    """The `Solution` at a `BoxPoint`, with a warning where it is not optimal.

    It is refused where ||w||^2 < 0 by more than the rounding of a Gram matrix that came in `dtype`.
    """
    solution = _solution(point, y, C, tol)
    if solution.status != "optimal":
        warnings.warn(
            f"the solver stopped at a violation of {solution.violation:.3g} and a gap of {solution.gap:.3g}, "
            f"short of tol={tol:g}; rounding blurs it by about {point.rounding(np.float64):.1g}: "
            "rescale the features, lower C or accept a larger tol",
            RuntimeWarning,
            stacklevel=3,
        )
    _require_norm(point, dtype)
    return solution


def _solution(point, y, C, tol):
    """The `Solution` at a `BoxPoint`, its objectives and intercepts in float64."""
    alpha, scores, b = np.abs(point.beta), point.scores, point.intercept
    interval = (b, b) if point.free.any() else tuple(sorted(point.intercepts))
    primal = min(primal_value(scores, y, alpha, b, bound) for bound in (C, np.inf))  # inf: without slack
    dual = dual_value(scores, y, alpha)
    reached = point.violation <= tol and primal < np.inf and primal - dual <= np.sqrt(tol) * primal
    return Solution(
        alpha=alpha,
        y=y.copy(),
        C=C if np.ndim(C) == 0 else C.copy(),
        b=b,
        b_interval=interval,
        dual_objective=dual,
        primal_objective=primal,
        margin=_inverse_norm(point.beta, scores),
        violation=point.violation,
        steps=point.steps,
        status="optimal" if reached else "inaccurate",
    )


def _require_norm(point, dtype):
    """A refusal where ||w||^2 = beta'K beta is negative by more than rounding."""
    squared_norm = point.beta @ point.scores
    if squared_norm < -(1e-6 + point.rounding(np.float64)) * np.abs(point.beta).sum():
        what = f"the solution has ||w||^2 = {squared_norm:.3g}"
        what += "; pass float64" if dtype == np.float32 else ""
        raise ValueError(f"K must be positive semi-definite on vectors of sum zero, but {what}")


def _inverse_norm(beta, scores):
    """The margin 1 / ||w|| = (beta'K beta)^(-1/2), whose squares may leave the range of floats."""
    size = np.abs(beta).max()
    if size == 0:
        return np.inf
    unit = (beta / size) @ (scores / size)
    return float(1 / np.sqrt(unit) / size) if unit > 0 else np.inf
