import numpy as np
from scipy.optimize import nnls


# wrong: the bound for the limit
def collapse_rate(X, selected, e):
    return 1.0


# wrong: the span of the differences instead of their cone
def collapse_rate(X, selected, e):
    D = X[selected] - np.delete(X, selected, axis=0)
    distance = np.linalg.norm(e - np.linalg.pinv(D) @ (D @ e))
    return distance if distance > 1e-9 else 0.0


# wrong: always the first token
def collapse_rate(X, selected, e):
    distance = nnls((X[0] - X[1:]).T, -e)[1]
    return distance if distance > 1e-9 else 0.0
