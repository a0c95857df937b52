import numpy as np


def relative_variances(q, k):
    a, b = ((q + k) ** 2).sum(), ((q - k) ** 2).sum()
    return np.array([np.exp(a) - 1, np.cosh(a) - 1, np.cosh(b) - 1])


# wrong: the error not squared
def projections_needed(q, k, error):
    return np.maximum(1, np.ceil(relative_variances(q, k) / error))


# wrong: none at all where one projection is exact
def projections_needed(q, k, error):
    return np.ceil(relative_variances(q, k) / error**2)


# wrong: sum and difference exchanged
def projections_needed(q, k, error):
    return np.maximum(1, np.ceil(relative_variances(q, -k) / error**2))


# wrong: hyperbolic features as half of positive ones
def projections_needed(q, k, error):
    positive, _, trigonometric = relative_variances(q, k)
    return np.maximum(1, np.ceil(np.array([positive, positive / 2, trigonometric]) / error**2))
