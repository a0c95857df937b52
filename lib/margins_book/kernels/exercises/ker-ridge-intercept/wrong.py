# ruff: noqa: F811 - each "wrong" defines the function anew
import numpy as np


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


# wrong: the penalty is multiplied by n
def ridge_with_intercept(K, y, penalty):
    n = len(y)
    bordered = np.block([[K + n * penalty * np.eye(n), np.ones((n, 1))], [np.ones((1, n)), np.zeros((1, 1))]])
    solution = np.linalg.solve(bordered, np.r_[y, 0.0])
    return solution[:-1], solution[-1]


# wrong: the penalty on the border, too
def ridge_with_intercept(K, y, penalty):
    n = len(y)
    bordered = np.block([[K, np.ones((n, 1))], [np.ones((1, n)), np.zeros((1, 1))]])
    solution = np.linalg.solve(bordered + penalty * np.eye(n + 1), np.r_[y, 0.0])
    return solution[:-1], solution[-1]


# wrong: the centred kernel's coefficients with the mean as intercept
def ridge_with_intercept(K, y, penalty):
    H = np.eye(len(y)) - 1 / len(y)
    return np.linalg.solve(H @ K @ H + penalty * np.eye(len(y)), y - y.mean()), y.mean()


# wrong: the two answers in the other order
def ridge_with_intercept(K, y, penalty):
    n = len(y)
    bordered = np.block([[np.zeros((1, 1)), np.ones((1, n))], [np.ones((n, 1)), K + penalty * np.eye(n)]])
    solution = np.linalg.solve(bordered, np.r_[0.0, y])
    return solution[0], solution[1:]
