"""Random arguments that many tests share."""

import numpy as np


def normal(*shape, seed=0, dtype=np.float64):
    """An array of standard normal numbers."""
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)
