"""The soft margin of a Gaussian kernel from the points themselves, whose n x n matrix is never formed."""

import numpy as np

from margins._types import ArrayLike
from margins.svm.large import constants
from margins.svm.large.blocks import climb_in_blocks, optimum_of_samples
from margins.svm.large.box import BoxPoint, refine
from margins.svm.large.choice import climb_or_factor, with_factor_at_large_c
from margins.svm.large.continuation import optimum_by_continuation
from margins.svm.large.grams import GaussianGram
from margins.svm.large.primal_newton import first_guess
from margins.svm.problem import checked_bound
from margins.svm.solution import Solution, solution_at
from margins.validation import finite_array, positive, same_length, signs


def gaussian_svm(
    X: ArrayLike, y: ArrayLike, C: ArrayLike, *, gamma: float = 1.0, tol: float = 1e-10
) -> Solution:
    """The maximiser of the dual with K_ij = exp(-gamma ||x_i - x_j||^2), for many points and a finite C.

    It is the `Solution` of `smo`, found on the primal where K is smooth beside the points' distances,
    elsewhere by pair steps that make the rows of K as they need them, and block by block where the points are
    very many. `C` is one number, or one a point (book: SVM duality, Sequential minimal optimisation).

    >>> X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([1, -1, 1, -1])
    >>> solution = gaussian_svm(X, y, C=1.0)
    >>> solution.status, round(solution.dual_objective, 4)
    ('optimal', 3.0671)
    """
    X = finite_array("X", X, ndim=2)
    y, tol, gamma = signs("y", y), positive("tol", tol), positive("gamma", gamma)
    same_length(X=X, y=y)
    C = checked_bound(C, len(y), allow_infinity=False)
    return solution_at(gaussian_optimum(X, y, C, gamma, tol), y, C, tol, X.dtype)


def gaussian_optimum(X, y, C, gamma, tolerance):
    """The optimal `BoxPoint` of the dual with K_ij = exp(-gamma ||x_i - x_j||^2)."""
    gram = GaussianGram(X, gamma)

    def optimum_at(C, beta):
        if len(y) > constants.BLOCKWISE_POINTS:
            point = optimum_of_samples(gram, y, C, max(tolerance, constants.COARSE_VIOLATION))
            refine(point, y, tolerance, climb_in_blocks)
            return point
        point = starting_point(gram, y, C, beta)
        refine(point, y, tolerance, climb_or_factor)
        return point

    def exact():
        return gram.stored if len(y) <= constants.MOST_STORED else gram.exact

    return optimum_by_continuation(with_factor_at_large_c(optimum_at, exact, y, tolerance, 1.0), y, C, 1.0)


def starting_point(gram, y, C, beta):
    """The `BoxPoint` at a feasible beta, or further on if beta = 0, on the form of K that suits C."""
    guess = None if beta.any() else first_guess(gram, y, C)
    if guess is not None:
        near = BoxPoint.start(gram, y, C, guess)
        near.since_newton = np.inf  # the guess is near the optimum: the first Newton step comes at once
        return near
    stored = np.max(C) > constants.FEW_STEPS_C and len(y) <= constants.MOST_STORED
    point = BoxPoint.start(gram.stored if stored else gram, y, C, beta)
    if np.ndim(C) == 0 and not stored and not beta.any():
        move_many_to_bounds(point)
    return point


def move_many_to_bounds(point):
    """Takes the points of a `BoxPoint` that violate optimality most to C, many at once.

    Pair steps would take them there one by one. All points have the same C, so that as many of either class
    keep the balance. A move is made while the dual still climbs at its end, so
    that it never passes its best length; else half as many points are tried.
    """
    size = constants.FIRST_MOVE
    while size >= constants.FEWEST_MOVED:
        sides = _outermost(point, size)
        size = min(map(len, sides))
        if size < constants.FEWEST_MOVED:
            return
        rows = point.gram.full_rows(np.concatenate(sides))  # (2 size, n)
        size, by_far = _move(point, sides, rows)
        if by_far:
            size = min(2 * size, constants.MOST_MOVED)


def _outermost(point, size):
    """The `size` points at lower bounds that ask most to grow, and at upper bounds that ask to shrink."""
    middle = sum(point.intercepts) / 2
    asking = (
        np.where(point.beta == point.low, point.gradient - middle, 0),
        np.where(point.beta == point.high, middle - point.gradient, 0),
    )
    size = min(size, *(np.count_nonzero(side > 0) for side in asking))
    return [_largest(side, size) for side in asking]


def _largest(values, size):
    """The indices of the `size` largest values, largest first."""
    largest = np.argpartition(values, -size)[-size:] if size else np.empty(0, int)
    return largest[np.argsort(-values[largest], kind="stable")]


def _move(point, sides, rows):
    """The number of points of either side that were moved (0: none), and whether twice as many might be."""
    while len(sides[0]) >= constants.FEWEST_MOVED:
        size, moved = len(sides[0]), np.concatenate(sides)
        delta = np.repeat(np.array([point.width, -point.width], rows.dtype), size)
        change = delta @ rows  # (n,)
        slope, curvature = float(delta @ point.gradient[moved]), float(delta @ change[moved])
        if slope >= constants.SLOPE_OVER_CURVATURE * curvature:
            beta = point.beta.copy()
            beta[moved] = np.concatenate([point.high[sides[0]], point.low[sides[1]]])
            point.beta, point.gradient = beta, point.gradient - change
            return size, slope >= 2 * constants.SLOPE_OVER_CURVATURE * curvature
        half = size // 2
        sides, rows = [side[:half] for side in sides], np.concatenate([rows[:half], rows[size:][:half]])
    return 0, False
