from itertools import combinations_with_replacement, product
from math import factorial, prod

import numpy as np


def monomials(X, degree, coefficient):
    columns = []
    for k in range(degree + 1):
        for picked in combinations_with_replacement(range(X.shape[1]), k):
            factorials = prod(factorial(picked.count(i)) for i in set(picked))
            columns.append(coefficient(k, factorials) * np.prod(X[:, list(picked)], axis=1))
    return np.column_stack(columns)


# wrong: the printed prefactor
def features(X, degree, scale):
    damping = np.exp(-scale * (X**2).sum(axis=1) / 2)
    return damping[:, None] * monomials(X, degree, lambda k, f: (scale**k / f) ** 0.5)


# wrong: the coefficient without its root
def features(X, degree, scale):
    return monomials(X, degree, lambda k, f: scale ** (k / 2) / f)


# wrong: the scale once, not to the power of the degree
def features(X, degree, scale):
    return monomials(X, degree, lambda k, f: (scale / f) ** 0.5 if k else 1.0)


# wrong: the factorial of the degree for a monomial that is counted once
def features(X, degree, scale):
    return monomials(X, degree, lambda k, f: (scale**k / factorial(k)) ** 0.5)


# wrong: no mixed monomials
def features(X, degree, scale):
    powers = [X**k * (scale**k / factorial(k)) ** 0.5 for k in range(1, degree + 1)]
    return np.hstack([np.ones((len(X), 1)), *powers])


# wrong: each coordinate up to the degree
def features(X, degree, scale):
    columns = [
        np.prod([(scale**k / factorial(k)) ** 0.5 * X[:, i] ** k for i, k in enumerate(beta)], axis=0)
        for beta in product(range(degree + 1), repeat=X.shape[1])
    ]
    return np.column_stack(columns)
