import numpy as np


def sample(rng):
    """Weights whose product is unrelated, symmetric of either kind, or a kernel's, of any size."""
    W = 10.0 ** rng.uniform(-7, 3) * rng.normal(size=(4, 3))
    turn = rng.normal(size=(3, 3))
    signs = np.diag(rng.choice([1.0, -0.01, 100.0], size=3))
    if rng.random() < 0.3:  # the symmetric part alone would be a kernel's
        return np.eye(3), np.eye(3) + turn - turn.T
    return W, rng.choice([W, W @ turn @ turn.T, W @ turn @ signs @ turn.T, rng.normal(size=(4, 3))])


def essence(answer, W_Q, W_K):
    """Whether the two tokens prove anything: logits out of symmetry, or a negative determinant."""
    M = W_Q @ W_K.T
    logits = np.asarray(answer) @ M @ np.asarray(answer).T
    tiny = 1e-9 * np.abs(M).max() * np.square(answer).sum()
    return bool(
        abs(logits[0, 1] - logits[1, 0]) > tiny or np.trace(logits) < logits[0, 1] + logits[1, 0] - tiny
    )
