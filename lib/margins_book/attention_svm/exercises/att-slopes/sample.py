import numpy as np


def sample(rng):
    """Random sequences, now and then with logits in the thousands."""
    n, T, d = (int(k) for k in rng.integers(1, 5, size=3))
    size = rng.choice([0.5, 3.0, 3000.0])
    Y = rng.choice([-1.0, 1.0], size=n)
    X, Z, v, W = (rng.normal(size=shape) for shape in ((n, T, d), (n, d), d, (d, d)))
    return X, Z, Y, v, size * W


def essence(answer, X, Z, Y, v, W):
    """The gradient in units of the tokens, so that what has vanished counts as zero."""
    return np.asarray(answer, dtype=float) + 0.0
