"""Mirror descent with the potential ||W||_p^p / p, and the attention SVM of the p-norm that it turns to.

The p-norm of a matrix is that of its entries.
"""

from __future__ import annotations

import numpy as np

from margins._extras import extra
from margins._records import frozen
from margins._types import Array, ArrayLike
from margins.attention_svm.constraints import pair_constraints
from margins.attention_svm.data import TokenData, one_set
from margins.attention_svm.gradient import checked_matrix
from margins.attention_svm.objective import Objective
from margins.attention_svm.parameters import logits, pulls
from margins.svm.reference import solve
from margins.validation import count, finite_array, positive

LARGEST_GAP = 1e-6


@frozen
class EntrySVM:
    """The W of least p-norm with all margins at least 1, its multipliers, and the relative duality gap.

    (book: Sequences, causality, depth and real data, Another norm)

    >>> data = random_token_data(2, 2, 3, rng=np.random.default_rng(0))
    >>> entry_svm(data, data.optimal_tokens, 1.5).W.shape
    (3, 3)
    """

    W: Array  # (d, d)
    multipliers: Array  # (m,)
    gap: float  # 1 - (sum lambda / ||sum lambda A||_q) / (||W||_p / smallest margin)

    @property
    def status(self) -> str:
        """What the gap says: "optimal" up to 1e-6, as general solvers reach it, else "inaccurate"."""
        return "optimal" if self.gap <= LARGEST_GAP else "inaccurate"


def entry_norm(W: ArrayLike, p: float) -> float:
    """(sum |W_ij|^p)^(1/p), without overflow.

    (book: Sequences, causality, depth and real data, Another norm)

    >>> entry_norm(np.array([[3.0, 0.0], [0.0, 4.0]]), 2)
    5.0
    """
    return float(_norms(finite_array("W", W).reshape(1, -1), positive("p", p)).item())


def _norms(W, p):
    """The p-norms (..., 1, 1) of the entries of each matrix (..., d, e)."""
    top = np.abs(W).max(axis=(-2, -1), keepdims=True)
    scaled = np.abs(W) / np.where(top > 0, top, 1.0)
    return top * (scaled**p).sum(axis=(-2, -1), keepdims=True) ** (1 / p)


def mirror_descent(
    data: TokenData, p: float, *, start: ArrayLike | None = None, iterations: int = 2000, step: float = 0.1
) -> Array:
    """W after normalised mirror descent, theta <- theta - eta G / ||G||_q with theta = |W|^(p-1) sgn W.

    All entry by entry; p = 2 is normalised gradient descent; 1/p + 1/q = 1. Data with leading axes give
    W (..., d, d), one a set (book: Sequences, causality, depth and real data, Another norm).

    >>> data = random_token_data(2, 2, 3, rng=np.random.default_rng(0))
    >>> W, svm = mirror_descent(data, 2, iterations=500), frobenius_svm(data, data.optimal_tokens).W
    >>> correlation(W, svm).round(2)  # p = 2 is normalised gradient descent
    np.float64(1.0)
    """
    q, objective, d = conjugate(p), Objective(data), data.sizes[-1]
    W = checked_matrix("start", np.zeros((d, d)) if start is None else start, data)  # (B, d, d)
    theta, step, queries = mirrored(W, p), positive("step", step), objective.Z.mT
    for _ in range(count("iterations", iterations)):
        a = logits(objective.X, mirrored(theta, q) @ queries)
        slopes, _ = objective.stable_gradient(a)  # up to a factor, which cancels
        G = pulls(objective.X, slopes) @ objective.Z
        size = _norms(G, q)
        theta -= step * np.divide(G, size, out=np.zeros_like(G), where=size > 0)
    return mirrored(theta, q).reshape(*data.batch_shape, d, d)


def mirrored(W: ArrayLike, p: float) -> Array:
    """The gradient |W|^(p-1) sgn W of ||W||_p^p / p; that of the conjugate exponent undoes it.

    (book: Sequences, causality, depth and real data, Another norm)

    >>> mirrored(mirrored(np.array([-2.0, 3.0]), 3), conjugate(3)).round(6)
    array([-2.,  3.])
    """
    W, p = finite_array("W", W), positive("p", p)
    with np.errstate(over="ignore"):
        theta = np.sign(W) * np.abs(W) ** (p - 1)
    if not np.isfinite(theta).all():
        raise ValueError(f"|W|^(p - 1) overflows with p = {p:g} and entries up to {np.abs(W).max():.1e}")
    return theta


def conjugate(p: float) -> float:
    """The q with 1/p + 1/q = 1 of a finite p > 1.

    (book: Sequences, causality, depth and real data, Another norm)

    >>> conjugate(3)
    1.5
    """
    if not positive("p", p) > 1:
        raise ValueError(f"p must be greater than 1, but it is {p}")
    return p / (p - 1)


def entry_svm(data: TokenData, tokens: ArrayLike, p: float) -> EntrySVM:
    """The `EntrySVM` of tokens (n,) that are feasible.

    (book: Sequences, causality, depth and real data, Another norm)

    >>> data = random_token_data(2, 2, 3, rng=np.random.default_rng(0))
    >>> svm = entry_svm(data, data.optimal_tokens, 2)
    >>> np.allclose(svm.W, frobenius_svm(data, data.optimal_tokens).W, atol=1e-5)
    True
    """
    with extra("solvers", "margins.attention_svm.entry_svm"):
        import cvxpy

    constraints, q = pair_constraints(one_set(data), tokens), conjugate(p)
    rows, d = constraints.rows, data.sizes[-1]
    w = cvxpy.Variable(d * d)
    ahead = rows @ w >= 1
    length = cvxpy.pnorm(w, p)  # type: ignore[arg-type]  # it takes fractions, whatever its stubs say
    solve(cvxpy.Problem(cvxpy.Minimize(length), [ahead]), solver=cvxpy.CLARABEL)
    if w.value is None:
        raise ValueError("tokens must be feasible, but no W puts them ahead")
    multipliers = np.maximum(ahead.dual_value, 0.0)
    lower = multipliers.sum() / entry_norm(multipliers @ rows, q)
    W = w.value / (rows @ w.value).min()
    return EntrySVM(W.reshape(d, d), multipliers, 1 - lower / entry_norm(W, p))
