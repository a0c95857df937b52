import numpy as np


def sample(rng):
    """Keys of the plane: scattered, far from the origin, on a small grid, on a line, or a single one."""
    scattered = rng.normal(size=(int(rng.integers(1, 8)), 2))
    grid, line = rng.integers(0, 3, size=(7, 2)).astype(float), np.outer(rng.permutation(5), [1.0, 2.0])
    kinds = [scattered, scattered + 100, grid, line]
    return (kinds[rng.integers(4)],)


def essence(answer, keys):
    """True and False, or 1 and 0."""
    return np.asarray(answer, dtype=float)
