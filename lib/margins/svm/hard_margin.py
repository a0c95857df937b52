"""The hard margin: the dual without an upper bound, and what happens when no margin exists."""

import numpy as np

from margins.svm.large import constants
from margins.svm.large.box import BoxPoint, refine
from margins.svm.large.continuation import optimum_by_continuation
from margins.svm.large.grams import GivenGram
from margins.svm.nearest_points import nearest_points
from margins.svm.problem import exceeds_on_zero_sums, variance


class NotSeparableError(ValueError):
    """The refusal of a hard margin, with the certificate `ray`.

    The ray r >= 0 has y'r = 0, sum r = 1 and sum r_i y_i phi(x_i) = 0, so that the dual grows along t r
    without end; in other words some convex combination of one class is also one of the other
    (book: SVM duality, When no line separates).

    >>> try:
    ...     smo([[1.0, 1.0], [1.0, 1.0]], [1, -1])
    ... except NotSeparableError as refusal:
    ...     print(refusal.ray)
    [0.5 0.5]
    """

    def __init__(self, message, ray):
        super().__init__(message)
        self.ray = ray  # (n,)

    def __reduce__(self):
        """How it is copied, and sent from one process to another."""
        return type(self), (str(self), self.ray)


def hard_margin_optimum(K, y, tolerance):
    """The optimal `BoxPoint` of the dual without upper bound, or a `NotSeparableError`.

    It is the soft-margin optimum of any C that no multiplier reaches. The nearest points of the two
    hulls, at distance d, say where to begin: alpha = 2 |beta| / d^2.
    """
    gram, spread, start = GivenGram(K), variance(K), None
    if not exceeds_on_zero_sums(K, relative=constants.DEFINITE):  # else any labels are separable
        nearest = separating_points(K, y)
        beta = 2 * nearest.beta / nearest.squared_distance
        start = 10 * np.abs(beta).max(), beta

    def optimum_at(C, beta):
        point = BoxPoint.start(gram, y, C, beta)
        refine(point, y, tolerance)
        return point

    return optimum_by_continuation(optimum_at, y, np.inf, spread, start)


def separating_points(K, y):
    """The nearest points of the two hulls, or a `NotSeparableError` where these meet."""
    nearest, size = nearest_points(K, y), variance(K)
    if nearest.gap > constants.SEPARABLE * size:
        return nearest
    if nearest.squared_distance > constants.UNDECIDED * size:
        raise ValueError(
            "C = inf asks for a hard margin, but rounding hides whether the classes are separable: the "
            f"nearest points found are {nearest.squared_distance**0.5:.3g} apart, with no margin between; "
            "pass a finite C"
        )
    ray = np.abs(nearest.beta) / 2
    raise NotSeparableError(
        "C = inf asks for a hard margin, but the classes are not separable: the dual is unbounded along the "
        f"ray r >= 0 in this error's attribute `ray` ({np.count_nonzero(ray)} points), because y'r = 0 and "
        "sum r_i y_i phi(x_i) = 0; pass a finite C",
        ray,
    )


def refuse_hard_margin(K, y):
    """The `NotSeparableError` of data that another solver found not separable."""
    hard_margin_optimum(K, y, 1e-6)
    raise ValueError("two solvers disagree whether the data are separable: rescale them")
