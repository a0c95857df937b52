"""Large Frobenius attention SVMs: projected gradients find the support, pivots finish."""

from __future__ import annotations

import numpy as np

from margins._extras import extra
from margins._types import Array
from margins.attention_svm.constraints import PairConstraints

MAX_FRUITLESS_EXCHANGES = 5  # exchanges in a row that may fail to reduce the number of wrong pairs
ALLOWED_VIOLATION = 1e-12
ASCENT_TOLERANCE = 0.01  # largest violation with which gradient steps hand over to pivots


def pivoted_multipliers(constraints: PairConstraints, working: Array) -> Array | None:
    """The lambda >= 0, laid out (n, T), that maximises sum lambda - ||sum lambda (x_alpha - x_t) z'||^2 / 2.

    Block principal pivoting begins with the pairs of `working` (n, T) and exchanges all the pairs with lambda
    < 0 or margin < 1 at once. It solves for the working set alone: of the product Gram matrix only that block
    is formed, the margins of all tokens cost n T d. An infeasible problem, whose lambda could grow for ever,
    ends at a large lambda with a small W; None says that the exchanges did not end. (book: Attention
    converges to an SVM, The attention SVM)
    """
    fewest, patience = np.inf, MAX_FRUITLESS_EXCHANGES
    while patience and working.sum() <= constraints.rows_rank:
        multipliers = _stationary_multipliers(constraints, working)  # (n, T)
        margins = constraints.margins(constraints.combination(multipliers))  # (n, T)
        short = margins < 1 - ALLOWED_VIOLATION * max(1.0, np.abs(margins).max())
        # pairs of the working set that pull the wrong way, pairs outside of it that lack margin
        wrong = (
            np.where(working, multipliers < -ALLOWED_VIOLATION * multipliers.max(), short)
            & constraints.present
        )
        count = wrong.sum()
        if count == 0:
            return np.maximum(multipliers, 0.0)
        patience = MAX_FRUITLESS_EXCHANGES if count < fewest else patience - 1
        fewest = min(fewest, count)
        working = working ^ wrong
    return None


def ascent(constraints: PairConstraints, multipliers: Array, *, steps: int) -> Array:
    """Multipliers (n, T) after accelerated projected gradient steps on the dual, with restarts.

    It ends early once no margin lacks more than a hundredth, since pivots do the rest faster. No Gram matrix
    is formed: the gradient is what the margins lack (book: SVM duality, The dual).
    """
    step = 0.9 / _largest_eigenvalue(constraints)
    ahead, momentum = multipliers, 1.0
    for _ in range(steps):
        gradient = np.where(constraints.present, 1 - constraints.margins(constraints.combination(ahead)), 0.0)
        if gradient.max() < ASCENT_TOLERANCE:
            break
        new = np.maximum(ahead + step * gradient, 0.0)
        change = new - multipliers
        if np.vdot(ahead - new, change) > 0:  # the momentum points downhill
            momentum = 1.0
        longer = (1 + np.sqrt(1 + 4 * momentum**2)) / 2
        ahead = new + (momentum - 1) / longer * change
        multipliers, momentum = new, longer
    return multipliers


def _largest_eigenvalue(constraints):
    """The largest eigenvalue of the product Gram matrix, by power iteration from the all-ones vector."""
    vector, size = constraints.present.astype(float), 1.0
    for _ in range(20):
        vector = constraints.margins(constraints.combination(vector / np.linalg.norm(vector)))
        size = float(np.linalg.norm(vector))
    return size


def _stationary_multipliers(constraints, working):
    """Multipliers (n, T), zero off the working set, that give all of it the margin 1.

    A tiny ridge keeps the factor defined on dependent constraints; one step of refinement takes its effect
    away.
    """
    with extra("solvers", "margins.attention_svm.frobenius_svm"):
        from scipy.linalg import cho_solve

    multipliers = np.zeros(working.shape)
    differences, sequence = constraints.differences[working], np.nonzero(working)[0]
    gram = differences @ differences.T  # (p, p)
    gram *= (constraints.queries @ constraints.queries.T)[np.ix_(sequence, sequence)]
    factor = ridged_factor(gram)
    for _ in range(2):
        shortfall = 1 - constraints.margins(constraints.combination(multipliers))
        multipliers[working] += cho_solve(factor, shortfall[working], check_finite=False)
    return multipliers


def ridged_factor(gram: Array) -> tuple[Array, bool]:
    """The Cholesky factor of gram + ridge, the ridge just large enough for rounding."""
    with extra("solvers", "margins.attention_svm.frobenius_svm"):
        from scipy.linalg import cho_factor

    diagonal = np.diagonal(gram).copy()
    ridge = 1e-13 * diagonal.max()
    while True:
        try:
            np.fill_diagonal(gram, diagonal + ridge)
            return cho_factor(gram, lower=True, check_finite=False)
        except np.linalg.LinAlgError:
            ridge *= 10
