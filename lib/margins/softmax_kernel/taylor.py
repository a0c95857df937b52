"""The feature map of exp(x.y), cut at a degree, and exactly what the cut costs."""

from __future__ import annotations

import math

import numpy as np

from margins._types import Array, ArrayLike
from margins.kernels import linear, scaled_monomials
from margins.validation import count, finite_array

LARGEST_EXPONENT = 700.0  # exp(709.8) is the largest float64


def taylor_features(X: ArrayLike, *, degree: int, prefactor: bool = False) -> Array:
    """The features phi_beta(x) = x^beta / sqrt(beta!), |beta| <= degree, of exp(x.y).

    With `prefactor` each row is multiplied by e^{-|x|^2/2}, and the very same monomials
    become the features of another kernel, the Gaussian exp(-|x - y|^2/2).
    Rows (n, d) give (n, C(d + degree, degree)) (book: The softmax kernel, A feature map by Taylor).

    >>> phi = taylor_features([[1.0, 0.0]], degree=10)
    >>> round((phi @ phi.T).item(), 5)  # close to exp(1)
    2.71828
    """
    features = scaled_monomials(X, degree=degree)
    return features * damping(X)[:, None] if prefactor else features


def damping(X: ArrayLike) -> Array:
    """The prefactor e^{-|x|^2/2} of each row, (n,), that turns exp(x.y) into the Gaussian kernel.

    (book: The softmax kernel, A feature map by Taylor)

    >>> damping([[0.0, 0.0], [1.0, 1.0]]).round(4)
    array([1.    , 0.3679])
    """
    X = finite_array("X", X, ndim=2)
    with np.errstate(over="ignore"):
        return np.exp(-np.einsum("id,id->i", X, X) / 2)


def truncation_error(
    X: ArrayLike, Y: ArrayLike | None = None, *, degree: int, prefactor: bool = False
) -> Array:
    """The error K(x, y) - phi(x).phi(y) of `taylor_features`, signed and exact to rounding, (n, m).

    It is `series_remainder` at x.y, damped on both sides under the prefactor
    (book: The softmax kernel, What it costs to stop).

    >>> truncation_error([[1.0]], degree=2).round(6)  # e - 1 - 1 - 1/2
    array([[0.218282]])
    """
    error = series_remainder(linear(X, Y), degree=degree)
    if not prefactor:
        return error
    left = damping(X)
    return left[:, None] * error * (left if Y is None else damping(Y))


def series_remainder(s: ArrayLike, *, degree: int) -> Array:
    """The tail sum_{k > degree} s^k / k! of the exponential series, without cancellation.

    For s < 0 the terms alternate; Kummer's transformation s^(p+1)/(p+1)! e^s sum_j (p+1)/(p+1+j) (-s)^j/j!
    has terms of one sign instead (book: The softmax kernel, What it costs to stop).

    >>> series_remainder([1e-3], degree=1)  # exp(s) - 1 - s would lose ten digits
    array([5.00166708e-07])
    """
    s = finite_array("s", s, dtype=np.float64)
    if np.abs(s).max() > LARGEST_EXPONENT:
        raise ValueError(f"s must be within +-{LARGEST_EXPONENT:g}, but got {np.abs(s).max():g} in modulus")
    first = count("degree", degree, at_least=0) + 1
    leading = np.ones_like(s)  # s^first / first!
    for k in range(1, first + 1):
        leading = leading * s / k
    size = np.abs(s)
    tail, direct, mirrored = np.zeros_like(s), np.ones_like(s), np.exp(-size)
    terms = math.ceil(size.max() + 10 * math.sqrt(size.max()) + 40)  # after these the rest is below rounding
    for j in range(1, terms + 1):
        tail += np.where(s >= 0, direct, mirrored * (first / (first + j - 1)))
        direct, mirrored = direct * size / (first + j), mirrored * size / j
    return leading * tail
