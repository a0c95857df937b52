import numpy as np


def parts(X, W, mask=True, turned=False):
    """The weights (T, T) of causal attention."""
    a = X @ (W if turned else W.T) @ X.T
    a = np.where(np.tril(np.ones_like(a)) > 0, a, -np.inf) if mask else a
    s = np.exp(a - a.max(axis=1, keepdims=True))
    return s / s.sum(axis=1, keepdims=True)


def assembled(X, Y, v, s, count=None, queries=None):
    """The gradient from the weights."""
    gamma = Y[:, None] * (X @ v)
    reached = (s * gamma).sum(axis=1, keepdims=True)
    slope = -1 / (1 + np.exp(reached)) / (len(X) if count is None else count)
    return X.T @ (slope * s * (gamma - reached)).T @ (X if queries is None else queries)


# wrong: no mask
def causal_gradient(X, Y, v, W):
    return assembled(X, Y, v, parts(X, W, mask=False))


# wrong: a sum instead of a mean
def causal_gradient(X, Y, v, W):
    return assembled(X, Y, v, parts(X, W), count=1)


# wrong: the mean over the positions that have a choice
def causal_gradient(X, Y, v, W):
    return assembled(X, Y, v, parts(X, W), count=max(len(X) - 1, 1))


# wrong: W transposed in the logits
def causal_gradient(X, Y, v, W):
    return assembled(X, Y, v, parts(X, W, turned=True))


# wrong: every position asks with the last token
def causal_gradient(X, Y, v, W):
    return assembled(X, Y, v, parts(X, W), queries=np.repeat(X[-1:], len(X), axis=0))


# wrong: exponentials that overflow
def causal_gradient(X, Y, v, W):
    with np.errstate(over="ignore", invalid="ignore"):
        s = np.exp(X @ W.T @ X.T) * np.tril(np.ones((len(X),) * 2))
        return assembled(X, Y, v, s / s.sum(axis=1, keepdims=True))


# wrong: the slope of the first order, as if no query had learnt anything
def causal_gradient(X, Y, v, W):
    s, gamma = parts(X, W), Y[:, None] * (X @ v)
    reached = (s * gamma).sum(axis=1, keepdims=True)
    return X.T @ (-0.5 / len(X) * s * (gamma - reached)).T @ X
