import numpy as np


def sample(rng):
    """Queries that span the space, and the attention weights of some keys."""
    d = int(rng.integers(1, 4))
    Q, keys = rng.normal(size=(d + 4, d)) + 0.7, 1.5 * rng.normal(size=(5, d)) - 1
    weights = np.exp(Q @ keys.T / np.sqrt(d))
    return Q, weights / weights.sum(axis=1, keepdims=True)
