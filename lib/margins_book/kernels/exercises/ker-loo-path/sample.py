import numpy as np


def sample(rng):
    """Points of space, now and then each of them twice, and penalties in any order."""
    vectors = np.repeat(rng.normal(size=(5, 3)), 1 + int(rng.random() < 0.3), axis=0)
    return vectors @ vectors.T, rng.normal(size=len(vectors)) + 2, 10.0 ** rng.uniform(-1, 2, size=3)
