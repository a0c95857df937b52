import numpy as np


def sample(rng):
    """Keys on a line, now and then two at one place, and bandwidths from tiny to huge."""
    keys = rng.uniform(-2, 2, size=8)
    if rng.random() < 0.5:
        keys[3] = keys[4]
    return keys, rng.normal(size=8), 10.0 ** np.array([rng.uniform(-4, -2), rng.uniform(-2, 1), 2.0])
