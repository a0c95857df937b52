"""Strict total positivity of exp(xy): why no finite number of features is ever enough.

For increasing x_i and y_j the determinant of e^{x_i y_j}
is positive; here it is enclosed between two fractions, so that the sign is proved and not rounded.
"""

from __future__ import annotations

import reprlib
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from math import factorial, prod
from typing import Any

from margins.validation import count, finite_array, same_length

LARGEST_EXPONENT = 200  # beyond it the fractions grow too long to be worth the wait


def exponential_determinant(
    x: Sequence[Any], y: Sequence[Any], *, digits: int = 12
) -> tuple[Fraction, Fraction]:
    """Fractions low <= det [e^{x_i y_j}] <= high with 0 < low and high/low - 1 <= 10^-digits.

    The determinant is e^c times that of e^{(x_i - x_0)(y_j - y_0)}, whose exponents are >= 0.
    Its entries are taken to more and more binary places; Leibniz's formula bounds what the
    places left out can do to the determinant (book: The softmax kernel, No finite factorisation).

    >>> low, high = exponential_determinant([0, 1, 2], [0, 1, 2])
    >>> 0 < low <= high, round(float(low), 4)  # (e - 1)^3 e (e + 1): never 0, so no two features are enough
    (True, 51.2767)
    """
    x, y = _increasing("x", x), _increasing("y", y)
    same_length(x=x, y=y)
    tolerance = Fraction(1, 10 ** count("digits", digits)) / 4
    exponents = [[(a - x[0]) * (b - y[0]) for b in y] for a in x]  # (m, m)
    if exponents[-1][-1] > LARGEST_EXPONENT:
        got = float(exponents[-1][-1])
        raise ValueError(f"(x_m - x_1)(y_m - y_1) must be at most {LARGEST_EXPONENT}, but got {got:g}")
    places = 64
    while True:
        entries = [[exponential_below(s, places) for s in row] for row in exponents]
        middle, slack = determinant(entries), _leeway(entries[-1][-1], len(x), places)
        if slack <= tolerance * (middle - slack):
            break
        places *= 2
    down, up = exponential_enclosure(x[0] * sum(y) + y[0] * sum(x) - len(x) * x[0] * y[0], tolerance)
    return (middle - slack) * down, (middle + slack) * up


def determinant(matrix: Sequence[Sequence[Any]]) -> Fraction:
    """The exact determinant of a matrix of fractions by elimination, any pivot that is not 0.

    (book: The softmax kernel, No finite factorisation)

    >>> from fractions import Fraction
    >>> determinant([[Fraction(1, 2), 1], [1, 4]])
    Fraction(1, 1)
    """
    rows, sign = _square(matrix), 1
    pivots = []
    for k in range(len(rows)):
        swap = next((i for i in range(k, len(rows)) if rows[i][k] != 0), None)
        if swap is None:
            return Fraction(0)
        if swap != k:
            rows[k], rows[swap], sign = rows[swap], rows[k], -sign
        pivots.append(rows[k][k])
        for i in range(k + 1, len(rows)):
            factor = rows[i][k] / rows[k][k]
            rows[i] = [a - factor * b for a, b in zip(rows[i], rows[k], strict=True)]
    return sign * prod(pivots, start=Fraction(1))


def exponential_series(s: Any, degree: int) -> Fraction:
    """The fraction sum_{k <= degree} s^k / k! (book: The softmax kernel, A feature map by Taylor).

    >>> exponential_series(1, 4)  # 1 + 1 + 1/2 + 1/6 + 1/24
    Fraction(65, 24)
    """
    finite_array("s", s, ndim=0)
    s, total, degree = _exact(s), Fraction(1), count("degree", degree, at_least=0)
    for k in range(degree, 0, -1):
        total = 1 + total * s / k
    return total


def exponential_below(s: Fraction, places: int) -> Fraction:
    """The fraction with `places` binary digits that e^s, s >= 0, exceeds by at most 2 of the last digit."""
    degree, unit = 2 * int(s) + 8, Fraction(1, 2**places)
    while s ** (degree + 1) / factorial(degree + 1) * 2 > unit:  # the tail, as s < (degree + 2) / 2
        degree += 8
    return exponential_series(s, degree) // unit * unit


def exponential_enclosure(s: Fraction, tolerance: Fraction) -> tuple[Fraction, Fraction]:
    """Fractions low <= e^s <= high with high/low - 1 <= tolerance, for s of either sign."""
    places = 2 + (1 / tolerance).__ceil__().bit_length()
    low = exponential_below(abs(s), places)
    high = low + Fraction(2, 2**places)
    return (low, high) if s >= 0 else (1 / high, 1 / low)


def _leeway(largest, size, places):
    """A bound on the change of a determinant whose entries, in [0, largest], grow by up to 2 last digits.

    Row by row, each of `size` replacements changes size! products of one such growth and size - 1 entries.
    """
    growth = Fraction(2, 2**places)
    return size * factorial(size) * growth * (largest + growth) ** (size - 1)


def _exact(value):
    """A real number, Python's or NumPy's, as the fraction that it is."""
    return Fraction(int(value)) if value == int(value) else Fraction(*value.as_integer_ratio())


def _square(matrix):
    """The rows of a square matrix of numbers, as new lists of fractions."""
    try:
        rows = [[_exact(value) for value in row] for row in matrix]
    except (AttributeError, TypeError, ValueError, OverflowError):
        rows = [[]]
    if any(len(row) != len(rows) for row in rows):
        raise ValueError(f"matrix must be n rows of n finite numbers, but got {reprlib.repr(matrix)}")
    return rows


def _increasing(name, values):
    """Strictly increasing numbers as fractions; floats are the exact binary fractions they are."""
    finite_array(name, values, ndim=1)
    values = [_exact(value) for value in values]
    if any(a >= b for a, b in pairwise(values)):
        raise ValueError(f"{name} must be strictly increasing, but got {[float(v) for v in values]}")
    return values
