"""The regularisation path far out: how far W_R lies from the ray of its machine, and what decides that.

Rows A_j, j = 1, ..., N, are the pairs of best token and other token times the query, laid flat; c_j is the
weight of a row in the loss. Where the margins are large, the excess of the loss is the sum of
c_j exp(-<A_j, W>), up to a factor 1 + O(e^(-R Gamma)) (book: Attention converges to an SVM, How fast the
path turns).
"""

from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from margins import attention_svm as att

TOUCHES = 1e-8  # relative distance from the margin up to which a row supports


class Rows(NamedTuple):
    """What the path far out depends on, with the machine of the rows."""

    A: NDArray  # (N, D)
    c: NDArray  # (N,), weights in the loss
    u: NDArray  # (D,), unit vector along the machine
    margin: float  # Gamma
    ratios: NDArray  # (N,), <A_j, W^mm>, exactly 1 at support rows
    q: NDArray  # (N,), multipliers, of sum 1

    @property
    def support(self) -> NDArray:
        """Which rows hold the machine, with or without a multiplier (N,)."""
        return self.ratios == 1


def rows_of(data: att.TokenData) -> Rows:
    """The rows of the best tokens, weighed as by the logistic loss: c_j = |l'| delta_j / n."""
    best, places = data.optimal_tokens, np.arange(len(data.Y))
    top = data.scores[places, best]
    others = np.arange(data.sizes[1]) != best[:, None]  # (n, T)
    A = np.einsum("ntd,ne->ntde", data.X[places, best][:, None] - data.X, data.Z)[others]
    c = ((top[:, None] - data.scores) / (1 + np.exp(top))[:, None] / len(top))[others]
    return weighed(A.reshape(len(c), -1), c)


def weighed(A: NDArray, c: NDArray) -> Rows:
    """The rows A (N, D) with their weights c (N,) and their machine."""
    solved = att.least_distance(A)
    margin = 1 / float(np.linalg.norm(solved.point))
    ratios = A @ solved.point
    q = solved.multipliers * margin**2
    return Rows(A, c, solved.point * margin, margin, np.where(ratios < 1 + TOUCHES, 1.0, ratios), q)


def held(rows: Rows) -> NDArray:
    """The rows F with a positive multiplier in some dual solution (N,)."""
    from scipy.optimize import linprog  # here, because sandboxes that do without it load it anew each time

    equal = np.vstack([rows.A.T, np.ones(len(rows.A))])
    goal = np.append(rows.margin * rows.u, 1.0)
    largest = [-linprog(-unit, A_eq=equal, b_eq=goal).fun for unit in np.eye(len(rows.A))[rows.support]]
    found = rows.support.copy()
    found[found] = np.array(largest) > TOUCHES
    return found


def least_gap(rows: Rows, F: NDArray) -> float:
    """h: the least positive distance between the hulls of two disjoint groups of rows, one of them in F."""
    gaps = [float("inf")]
    for code in product((0, 1, -1), repeat=len(rows.A)):
        P, M = np.equal(code, 1), np.equal(code, -1)
        if P.any() and M.any() and F[M].all():
            between = (rows.A[P][:, None] - rows.A[M]).reshape(-1, rows.A.shape[1])
            apart = att.least_distance(between).point
            gaps.append(float("inf") if apart is None else 1 / float(np.linalg.norm(apart)))
    return min(gaps)


def _soft_minimum(rows: Rows, basis: NDArray, R: float, z: NDArray) -> tuple[float, NDArray, NDArray]:
    """log of the loss along E = basis' z - sag u, up to a constant; its slope in z and its curvature."""
    root = np.sqrt(R**2 - z @ z)
    sag, sagging = (z @ z) / (R + root), z / root
    y = rows.A @ basis.T @ z - sag * rows.margin * rows.ratios
    logs = np.log(rows.c) - y - R * rows.margin * (rows.ratios - 1)
    value = np.logaddexp.reduce(logs)
    p = np.exp(logs - value)
    J = rows.A @ basis.T - np.outer(rows.margin * rows.ratios, sagging)
    mean = p @ J
    bend = rows.margin * (p @ rows.ratios) / root * (np.eye(len(z)) + np.outer(sagging, sagging))
    return value, -mean, (J.T * p) @ J - np.outer(mean, mean) + bend


def path_point(rows: Rows, R: float, rounds: int = 500) -> tuple[NDArray, NDArray]:
    """E_R = W_R - R u (D,), by Newton's method at right angles to u, and the shares p (N,) of the rows.

    Keeps its digits at any radius with R Gamma > 40, where the weights c_j are those of the limit.
    """
    across = rows.A - np.outer(rows.A @ rows.u, rows.u)
    _, sizes, basis = np.linalg.svd(across, full_matrices=False)
    basis = basis[sizes > 1e-10 * np.abs(rows.A).max()]
    z = np.zeros(len(basis))
    for _ in range(rounds):
        value, slope, bend = _soft_minimum(rows, basis, R, z)
        step = np.linalg.solve(bend, -slope)
        while step @ step > (1e-12) ** 2 * (1 + z @ z):  # shorter, until the value falls
            if _soft_minimum(rows, basis, R, z + step)[0] <= value + 0.25 * (slope @ step):
                break
            step = step / 2
        else:
            break
        z = z + step
    E = basis.T @ z - (z @ z) / (R + np.sqrt(R**2 - z @ z)) * rows.u
    logs = np.log(rows.c) - rows.A @ E - R * rows.margin * (rows.ratios - 1)
    return E, np.exp(logs - np.logaddexp.reduce(logs))


def offset(rows: Rows) -> NDArray:
    """E_infinity (D,), where all support rows are held: it minimises the sum of c_j exp(-<A_j, E>) over them.

    The span of the differences of support rows is at right angles to u, so that this is the path of these
    rows alone, at a radius at which it has come to rest.
    """
    on = rows.support
    kept = rows._replace(A=rows.A[on], c=rows.c[on], ratios=rows.ratios[on], q=rows.q[on])
    return path_point(kept, 1e12 / rows.margin)[0]


def second_machine(rows: Rows, F: NDArray) -> NDArray:
    """e_infinity (D,): the shortest e with <A_j, e> = 0 on F and >= 1 on the other support rows."""
    _, sizes, basis = np.linalg.svd(rows.A[F])
    free = basis[np.count_nonzero(sizes > 1e-10 * sizes[0]) :]
    return att.least_distance(rows.A[rows.support & ~F] @ free.T).point @ free
