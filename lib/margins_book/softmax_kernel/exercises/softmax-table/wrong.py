import numpy as np


def minimum(weights, points=200_001):
    """The minimum of sum_k weights[k] cos(k theta) on a grid."""
    return float(np.polynomial.chebyshev.chebval(np.cos(np.linspace(0, np.pi, points)), weights).min())


def doubled(weights):
    return np.concatenate([weights[:1], 2 * weights[1:]])


# wrong: k and -k counted once
def smallest_symbol(b):
    return minimum(np.exp(b) - np.exp(b[-1]))


# wrong: the constant is not taken out
def smallest_symbol(b):
    return minimum(doubled(np.exp(b)))


# wrong: the biases themselves, not their exponentials
def smallest_symbol(b):
    return minimum(doubled(b - b[-1]))


# wrong: the bias taken out before the exponential
def smallest_symbol(b):
    return minimum(doubled(np.exp(b - b[-1])))


# wrong: a coarse grid
def smallest_symbol(b):
    return minimum(doubled(np.exp(b) - np.exp(b[-1])), points=200)


# wrong: the ends alone
def smallest_symbol(b):
    return minimum(doubled(np.exp(b) - np.exp(b[-1])), points=2)


# wrong: the smallest eigenvalue of a matrix
def smallest_symbol(b):
    i = np.arange(120)
    return float(np.linalg.eigvalsh(np.exp(b[np.minimum(np.abs(i[:, None] - i), len(b) - 1)]))[0])


# wrong: the largest value
def smallest_symbol(b):
    return -minimum(-doubled(np.exp(b) - np.exp(b[-1])))
