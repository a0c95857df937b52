import numpy as np
from numpy.linalg import norm


def constant(W_Q, W_K, W_V):
    return norm(W_Q @ W_K.T, 2) * norm(W_V, 2) / (4 * np.sqrt(W_K.shape[1]))


def bounds_by(D, heads, constant=constant, length=lambda W_V: norm(W_V, 2)):
    """The bounds layer by layer: the smaller of length(W_V) D and constant(W_Q, W_K, W_V) D^3."""
    bounds = []
    for head in heads:
        D = min(length(head[2]) * D, constant(*head) * D**3)
        bounds.append(D)
    return np.array(bounds)


# wrong: the cube alone, also where the tokens are far apart
def bounds_after(D, heads):
    return bounds_by(D, heads, length=lambda W_V: np.inf)


# wrong: every bound from the distance at the start
def bounds_after(D, heads):
    return np.array([min(norm(head[2], 2) * D, constant(*head) * D**3) for head in heads])


# wrong: Frobenius norms
def bounds_after(D, heads):
    return bounds_by(D, heads, lambda Q, K, V: norm(Q @ K.T) * norm(V) / (4 * np.sqrt(K.shape[1])), norm)


# wrong: the product of the norms for the norm of the product
def bounds_after(D, heads):
    def constant(Q, K, V):
        return norm(Q, 2) * norm(K, 2) * norm(V, 2) / (4 * np.sqrt(K.shape[1]))

    return bounds_by(D, heads, constant)


# wrong: the root of d instead of d_k
def bounds_after(D, heads):
    return bounds_by(D, heads, lambda Q, K, V: norm(Q @ K.T, 2) * norm(V, 2) / (4 * np.sqrt(len(K))))


# wrong: values taken to be as far apart as the tokens
def bounds_after(D, heads):
    return bounds_by(D, heads, lambda Q, K, V: constant(Q, K, np.eye(1)), lambda V: 1.0)
