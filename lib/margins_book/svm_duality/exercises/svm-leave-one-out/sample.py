import numpy as np


def sample(rng):
    """Five different whole numbers, cut in two at random, and in the plane a second point on a kerb."""
    x = np.sort(rng.choice(np.arange(-6.0, 7.0), size=5, replace=False))
    first = rng.integers(1, 5)  # of the second class
    X = np.column_stack([np.r_[x, x[first]], np.r_[np.zeros(5), rng.integers(1, 5)]])
    return X, np.where(np.r_[np.arange(5), 5] < first, -1.0, 1.0)
