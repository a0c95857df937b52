import numpy as np
from scipy.optimize import nnls


# wrong: the bound for the limit
def collapse_rate(X, selected, e):
    return 1.0


# wrong: the distance of e, not of -e
def collapse_rate(X, selected, e):
    distance = nnls((X[selected] - np.delete(X, selected, axis=0)).T, e)[1]
    return distance if distance > 1e-9 else 0.0


# wrong: differences the other way round
def collapse_rate(X, selected, e):
    distance = nnls((np.delete(X, selected, axis=0) - X[selected]).T, -e)[1]
    return distance if distance > 1e-9 else 0.0


# wrong: the norm instead of its inverse
def collapse_rate(X, selected, e):
    distance = nnls((X[selected] - np.delete(X, selected, axis=0)).T, -e)[1]
    return 1 / distance if distance > 1e-9 else 0.0


# wrong: the squared distance
def collapse_rate(X, selected, e):
    distance = nnls((X[selected] - np.delete(X, selected, axis=0)).T, -e)[1]
    return distance**2 if distance > 1e-9 else 0.0


# wrong: the span of the differences instead of their cone
def collapse_rate(X, selected, e):
    D = X[selected] - np.delete(X, selected, axis=0)
    distance = np.linalg.norm(e - np.linalg.pinv(D) @ (D @ e))
    return distance if distance > 1e-9 else 0.0


# wrong: always the first token
def collapse_rate(X, selected, e):
    distance = nnls((X[0] - X[1:]).T, -e)[1]
    return distance if distance > 1e-9 else 0.0
