import numpy as np


def sample(rng):
    """A matrix that often separates, or one that hardly ever does, and multipliers, either kind."""
    n, T, d = int(rng.integers(1, 4)), int(rng.integers(2, 5)), int(rng.integers(2, 5))
    X, Z, u = rng.normal(size=(n, T, d)), rng.normal(size=(n, d)), rng.normal(size=d)
    scores = X @ u * np.sign(Z[:, :1])
    tokens = scores.argmax(axis=1)
    W = np.outer(u, np.eye(d)[0]) + rng.choice([0.01, 1.0]) * rng.normal(size=(d, d))
    multipliers = rng.uniform(0.1, 1, size=(n, T))
    multipliers[np.arange(n), tokens] = 0
    return X, Z, tokens, W, multipliers, str(rng.choice(["frobenius", "nuclear"]))
