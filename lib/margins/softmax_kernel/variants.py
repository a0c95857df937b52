"""Attention variants as kernels k(Q, K): which are positive definite, positive, of finite dimension.

Normalisation needs positive row
sums, not positive definiteness; linear time needs finitely many features.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from margins._types import Array, ArrayLike, Kernel
from margins.kernels import (
    exponential,
    gaussian,
    linear,
    normalised,
    numerical_rank,
    polynomial,
    power_series,
    smallest_eigenvalue,
)
from margins.kernels.closure import require_kernels
from margins.kernels.diagnostics import rounding_level
from margins.kernels.gram import require_matrix
from margins.validation import finite_array


def elu_features(X: ArrayLike) -> Array:
    """The positive features elu(x) + 1, coordinate by coordinate: 1 + x for x > 0, else e^x.

    (book: The softmax kernel, One table for many attentions)

    >>> elu_features([[2.0, 0.0, -1.0]]).round(3)
    array([[3.   , 1.   , 0.368]])
    """
    return _elu(finite_array("X", X))


def _elu(X):
    return np.where(X > 0, 1 + X, np.exp(np.minimum(X, 0)))


def elu_kernel(X: ArrayLike, Y: ArrayLike | None = None) -> Array:
    """The kernel (elu(x) + 1).(elu(y) + 1) of linear transformers: d features, all positive.

    (book: The softmax kernel, One table for many attentions)

    >>> elu_kernel([[1.0, -1.0]], [[0.0, 0.0]]).round(3)
    array([[2.368]])
    """
    return linear(elu_features(X), None if Y is None else _elu(finite_array("Y", Y)))


def squared_relu(X: ArrayLike, Y: ArrayLike | None = None) -> Array:
    """The similarity max(0, x.y)^2: never negative, but no kernel from two dimensions on.

    (book: The softmax kernel, One table for many attentions)

    >>> squared_relu([[1.0], [-2.0]])
    array([[ 1.,  0.],
           [ 0., 16.]])
    """
    return power_series(lambda X, Y: np.maximum(linear(X, Y), 0), [0, 0, 1])(X, Y)


def cosine(X: ArrayLike, Y: ArrayLike | None = None) -> Array:
    """The kernel x.y / (|x| |y|): positive definite, of rank d, but negative for obtuse angles.

    (book: The softmax kernel, One table for many attentions)

    >>> cosine([[3.0, 4.0]], [[0.0, 2.0], [-3.0, -4.0]]).round(6)
    array([[ 0.8, -1. ]])
    """
    return normalised(linear)(X, Y)


def quadratic(X: ArrayLike, Y: ArrayLike | None = None) -> Array:
    """The kernel (1 + x.y)^2: positive definite, nowhere negative, of rank C(d + 2, 2).

    (book: The softmax kernel, One table for many attentions)

    >>> quadratic([[1.0], [2.0]])
    array([[ 4.,  9.],
           [ 9., 25.]])
    """
    return polynomial(X, Y, degree=2, coef0=1.0)


VARIANTS = {
    "exponential": exponential,
    "gaussian": gaussian,
    "elu + 1": elu_kernel,
    "squared relu": squared_relu,
    "cosine": cosine,
    "quadratic": quadratic,
}


@dataclass(frozen=True)
class Traits:
    """What a sample of points shows of a similarity.

    (book: The softmax kernel, One table for many attentions)

    >>> Traits(smallest_eigenvalue=-0.2, rounding=1e-15, smallest_entry=0.0, rank=3).positive_definite
    False
    """

    smallest_eigenvalue: float  # below -rounding: not positive definite
    rounding: float
    smallest_entry: float  # negative: attention weights may be negative, row sums may vanish
    rank: int  # stays put as points are added: finite features, linear time

    @property
    def positive_definite(self) -> bool:
        return self.smallest_eigenvalue >= -self.rounding


def traits(kernel: Kernel, X: ArrayLike) -> Traits:
    """The traits of a similarity on the points X (n, d): evidence against, never a proof for.

    (book: The softmax kernel, One table for many attentions)

    >>> seen = traits(cosine, np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 1.0]]))
    >>> seen.positive_definite, seen.rank, seen.smallest_entry < 0
    (True, 2, True)
    """
    require_kernels(kernel)
    K = require_matrix(kernel(X), np.shape(X)[0], np.shape(X)[0])
    return Traits(smallest_eigenvalue(K), rounding_level(K), float(K.min()), numerical_rank(K))
