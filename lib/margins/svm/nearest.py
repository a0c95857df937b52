"""The nearest points of two convex hulls, by Wolfe's method, and so the answer to "separable?".

(book: SVM duality, When no line separates)
"""

from dataclasses import dataclass

import numpy as np

from margins.svm.crowded import crowded_weights
from margins.svm.problem import weighted_rows

ROUNDING = 1e-12
LARGEST_CORRAL = 64  # Wolfe's rounds solve a system of this size each; beyond it an interior point is quicker
MOST_ROUNDS = 2000


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

    A corral of affinely independent differences phi(x_i) - phi(x_j) holds the present nearest point
    inside its hull; each round adds the difference that lies farthest behind and lets go those that
    end with weight zero. The distance falls in every round, so no corral comes twice. Where a corral
    grows large, or rounding lets no round bring the hulls closer, an interior point takes over.
    """
    positive, negative = np.flatnonzero(y > 0), np.flatnonzero(y < 0)
    pairs, weights = [(positive[0], negative[0])], np.ones(1)
    best = None
    for _ in range(MOST_ROUNDS):
        if len(pairs) > LARGEST_CORRAL:
            break
        found, i, j = _judged(K, y, _signed_weights(pairs, weights, len(y)))
        closer = best is None or found.squared_distance < best.squared_distance * (1 - ROUNDING)
        best = found if closer else best
        slack = ROUNDING * max(found.squared_distance, K[i, i] + K[j, j] - 2 * K[i, j])
        if found.gap >= found.squared_distance - slack:
            return best
        if not closer or (i, j) in pairs:
            break
        pairs, weights = _retreat(K, [*pairs, (i, j)], np.append(weights, 0.0))
    crowd = _judged(K, y, crowded_weights(K, y))[0]
    return min((best, crowd), key=lambda found: found.squared_distance - found.gap)


def _judged(K, y, beta):
    """The `NearestPoints` of these weights, and the two points that lie furthest behind."""
    scores = weighted_rows(K, beta)  # (n,)
    i = int(np.where(y > 0, scores, np.inf).argmin())
    j = int(np.where(y < 0, scores, -np.inf).argmax())
    return NearestPoints(beta, float(max(beta @ scores, 0)), float(scores[i] - scores[j])), i, j


def _signed_weights(pairs, weights, n):
    """The weights of the differences, gathered by point (n,)."""
    beta = np.zeros(n)
    for (i, j), weight in zip(pairs, weights, strict=True):
        beta[i] += weight
        beta[j] -= weight
    return beta


def _retreat(K, pairs, weights):
    """The corral and its weights once its nearest point lies inside its hull."""
    while True:
        target = _affine_minimum(K, pairs)
        if target.min() > 0:
            return pairs, target
        leaving = target <= 0
        share = min(1.0, (weights[leaving] / (weights[leaving] - target[leaving])).min())
        weights = weights + share * (target - weights)
        kept = weights > ROUNDING
        kept[leaving & (weights <= weights[leaving].min())] = False
        pairs, weights = [pair for pair, keep in zip(pairs, kept, strict=True) if keep], weights[kept]
        weights /= weights.sum()


def _affine_minimum(K, pairs):
    """The weights of sum 1 that bring the affine hull of the differences closest to the origin."""
    i, j = np.array(pairs).T
    down, up = i[:, None], j[:, None]
    gram = K[down, i] - K[down, j] - K[up, i] + K[up, j]
    gram = gram.astype(np.float64) / max(np.trace(gram) / len(gram), np.finfo(np.float64).tiny)
    solution = np.linalg.lstsq(gram + 1, np.ones(len(gram)), rcond=None)[0]  # (G + 11') mu = 1
    return solution / solution.sum()
