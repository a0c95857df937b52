import numpy as np


def sample(rng):
    """Two clouds with a street between them; or points on parallel kerbs, where multipliers are free."""
    y = np.repeat([1.0, -1.0], 4)
    X = rng.uniform(-1, 1, size=(8, 2)) + np.outer(y, [1.2, 0.9])
    if rng.random() < 0.5:
        X = np.c_[y, np.tile([-2.0, 2.0, *rng.uniform(-2, 2, size=2)], 2) + 0.3 * (y > 0)]
    return X, y
