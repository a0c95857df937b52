"""Random arguments that many tests share, and the memory that a call takes."""

import tracemalloc

import numpy as np


def normal(*shape, seed=0, dtype=np.float64):
    """An array of standard normal numbers."""
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


def with_peak(call):
    """What a call gives, and how much memory it takes at most beyond what is in use."""
    tracemalloc.start()
    given = call()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return given, peak
