import numpy as np


def sample(rng):
    """Five different whole numbers, cut in two at random."""
    x = np.sort(rng.choice(np.arange(-6.0, 7.0), size=5, replace=False))
    return x[:, None], np.where(np.arange(5) < rng.integers(1, 5), -1.0, 1.0)
