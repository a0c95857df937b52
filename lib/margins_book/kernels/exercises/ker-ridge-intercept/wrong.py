import numpy as np


def bordered(K, y, corner=0.0):
    """The coefficients and the intercept that solve [[K, 1], [1', corner]] (a, b) = (y, 0)."""
    ones = np.ones((len(y), 1))
    solution = np.linalg.solve(np.block([[K, ones], [ones.T, np.full((1, 1), corner)]]), np.r_[y, 0.0])
    return solution[:-1], solution[-1]


# wrong: the mean of y is subtracted and called the intercept
def ridge_with_intercept(K, y, penalty):
    b = y.mean()
    return np.linalg.solve(K + penalty * np.eye(len(y)), y - b), b


# wrong: the intercept comes after a fit without one
def ridge_with_intercept(K, y, penalty):
    a = np.linalg.solve(K + penalty * np.eye(len(y)), y)
    return a, (y - K @ a).mean()


# wrong: the intercept is penalised like a feature
def ridge_with_intercept(K, y, penalty):
    a = np.linalg.solve(K + 1 + penalty * np.eye(len(y)), y)
    return a, a.sum()


# wrong: the penalty on the border, too
def ridge_with_intercept(K, y, penalty):
    return bordered(K + penalty * np.eye(len(y)), y, corner=penalty)


# wrong: the centred kernel's coefficients with the mean as intercept
def ridge_with_intercept(K, y, penalty):
    H = np.eye(len(y)) - 1 / len(y)
    return np.linalg.solve(H @ K @ H + penalty * np.eye(len(y)), y - y.mean()), y.mean()


# wrong: the two answers in the other order
def ridge_with_intercept(K, y, penalty):
    return bordered(K + penalty * np.eye(len(y)), y)[::-1]
