import numpy as np


def sample(rng):
    """Points of a line, the plane or space, a degree and a scale."""
    return rng.normal(size=(5, rng.integers(1, 4))), int(rng.integers(0, 5)), rng.uniform(0.2, 2)


def essence(answer, X, degree, scale):
    """The products of the rows: features may come in any order."""
    return np.asarray(answer) @ np.asarray(answer).T
