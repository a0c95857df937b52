"""The shortest vector with A w >= 1, by non-negative least squares: the hard margin without a bias."""

from typing import Any

import numpy as np

from margins._extras import extra
from margins._records import frozen
from margins._types import ArrayLike
from margins.validation import finite_array

TOUCHES_ORIGIN = 1e-13  # distance of the hull of the unit rows from 0 that rounding cannot tell from 0
MOST_SCALES = 8  # of tau; each comes nearer to the margin, and two or three suffice
LONGEST = 1e150  # lengths up to it and down to its inverse have squares that can be summed


@frozen
class LeastDistance:
    """The shortest w with A w >= 1 and its multipliers, w = A' lambda; or a certificate that no w exists.

    (book: Attention converges to an SVM, The attention SVM)

    >>> least_distance([[1.0, 0.0], [-1.0, 0.0]]).certificate  # no w has both w_1 >= 1 and -w_1 >= 1
    array([0.5, 0.5])
    """

    point: Any  # (D,), None where no w exists
    multipliers: Any  # (m,), lambda >= 0, zero where A w > 1; None where no w exists
    certificate: np.ndarray | None  # (m,), u >= 0 with A' u = 0, None where w exists

    @property
    def status(self) -> str:
        """Whether w exists: "optimal" or "infeasible"."""
        return "optimal" if self.certificate is None else "infeasible"


def least_distance(rows: ArrayLike) -> LeastDistance:
    """The `LeastDistance` of the rows A (m, D): argmin ||w|| with A w >= 1.

    The non-negative least squares problem min_u ||A'u||^2 + (1 - tau 1'u)^2 has a residual rho = 1 - tau 1'u
    with rho = 1/(1 + tau^2 ||w||^2), lambda = u/(tau rho) and w = A' lambda, whatever tau > 0; no w exists
    iff rho = 0. Since rounding turns a small rho into 0, tau follows the margin 1/||w|| until rho is large,
    and what decides is how far the convex hull of the unit rows stays from 0 (book: Attention converges to an
    SVM, The attention SVM).

    >>> least_distance([[2.0, 0.0], [0.0, 1.0]]).point
    array([0.5, 1. ])
    """
    rows = finite_array("rows", rows, ndim=2, dtype=np.float64)
    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows))  # called so often that detours count
    if not 1 / LONGEST < lengths.min() <= lengths.max() < LONGEST:
        is_zero = ~rows.any(axis=1)
        if is_zero.any():  # 0'w >= 1 alone is a contradiction
            return LeastDistance(None, None, is_zero.astype(float))
        got = f"{lengths.min():.1e} to {lengths.max():.1e}"
        raise ValueError(f"rows has lengths from {got}, whose squares leave the number range; rescale them")
    units = rows / lengths[:, None]
    demand = lengths.min() / lengths  # u'w >= demand, the largest demand being 1
    coordinates = units_in_their_span(units)
    tau = 1.0
    for _ in range(MOST_SCALES):
        u = _non_negative_least_squares(coordinates, tau * demand)
        pulled = u @ coordinates
        pull = np.sqrt(pulled @ pulled)
        if pull <= TOUCHES_ORIGIN * u.sum():
            return LeastDistance(None, None, u / lengths)
        if 1 - tau * (demand @ u) > 0.1:
            break
        tau = pull / (demand @ u)  # never below the margin, and equal to it at the solution
    point, multipliers = _optimum_with_support(units, demand, u > 0)
    return LeastDistance(point / lengths.min(), multipliers / (lengths.min() * lengths), None)


def units_in_their_span(rows):
    """The rows; if their dimension is above 2 m, coordinates in an orthonormal basis of m vectors instead."""
    m, dimension = rows.shape
    return rows if dimension <= 2 * m else np.transpose(np.linalg.qr(rows.T, mode="r"))


def _non_negative_least_squares(rows, demand):
    """The u >= 0 that minimises ||rows' u||^2 + (1 - demand'u)^2."""
    with extra("solvers", "margins.attention_svm.least_distance"):
        from scipy.optimize import nnls

    system = np.empty((rows.shape[1] + 1, len(rows)))  # (D + 1, m)
    system[:-1], system[-1] = rows.T, demand
    target = np.zeros(len(system))
    target[-1] = 1.0
    return nnls(system, target, maxiter=30 * len(rows))[0]


def _optimum_with_support(rows, demand, support):
    """The shortest w with rows w = demand on `support`, and its multipliers, by a QR of the supporting rows.

    On the support of the least squares problem they are linearly independent. Solving there anew is accurate
    to rounding whatever tau was, and taking w from Q avoids the cancellation in w = A' lambda.
    """
    Q, R = np.linalg.qr(rows[support].T)  # (D, p), (p, p)
    heights = np.linalg.solve(R.T, demand[support])  # (p,)
    multipliers = np.zeros(len(rows))
    multipliers[support] = np.maximum(np.linalg.solve(R, heights), 0.0)
    return Q @ heights, multipliers
