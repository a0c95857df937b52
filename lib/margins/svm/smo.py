"""The solver of the dual: sequential minimal optimisation with shrinking and a Newton polish.

(book: SVM duality, Sequential minimal optimisation)
"""

import numpy as np

from margins.svm.box import bounds, box_optimum
from margins.svm.grams import GivenGram
from margins.svm.hard_margin import hard_margin_optimum
from margins.svm.pairs import PairAscent
from margins.svm.prices import risen_optimum
from margins.svm.problem import (
    checked_gram,
    checked_problem,
    require_psd,
    variance,
)
from margins.svm.solution import solution_at
from margins.svm.steep import with_steep_prices
from margins.validation import ascending_counts, positive, real_array, signs


def smo(K, y, C=np.inf, *, tol=1e-10, trusted=False):
    """The maximiser of the dual sum_i alpha_i - 1/2 sum_ij alpha_i alpha_j y_i y_j K_ij.

    The constraints are y'alpha = 0 and 0 <= alpha_i <= C; C = inf is the hard margin, refused with a
    `NotSeparableError` where there is none. Optimal to `tol` means that a single b meets
    y_i f(x_i) >= 1 where alpha_i = 0, <= 1 where alpha_i = C and = 1 between, to within `tol`. K need
    only be positive semi-definite on vectors of sum zero; `trusted=True` says that K is a finite and
    symmetric matrix of this kind, and saves the check. For the iterates themselves see `smo_iterates`
    (book: SVM duality, Sequential minimal optimisation).

    >>> x, y = np.array([-3.0, -1.0, 1.0, 2.0]), np.array([-1, -1, 1, 1])
    >>> solution = smo(np.outer(x, x), y)
    >>> solution.alpha.round(6)  # the closest points of the two classes
    array([0. , 0.5, 0.5, 0. ])
    >>> solution.margin, solution.status
    (1.0, 'optimal')
    """
    y, C, tol = signs("y", y), positive("C", C, allow_infinity=True), positive("tol", tol)
    K = real_array("K", K)
    if not trusted:
        K = checked_gram(K, len(y))
        require_psd(K, on_zero_sums=True)
    point = hard_margin_optimum(K, y, tol) if np.isinf(C) else _soft_margin_optimum(K, y, C, tol)
    return solution_at(point, y, C, tol, K.dtype)


def _soft_margin_optimum(K, y, C, tolerance):
    """The optimal `BoxPoint` at the finite price C."""
    spread = variance(K)

    def at_price(price, beta):
        return box_optimum(K, y, price, beta, tolerance)

    at_any_price = with_steep_prices(at_price, GivenGram(K).wide, y, tolerance, spread)
    return risen_optimum(at_any_price, y, C, spread)


def smo_iterates(K, y, C=np.inf, *, at):
    """The multipliers after each of the step counts `at`, ascending, without shrinking or polish.

    These are the pair steps that `smo` begins with, shown one by one: the rows of the answer
    (len(at), n) go into `dual_objective` and `primal_objective` to draw the two closing on each
    other. Once the climb has converged its last multipliers repeat
    (book: SVM duality, Sequential minimal optimisation).

    >>> x, y = np.array([-3.0, -1.0, 1.0, 2.0]), np.array([-1, -1, 1, 1])
    >>> smo_iterates(np.outer(x, x), y, C=1.0, at=[0, 1, 2]).round(3)
    array([[0.   , 0.   , 0.   , 0.   ],
           [0.125, 0.   , 0.125, 0.   ],
           [0.   , 0.125, 0.125, 0.   ]])
    """
    K, y, C = checked_problem(K, y, C)
    ascent = PairAscent(GivenGram(K), *bounds(y, C))
    ascent.start(np.zeros(len(y)), y)
    alphas, done = [], 0
    for step in ascending_counts("at", at):
        ascent.climb(1e-12, step - done)
        alphas.append(np.abs(ascent.beta))
        done = step
    return np.array(alphas)
