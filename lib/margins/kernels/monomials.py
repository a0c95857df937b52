"""Monomials x^beta over multi-indices, the explicit features of dot-product kernels."""

from __future__ import annotations

import math

import numpy as np

from margins._types import Array, ArrayLike
from margins.validation import count, finite_array, positive

MOST_FEATURES = 2**24  # beyond it the features of a few points already fill a laptop's memory


def multi_indices(dimension: int, degree: int) -> Array:
    """The multi-indices beta in N^dimension with |beta| <= degree, C(dimension + degree, degree) of them.

    By total degree, and within a degree by the last variable that occurs
    (book: Kernels, A feature space one can write down).

    >>> multi_indices(2, 2)
    array([[0, 0],
           [1, 0],
           [0, 1],
           [2, 0],
           [1, 1],
           [0, 2]])
    """
    return np.concatenate([exponents for exponents, _, _ in _levels(dimension, degree)])


def scaled_monomials(X: ArrayLike, *, degree: int) -> Array:
    """The features x^beta / sqrt(beta!) for |beta| <= degree, whose products sum to sum_k (x.y)^k / k!.

    Each is made from a feature of one degree less, so no factorial and no power overflows
    before the feature itself does (book: The softmax kernel, A feature map by Taylor).

    >>> scaled_monomials([[2.0]], degree=3).round(3)  # 1, x, x^2/sqrt 2, x^3/sqrt 6
    array([[1.   , 2.   , 2.828, 3.266]])
    """
    X = finite_array("X", X, ndim=2)
    features: list[Array] = []
    with np.errstate(over="ignore", invalid="ignore"):
        for exponents, parents, variables in _levels(X.shape[1], degree):
            if not features:
                features.append(np.ones((len(X), 1), X.dtype))
                continue
            root = np.sqrt(exponents[np.arange(len(exponents)), variables]).astype(X.dtype)
            features.append(features[-1][:, parents] * X[:, variables] / root)  # (n, D_k)
    if not np.isfinite(features[-1]).all():
        raise ValueError(f"the monomials of degree {degree} overflow {X.dtype} on this X; rescale it")
    return np.concatenate(features, axis=1)  # (n, D)


def polynomial_features(X: ArrayLike, *, gamma: float = 1.0, degree: int = 3, coef0: float = 0.0) -> Array:
    """The features of (gamma x.y + coef0)^degree, coef0 >= 0: all monomials, each with its weight.

    The weight of x^beta, |beta| = k, is sqrt(degree!/(degree - k)! coef0^(degree - k) gamma^k / beta!);
    with coef0 = 0 only the monomials of exactly that degree remain
    (book: Kernels, A feature space one can write down).

    >>> polynomial_features([[1.0, 2.0]], degree=2).round(3)
    array([[1.   , 2.828, 4.   ]])
    """
    gamma, coef0 = positive("gamma", gamma), positive("coef0", coef0, allow_zero=True)
    features = scaled_monomials(X, degree=degree)
    orders = multi_indices(np.shape(X)[1], degree).sum(axis=1)  # (D,)
    kept = orders == degree if coef0 == 0 else np.ones_like(orders, bool)
    with np.errstate(over="ignore"):
        features *= np.sqrt(_weights(degree, gamma, coef0))[orders]
    if not np.isfinite(features).all():
        raise ValueError(
            f"the polynomial features overflow {features.dtype} on this X; rescale it or lower gamma"
        )
    return features[:, kept]


def _weights(degree, gamma, coef0):
    """The factors degree!/(degree - k)! coef0^(degree - k) gamma^k of |beta| = k (degree + 1,)."""
    try:
        return [math.perm(degree, k) * coef0 ** (degree - k) * gamma**k for k in range(degree + 1)]
    except OverflowError:
        got = f"gamma={gamma:g}, coef0={coef0:g} and degree={degree}"
        raise ValueError(f"the weights of the polynomial features overflow with {got}; lower them") from None


def _levels(dimension, degree):
    """For each total degree: exponents, and for each the feature it grows from and by which variable."""
    dimension, degree = count("dimension", dimension), count("degree", degree, at_least=0)
    # C(2k, k) >= 2^k settles the large ones, whose size is too long a number to print
    if min(dimension, degree) > 24 or math.comb(dimension + degree, degree) > MOST_FEATURES:
        got = f"degree {degree} in dimension {dimension} means more"
        raise ValueError(f"expected at most {MOST_FEATURES} monomials, but {got}")
    exponents = np.zeros((1, dimension), np.int64)
    last = np.zeros(1, np.int64)  # the last variable that occurs
    yield exponents, None, None
    for _ in range(degree):
        # Growing only by variables not before the last makes every multi-index exactly once.
        grown = [np.flatnonzero(last <= j) for j in range(dimension)]
        parents = np.concatenate(grown)
        last = np.repeat(np.arange(dimension), [len(g) for g in grown])
        exponents = exponents[parents]
        exponents[np.arange(len(last)), last] += 1
        yield exponents, parents, last
