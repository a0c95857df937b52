# ruff: noqa: F811 - each "wrong" defines the function anew
import numpy as np
from numpy.linalg import norm


def constant(W_Q, W_K, W_V):
    return norm(W_Q @ W_K.T, 2) * norm(W_V, 2) / (4 * np.sqrt(W_K.shape[1]))


# wrong: the cube alone, also where the tokens are far apart
def bounds_after(D, heads):
    bounds = []
    for head in heads:
        D = constant(*head) * D**3
        bounds.append(D)
    return np.array(bounds)


# wrong: every bound from the distance at the start
def bounds_after(D, heads):
    return np.array([min(norm(head[2], 2) * D, constant(*head) * D**3) for head in heads])


# wrong: Frobenius norms
def bounds_after(D, heads):
    bounds = []
    for W_Q, W_K, W_V in heads:
        D = min(norm(W_V) * D, norm(W_Q @ W_K.T) * norm(W_V) / (4 * np.sqrt(W_K.shape[1])) * D**3)
        bounds.append(D)
    return np.array(bounds)


# wrong: the product of the norms for the norm of the product
def bounds_after(D, heads):
    bounds = []
    for W_Q, W_K, W_V in heads:
        c = norm(W_Q, 2) * norm(W_K, 2) * norm(W_V, 2) / (4 * np.sqrt(W_K.shape[1]))
        D = min(norm(W_V, 2) * D, c * D**3)
        bounds.append(D)
    return np.array(bounds)


# wrong: the scale left out
def bounds_after(D, heads):
    bounds = []
    for W_Q, W_K, W_V in heads:
        D = min(norm(W_V, 2) * D, norm(W_Q @ W_K.T, 2) * norm(W_V, 2) / 4 * D**3)
        bounds.append(D)
    return np.array(bounds)


# wrong: the root of d instead of d_k
def bounds_after(D, heads):
    bounds = []
    for W_Q, W_K, W_V in heads:
        c = norm(W_Q @ W_K.T, 2) * norm(W_V, 2) / (4 * np.sqrt(len(W_K)))
        D = min(norm(W_V, 2) * D, c * D**3)
        bounds.append(D)
    return np.array(bounds)


# wrong: values taken to be as far apart as the tokens
def bounds_after(D, heads):
    bounds = []
    for W_Q, W_K, _ in heads:
        D = min(D, norm(W_Q @ W_K.T, 2) / (4 * np.sqrt(W_K.shape[1])) * D**3)
        bounds.append(D)
    return np.array(bounds)


# wrong: the last bound alone
def bounds_after(D, heads):
    for head in heads:
        D = min(norm(head[2], 2) * D, constant(*head) * D**3)
    return D
