"""Mehrotra's interior point for quadratic programs with bounds: some thirty steps, whatever the size.

(book: SVM duality, The dual)

minimise 1/2 u'Qu - gain'u with E'u = total and 0 <= u <= upper, where `upper` may be infinite. What one step
costs lies in Q: `DenseEnergy` pays for one Cholesky factor of (n, n), `LowRankEnergy` for one of (r, r).
"""

from dataclasses import dataclass

import numpy as np

MOST_STEPS = 100
BLOCK = 128  # of a triangular matrix, solved in one go


@dataclass(frozen=True, eq=False)
class DenseEnergy:
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
class LowRankEnergy:
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
    for start in range(0, len(x), BLOCK):
        here = slice(start, start + BLOCK)
        x[here] = np.linalg.solve(factor[here, here], x[here] - factor[here, :start] @ x[:start])
    return x


def substituted_back(factor, v):
    """The solution of L'x = v for a lower triangular L (n,)."""
    x = v.copy()
    for start in reversed(range(0, len(x), BLOCK)):
        here, rest = slice(start, start + BLOCK), slice(start + BLOCK, None)
        x[here] = np.linalg.solve(factor[here, here].T, x[here] - x[rest] @ factor[rest, here])
    return x


@dataclass(eq=False)
class InteriorPoint:
    """A point strictly between the bounds, and the forces with which these hold it off.

    Row 0 of `rooms` (the distances) and `forces` belongs to the bound 0, row 1 (if there is one) to the bound
    `upper`, whose distance upper - u would round to 0. At the optimum Q u - gain = E levels + inward'forces,
    and every product of a room and a force is 0.
    """

    rooms: np.ndarray  # (w, n)
    forces: np.ndarray  # (w, n)
    inward: np.ndarray  # (w,), 1 and -1
    levels: np.ndarray  # (e,), the multipliers of E'u = total

    @property
    def u(self):
        """The unknowns (n,)."""
        return self.rooms[0]

    @property
    def mean_product(self):
        """The mean product of a room and a force: the duality gap, but for their number."""
        return float((self.rooms * self.forces).mean())

    def moved(self, direction, share):
        """The point after `share` of the `direction` (du, dlevels, dforces)."""
        du, dlevels, dforces = direction
        rooms = self.rooms + share * self.inward[:, None] * du
        return InteriorPoint(rooms, self.forces + share * dforces, self.inward, self.levels + share * dlevels)

    def share(self, direction):
        """The largest share of the `direction`, at most 1, that leaves no bound and no sign behind (0..1)."""
        du, _, dforces = direction
        fastest = min((self.inward[:, None] * du / self.rooms).min(), (dforces / self.forces).min())
        return 1 / max(1.0, -fastest)


def interior_optimum(energy, gain, E, total, start, upper=np.inf, *, relative):
    """The `InteriorPoint` whose duality gap is below `relative` times u'Qu, or what rounding allows.

    `start` (n,) lies strictly between the bounds; it need not meet E'u = total. Q is of the size 1.
    """
    inward = np.array([1.0, -1.0] if np.isfinite(upper) else [1.0])
    slope = energy.times(start) - gain
    forces = np.maximum(inward[:, None] * slope, 0) + 1
    rooms = np.stack([start, upper - start][: len(inward)])
    point = InteriorPoint(rooms, forces, inward, np.zeros(E.shape[1]))
    for _ in range(MOST_STEPS):
        Qu = energy.times(point.u)
        if point.mean_product * point.forces.size <= max(relative * (point.u @ Qu), np.finfo(np.float64).eps):
            break
        try:
            point = _step(point, energy, Qu - gain, E, total)
        except np.linalg.LinAlgError:
            break
    return point


def _step(point, energy, slope, E, total):
    """The point after one predicted and corrected Newton step towards smaller products."""
    rooms, mean, inward = point.rooms, point.mean_product, point.inward
    solve = energy.solver((point.forces / rooms).sum(axis=0))
    lack = E @ point.levels + inward @ point.forces - slope  # (n,)
    sides = np.column_stack([solve(column) for column in E.T])  # (n, e)

    def direction(target):
        """The direction along which the products change by `target` (w, n), to first order."""
        own = solve(lack + inward @ (target / rooms))
        dlevels = np.linalg.solve(E.T @ sides, total - E.T @ (point.u + own))
        du = own + sides @ dlevels
        return du, dlevels, (target - point.forces * inward[:, None] * du) / rooms

    products = rooms * point.forces
    predicted = direction(-products)
    ahead = point.moved(predicted, point.share(predicted)).mean_product
    bend = inward[:, None] * predicted[0] * predicted[2]
    corrected = direction((ahead / mean) ** 3 * mean - products - bend)
    return point.moved(corrected, min(1.0, 0.995 * point.share(corrected)))
