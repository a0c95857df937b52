import numpy as np


def sample(rng):
    """Two to five tokens, one that can be selected, and a unit vector, along a difference at times."""
    T, d = int(rng.integers(2, 6)), int(rng.integers(1, 4))
    X = rng.normal(size=(T, d))
    selected = int((X @ rng.normal(size=d)).argmax())
    e = rng.normal(size=d) if rng.integers(3) else X[selected] - X[selected - 1]
    return X, selected, e / np.linalg.norm(e)


def essence(answer, *arguments):
    """The rate to six digits after the point."""
    return round(float(answer), 6) + 0.0
