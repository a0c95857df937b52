"""A primal-dual interior point for nuclear-norm attention SVMs, many problems advancing together."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np

from margins._extras import extra
from margins._records import frozen
from margins._types import Array

GAP_GOAL = 5e-10  # relative gap of the iterates; the certificate is measured afterwards, from outside
MAX_STEPS = 40
BOUNDARY_FRACTION = 0.97
MAX_SOLVES = 5  # for a direction; without refinement the primal residual would grow as mu falls
NEGLIGIBLE_SHORTFALL = 1e-11  # of what a constraint demands, not worth refining


@frozen
class Iterate:
    """Block matrices X > 0, slacks s > 0 and multipliers lambda > 0 with N > 0, for B problems.

    Primal: min tr X / 2 over X = [[X11, W], [W', X22]] >= 0 with a_c' W z_c - s_c = b_c; this is min ||W||_*.
    Dual: max b.lambda with N = [[I, -S], [-S', I]] / 2 >= 0, S = sum lambda_c a_c z_c'; that is, with
    ||S||_op <= 1. The central path has X N = mu I and s lambda = mu (book: Attention converges to an SVM, Two
    parametrisations).
    """

    a: Array  # (B, m, p)
    z: Array  # (B, m, q)
    b: Array  # (B, m), positive
    X: Array  # (B, p + q, p + q)
    slack: Array  # (B, m)
    multipliers: Array  # (B, m)

    def only(self, which: Any) -> Iterate:
        """The problems that the index `which` picks."""
        return Iterate(*(getattr(self, field.name)[which] for field in fields(self)))

    @property
    def matrix(self) -> Array:
        return self.X[:, : self.a.shape[2], self.a.shape[2] :]  # (B, p, q)

    def pairing(self, M: Array) -> Array:
        """The numbers a_c' M12 z_c of block matrices M, or <A_c, M> with A_c = [[0, a z'], [z a', 0]] / 2."""
        p = self.a.shape[2]
        return ((self.a @ M[:, :p, p:]) * self.z).sum(axis=2)  # (B, m)

    def dual_blocks(self, weights: Array, corner: float) -> Array:
        """The block matrices [[corner I, -S], [-S', corner I]] / 2 with S = sum weights_c a_c z_c'."""
        S = (self.a * weights[..., None]).mT @ self.z
        p, size = S.shape[1], sum(S.shape[1:])
        N = np.zeros((len(S), size, size))
        N[:, :p, p:], N[:, p:, :p] = -S / 2, -S.mT / 2
        N[:, range(size), range(size)] = corner / 2
        return N

    def complementarity(self, N: Array) -> Array:
        """The mean mu of the products X N and s lambda, zero at the optimum."""
        total = (self.X * N).sum(axis=(1, 2)) + (self.slack * self.multipliers).sum(axis=1)
        return total / (self.X.shape[1] + self.b.shape[1])  # (B,)

    @property
    def gap(self) -> Array:
        """The relative gap between lambda and W scaled to be feasible; inf where no scaling does it."""
        reach = (self.pairing(self.X) / self.b).min(axis=1)  # (B,)
        upper = np.trace(self.X, axis1=1, axis2=2) / 2 / np.where(reach > 0, reach, np.nan)
        lower = (self.b * self.multipliers).sum(axis=1)
        return np.where(reach > 0, 1 - lower / upper, np.inf)


def interior_start(a: Array, z: Array, b: Array, W: Array, multipliers: Array) -> Iterate:
    """A strictly feasible `Iterate` from a feasible W and multipliers >= 0, away from every boundary."""
    operator_norm = np.linalg.norm(W, 2, axis=(1, 2))[:, None]  # (B, 1)
    p, size = W.shape[1], sum(W.shape[1:])
    X = np.zeros((len(W), size, size))
    X[:, :p, p:], X[:, p:, :p] = 1.5 * W, 1.5 * W.mT
    X[:, range(size), range(size)] = 2.25 * operator_norm
    inner = 0.8 * multipliers / multipliers.sum(axis=1, keepdims=True) + 0.2 / b.shape[1]
    S = (a * inner[..., None]).mT @ z
    inner *= 0.8 / np.linalg.norm(S, 2, axis=(1, 2))[:, None]
    return Iterate(a, z, b, X, 1.5 * ((a @ W) * z).sum(axis=2) - b, inner)


def interior_point(start: Iterate) -> tuple[Array, Array]:
    """W (B, p, q) and multipliers (B, m) near the optima, by Mehrotra's predictor and corrector from `start`.

    Problems leave the batch as they converge. If one breaks down numerically the rest are solved one by one,
    and a single problem that breaks down keeps its best iterate (book: Attention converges to an SVM, Two
    parametrisations).
    """
    running, index = start, np.arange(len(start.b))
    W, multipliers, best = start.matrix.copy(), start.multipliers.copy(), start.gap
    for _ in range(MAX_STEPS):
        try:
            running = _step(running)
        except np.linalg.LinAlgError:
            for k in index if len(start.b) > 1 else ():
                W[k], multipliers[k] = (result[0] for result in interior_point(start.only([k])))
            break
        gap = running.gap
        better = gap < best[index]
        W[index[better]], multipliers[index[better]] = running.matrix[better], running.multipliers[better]
        best[index[better]] = gap[better]
        unfinished = best[index] > GAP_GOAL
        if not unfinished.any():
            break
        if not unfinished.all():
            running, index = running.only(unfinished), index[unfinished]
    return W, multipliers


def _step(at):
    """The next iterate: an affine direction tells how far to aim, a second one adds its second-order term."""
    # 1. the dual matrix N, inverse factors of N and X, and the mean product mu that is to fall
    N = at.dual_blocks(at.multipliers, 1.0)
    half_N, half_X = _inverse_root(N), _inverse_root(at.X)
    inverse, mu = half_N.mT @ half_N, at.complementarity(N)
    solve = _schur_solver(at, inverse)
    # 2. predictor: the direction that aims at mu = 0, and where it would lead
    dX, ds, dl, dN = _direction(at, inverse, solve, np.zeros_like(mu), 0.0, 0.0)
    t, u = _affine_lengths(at, half_N, ds, dl, dN)
    aimed = Iterate(at.a, at.z, at.b, at.X + t[..., None] * dX, at.slack + t * ds, at.multipliers + u * dl)
    # 3. corrector: aim at the less mu, the further that got, and take off its second-order term
    target = mu * np.clip(aimed.complementarity(N + u[..., None] * dN) / mu, 1e-3, 1.0) ** 1.5
    second_order = _symmetric(dX @ dN @ inverse), ds * dl / at.multipliers
    dX, ds, dl, dN = _direction(at, inverse, solve, target, *second_order, solves=MAX_SOLVES)
    # 4. as far along it as X, N, slacks and multipliers stay positive
    t = BOUNDARY_FRACTION * _length(_ends(half_X, dX)[0], at.slack, ds)
    u = BOUNDARY_FRACTION * _length(_ends(half_N, dN)[0], at.multipliers, dl)
    return Iterate(
        at.a, at.z, at.b, _symmetric(at.X + t[..., None] * dX), at.slack + t * ds, at.multipliers + u * dl
    )


def _direction(at, inverse, solve, mu, correction, slack_correction, *, solves=1):
    """The direction (dX, ds, dlambda, dN) towards X N = mu I, s lambda = mu and a_c' W z_c - s_c = b_c.

    dX = mu N^-1 - X - sym(X dN N^-1) - correction and ds = mu/lambda - s - (s/lambda) dlambda - its
    correction; dlambda is solved for, and then refined on what the constraints still lack.
    """
    dX = mu[:, None, None] * inverse - at.X - correction
    ds = mu[:, None] / at.multipliers - at.slack - slack_correction
    dl = np.zeros_like(ds)
    for _ in range(solves):
        lacking = at.b - at.pairing(at.X + dX) + at.slack + ds  # (B, m)
        if np.abs(lacking / at.b).max() < NEGLIGIBLE_SHORTFALL:
            break
        more = solve(lacking)
        dl = dl + more
        dX = dX - _symmetric(at.X @ at.dual_blocks(more, 0.0) @ inverse)
        ds = ds - at.slack / at.multipliers * more
    return dX, ds, dl, at.dual_blocks(dl, 0.0)


def _schur_solver(at, inverse):
    """The solver of H x = r, H_ck = <A_c, sym(X A_k N^-1)> + [c = k] s_c/lambda_c.

    H is made of elementwise products of Gram matrices of the tokens and of the queries.
    """
    with extra("solvers", "margins.attention_svm.nuclear_svm"):
        from scipy.linalg.lapack import dpotrf, dpotrs

    p, a, z, aT, zT = at.a.shape[2], at.a, at.z, at.a.mT, at.z.mT
    aX, zX, aB, zB = a @ at.X[:, :p], z @ at.X[:, p:], a @ inverse[:, :p], z @ inverse[:, p:]
    mixed = (aX[..., p:] @ zT) * (zB[..., :p] @ aT)
    H = mixed + mixed.mT
    H += (zX[..., p:] @ zT) * (aB[..., :p] @ aT)
    H += (aX[..., :p] @ aT) * (zB[..., p:] @ zT)
    H /= 4
    diagonal = range(H.shape[1])
    H[:, diagonal, diagonal] += at.slack / at.multipliers
    factors, failed = zip(*(dpotrf(M.T, lower=1, overwrite_a=1, clean=0) for M in H), strict=True)
    if any(failed):
        raise np.linalg.LinAlgError
    return lambda r: np.array([dpotrs(L, right, lower=1)[0] for L, right in zip(factors, r, strict=True)])


def _affine_lengths(at, half_N, ds, dl, dN):
    """Step lengths, primal and dual, of the affine direction, from the spectrum e of the change of N.

    On the central path X = mu N^-1, and the change of X has, seen from X, the spectrum -1 - e.
    """
    smallest, largest = _ends(half_N, dN)
    return _length(-1 - largest, at.slack, ds), _length(smallest, at.multipliers, dl)


def _ends(half, change):
    """The smallest and the largest eigenvalue of L^-1 change L'^-1, given half = L^-1 of M = L L'."""
    return np.linalg.eigvalsh(half @ change @ half.mT)[:, [0, -1]].T


def _length(smallest, x, dx):
    """The largest step t <= 1 with 1 + t smallest >= 0 and x + t dx >= 0, (B, 1)."""
    return 1 / np.maximum(1.0, np.maximum(-smallest, (-dx / x).max(axis=1)))[:, None]


def _inverse_root(M):
    """The inverse of the Cholesky factor of M."""
    return np.linalg.inv(np.linalg.cholesky(M))


def _symmetric(M):
    return (M + M.mT) / 2
