"""Mehrotra's interior-point method for quadratic programs with bounds: some thirty steps, whatever the size.

(book: SVM duality, The dual)

minimise 1/2 u'Qu - gain'u with E'u = total and 0 <= u <= upper, where `upper` may be infinite. A step costs
one Cholesky factor, of an (n, n) matrix with `DenseQuadratic`, of an (r, r) matrix with `LowRankQuadratic`.
"""

from dataclasses import dataclass

import numpy as np

from margins.svm.large import constants


@dataclass(frozen=True, eq=False)
class DenseQuadratic:
    """The form 1/2 u'Qu of a matrix Q."""

    Q: np.ndarray  # (n, n)

    def times(self, u):
        """The product Q u (n,)."""
        return self.Q @ u

    def solver(self, diagonal):
        """The function v -> (Q + diag)^(-1) v."""
        lifted = self.Q.copy()
        lifted[np.diag_indices(len(lifted))] += diagonal
        factor = np.linalg.cholesky(lifted)
        return lambda v: substituted_back(factor, substituted(factor, v))


@dataclass(frozen=True, eq=False)
class LowRankQuadratic:
    """The form 1/2 u'Qu of Q = Z Z' with few columns."""

    Z: np.ndarray  # (n, r)

    def times(self, u):
        """The product Q u (n,)."""
        return self.Z @ (u @ self.Z)

    def solver(self, diagonal):
        """The function v -> (Q + diag)^(-1) v, by Woodbury's identity."""
        inverse = 1 / diagonal
        scaled = inverse[:, None] * self.Z  # (n, r)
        core = np.linalg.cholesky(np.eye(self.Z.shape[1]) + self.Z.T @ scaled)  # (r, r)
        root = scaled @ np.linalg.inv(core).T  # (n, r)
        return lambda v: inverse * v - root @ (v @ root)


def substituted(factor, v):
    """The solution of L x = v for a lower triangular L (n,)."""
    x = v.copy()
    size = constants.TRIANGULAR_BLOCK
    for start in range(0, len(x), size):
        here = slice(start, start + size)
        x[here] = np.linalg.solve(factor[here, here], x[here] - factor[here, :start] @ x[:start])
    return x


def substituted_back(factor, v):
    """The solution of L'x = v for a lower triangular L (n,)."""
    x = v.copy()
    size = constants.TRIANGULAR_BLOCK
    for start in reversed(range(0, len(x), size)):
        here, rest = slice(start, start + size), slice(start + size, None)
        x[here] = np.linalg.solve(factor[here, here].T, x[here] - x[rest] @ factor[rest, here])
    return x


@dataclass(eq=False)
class InteriorPoint:
    """A point strictly between the bounds, and the multipliers of the bounds.

    Row 0 of `slacks` (the distances) and `multipliers` belongs to the bound 0, row 1 (if there is one) to the
    bound `upper`, whose distance upper - u would round to 0. At the optimum
    Q u - gain = E duals + inward'multipliers, and every product of a slack and a multiplier is 0.
    """

    slacks: np.ndarray  # (w, n)
    multipliers: np.ndarray  # (w, n)
    inward: np.ndarray  # (w,), 1 and -1
    duals: np.ndarray  # (e,), the multipliers of E'u = total

    @property
    def u(self):
        """The unknowns (n,)."""
        return self.slacks[0]

    @property
    def mean_product(self):
        """The mean product of a slack and a multiplier: the duality gap, but for their number."""
        return float((self.slacks * self.multipliers).mean())

    def moved(self, direction, share):
        """The point after `share` of the `direction` (du, dduals, dmultipliers)."""
        du, dduals, dmultipliers = direction
        slacks = self.slacks + share * self.inward[:, None] * du
        multipliers = self.multipliers + share * dmultipliers
        return InteriorPoint(slacks, multipliers, self.inward, self.duals + share * dduals)

    def share(self, direction):
        """The largest share of the `direction` (0..1) that stays inside the bounds, multipliers positive."""
        du, _, dmultipliers = direction
        to_bound = (self.inward[:, None] * du / self.slacks).min()
        fastest = min(to_bound, (dmultipliers / self.multipliers).min())
        return 1 / max(1.0, -fastest)


def interior_optimum(quadratic, gain, E, total, start, upper=np.inf, *, relative):
    """The `InteriorPoint` whose duality gap is below `relative` times u'Qu, or what rounding allows.

    `start` (n,) lies strictly between the bounds; it need not meet E'u = total. Q is of the size 1.
    """
    inward = np.array([1.0, -1.0] if np.isfinite(upper) else [1.0])
    slope = quadratic.times(start) - gain
    multipliers = np.maximum(inward[:, None] * slope, 0) + 1
    slacks = np.stack([start, upper - start][: len(inward)])
    point = InteriorPoint(slacks, multipliers, inward, np.zeros(E.shape[1]))
    for _ in range(constants.MOST_INTERIOR_STEPS):
        Qu = quadratic.times(point.u)
        gap = point.mean_product * point.multipliers.size
        if gap <= max(relative * (point.u @ Qu), np.finfo(np.float64).eps):
            break
        try:
            point = _step(point, quadratic, Qu - gain, E, total)
        except np.linalg.LinAlgError:
            break
    return point


def _step(point, quadratic, slope, E, total):
    """The point after one predicted and corrected Newton step towards smaller products."""
    slacks, mean, inward = point.slacks, point.mean_product, point.inward
    solve = quadratic.solver((point.multipliers / slacks).sum(axis=0))
    lack = E @ point.duals + inward @ point.multipliers - slope  # (n,)
    sides = np.column_stack([solve(column) for column in E.T])  # (n, e)

    def direction(target):
        """The direction along which the products change by `target` (w, n), to first order."""
        own = solve(lack + inward @ (target / slacks))
        dduals = np.linalg.solve(E.T @ sides, total - E.T @ (point.u + own))
        du = own + sides @ dduals
        return du, dduals, (target - point.multipliers * inward[:, None] * du) / slacks

    products = slacks * point.multipliers
    # predictor: how far a step that aims at products of 0 gets before it meets a bound
    predicted = direction(-products)
    ahead = point.moved(predicted, point.share(predicted)).mean_product
    # corrector: aim at products (ahead / mean)^3 as large, and take off what the first step bent them by
    bend = inward[:, None] * predicted[0] * predicted[2]
    corrected = direction((ahead / mean) ** 3 * mean - products - bend)
    return point.moved(corrected, min(1.0, constants.STEP_TO_BOUND * point.share(corrected)))
