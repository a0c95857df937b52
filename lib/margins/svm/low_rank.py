"""The soft margin of many points with few features: an interior point, then Newton's method.

(book: SVM duality, The soft margin)
"""

from dataclasses import replace

import numpy as np

from margins.svm.box import BoxPoint, bounds, polish
from margins.svm.grams import FactoredGram
from margins.svm.interior_point import LowRankEnergy, interior_optimum
from margins.svm.prices import risen_optimum
from margins.svm.solution import solution_at
from margins.validation import finite_array, positive, same_length, signs, squarable

CLOSE = 1e-8  # the interior point's duality gap, as a share of ||w||^2 / C, from where Newton's method ends


def linear_svm(X, y, C, *, tol=1e-10):
    """The maximiser of the dual with K = X X', for many points with few features and a finite price C.

    It is the `Solution` of `smo` without the n x n matrix, and at a high price in a small part of its time
    (book: SVM duality, The soft margin).

    >>> X, y = np.array([[-3.0], [-1.0], [1.0], [2.0]]), np.array([-1, -1, 1, 1])
    >>> solution = linear_svm(X, y, C=10.0)
    >>> round(float((solution.alpha * y) @ X[:, 0]), 6), solution.status  # the slope w
    (1.0, 'optimal')
    """
    X = squarable("X", finite_array("X", X, ndim=2, dtype=np.float64))
    y, C, tol = signs("y", y), positive("C", C), positive("tol", tol)
    same_length(X=X, y=y)
    mean = X.mean(axis=0)  # the dual sees sums of zero only; around their mean the points keep their digits
    centred = solution_at(low_rank_optimum(X - mean, y, C, tol), y, C, tol, X.dtype)
    shift = mean @ ((centred.alpha * y) @ (X - mean))
    low, high = centred.b_interval
    return replace(centred, b=centred.b - shift, b_interval=(low - shift, high - shift))


def low_rank_optimum(F, y, C, tolerance):
    """The optimal `BoxPoint` of the dual with K = F F' for features of mean 0, without the matrix.

    A step of the interior point costs O(n r^2) for F (n, r), and some thirty of them suffice at any price,
    where pair steps grow in number with C.
    """
    gram = FactoredGram(F)
    spread = max(float(np.square(gram.F).sum()) / len(y), float(np.finfo(np.float64).tiny))

    def at_price(price, beta):
        return factored_optimum(gram, gram.F, y, price, tolerance)

    return risen_optimum(at_price, y, C, spread)


def factored_optimum(gram, F, y, C, tolerance):
    """The `BoxPoint` at the price C of a matrix K = F F', but for rounding: the interior point's, polished.

    In u = alpha / C the dual, divided by C, reads: minimise C/2 u'Qu - 1'u with y'u = 0 and 0 <= u <= 1; the
    forces at the two bounds are by how much a margin exceeds 1 or lacks it.
    """
    n, (low, high) = len(y), bounds(y, C)
    energy = LowRankEnergy(np.sqrt(C) * y[:, None] * F)
    inner = interior_optimum(
        energy, np.ones(n), y[:, None], np.zeros(1), np.full(n, 0.5), 1.0, relative=CLOSE
    )
    at_bound = inner.rooms < inner.forces  # (2, n)
    beta = C * y * np.select(list(at_bound), [0.0, 1.0], inner.u)
    beta = balanced(beta, low, high, ~at_bound.any(axis=0))
    point = BoxPoint(gram, beta, y - gram.product(beta), low, high)
    polish(point, tolerance)
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
