# ruff: noqa: F811 - each "wrong" defines the function anew
import numpy as np


def limit(best, other, z):
    """The limit of the theorem for a given winner."""
    apart = best - other
    return 2 * np.dot(best, best) / (np.dot(apart, apart) * np.dot(z, z) * np.dot(apart, best))


# wrong: the first token wins
def fading(x1, x2, z):
    return 1, limit(x1, x2, z)


# wrong: the shorter token wins
def fading(x1, x2, z):
    return (2, limit(x2, x1, z)) if np.dot(x1, x1) > np.dot(x2, x2) else (1, limit(x1, x2, z))


# wrong: the limit of the rival times the squared time, without the length of the winner
def fading(x1, x2, z):
    first = np.dot(x1, x1) > np.dot(x2, x2)
    best, other = (x1, x2) if first else (x2, x1)
    return (1 if first else 2), limit(best, other, z) / np.dot(best, best)


# wrong: the difference does not turn with the winner
def fading(x1, x2, z):
    first = np.dot(x1, x1) > np.dot(x2, x2)
    best = x1 if first else x2
    apart = x1 - x2
    scale = np.dot(apart, apart) * np.dot(z, z) * np.dot(apart, best)
    return (1 if first else 2), 2 * np.dot(best, best) / scale


# wrong: the query forgotten
def fading(x1, x2, z):
    first = np.dot(x1, x1) > np.dot(x2, x2)
    best, other = (x1, x2) if first else (x2, x1)
    return (1 if first else 2), limit(best, other, z / np.linalg.norm(z))


# wrong: half of it
def fading(x1, x2, z):
    first = np.dot(x1, x1) > np.dot(x2, x2)
    best, other = (x1, x2) if first else (x2, x1)
    return (1 if first else 2), limit(best, other, z) / 2
