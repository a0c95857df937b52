import numpy as np


def sample(rng):
    """Tokens of a line, the plane or space, scattered or on a grid; shares that may contradict each other."""
    d = int(rng.integers(1, 4))
    X = rng.normal(size=(5, d)) if rng.integers(2) else rng.integers(0, 3, size=(5, d)).astype(float)
    kept = rng.permutation(np.arange(5) < rng.integers(1, 5))
    return X, kept, np.where(kept, rng.integers(1, 4, size=5) / 4, 0.0)


def essence(answer, X, kept, p):
    """Both parts as lists, rounded, None as a word."""
    return ["none" if part is None else (np.round(part, 5) + 0.0).tolist() for part in answer]
