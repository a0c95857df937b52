import numpy as np


def sample(rng):
    """Two to five tokens in one to three dimensions, and a unit vector, along a difference at times."""
    T, d = int(rng.integers(2, 6)), int(rng.integers(1, 4))
    X, selected = rng.normal(size=(T, d)), int(rng.integers(T))
    e = rng.normal(size=d) if rng.integers(3) else X[selected] - X[selected - 1]
    return X, selected, e / np.linalg.norm(e)


def essence(answer, *arguments):
    """The rate to six digits after the point."""
    return round(float(answer), 6) + 0.0
