import numpy as np


def power(U, exponent):
    """|U|^exponent with the sign of U."""
    return np.sign(U) * np.abs(U) ** exponent


def length(G, q):
    """The q-norm of the entries."""
    return (np.abs(G) ** q).sum() ** (1 / q)


# wrong: a step of gradient descent
def mirror_step(W, G, p, step):
    return W - step * G / np.linalg.norm(G)


# wrong: the Frobenius norm of the gradient
def mirror_step(W, G, p, step):
    return power(power(W, p - 1) - step * G / np.linalg.norm(G), 1 / (p - 1))


# wrong: the p-norm of the gradient
def mirror_step(W, G, p, step):
    return power(power(W, p - 1) - step * G / length(G, p), 1 / (p - 1))


# wrong: the mirror and its inverse exchanged
def mirror_step(W, G, p, step):
    q = p / (p - 1)
    return power(power(W, q - 1) - step * G / length(G, q), p - 1)
