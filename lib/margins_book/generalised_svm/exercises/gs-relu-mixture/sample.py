import numpy as np


def sample(rng):
    """Some tokens and units in few dimensions, scattered or on a grid."""
    T, units, d = (int(k) for k in rng.integers(1, 6, size=3))
    if rng.integers(2):
        return rng.normal(size=(T, d)), rng.normal(size=(units, d))
    return tuple(rng.integers(-2, 3, size=(rows, d)).astype(float) for rows in (T, units))


def essence(answer, X, V):
    """What the head is at the mixture, for several may be best; and whether it is a mixture."""
    s = np.asarray(answer)
    on_simplex = bool(s.min() > -1e-7 and abs(s.sum() - 1) < 1e-7)
    return on_simplex, float(np.round(np.maximum(V @ X.T @ s, 0).sum(), 6))
