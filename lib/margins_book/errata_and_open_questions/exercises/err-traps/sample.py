import numpy as np


def sample(rng):
    """Two rows, often opposed; on small integers they may lie at the border."""
    if rng.integers(2):
        first = rng.normal(size=3)
        return first, -rng.uniform(0.3, 3) * first + 0.3 * rng.normal(size=3)
    while True:
        a1, a2 = rng.integers(-3, 4, size=(2, 2)).astype(float)
        if abs(a1[0] * a2[1] - a1[1] * a2[0]) > 0.5:
            return np.array(a1), np.array(a2)


def essence(answer, a1, a2):
    return [bool(one) for one in answer]
