import numpy as np


def sample(rng):
    """A Gaussian machine in one to three dimensions, with an intercept of either sign."""
    d = int(rng.integers(1, 4))
    return rng.normal(size=(6, d)), rng.normal(size=6), 0.5 * rng.normal(), rng.uniform(0.2, 2)


def essence(answer, S, a, b, gamma):
    """The signs of the head's output, at points far from the machine's boundary and at points close to it."""

    def f(X):
        return np.exp(-gamma * ((X[:, None] - S) ** 2).sum(axis=2)) @ a + b

    X = 1.5 * np.random.default_rng(0).normal(size=(200, S.shape[1]))
    X = np.vstack([X[np.abs(f(X)) > 1e-3], *across_boundary(f, X)])
    queries = np.column_stack([X, (X**2).sum(axis=1), np.ones(len(X))])
    keys, values = np.asarray(answer[0], dtype=float), np.ravel(answer[1])
    logits = queries @ keys.T / np.sqrt(keys.shape[1])
    output = np.exp(logits - logits.max(axis=1, keepdims=True)) @ values
    return np.sign(output[np.abs(f(X)) > 1e-8])


def across_boundary(f, X):
    """Pairs of points with f > 0 and f <= 0, each pair about 1e-4 apart: segments, halved fifteen times."""
    positive, negative = X[f(X) > 0], X[f(X) <= 0]
    pairs = min(len(positive), len(negative))
    positive, negative = positive[:pairs], negative[:pairs]
    for _ in range(15):
        middle = (positive + negative) / 2
        above = f(middle)[:, None] > 0
        positive, negative = np.where(above, middle, positive), np.where(above, negative, middle)
    return positive, negative
