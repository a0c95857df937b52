"""Sequential minimal optimisation: the dual climbed two multipliers at a time, and the solver built on it."""

from collections.abc import Iterator
from itertools import islice

import numpy as np

from margins._types import ArrayLike
from margins.svm.hard_margin import hard_margin_optimum
from margins.svm.large import constants
from margins.svm.large.box import BoxPoint, refine
from margins.svm.large.choice import climb_or_factor, with_factor_at_large_c
from margins.svm.large.continuation import optimum_by_continuation
from margins.svm.large.grams import GivenGram
from margins.svm.problem import bounds, checked_bound, checked_gram, checked_problem, require_psd, variance
from margins.svm.solution import Solution, solution_at
from margins.validation import ascending_counts, positive, real_array, signs


def pair_steps(K, y, C, tolerance) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """The signed multipliers beta_i = alpha_i y_i and v = y - K beta after 0, 1, 2, ... steps, from beta = 0.

    A step moves beta_i up and beta_j down by the tau at which the dual is highest, cut back to where the
    first of the two meets a bound: the largest v_i among those that may grow, and the v_j among those that
    may shrink with which the dual gains most, (v_i - v_j)^2 / ||phi(x_i) - phi(x_j)||^2. When i is met for
    the first time, j is the smallest v_j. The steps end when v_i - v_j <= tolerance for all pairs. Both
    arrays are changed in place (book: SVM duality, Sequential minimal optimisation).
    """
    low, high = bounds(y, C)
    beta, v, met = np.zeros(len(y)), y.copy(), set()
    squares = squared_distances(K)
    lengths = np.sqrt(squares)
    while True:
        yield beta, v
        growing = np.where(beta < high, v, -np.inf)
        shrinking = np.where(beta > low, v, np.inf)
        i, j = growing.argmax(), shrinking.argmin()
        if not v[i] - v[j] > tolerance:
            return
        if i in met:
            j = ((v[i] - shrinking) / lengths[i]).argmax()
        met.add(i)
        room_i, room_j = high[i] - beta[i], beta[j] - low[j]
        tau = min((v[i] - v[j]) / squares[i, j], room_i, room_j)
        beta[i] = high[i] if tau == room_i else beta[i] + tau
        beta[j] = low[j] if tau == room_j else beta[j] - tau
        v -= tau * (K[i] - K[j])


def squared_distances(K):
    """The squared distances K_ii + K_jj - 2 K_ij of the points in feature space, kept clear of 0 (n, n)."""
    size = np.abs(np.diagonal(K)).max()
    rounding = max(8 * np.finfo(K.dtype).eps * size, np.finfo(K.dtype).tiny)
    squares = np.diagonal(K)[:, None] + np.diagonal(K) - 2 * K
    if squares.min() < -16 * rounding:
        what = f"K_ii + K_jj - 2 K_ij = {squares.min():.3g} for some i and j"
        raise ValueError(f"K must be positive semi-definite, but {what}")
    return np.maximum(squares, rounding)


def smo(
    K: ArrayLike, y: ArrayLike, C: ArrayLike = np.inf, *, tol: float = 1e-10, trusted: bool = False
) -> Solution:
    """The maximiser of the dual sum_i alpha_i - 1/2 sum_ij alpha_i alpha_j y_i y_j K_ij.

    The constraints are y'alpha = 0 and 0 <= alpha_i <= C; C = inf is the hard margin, refused with a
    `NotSeparableError` where there is none. `C` may also be one number a point, C_i. Optimal to `tol` means
    that a single b meets y_i f(x_i) >= 1 where alpha_i = 0, <= 1 where alpha_i = C and = 1 between, to within
    `tol`. K need only be positive semi-definite on vectors of sum zero; `trusted=True` says that K is a
    finite and symmetric matrix of this kind, and saves the check. For the iterates themselves see
    `smo_iterates` (book: SVM duality, Sequential minimal optimisation).

    >>> x, y = np.array([-3.0, -1.0, 1.0, 2.0]), np.array([-1, -1, 1, 1])
    >>> solution = smo(np.outer(x, x), y)
    >>> solution.alpha.round(6)  # the closest points of the two classes
    array([0. , 0.5, 0.5, 0. ])
    >>> solution.margin, solution.status
    (1.0, 'optimal')
    """
    y, tol = signs("y", y), positive("tol", tol)
    C, K = checked_bound(C, len(y)), real_array("K", K)
    if not trusted:
        K = checked_gram(K, len(y))
        require_psd(K, on_zero_sums=True)
    point = hard_margin_optimum(K, y, tol) if np.isinf(C).any() else _soft_margin_optimum(K, y, C, tol)
    return solution_at(point, y, C, tol, K.dtype)


def _soft_margin_optimum(K, y, C, tolerance):
    """The optimal `BoxPoint` at a finite C: pair steps first, then what `margins.svm.large` has."""
    spread = variance(K)

    def optimum_at(C, beta):
        point = BoxPoint.start(GivenGram(K), y, C, beta)
        if len(y) <= constants.FEW_POINTS and not beta.any():
            _make_pair_steps(point, y, C, max(tolerance, constants.COARSE_VIOLATION))
        refine(point, y, tolerance, climb_or_factor)
        return point

    at_any_C = with_factor_at_large_c(optimum_at, GivenGram(K).in_float64, y, tolerance, spread)
    return optimum_by_continuation(at_any_C, y, C, spread)


def _make_pair_steps(point, y, C, tolerance):
    """Takes a `BoxPoint` of few points from beta = 0 as far as the first pair steps lead."""
    K = point.gram.in_float64().K
    for step, (beta, v) in enumerate(pair_steps(K, y, C, tolerance)):
        point.beta, point.gradient, point.steps, point.since_newton = beta, v, step, step
        if step == constants.FEWEST_PAIR_STEPS:
            break


def smo_iterates(K: ArrayLike, y: ArrayLike, C: ArrayLike = np.inf, *, at: ArrayLike) -> np.ndarray:
    """The multipliers after each of the step counts `at`, ascending, by pair steps alone.

    These are the pair steps that `smo` begins with, shown one by one: the rows of the answer (len(at), n) go
    into `dual_objective` and `primal_objective` to draw the two closing on each other. Once the climb has
    converged its last multipliers repeat (book: SVM duality, Sequential minimal optimisation).

    >>> x, y = np.array([-3.0, -1.0, 1.0, 2.0]), np.array([-1, -1, 1, 1])
    >>> smo_iterates(np.outer(x, x), y, C=1.0, at=[0, 1, 2]).round(3)
    array([[0.   , 0.   , 0.   , 0.   ],
           [0.125, 0.   , 0.125, 0.   ],
           [0.   , 0.125, 0.125, 0.   ]])
    """
    K, y, C = checked_problem(K, y, C)
    climb, alphas, done = pair_steps(K.astype(np.float64), y, C, 1e-12), [], -1
    for step in ascending_counts("at", at):
        for beta, _ in islice(climb, step - done):
            alpha = np.abs(beta)
        alphas.append(alpha)
        done = step
    return np.array(alphas)
