"""The primal and the dual quadratic program in cvxpy, line for line as the page states them.

They are the reference that `smo` is held against: slow, general and hard to get wrong.
"""

import warnings

import numpy as np

from margins._extras import extra
from margins._records import frozen
from margins._types import ArrayLike
from margins.svm.hard_margin import refuse_hard_margin
from margins.svm.problem import checked_bound, checked_problem, require_psd
from margins.validation import finite_array, same_length, signs, squarable


@frozen
class PrimalOptimum:
    """The minimiser (w, b, slack) of the primal; `alpha` are the multipliers of its margin constraints.

    (book: SVM duality, The primal)

    >>> primal_qp([[1.0], [-1.0]], [1, -1]).status
    'optimal'
    """

    w: np.ndarray  # (d,)
    b: float
    slack: np.ndarray  # (n,), zero for the hard margin
    alpha: np.ndarray  # (n,)
    objective: float
    status: str  # "optimal" or "inaccurate"


@frozen
class DualOptimum:
    """The maximiser alpha of the dual; `b` is the multiplier of its constraint y'alpha = 0.

    (book: SVM duality, The dual)

    >>> abs(round(dual_qp([[1.0, -1.0], [-1.0, 1.0]], [1, -1]).b, 6))
    0.0
    """

    alpha: np.ndarray  # (n,)
    b: float
    objective: float
    status: str  # "optimal" or "inaccurate"


def primal_qp(X: ArrayLike, y: ArrayLike, C: ArrayLike = np.inf) -> PrimalOptimum:
    """The primal: minimise 1/2 ||w||^2 + C sum xi_i with y_i (w.x_i + b) >= 1 - xi_i, xi_i >= 0.

    C = inf is the hard margin, xi = 0; `C` may also be one number a point, C_i
    (book: SVM duality, The primal; The soft margin).

    >>> optimum = primal_qp([[1.0], [-1.0], [3.0]], [1, -1, 1])
    >>> optimum.w.round(4), abs(round(optimum.b, 4))
    (array([1.]), 0.0)
    """
    with extra("solvers", "margins.svm.primal_qp"):
        import cvxpy as cp

    X = finite_array("X", X, ndim=2, dtype=np.float64)  # (n, d)
    y = signs("y", y)
    same_length(X=X, y=y)
    C = checked_bound(C, len(y))
    gram = squarable("X", X) @ X.T
    w, b, xi = cp.Variable(X.shape[1]), cp.Variable(), cp.Variable(len(y), nonneg=True)
    if np.isinf(C).any():
        margins = cp.multiply(y, X @ w + b) >= 1
        objective = cp.sum_squares(w) / 2
    else:
        margins = cp.multiply(y, X @ w + b) >= 1 - xi
        objective = cp.sum_squares(w) / 2 + cp.sum(cp.multiply(C, xi))
    problem = cp.Problem(cp.Minimize(objective), [margins])
    status = _solve(problem, gram, y)
    slack = np.zeros(len(y)) if np.isinf(C).any() else np.asarray(xi.value)
    weights, intercept = np.asarray(w.value), float(np.asarray(b.value))
    return PrimalOptimum(
        weights, intercept, slack, np.asarray(margins.dual_value), float(problem.value), status
    )


def dual_qp(K: ArrayLike, y: ArrayLike, C: ArrayLike = np.inf) -> DualOptimum:
    """The dual: maximise sum_i alpha_i - 1/2 sum_ij alpha_i alpha_j y_i y_j K_ij.

    The constraints are y'alpha = 0 and 0 <= alpha_i <= C; C = inf is the hard margin, which has no
    upper bound (book: SVM duality, The dual; The soft margin).

    >>> optimum = dual_qp([[1.0, -1.0], [-1.0, 1.0]], [1, -1])
    >>> optimum.alpha.round(4), round(optimum.objective, 4)
    (array([0.5, 0.5]), 0.5)
    """
    with extra("solvers", "margins.svm.dual_qp"):
        import cvxpy as cp

    K, y, C = checked_problem(K, y, C)
    require_psd(K)
    alpha = cp.Variable(len(y))
    energy = cp.quad_form(cp.multiply(y, alpha), cp.psd_wrap(K.astype(np.float64)))
    balance = y @ alpha == 0
    constraints = [balance, alpha >= 0]
    if np.isfinite(C).all():
        constraints.append(alpha <= C)
    problem = cp.Problem(cp.Maximize(cp.sum(alpha) - energy / 2), constraints)
    status = _solve(problem, K, y)
    return DualOptimum(np.asarray(alpha.value), float(balance.dual_value), float(problem.value), status)


def solve(problem, **options):
    """Has cvxpy solve the `problem`, and refuses one at which the solver breaks down."""
    import cvxpy as cp

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Solution may be inaccurate")  # which the status says
        try:
            problem.solve(**options)
        except cp.SolverError as reason:
            got = str(reason).partition(".")[0]
            raise ValueError(f"the program must be of a size near 1, but {got}: rescale it") from None


def _solve(problem, K, y):
    """The status of `problem` once Clarabel has solved it; a refusal if no finite optimum exists."""
    import cvxpy as cp

    solve(problem, solver=cp.CLARABEL, tol_gap_abs=1e-11, tol_gap_rel=1e-11, tol_feas=1e-11)
    if problem.status in (cp.INFEASIBLE, cp.UNBOUNDED, cp.INFEASIBLE_INACCURATE, cp.UNBOUNDED_INACCURATE):
        refuse_hard_margin(K, y)
    if problem.status != cp.OPTIMAL:
        warnings.warn(f"Clarabel stopped early: its status is {problem.status}", RuntimeWarning, stacklevel=3)
        return "inaccurate"
    return "optimal"
