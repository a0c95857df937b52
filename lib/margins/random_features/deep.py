"""The kernel inside a wide random ReLU layer.

(book: Attention as Nadaraya-Watson regression, From one head to a layer)
"""

import numpy as np

from margins.random_features.inputs import points_and_projections
from margins.validation import finite_array


def relu_features(X, omega):
    """Features sqrt(2/m) max(omega.x, 0): a random ReLU layer, whose kernel tends to `arc_cosine` with m."""
    X, omega = points_and_projections(X, omega)
    return np.sqrt(2 / len(omega)).astype(X.dtype) * np.maximum(X @ omega.T, 0)


def arc_cosine(X, Y):
    """The arc-cosine kernel of order 1, |x||y| (sin t + (pi - t) cos t)/pi with t the angle between x and y.

    It is 2 E[max(omega.x, 0) max(omega.y, 0)] for omega ~ N(0, I)
    (book: Attention as Nadaraya-Watson regression, From one head to a layer).
    """
    X, Y = (finite_array(name, value, ndim=2) for name, value in (("X", X), ("Y", Y)))
    lengths = np.outer(np.linalg.norm(X, axis=1), np.linalg.norm(Y, axis=1))  # (n, m)
    cosine = np.clip(X @ Y.T / np.where(lengths == 0, 1, lengths), -1, 1)
    angle = np.arccos(cosine)
    return lengths * (np.sin(angle) + (np.pi - angle) * cosine) / np.pi
