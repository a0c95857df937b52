import numpy as np


def sample(rng):
    """A Gram matrix of some rank, at any scale; or a matrix that is none, for one reason or the other."""
    vectors = rng.normal(size=(6, rng.integers(1, 7)))
    K = vectors @ vectors.T
    if rng.random() < 0.3:
        K = K - 0.5 * np.eye(6) * np.diag(K).min()
    if rng.random() < 0.2:
        K[0, 1] += K[0, 0]
    return (10.0 ** rng.uniform(-6, 6) * K,)


def essence(answer, K):
    """The products of the rows, and how many columns make them."""
    return np.round(answer @ answer.T / np.abs(K).max(), 6), answer.shape
