"""The nearest points of two convex hulls, which decide whether the classes are separable: Wolfe's method.

(book: SVM duality, When no line separates)
"""

from dataclasses import dataclass

import numpy as np

from margins.svm.large import constants
from margins.svm.large.interior_point import DenseQuadratic, interior_optimum
from margins.svm.problem import variance, weighted_rows


@dataclass(frozen=True, eq=False)
class NearestPoints:
    """Convex weights of a point in each class's hull, signed: beta >= 0 on the class +1, <= 0 on -1.

    Their difference is w = sum beta_i phi(x_i). Every pair of points has <w, phi(x_+) - phi(x_-)> >= gap,
    so a positive gap proves that w separates; at the nearest points gap = ||w||^2.
    """

    beta: np.ndarray  # (n,) sums to 1 over the positive class, to -1 over the negative
    squared_distance: float
    gap: float


def nearest_points(K, y):
    """The `NearestPoints` of the two classes' hulls in feature space.

    Wolfe's method: a corral, some affinely independent differences phi(x_i) - phi(x_j), holds the present
    nearest point inside its hull; each round adds the difference that lies farthest behind and drops those
    that end with weight zero. The distance falls in every round, so no corral comes twice. Where a corral
    grows large, or rounding lets no round bring the hulls closer, an interior point takes over.
    """
    positive, negative = np.flatnonzero(y > 0), np.flatnonzero(y < 0)
    pairs, weights = [(positive[0], negative[0])], np.ones(1)
    best, rounding = None, constants.HULL_ROUNDING
    for _ in range(constants.MOST_WOLFE_ROUNDS):
        if len(pairs) > constants.LARGEST_CORRAL:
            break
        found, i, j = _measured(K, y, signed_weights(pairs, weights, len(y)))
        closer = best is None or found.squared_distance < best.squared_distance * (
            1 - constants.HULL_ROUNDING
        )
        best = found if closer else best
        slack = rounding * max(found.squared_distance, K[i, i] + K[j, j] - 2 * K[i, j])
        if found.gap >= found.squared_distance - slack:
            return best
        if not closer or (i, j) in pairs:
            break
        pairs, weights = retreat(K, [*pairs, (i, j)], np.append(weights, 0.0))
    other = _measured(K, y, interior_weights(K, y))[0]
    return min((best, other), key=lambda found: found.squared_distance - found.gap)


def _measured(K, y, beta):
    """The `NearestPoints` of these weights, and the two points that lie furthest behind."""
    scores = weighted_rows(K, beta)  # (n,)
    i = int(np.where(y > 0, scores, np.inf).argmin())
    j = int(np.where(y < 0, scores, -np.inf).argmax())
    return NearestPoints(beta, float(max(beta @ scores, 0)), float(scores[i] - scores[j])), i, j


def signed_weights(pairs, weights, n):
    """The weights of the differences, gathered by point (n,)."""
    beta = np.zeros(n)
    for (i, j), weight in zip(pairs, weights, strict=True):
        beta[i] += weight
        beta[j] -= weight
    return beta


def retreat(K, pairs, weights):
    """The corral and its weights once its nearest point lies inside its hull."""
    while True:
        target = affine_minimum(K, pairs)
        if target.min() > 0:
            return pairs, target
        leaving = target <= 0
        share = min(1.0, (weights[leaving] / (weights[leaving] - target[leaving])).min())
        weights = weights + share * (target - weights)
        kept = weights > constants.HULL_ROUNDING
        kept[leaving & (weights <= weights[leaving].min())] = False
        pairs, weights = [pair for pair, keep in zip(pairs, kept, strict=True) if keep], weights[kept]
        weights /= weights.sum()


def affine_minimum(K, pairs):
    """The weights of sum 1 that bring the affine hull of the differences closest to the origin."""
    i, j = np.array(pairs).T
    down, up = i[:, None], j[:, None]
    gram = K[down, i] - K[down, j] - K[up, i] + K[up, j]
    gram = gram.astype(np.float64) / max(np.trace(gram) / len(gram), np.finfo(np.float64).tiny)
    solution = np.linalg.lstsq(gram + 1, np.ones(len(gram)), rcond=None)[0]  # (G + 11') mu = 1
    return solution / solution.sum()


def interior_weights(K, y):
    """Convex weights of the nearest points, signed: beta >= 0 on the class +1, <= 0 on -1 (n,).

    For hulls whose nearest points are combinations of many. An interior point finds them among a working
    set, which then drops the points without weight and takes in those that lie furthest behind the two it
    has found.
    """
    working, coincident = _first_working_set(y), constants.COINCIDENT * variance(K)
    for _ in range(constants.MOST_WORKING_SETS):
        beta = np.zeros(len(y))
        beta[working] = _weights_among(K[np.ix_(working, working)], y[working])
        scores = y * weighted_rows(K, beta)  # (n,)
        squared_distance = beta * y @ scores
        behind = np.zeros(len(y))
        for sign in (1, -1):
            members = working[y[working] == sign]
            behind[y == sign] = scores[members].min() - scores[y == sign]
        worse = np.flatnonzero(behind > constants.HULL_GAP / 2 * squared_distance)
        if squared_distance <= coincident or not len(worse):
            break
        with_weight = np.flatnonzero(np.abs(beta) > constants.IDLE_WEIGHT * np.abs(beta).max())
        worst = worse[np.argsort(-behind[worse], kind="stable")[: constants.FIRST_WORKING_SET // 2]]
        working = np.union1d(with_weight, worst)
    return beta


def _first_working_set(y):
    """The indices of at most FIRST_WORKING_SET points, spread evenly over either class."""
    classes = [np.flatnonzero(y == sign) for sign in (1, -1)]
    shares = [
        np.linspace(0, len(members) - 1, min(len(members), constants.FIRST_WORKING_SET // 2))
        for members in classes
    ]
    spread = [members[share.astype(int)] for members, share in zip(classes, shares, strict=True)]
    return np.sort(np.concatenate(spread))


def _weights_among(K, y):
    """The signed convex weights of the nearest points of a few (k,): min beta'K beta over the two hulls."""
    sides = np.stack([y > 0, y < 0], axis=1).astype(np.float64)  # (k, 2)
    size = max(np.trace(K) / len(K), np.finfo(np.float64).tiny)
    quadratic = DenseQuadratic(K.astype(np.float64) * (y[:, None] * y) / size)
    start = sides @ (1 / sides.sum(axis=0))
    u = interior_optimum(
        quadratic, np.zeros(len(y)), sides, np.ones(2), start, relative=constants.HULL_GAP / 10
    ).u
    return y * u / (sides @ (u @ sides))  # exactly convex
