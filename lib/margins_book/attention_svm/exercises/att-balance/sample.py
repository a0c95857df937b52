import numpy as np


def sample(rng):
    """Factors of several shapes, with sizes that differ, now and then of a lower rank."""
    d, m = int(rng.integers(1, 5)), int(rng.integers(1, 6))
    K, Q = rng.normal(size=(2, d, m)) * rng.uniform(0.2, 5, size=(2, 1, 1))
    if rng.random() < 0.3:
        K[:, 0] = 0
    return K, Q


def essence(answer, K, Q):
    """Shapes, the product, and how far the two squares are apart: the factors turn as they like."""
    left, right = (np.asarray(part, dtype=float) for part in answer)
    return [left.shape, right.shape, left @ right.T, left.T @ left - right.T @ right]
