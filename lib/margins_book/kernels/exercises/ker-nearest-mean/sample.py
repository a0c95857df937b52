import numpy as np


def sample(rng):
    """Classes of unequal size away from the origin, and new points; or points of a line and a tie."""
    if rng.random() < 0.2:
        line, y = np.array([[0.0], [1.0], [5.0]]), np.array([-1.0, -1.0, 1.0])
        return line @ line.T, y, line @ np.array([[2.75, 2.0, 3.0]])
    y = np.where(rng.permutation(9) < rng.integers(1, 4), 1.0, -1.0)
    vectors = rng.normal(size=(9, 3)) + 2 * y[:, None] + 3
    new = 3 * rng.normal(size=(20, 3)) + 3
    return vectors @ vectors.T, y, vectors @ new.T
