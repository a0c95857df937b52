# ruff: noqa: F811 - each "wrong" defines the function anew
import numpy as np


def margins_of(x, z, chosen, W):
    return (x[chosen] - x) @ (W @ z)


# wrong: better than all other tokens
def locally_optimal(X, Z, scores, tokens, W):
    return bool((scores.argmax(axis=1) == tokens).all())


# wrong: better than the tokens at the next positions
def locally_optimal(X, Z, scores, tokens, W):
    for gamma, chosen in zip(scores, tokens, strict=True):
        beside = [t for t in (chosen - 1, chosen + 1) if 0 <= t < len(gamma)]
        if any(gamma[t] >= gamma[chosen] for t in beside):
            return False
    return True


# wrong: margins compared exactly
def locally_optimal(X, Z, scores, tokens, W):
    for x, z, gamma, chosen in zip(X, Z, scores, tokens, strict=True):
        margins = margins_of(x, z, chosen, W)
        near = (margins <= 1) & (np.arange(len(x)) != chosen)
        if (gamma[near] >= gamma[chosen]).any():
            return False
    return True


# wrong: an equal neighbour is let pass
def locally_optimal(X, Z, scores, tokens, W):
    for x, z, gamma, chosen in zip(X, Z, scores, tokens, strict=True):
        near = margins_of(x, z, chosen, W) < 1 + 1e-6
        if (gamma[near] > gamma[chosen]).any():
            return False
    return True


# wrong: one good neighbour is enough
def locally_optimal(X, Z, scores, tokens, W):
    for x, z, gamma, chosen in zip(X, Z, scores, tokens, strict=True):
        near = (margins_of(x, z, chosen, W) < 1 + 1e-6) & (np.arange(len(x)) != chosen)
        if near.any() and (gamma[near] >= gamma[chosen]).all():
            return False
    return True


# wrong: the matrix turned round
def locally_optimal(X, Z, scores, tokens, W):
    for x, z, gamma, chosen in zip(X, Z, scores, tokens, strict=True):
        near = (margins_of(x, z, chosen, W.T) < 1 + 1e-6) & (np.arange(len(x)) != chosen)
        if (gamma[near] >= gamma[chosen]).any():
            return False
    return True


# wrong: the nearest token of every sequence counts as a neighbour
def locally_optimal(X, Z, scores, tokens, W):
    for x, z, gamma, chosen in zip(X, Z, scores, tokens, strict=True):
        margins = margins_of(x, z, chosen, W)
        margins[chosen] = np.inf
        if (gamma[margins < margins.min() + 1e-6] >= gamma[chosen]).any():
            return False
    return True


# wrong: the chosen token must beat itself
def locally_optimal(X, Z, scores, tokens, W):
    for x, z, gamma, chosen in zip(X, Z, scores, tokens, strict=True):
        if (gamma[margins_of(x, z, chosen, W) < 1 + 1e-6] >= gamma[chosen]).any():
            return False
    return True
