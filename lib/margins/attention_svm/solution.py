"""Solutions of attention SVMs with the evidence for them: a duality gap, or weights that show none."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from margins._records import frozen
from margins._types import Array, ArrayLike
from margins.attention_svm.constraints import PairConstraints, pair_constraints
from margins.attention_svm.data import TokenData
from margins.validation import positive, real_array

LARGEST_GAP = 1e-9  # relative duality gap up to which a solution is called optimal


@frozen
class AttentionSVM:
    """The matrix W of least norm with (x_{i alpha_i} - x_it)' W z_i >= 1, or the proof that there is none.

    `status` is "optimal" (relative duality gap at most 1e-9), "inaccurate" (feasible, but the gap is larger)
    or "infeasible"; W and the multipliers of an infeasible problem are NaN. Constraints come in the order i,
    then t without the chosen token (book: Attention converges to an SVM, The attention SVM).

    >>> data = TokenData(X=[[[1.0, 0.0], [-1.0, 0.0], [0.0, 0.0]]], Z=[[1.0, 1.0]], Y=[1.0], v=[1.0, 0.0])
    >>> svm = frobenius_svm(data, [2])
    >>> svm.status, svm.certificate
    ('infeasible', array([0.5, 0.5]))
    """

    norm: str  # "frobenius" or "nuclear"
    status: str
    W: Array  # (d, d)
    multipliers: Array  # (m,), lambda >= 0
    subgradient: Array  # (d, d), S = sum lambda (x_alpha - x_t) z' over its dual norm; W || S for Frobenius
    margins: Array  # (n, T), infinite where there is no constraint
    gap: float  # (primal - dual) / primal norm, recomputed from W and the multipliers
    certificate: Array | None = None  # (m,), u >= 0 with sum u = 1 and sum u (x_alpha - x_t) z' = 0
    residual: float = 0.0  # of the certificate, ||sum u (x_alpha - x_t) z'|| / sum u ||x_alpha - x_t|| ||z||

    @property
    def feasible(self) -> bool:
        """Whether any W satisfies the constraints."""
        return self.status != "infeasible"

    @property
    def margin(self) -> float:
        """The margin 1/||W|| in the norm that was minimised, 0 where no W separates."""
        return float(1 / matrix_norm(self.W, self.norm)) if self.feasible else 0.0

    @property
    def support(self) -> Array:
        """True at the neighbours of the chosen tokens, those with margin exactly 1.

        A gap g pins the Frobenius solution down to sqrt(2 g) of its norm; margins this close to 1 count as 1.
        """
        slack = max(1e-8, 10 * np.sqrt(max(self.gap, 0.0)))
        return np.isfinite(self.margins) & (self.margins <= 1 + slack)  # (n, T)

    def rank(self, tolerance: float = 1e-4) -> int:
        """The number of singular values of W above `tolerance` times the largest."""
        self._require_feasible()
        tolerance = positive("tolerance", tolerance, allow_zero=True)
        values = np.linalg.svd(self.W, compute_uv=False)
        return int((values > tolerance * values[0]).sum())

    def rank_bound(self, tolerance: float = 1e-4) -> int:
        """The number of singular values of the subgradient above 1 - tolerance.

        For the nuclear norm no solution has a larger rank, since every one lies in the face that S exposes
        (book: Attention converges to an SVM, The rank of the solutions).
        """
        self._require_feasible()
        tolerance = positive("tolerance", tolerance, allow_zero=True)
        return int((np.linalg.svd(self.subgradient, compute_uv=False) > 1 - tolerance).sum())

    def _require_feasible(self):
        if not self.feasible:
            raise ValueError("the constraints are infeasible: there is no solution to take the rank of")


def matrix_norm(W: Array, norm: str) -> Any:
    """The Frobenius, nuclear or operator norm of a matrix, or of each in a stack."""
    if norm == "frobenius":
        return np.sqrt(np.einsum("...ij,...ij->...", W, W))
    kinds: dict[str, Any] = {"nuclear": "nuc", "operator": 2}
    return np.linalg.norm(W, kinds[norm], axis=(-2, -1))


def correlation(A: ArrayLike, B: ArrayLike) -> Any:
    """The cosine <A, B> / (||A|| ||B||) of the angle between two matrices, or of each pair in two stacks.

    It is NaN where one of them is zero or holds a NaN, as the solution of an infeasible problem does
    (book: Attention converges to an SVM, Descent).

    >>> correlation(np.eye(2), np.array([[1.0, 1.0], [0.0, 1.0]])).round(4)
    np.float64(0.8165)
    """
    A, B = (real_array(name, matrix) for name, matrix in (("A", A), ("B", B)))
    if min(A.ndim, B.ndim) < 2 or A.shape[-2:] != B.shape[-2:]:
        raise ValueError(f"A and B must be (..., d, e) both, but they are {A.shape} and {B.shape}")
    with np.errstate(invalid="ignore"):
        return (A * B).sum(axis=(-2, -1)) / (matrix_norm(A, "frobenius") * matrix_norm(B, "frobenius"))


def solved(
    constraints: PairConstraints,
    norm: str,
    W: Array,
    multipliers: Array,
    *,
    project: Callable[[Array], Array] = np.asarray,
) -> AttentionSVM:
    """The `AttentionSVM` of a feasible problem, with its gap measured from outside.

    W over its smallest margin is feasible, lambda over the dual norm of S = sum lambda (x_alpha - x_t) z' is
    dual feasible, hence the norm of the solution lies between sum lambda / ||S||_dual and ||W|| / min margin.
    """
    S = project(constraints.combination(constraints.spread(multipliers)))  # (d, d)
    dual_norm = matrix_norm(S, "operator" if norm == "nuclear" else norm)
    margins = np.where(constraints.present, constraints.margins(W), np.inf)  # (n, T)
    smallest = margins.min()
    upper = matrix_norm(W, norm) / smallest if smallest > 0 else np.inf
    gap = float(1 - multipliers.sum() / dual_norm / upper)
    status = "optimal" if gap <= LARGEST_GAP else "inaccurate"
    if status == "inaccurate":
        message = f"the {norm} attention SVM is only known to a relative duality gap of {gap:.1e}"
        warnings.warn(message, RuntimeWarning, stacklevel=3)
    return AttentionSVM(norm, status, W, multipliers, S / dual_norm, margins, gap)


def infeasible(
    constraints: PairConstraints,
    norm: str,
    certificate: Array,
    *,
    project: Callable[[Array], Array] = np.asarray,
) -> AttentionSVM:
    """The `AttentionSVM` that says "infeasible", with its Farkas certificate scaled to sum 1.

    If W separated, sum u (x_alpha - x_t)' W z >= sum u > 0; but the left side is <sum u (x_alpha - x_t) z',
    W> = 0.
    """
    certificate = certificate / certificate.sum()
    rest = project(constraints.combination(constraints.spread(certificate)))  # (d, d)
    scale = certificate @ constraints.lengths
    residual = float(np.linalg.norm(rest) / scale) if scale > 0 else 0.0
    d = constraints.queries.shape[-1]
    nowhere, unknown = np.full((d, d), np.nan), np.full(len(certificate), np.nan)
    margins = np.where(constraints.present, np.nan, np.inf)
    return AttentionSVM(norm, "infeasible", nowhere, unknown, nowhere, margins, np.inf, certificate, residual)


def each_constraints(solve: Callable[[PairConstraints], Any], data: TokenData, tokens: ArrayLike) -> Any:
    """What `solve` returns for the constraints of one set, or its list over the leading axes of `data`."""
    constraints = pair_constraints(data, tokens)
    found = [solve(constraints[index]) for index in np.ndindex(data.batch_shape)]
    return found if data.batch_shape else found[0]
