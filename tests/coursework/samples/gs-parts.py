import numpy as np


def sample(rng):
    """Tokens of the plane, of space, on a grid or with a twin; shares that may contradict each other."""
    d = int(rng.integers(2, 5))
    X = rng.normal(size=(4, d)) if rng.integers(2) else rng.integers(0, 3, size=(4, d)).astype(float)
    kept = rng.permutation(np.arange(4) < rng.integers(1, 4))
    return X, kept, np.where(kept, rng.integers(1, 4, size=4) / 4, 0.0)


def essence(answer, X, kept, p):
    """Both parts as lists, rounded, None as a word."""
    return ["none" if part is None else np.round(part, 5).tolist() for part in answer]
