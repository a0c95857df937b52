import numpy as np


def sample(rng):
    """A Gaussian machine in one to three dimensions, with an intercept of either sign."""
    d = int(rng.integers(1, 4))
    return rng.normal(size=(6, d)), rng.normal(size=6), 0.5 * rng.normal(), rng.uniform(0.2, 2)


def essence(answer, S, a, b, gamma):
    """The signs of the head's output at points where the machine is clear."""
    X = 1.5 * np.random.default_rng(0).normal(size=(200, S.shape[1]))
    f = np.exp(-gamma * ((X[:, None] - S) ** 2).sum(axis=2)) @ a + b
    queries = np.column_stack([X, (X**2).sum(axis=1), np.ones(len(X))])
    keys, values = np.asarray(answer[0], dtype=float), np.ravel(answer[1])
    logits = queries @ keys.T / np.sqrt(keys.shape[1])
    output = np.exp(logits - logits.max(axis=1, keepdims=True)) @ values
    return np.sign(output[np.abs(f) > 1e-3])
