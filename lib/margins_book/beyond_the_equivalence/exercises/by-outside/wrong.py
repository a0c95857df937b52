from math import factorial

import numpy as np


def series(keys, values, degree):
    """The Taylor coefficients of the head."""
    Z = [sum(k**m for k in keys) / factorial(m) for m in range(degree + 1)]
    a = []
    for m in range(degree + 1):
        N = sum(v * k**m for k, v in zip(keys, values, strict=True)) / factorial(m)
        a.append((N - sum(a[i] * Z[m - i] for i in range(m))) / Z[0])
    return a


# wrong: the numerator only
def partial_squares(keys, values, degree):
    sums = [sum(v * k**m for k, v in zip(keys, values, strict=True)) for m in range(degree + 1)]
    return np.cumsum([s**2 / factorial(m) / len(keys) ** 2 for m, s in enumerate(sums)])


# wrong: coefficients are not squared
def partial_squares(keys, values, degree):
    return np.cumsum([factorial(m) * abs(c) for m, c in enumerate(series(keys, values, degree))])


# wrong: derivatives in the place of coefficients
def partial_squares(keys, values, degree):
    return np.cumsum(
        [factorial(m) * (factorial(m) * c) ** 2 for m, c in enumerate(series(keys, values, degree))]
    )
