import numpy as np


def sample(rng):
    """Gaussian problems, in two dimensions often with queries that no u separates."""
    n, d = int(rng.integers(1, 4)), int(rng.integers(2, 4))
    labels = rng.choice([-1.0, 1.0], size=n)
    return rng.normal(size=(n, 4, d)), rng.normal(size=(n, d)), labels, 2 * rng.normal(size=d)


def essence(answer, X, Z, Y, v):
    """A number, an array of one number or an integer."""
    return float(np.asarray(answer))
