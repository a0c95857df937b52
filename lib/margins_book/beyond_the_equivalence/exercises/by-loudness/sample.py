import numpy as np


def sample(rng):
    """Two kernels and a target between the heads, outside, or exactly what a level head answers."""
    k1, k2 = rng.exponential(size=(2, 4))
    if rng.integers(2):
        v = rng.integers(-3, 4, size=4).astype(float)
        k1, k2 = (np.ones(4), k2) if rng.integers(2) else (k1, np.ones(4))
        return k1, k2, v, v.mean()
    v = rng.normal(size=4)
    way = float(rng.uniform(-1, 2))
    return k1, k2, v, (1 - way) * (k1 @ v) / k1.sum() + way * (k2 @ v) / k2.sum()
