import numpy as np


def minimum(weights, points=200_001):
    """The minimum of sum_k weights[k] cos(k theta) on a grid."""
    return float(np.polynomial.chebyshev.chebval(np.cos(np.linspace(0, np.pi, points)), weights).min())


def doubled(weights):
    return np.concatenate([weights[:1], 2 * weights[1:]])


# wrong: the bias taken out before the exponential
def smallest_symbol(b):
    return minimum(doubled(np.exp(b - b[-1])))


# wrong: a coarse grid
def smallest_symbol(b):
    return minimum(doubled(np.exp(b) - np.exp(b[-1])), points=200)


# wrong: the smallest eigenvalue of a matrix
def smallest_symbol(b):
    i = np.arange(120)
    return float(np.linalg.eigvalsh(np.exp(b[np.minimum(np.abs(i[:, None] - i), len(b) - 1)]))[0])
