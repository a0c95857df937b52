import numpy as np


def limit(best, other, z):
    """The limit of the theorem for a given winner."""
    apart = best - other
    return 2 * np.dot(best, best) / (np.dot(apart, apart) * np.dot(z, z) * np.dot(apart, best))


def ordered(x1, x2):
    return (1, x1, x2) if np.dot(x1, x1) > np.dot(x2, x2) else (2, x2, x1)


# wrong: the first token wins
def fading(x1, x2, z):
    return 1, limit(x1, x2, z)


# wrong: the shorter token wins
def fading(x1, x2, z):
    return (2, limit(x2, x1, z)) if np.dot(x1, x1) > np.dot(x2, x2) else (1, limit(x1, x2, z))


# wrong: the difference does not turn with the winner
def fading(x1, x2, z):
    winner, best, _ = ordered(x1, x2)
    apart = x1 - x2
    return winner, 2 * np.dot(best, best) / (np.dot(apart, apart) * np.dot(z, z) * np.dot(apart, best))


# wrong: the query forgotten
def fading(x1, x2, z):
    winner, best, other = ordered(x1, x2)
    return winner, limit(best, other, z / np.linalg.norm(z))
