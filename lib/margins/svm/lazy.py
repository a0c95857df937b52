"""The soft margin of a Gaussian kernel from the points themselves: of many, the n x n matrix is never formed.

(book: SVM duality, Sequential minimal optimisation)
"""

import numpy as np

from margins.svm.box import COARSE, BoxPoint, bounds, refine
from margins.svm.bulk import move_in_bulk
from margins.svm.few_directions import first_guess
from margins.svm.grams import GaussianGram
from margins.svm.levels import climb_in_blocks, levelled_point
from margins.svm.prices import risen_optimum
from margins.svm.solution import solution_at
from margins.svm.steep import with_steep_prices
from margins.validation import finite_array, positive, same_length, signs

CROWD = 10_000  # points; more climb in blocks, for the rows that pair steps meet would fill the memory
CHEAP = 10  # up to this price pair steps meet but a part of the rows, beyond it all of them, again and again:
MOST_STORED = 4000  # there the matrix of so many points is made in one go


def gaussian_svm(X, y, C, *, gamma=1.0, tol=1e-10):
    """The maximiser of the dual with K_ij = exp(-gamma ||x_i - x_j||^2), for many points and a finite C.

    It is the `Solution` of `smo`, reached in the primal where K is smooth beside the points' distances, by
    bulk moves and pair steps that make the rows of K which they meet elsewhere, and block by block where the
    points are very many (book: SVM duality, Sequential minimal optimisation).

    >>> X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([1, -1, 1, -1])
    >>> solution = gaussian_svm(X, y, C=1.0)
    >>> solution.status, round(solution.dual_objective, 4)
    ('optimal', 3.0671)
    """
    X = finite_array("X", X, ndim=2)
    y, C, tol, gamma = signs("y", y), positive("C", C), positive("tol", tol), positive("gamma", gamma)
    same_length(X=X, y=y)
    return solution_at(gaussian_optimum(X, y, C, gamma, tol), y, C, tol, X.dtype)


def gaussian_optimum(X, y, C, gamma, tolerance):
    """The optimal `BoxPoint` of the dual with K_ij = exp(-gamma ||x_i - x_j||^2)."""
    gram = GaussianGram(X, gamma)

    def at_price(price, beta):
        if len(y) > CROWD:
            point = levelled_point(gram, y, price, max(tolerance, COARSE))
            refine(point, y, tolerance, climb_in_blocks)
            return point
        point = _beginning(gram, y, price, beta)
        refine(point, y, tolerance)
        return point

    def exact():
        return gram.stored if len(y) <= MOST_STORED else gram.exact

    return risen_optimum(with_steep_prices(at_price, exact, y, tolerance, 1.0), y, C, 1.0)


def _beginning(gram, y, C, beta):
    """The `BoxPoint` at a feasible beta, or further on if beta = 0, on the matrix in the form to climb on."""
    guess = None if beta.any() else first_guess(gram, y, C)
    if guess is not None:
        near = BoxPoint(gram, guess, y - gram.product(guess), *bounds(y, C))
        near.since_newton = np.inf  # pair steps need not pay for the first Newton step
        return near
    stored = C > CHEAP and len(y) <= MOST_STORED
    matrix = gram.stored if stored else gram
    point = BoxPoint(matrix, beta, y - matrix.product(beta), *bounds(y, C))
    if not stored and not beta.any():
        move_in_bulk(point)
    return point
