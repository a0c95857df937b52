import numpy as np
from scipy.optimize import linprog


def program(costs, A, b, T):
    """The first T variables of a linear program over the simplex of these variables."""
    equal = np.r_[np.ones(T), np.zeros(len(costs) - T)][None]
    return linprog(costs, A_ub=A, b_ub=b, A_eq=equal, b_eq=[1.0]).x[:T]


# wrong: the best single token
def relu_mixture(X, V):
    return np.eye(len(X))[np.maximum(V @ X.T, 0).sum(axis=0).argmin()]


# wrong: the largest unit counts, not the sum
def relu_mixture(X, V):
    T = len(X)
    return program(np.r_[np.zeros(T), 1.0], np.c_[V @ X.T, -np.ones(len(V))], np.zeros(len(V)), T)


# wrong: absolute values
def relu_mixture(X, V):
    T, units = len(X), len(V)
    A = np.block([[V @ X.T, -np.eye(units)], [-V @ X.T, -np.eye(units)]])
    return program(np.r_[np.zeros(T), np.ones(units)], A, np.zeros(2 * units), T)
