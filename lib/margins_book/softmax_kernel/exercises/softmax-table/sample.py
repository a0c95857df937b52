import numpy as np


def sample(rng):
    """Tables of a few biases: random ones, constant ones, and ones that fall by equal steps."""
    r = int(rng.integers(0, 9))
    b = rng.choice([rng.normal(size=r + 1), np.full(r + 1, rng.normal()), np.log(1 + np.arange(r, -1, -1.0))])
    return (b,)
