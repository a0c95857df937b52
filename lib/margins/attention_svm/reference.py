"""The attention SVMs in cvxpy, line for line as the page states them: slow, general and hard to get wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from margins._extras import extra
from margins._records import frozen
from margins._types import Array, ArrayLike
from margins.attention_svm.constraints import pair_constraints
from margins.attention_svm.data import TokenData
from margins.attention_svm.generalised import checked_mixture
from margins.svm.reference import solve
from margins.validation import one_of


@frozen
class ProgramOptimum:
    """What a general solver found: status, minimiser W and multipliers; NaN unless "optimal".

    (book: Attention converges to an SVM, The attention SVM)

    >>> data = random_token_data(2, 2, 3, rng=np.random.default_rng(0))
    >>> attention_program(data, data.optimal_tokens).multipliers.shape
    (2,)
    """

    status: str
    W: Array  # (d, d)
    multipliers: Array  # (m,)


def attention_program(
    data: TokenData, tokens: ArrayLike, norm: str = "frobenius", **solver_options: Any
) -> ProgramOptimum:
    """The program min ||W||_F^2 / 2, or min ||W||_* for norm = "nuclear", with (x_alpha - x_t)' W z >= 1.

    `solver_options` go to cvxpy; without them Clarabel solves (book: Attention converges to an SVM, The
    attention SVM).

    >>> data = random_token_data(2, 2, 3, rng=np.random.default_rng(0))
    >>> reference = attention_program(data, data.optimal_tokens)
    >>> np.allclose(reference.W, frobenius_svm(data, data.optimal_tokens).W, atol=1e-6)
    True
    """
    with extra("solvers", "margins.attention_svm.attention_program"):
        import cvxpy as cp

    one_of("norm", norm, ("frobenius", "nuclear"))
    differences, queries = pair_constraints(data, tokens).flat  # (m, d), (m, d)
    d = queries.shape[1]
    W = cp.Variable((d, d))
    margins = cp.sum(cp.multiply(differences @ W, queries), axis=1) >= 1
    size = cp.sum_squares(W) / 2 if norm == "frobenius" else cp.normNuc(W)
    return _optimum(cp.Problem(cp.Minimize(size), [margins]), W, margins, solver_options)


def compiled_program(constraints: int, d: int, **solver_options: Any) -> Callable[[Array], ProgramOptimum]:
    """A function of the rows (x_alpha - x_t) z', laid flat as (`constraints`, d d), to the nuclear optimum.

    It is the program of `attention_program`, stated once with the rows as its parameter: cvxpy takes longer
    to read a program than a solver does to solve a small one, and problems of one shape differ in the rows
    alone (book: Attention converges to an SVM, The rank of the solutions).
    """
    with extra("solvers", "margins.attention_svm.compiled_program"):
        import cvxpy as cp

    W, rows = cp.Variable((d, d)), cp.Parameter((constraints, d * d))
    margins = rows @ cp.vec(W, order="C") >= 1
    problem = cp.Problem(cp.Minimize(cp.normNuc(W)), [margins])

    def solve(values):
        rows.value = values
        return _optimum(problem, W, margins, {"warm_start": False} | solver_options)

    return solve


def generalised_program(
    data: TokenData, selected: ArrayLike, probabilities: ArrayLike, **solver_options: Any
) -> tuple[ProgramOptimum, ProgramOptimum]:
    """The two programs of the generalised SVM with every pair of tokens stated: W^fin and W^mm.

    min ||W||_F^2 / 2 with (x_t - x_tau)' W z = log(s_t/s_tau) for selected t, tau; and with = 0 for these and
    >= 1 for t selected, tau not (book: Nonlinear heads, The generalised SVM).

    >>> data = TokenData(X=np.eye(3)[None], Z=np.eye(3)[:1], Y=[1.0], v=np.eye(3)[0])
    >>> finite, _ = generalised_program(data, np.array([[True, True, False]]), np.array([[0.75, 0.25, 0.0]]))
    >>> (data.X[0] @ finite.W @ data.Z[0]).round(3)  # log 3 apart
    array([ 0.549, -0.549,  0.   ])
    """
    with extra("solvers", "margins.attention_svm.generalised_program"):
        import cvxpy as cp

    inside, across, ratios = _all_pairs(data, selected, probabilities)
    d = data.X.shape[-1]
    finite, directional = cp.Variable((d, d)), cp.Variable((d, d))
    mixture = [_products(inside, finite) == ratios] if len(ratios) else []
    ties = [_products(inside, directional) == 0] if len(ratios) else []
    margins = _products(across, directional) >= 1
    first = cp.Problem(cp.Minimize(cp.sum_squares(finite) / 2), mixture)
    second = cp.Problem(cp.Minimize(cp.sum_squares(directional) / 2), [*ties, margins])
    return _optimum(first, finite, None, solver_options), _optimum(
        second, directional, margins, solver_options
    )


def _products(pairs, W):
    """The cvxpy expressions (x_t - x_tau)' W z of the pairs (differences, queries)."""
    import cvxpy as cp

    differences, queries = pairs
    return cp.sum(cp.multiply(differences @ W, queries), axis=1)


def _all_pairs(data, selected, probabilities):
    """Differences and queries of all pairs inside and across the selection, and the log ratios inside."""
    inside, across, ratios = [], [], []
    selected, logarithms = checked_mixture(data, selected, probabilities)
    for i, t in np.argwhere(selected):
        for tau in np.flatnonzero(data.allowed[i]):
            row = data.X[i, t] - data.X[i, tau], data.Z[i]
            if not selected[i, tau]:
                across.append(row)
            elif t < tau:
                inside.append(row)
                ratios.append(logarithms[i, t] - logarithms[i, tau])
    stacked = (tuple(map(np.array, zip(*rows, strict=True))) for rows in (inside, across))
    return *stacked, np.array(ratios)


def _optimum(problem, W, margins, solver_options):
    solve(problem, **(solver_options or {"solver": "CLARABEL"}))
    if problem.status != "optimal":
        size = 0 if margins is None else margins.size
        return ProgramOptimum(problem.status, np.full(W.shape, np.nan), np.full(size, np.nan))
    return ProgramOptimum(problem.status, W.value, np.array([]) if margins is None else margins.dual_value)
