import numpy as np


def sample(rng):
    """Small matrices, some entries zero, and exponents from 1.2 to 6."""
    d = int(rng.integers(1, 4))
    W, G = rng.normal(size=(2, d, d))
    W = np.where(rng.random((d, d)) < 0.3, 0.0, W)
    return W, G, float(rng.choice([1.2, 1.5, 2.0, 3.0, 6.0])), float(rng.uniform(0.1, 2))


def essence(answer, *arguments):
    """The matrix to seven digits of its largest entry."""
    answer = np.asarray(answer, dtype=float)
    return (np.round(answer / max(1.0, np.abs(answer).max()), 7) + 0.0).tolist()
