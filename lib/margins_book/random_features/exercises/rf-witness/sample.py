import numpy as np


def sample(rng):
    """A window and a length, often one that just admits a witness or just does not."""
    w = int(rng.integers(0, 6))
    return w, int(max(1, w + rng.integers(0, 5)))


def essence(answer, w, n):
    """Whether the vector has length one and a form as small as was asked."""
    u, places = np.asarray(answer, dtype=float), np.arange(n)
    band = np.abs(np.subtract.outer(places, places)) <= w
    return bool(abs(u @ u - 1) < 1e-9 and u @ band @ u <= 1 - np.sqrt(2) + 1e-9)
