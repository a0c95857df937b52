import numpy as np

from margins import svm


def sample(rng):
    """Optimal multipliers of two clouds, or of two near points at the bound and two that are far away."""
    y = np.repeat([1.0, -1.0], 8)
    X, C = rng.normal(size=(16, 2)) + np.outer(y, [0.8, 0.5]), 10.0 ** rng.uniform(-4, 1)
    if rng.random() < 0.5:
        y, C = np.array([1.0, -1.0, 1.0, -1.0]), 0.1
        X = np.outer(y * [1.0, 1.0, *rng.uniform(3, 12, size=2)], [1.0, 0.0])
    return svm.smo(X @ X.T, y, C).alpha, X, y, C
