"""The optimality report: each point's place in the Karush-Kuhn-Tucker conditions, and how well they hold."""

from dataclasses import dataclass

import numpy as np

from margins._types import ArrayLike
from margins.svm.problem import (
    checked_intercept,
    checked_multipliers,
    checked_problem,
    checked_scores,
    dual_value,
    primal_value,
)
from margins.svm.solution import Solution, legible, shown_bound
from margins.validation import positive

GROUPS = ("alpha = 0", "free", "alpha = C")


@dataclass(frozen=True, eq=False)
class KKTReport:
    """The numbers behind the table that `print` shows: one row a point, then the residuals.

    `violation` is the largest distance of y_i f(x_i) from where the group of i wants it (>= 1, = 1, <= 1).
    The duality gap is the sum of all complementarity products, alpha_i (y_i f(x_i) - 1 + slack_i) and
    (C - alpha_i) slack_i; `complementarity` is the largest of them
    (book: SVM duality, Reading the optimality conditions).

    >>> K, y = np.array([[1.0, -1.0], [-1.0, 1.0]]), [1, -1]  # the points 1 and -1
    >>> report = kkt_report(K, y, [0.25, 0.25], b=0.0)  # half of the multipliers they should have
    >>> report.margins, report.primal_infeasibility
    (array([0.5, 0.5]), 0.5)
    """

    alpha: np.ndarray  # (n,)
    margins: np.ndarray  # (n,), y_i f(x_i)
    slack: np.ndarray  # (n,)
    group: np.ndarray  # (n,), of GROUPS
    b: float
    C: float | np.ndarray  # one number, or one a point (n,)
    primal_infeasibility: float
    dual_infeasibility: float
    complementarity: float
    violation: float
    primal_objective: float
    dual_objective: float

    @property
    def gap(self) -> float:
        """The duality gap: primal minus dual objective."""
        return self.primal_objective - self.dual_objective

    def __repr__(self):
        return (
            f"KKTReport(n={len(self.alpha)}, C={shown_bound(self.C)}, {self._counts()}, "
            f"violation={legible(self.violation)}, gap={legible(self.gap)})"
        )

    def _counts(self):
        """How many points each group has, in words."""
        at_zero, free, at_bound = ((self.group == g).sum() for g in GROUPS)
        return f"{at_zero} with alpha = 0, {free} free, {at_bound} with alpha = C"

    def __str__(self):
        columns = zip(self.alpha, self.margins, self.slack, self.group, strict=True)
        rows = [f"{i:6d} {a:12.6g} {m:12.6g} {s:12.4g}  {g}" for i, (a, m, s, g) in enumerate(columns)]
        if len(rows) > 40:
            rows[20:-20] = [f"   ... {len(rows) - 40} more points ..."]
        residuals = (
            f"{self._counts()}; b = {self.b:.6g}, C = {shown_bound(self.C)}\n"
            f"primal infeasibility {legible(self.primal_infeasibility)}   "
            f"dual infeasibility {legible(self.dual_infeasibility)}\n"
            f"complementarity      {legible(self.complementarity)}   "
            f"margin violation   {legible(self.violation)}\n"
            f"primal {self.primal_objective:.10g} - dual {self.dual_objective:.10g} = gap {legible(self.gap)}"
        )
        return "\n".join([" point        alpha       y f(x)        slack  group", *rows, residuals])


def kkt_report(
    K: ArrayLike,
    y: ArrayLike,
    alpha: "ArrayLike | Solution",
    b: float | None = None,
    C: ArrayLike | None = None,
    *,
    bound_tol: float = 1e-8,
) -> KKTReport:
    """The Karush-Kuhn-Tucker conditions of an SVM with multipliers `alpha` and intercept `b`, by point.

    `alpha` may also be a `Solution`, which brings its b and its C; otherwise C is inf where none is given. It
    is one number, or one a point. A multiplier within `bound_tol` times the largest one of 0 or C counts as
    lying there; slack is what the margin lacks, max(0, 1 - y_i f(x_i)), and 0 for the hard margin, whose lack
    is infeasibility (book: SVM duality, Reading the optimality conditions).

    >>> K = np.array([[1.0, -1.0, 3.0], [-1.0, 1.0, -3.0], [3.0, -3.0, 9.0]])  # the points 1, -1 and 3
    >>> print(kkt_report(K, [1, -1, 1], [0.5, 0.5, 0.0], b=0.0))
     point        alpha       y f(x)        slack  group
         0          0.5            1            0  free
         1          0.5            1            0  free
         2            0            3            0  alpha = 0
    1 with alpha = 0, 2 free, 0 with alpha = C; b = 0, C = inf
    primal infeasibility < 1e-12   dual infeasibility < 1e-12
    complementarity      < 1e-12   margin violation   < 1e-12
    primal 0.5 - dual 0.5 = gap < 1e-12
    """
    if isinstance(alpha, Solution):
        solution = alpha
        alpha, b = solution.alpha, solution.b if b is None else b
        C = solution.C if C is None else C
    K, y, C = checked_problem(K, y, np.inf if C is None else C)
    alpha = checked_multipliers(alpha, y)
    b = checked_intercept(b)
    return _measured(K, y, alpha, b, C, positive("bound_tol", bound_tol, allow_zero=True))


def _measured(K, y, alpha, b, C, bound_tol):
    """The numbers of a report on a problem and multipliers that were checked."""
    scores = checked_scores(K, y, alpha)
    margins = y * (scores + b)
    lack = np.maximum(0, 1 - margins)
    slack = lack if np.isfinite(C).all() else np.zeros_like(lack)
    group = _groups(alpha, C, bound_tol)
    return KKTReport(
        alpha=alpha.copy(),
        margins=margins,
        slack=slack,
        group=group,
        b=b,
        C=C if np.ndim(C) == 0 else C.copy(),
        primal_infeasibility=float((lack - slack).max()),
        dual_infeasibility=float(max(-alpha.min(), (alpha - C).max(), abs(alpha @ y), 0)),
        complementarity=_complementarity(alpha, margins, slack, C),
        violation=_violation(margins, group),
        primal_objective=primal_value(scores, y, alpha, b, C),
        dual_objective=dual_value(scores, y, alpha),
    )


def _groups(alpha, C, bound_tol):
    """Each multiplier's place: at zero, at C or free between them (n,)."""
    near = bound_tol * alpha.max()
    return np.select([alpha <= near, alpha >= C - near], [GROUPS[0], GROUPS[2]], GROUPS[1])


def _complementarity(alpha, margins, slack, C):
    """The largest complementarity product in size."""
    products = np.abs(alpha * (margins - 1 + slack)).max()
    return float(products if np.isinf(C).any() else max(products, np.abs((C - alpha) * slack).max()))


def _violation(margins, group):
    """The largest distance of a margin from the side of 1 where its group belongs."""
    lack, excess = np.maximum(0, 1 - margins), np.maximum(0, margins - 1)
    return float(np.select([group == GROUPS[0], group == GROUPS[2]], [lack, excess], lack + excess).max())
