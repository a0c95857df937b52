"""The generalised attention SVM, for heads that want mixtures: a finite part sets them, a direction masks."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from margins._records import frozen
from margins._types import Array, ArrayLike
from margins.attention_svm.constraints import pair_constraints
from margins.attention_svm.data import TokenData, one_set
from margins.attention_svm.solution import AttentionSVM, infeasible, solved
from margins.least_distance import least_distance
from margins.validation import finite_array, positive

INCONSISTENT_RESIDUAL = 1e-8  # relative residual from which log ratios contradict each other
DEPENDENT_SIZE = 1e-12  # relative, of a singular value or of what a projection leaves of a row: zero below


@frozen
class GeneralisedSVM:
    """The pair W^fin, W^mm such that W^fin + R W^mm attends to the chosen mixtures up to O(e^-R).

    `finite` is the matrix of least norm that gives the logits of selected tokens their differences
    log(s_t/s_tau); `directional` solves the SVM that ties the selected tokens of a sequence and puts them
    ahead of all others by 1. The status is "inconsistent" where no W has the mixtures (`finite` is then NaN),
    else that of the directional part (book: Nonlinear heads, The generalised SVM).

    >>> data = TokenData(X=[np.eye(3)], Z=[[1.0, 0.0, 0.0]], Y=[1.0], v=[1.0, 0.0, 0.0])
    >>> svm = generalised_svm(data, [[True, True, False]], [[0.75, 0.25, 0.0]])
    >>> svm.status, (data.X[0] @ svm.finite @ data.Z[0]).round(3)  # log 3 apart
    ('optimal', array([ 0.549, -0.549,  0.   ]))
    """

    finite: Array  # (d, d)
    directional: AttentionSVM

    @property
    def status(self) -> str:
        """What is known: "optimal", "inaccurate", "infeasible" or "inconsistent"."""
        return "inconsistent" if np.isnan(self.finite).any() else self.directional.status

    @property
    def gap(self) -> float:
        """The relative duality gap of the directional part."""
        return self.directional.gap

    @property
    def certificate(self) -> Array | None:
        """The certificate that there is no directional part, None where there is one."""
        return self.directional.certificate

    def equivalent(self, coefficient: float) -> Array:
        """The matrix W^fin + C W^mm."""
        return self.finite + coefficient * self.directional.W

    def coefficient(self, W: ArrayLike) -> float:
        """The C that brings W^fin + C W^mm closest to W, C = <W^mm, W - W^fin> / ||W^mm||^2."""
        M = self.directional.W
        return float(np.vdot(M, W - self.finite) / np.vdot(M, M))

    def best_correlated_coefficient(self, W: ArrayLike) -> float:
        """The C at which W^fin + C W^mm correlates most with W.

        C = (<M,W> |F|^2 - <F,W> <F,M>) / (<F,W> |M|^2 - <M,W> <F,M>) with F = W^fin and M = W^mm. As <F, M> =
        0 and, for mixtures that W has itself, <F, W> = |F|^2, it is the closest one too; without a finite
        part every C > 0 correlates alike, and the answer is NaN (book: Nonlinear heads, Two definitions of
        the coefficient).
        """
        F, M = self.finite, self.directional.W
        FM, FW, MW, FF, MM = (float(np.vdot(a, b)) for a, b in ((F, M), (F, W), (M, W), (F, F), (M, M)))
        below = FW * MM - MW * FM
        return float((MW * FF - FW * FM) / below) if below > 0 else np.nan


def selected_tokens(
    probabilities: ArrayLike, *, kept: float = 1e-3, suppressed: float = 1e-6
) -> tuple[Array, Any]:
    """Which tokens attention keeps, s >= kept, and of which sequences sets it is clear.

    A set is clear if no probability lies between `suppressed` and `kept` and some token is suppressed
    (book: Nonlinear heads, What the study leaves out).

    >>> kept, clear = selected_tokens([[0.7, 0.3, 1e-9], [1.0, 1e-8, 1e-9]])
    >>> kept.astype(int), clear
    (array([[1, 1, 0],
           [1, 0, 0]]), np.True_)
    """
    s = finite_array("probabilities", probabilities, dtype=np.float64)
    if s.ndim < 2:
        raise ValueError(f"probabilities must be (..., n, T), but their shape is {s.shape}")
    selected = s >= positive("kept", kept)  # (..., n, T)
    between = (s > positive("suppressed", suppressed, allow_zero=True)) & ~selected
    return selected, ~between.any(axis=(-2, -1)) & ~selected.all(axis=(-2, -1))


def generalised_svm(data: TokenData, selected: ArrayLike, probabilities: ArrayLike) -> GeneralisedSVM:
    """The `GeneralisedSVM` of one set of data, its selected tokens (n, T) and their probabilities (n, T).

    W^fin = argmin ||W||_F with (x_t - x_tau)' W z = log(s_t/s_tau) for selected t, tau of a sequence, and
    W^mm = argmin ||W||_F with (x_t - x_tau)' W z = 0 for these and >= 1 for t selected, tau not. Equalities
    let one token stand for its sequence, so that there is one inequality a token; W^mm is solved for in their
    null space (book: Nonlinear heads, The generalised SVM).

    >>> data = TokenData(X=[np.eye(3)], Z=[[1.0, 0.0, 0.0]], Y=[1.0], v=[1.0, 0.0, 0.0])
    >>> svm = generalised_svm(data, [[True, True, False]], [[0.75, 0.25, 0.0]])
    >>> (data.X[0] @ svm.directional.W @ data.Z[0]).round(3)  # the last token 1 behind the two
    array([ 0.333,  0.333, -0.667])
    """
    selected, logits = checked_mixture(data, selected, probabilities)
    leaders = np.where(selected, logits, -np.inf).argmax(axis=1)  # (n,)
    against_leader = pair_constraints(data, leaders)
    ties = replace(against_leader, present=against_leader.present & selected)
    others = replace(against_leader, present=against_leader.present & ~selected)
    demanded = (np.take_along_axis(logits, leaders[:, None], axis=1) - logits)[ties.present]  # (k,)
    basis, finite = _equalities(ties.rows, demanded)
    d = data.X.shape[-1]
    return GeneralisedSVM(finite.reshape(d, d), _directional(others, basis))


def _equalities(rows, values):
    """An orthonormal basis (D, r) of the rows (k, D), and the shortest w with rows w = values, or NaN."""
    if not len(rows):
        return np.zeros((rows.shape[1], 0)), np.zeros(rows.shape[1])
    U, sizes, Vt = np.linalg.svd(rows, full_matrices=False)
    rank = int((sizes > DEPENDENT_SIZE * sizes[0]).sum())
    w = Vt[:rank].T @ (U[:, :rank].T @ values / sizes[:rank])
    consistent = np.abs(rows @ w - values).max() <= INCONSISTENT_RESIDUAL * max(1.0, np.abs(values).max())
    return Vt[:rank].T, w if consistent else np.full_like(w, np.nan)


def _directional(constraints, basis):
    """The solution of least Frobenius norm of the constraints in the null space of basis' (D, r)."""

    def project(W):
        w = W.reshape(-1)
        return (w - basis @ (basis.T @ w)).reshape(W.shape)

    rows = constraints.rows  # (m, D)
    rows = rows - (rows @ basis) @ basis.T
    rows[np.linalg.norm(rows, axis=1) <= DEPENDENT_SIZE * constraints.lengths] = 0.0
    least = least_distance(rows)
    if least.certificate is not None:
        return infeasible(constraints, "frobenius", least.certificate, project=project)
    W = least.point.reshape(2 * constraints.queries.shape[-1:])
    return solved(constraints, "frobenius", W, least.multipliers, project=project)


def checked_mixture(data: TokenData, selected: ArrayLike, probabilities: ArrayLike) -> tuple[Array, Array]:
    """The selection as Boolean (n, T) and the log probabilities, a token kept in each sequence."""
    shape = one_set(data).X.shape[:-1]
    selected = np.asarray(selected)
    if selected.dtype != np.bool_ or selected.shape != shape:
        raise ValueError(f"selected must be Boolean {shape}, but it is {selected.dtype} {selected.shape}")
    probabilities = finite_array("probabilities", probabilities, dtype=np.float64)
    if probabilities.shape != shape or (probabilities[selected] <= 0).any():
        raise ValueError(f"probabilities must be {shape} and positive on the selected tokens")
    selected = selected & data.allowed
    if not selected.any(axis=1).all():
        raise ValueError("selected must keep a token of every sequence")
    if not (data.allowed & ~selected).any():
        raise ValueError("selected must leave out some token, or W needs no direction")
    return selected, np.log(np.where(selected, probabilities, 1.0))
