"""Kummer's function, and quantiles of Student's distribution."""

import math
from fractions import Fraction

import numpy as np

from . import names_missing_from
from .stats import beta

__all__ = ["hyp1f1", "stdtrit"]
__getattr__ = names_missing_from(__name__)
MOST_TERMS = 10_000
CANCELS = 1e4  # the largest term over the sum: beyond it too many digits are lost


def hyp1f1(a, b, x):
    """Kummer's function 1F1(a; b; x) elementwise in x, for numbers a and b > 0."""
    return np.vectorize(lambda point: _kummer(float(a), float(b), point), otypes=[float])(x)[()]


def stdtrit(df, p):
    """The quantile of Student's distribution with df degrees of freedom: df / (df + t^2) has a beta law."""
    x = beta.ppf(2 * min(p, 1 - p), df / 2, 0.5)
    return math.copysign(math.sqrt(df * (1 - x) / x), p - 0.5)


def _kummer(a, b, x):
    """The series, of which that side of Kummer's identity is taken whose argument is positive."""
    if x < 0:
        return float(np.exp(x)) * _series(b - a, b, -x)
    return _series(a, b, x)


def _series(a, b, x):
    """The sum of the series; exact where its terms cancel."""
    total, largest = _summed(a, b, x)
    if largest <= CANCELS * abs(total):
        return total
    return float(_summed(Fraction(a), Fraction(b), Fraction(x))[0])


def _summed(a, b, x):
    """The sum in the arithmetic of its arguments, and its largest term."""
    total = term = largest = x * 0 + 1
    for k in range(MOST_TERMS):
        term = term * ((a + k) / (b + k) * x / (k + 1))
        total += term
        largest = max(largest, abs(term))
        if abs(term) <= abs(total) * 1e-17:
            break
    return total, largest
