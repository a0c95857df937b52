import numpy as np


def sample(rng):
    """Feasible multipliers, some at a bound, and two points, now and then equal ones of two classes."""
    y, C = np.where(np.arange(6) % 2, 1.0, -1.0), rng.uniform(0.5, 2)
    X = rng.normal(size=(6, 2))
    i, j = map(int, rng.choice(6, size=2, replace=False))
    if y[i] != y[j] and rng.random() < 0.4:
        X[i] = X[j]
    alpha = C * np.repeat(rng.choice([0.0, 0.3, 0.4, 1.0], size=3), 2)
    return alpha, i, j, X @ X.T, y, C
