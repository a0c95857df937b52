"""The nearest points of two hulls that many points hold: an interior point on a growing working set.

(book: SVM duality, When no line separates)
"""

import numpy as np

from margins.svm.interior_point import DenseEnergy, interior_optimum
from margins.svm.problem import variance, weighted_rows

FIRST = 600  # points in the first working set
CLOSE = 1e-6  # the share of the squared distance to which the gap has to meet it
IDLE = 1e-7  # of the largest weight; what carries less leaves the working set
NOTHING = 1e-14  # of the variance: a squared distance that rounding does not tell from 0
MOST_ROUNDS = 60


def crowded_weights(K, y):
    """Convex weights of the nearest points, signed: beta >= 0 on the class +1, <= 0 on -1 (n,).

    The interior point finds them among a working set, which then lets go the points without weight and
    takes in those that lie furthest behind the two it has found: usually few points carry all the weight.
    """
    working, nothing = _first(y), NOTHING * variance(K)
    for _ in range(MOST_ROUNDS):
        beta = np.zeros(len(y))
        beta[working] = _weights_among(K[np.ix_(working, working)], y[working])
        scores = y * weighted_rows(K, beta)  # (n,)
        squared_distance = beta * y @ scores
        behind = np.zeros(len(y))
        for sign in (1, -1):
            members = working[y[working] == sign]
            behind[y == sign] = scores[members].min() - scores[y == sign]
        worse = np.flatnonzero(behind > CLOSE / 2 * squared_distance)
        if squared_distance <= nothing or not len(worse):
            break
        carrying = np.flatnonzero(np.abs(beta) > IDLE * np.abs(beta).max())
        worst = worse[np.argsort(-behind[worse], kind="stable")[: FIRST // 2]]
        working = np.union1d(carrying, worst)
    return beta


def _first(y):
    """The indices of at most FIRST points, spread evenly over either class."""
    classes = [np.flatnonzero(y == sign) for sign in (1, -1)]
    shares = [np.linspace(0, len(members) - 1, min(len(members), FIRST // 2)) for members in classes]
    spread = [members[share.astype(int)] for members, share in zip(classes, shares, strict=True)]
    return np.sort(np.concatenate(spread))


def _weights_among(K, y):
    """The signed convex weights of the nearest points of a few (k,): min beta'K beta over the two hulls."""
    sides = np.stack([y > 0, y < 0], axis=1).astype(np.float64)  # (k, 2)
    size = max(np.trace(K) / len(K), np.finfo(np.float64).tiny)
    energy = DenseEnergy(K.astype(np.float64) * (y[:, None] * y) / size)
    start = sides @ (1 / sides.sum(axis=0))
    u = interior_optimum(energy, np.zeros(len(y)), sides, np.ones(2), start, relative=CLOSE / 10).u
    return y * u / (sides @ (u @ sides))  # exactly convex
