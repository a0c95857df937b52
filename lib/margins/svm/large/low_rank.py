"""The dual where K = F F' has low rank: incomplete Cholesky, an interior point, then Newton's method."""

from dataclasses import replace

import numpy as np

from margins._types import ArrayLike
from margins.svm.large import constants
from margins.svm.large.box import BoxPoint
from margins.svm.large.continuation import optimum_by_continuation
from margins.svm.large.grams import FactoredGram
from margins.svm.large.interior_point import LowRankQuadratic, interior_optimum
from margins.svm.large.newton import polish
from margins.svm.problem import bounds, checked_bound
from margins.svm.solution import Solution, solution_at
from margins.validation import finite_array, positive, same_length, signs, squarable


def linear_svm(X: ArrayLike, y: ArrayLike, C: ArrayLike, *, tol: float = 1e-10) -> Solution:
    """The maximiser of the dual with K = X X', for many points with few features and a finite C.

    It is the `Solution` of `smo` without the n x n matrix. `C` is one number, or one a point
    (book: SVM duality, The soft margin).

    >>> X, y = np.array([[-3.0], [-1.0], [1.0], [2.0]]), np.array([-1, -1, 1, 1])
    >>> solution = linear_svm(X, y, C=10.0)
    >>> round(float((solution.alpha * y) @ X[:, 0]), 6), solution.status  # the slope w
    (1.0, 'optimal')
    """
    X = squarable("X", finite_array("X", X, ndim=2, dtype=np.float64))
    y, tol = signs("y", y), positive("tol", tol)
    same_length(X=X, y=y)
    C = checked_bound(C, len(y), allow_infinity=False)
    mean = X.mean(axis=0)  # the dual sees sums of zero only; around their mean the points keep their digits
    gram = FactoredGram(X - mean)
    variance = max(float(np.square(gram.F).sum()) / len(y), float(np.finfo(np.float64).tiny))

    def optimum_at(C, beta):
        return factored_optimum(gram, gram.F, y, C, tol)

    centred = solution_at(optimum_by_continuation(optimum_at, y, C, variance), y, C, tol, X.dtype)
    shift = mean @ ((centred.alpha * y) @ gram.F)
    low, high = centred.b_interval
    return replace(centred, b=centred.b - shift, b_interval=(low - shift, high - shift))


def factored_optimum(gram, F, y, C, tolerance):
    """The `BoxPoint` at C of a matrix K = F F', but for rounding: the interior point's, polished.

    In u_i = alpha_i / C_i and divided by the mean C of the C_i = c_i C, the dual reads: minimise
    C/2 u'Qu - c'u with (c y)'u = 0 and 0 <= u <= 1, where Q_ij = c_i y_i K_ij y_j c_j. The multipliers of the
    two bounds say, divided by c_i, by how much a margin exceeds 1 or lacks it.
    """
    n, size, (low, high) = len(y), float(np.mean(C)), bounds(y, C)
    shares = np.broadcast_to(C / size, n)
    quadratic = LowRankQuadratic((np.sqrt(size) * shares * y)[:, None] * F)
    inner = interior_optimum(
        quadratic,
        shares,
        (shares * y)[:, None],
        np.zeros(1),
        np.full(n, 0.5),
        1.0,
        relative=constants.FACTOR_GAP,
    )
    at_bound = inner.slacks < inner.multipliers  # (2, n)
    beta = C * y * np.select(list(at_bound), [0.0, 1.0], inner.u)
    beta = balanced(beta, low, high, ~at_bound.any(axis=0))
    point = BoxPoint.start(gram, y, C, beta)
    polish(point, tolerance)
    if point.violation > max(tolerance, point.rounding(np.float64)):  # K is singular on the free points:
        polish(point, tolerance, constants.CLIMB_LIFT)  # a larger lift keeps null directions off the bounds
    point.place(point.beta)
    point.gradient = y - gram.product(point.beta)
    return point


def balanced(beta, low, high, free):
    """The multipliers moved within their bounds until their sum is 0, the `free` ones alone where these can.

    They move in proportion to the room that they have.
    """
    excess = beta.sum()
    room = beta - low if excess > 0 else high - beta
    movable = room * free if (room * free).sum() >= abs(excess) else room
    return beta if excess == 0 else beta - excess * movable / movable.sum()


def incomplete_cholesky(gram, most, lack, *, glimpse=False):
    """The F (n, r), r < most, whose F F' lacks at most `lack` of every K_ii; None where there is none.

    Each column takes the row of K of the point that is explained worst so far, and no other. With
    `glimpse` the factor is given up early where its first columns explain little of the trace.
    """
    unexplained = gram.diagonal().astype(np.float64)  # (n,)
    columns, total = np.empty((most, len(unexplained))), unexplained.sum()
    for r in range(most):
        worst = int(unexplained.argmax())
        if unexplained[worst] <= lack:
            # far below 0: K is indefinite at this precision, as one in float32 is at that of float64
            return columns[:r].T if unexplained.min() > -10 * lack else None
        few = glimpse and r == constants.GLIMPSE_COLUMNS
        if few and unexplained.sum() > constants.GLIMPSE_SHARE * total:
            return None
        column = gram.full_rows(np.array([worst]))[0] - columns[:r, worst] @ columns[:r]
        columns[r] = column / np.sqrt(unexplained[worst])
        unexplained -= np.square(columns[r])
    return None
