"""Closure rules: new kernels from old, as functions k(X, Y=None).

Fix a kernel's parameters with `functools.partial`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any

import numpy as np

from margins._types import Array, ArrayLike, Kernel
from margins.kernels.gram import require_matrix, slices
from margins.validation import finite_array, positive, real_array

# Rows at a time of which only k(x, x) is used: fewer mean more calls, more mean more entries unused.
ROWS_OF_A_BLOCK = 32


def summed(*kernels: Kernel) -> Kernel:
    """The kernel k_1(x, y) + ... + k_p(x, y): its features are those of all, side by side.

    (book: Kernels, Closure rules)

    >>> summed(linear, gaussian)([[0.0], [2.0]]).round(3)
    array([[1.   , 0.018],
           [0.018, 5.   ]])
    """
    require_kernels(*kernels)
    return _finite(lambda X, Y: reduce(np.add, (k(X, Y) for k in kernels)))


def multiplied(*kernels: Kernel) -> Kernel:
    """The kernel k_1(x, y) ... k_p(x, y), PSD by Schur's theorem: its features are all products.

    (book: Kernels, Closure rules)

    >>> multiplied(linear, linear)([[1.0], [3.0]])  # (x.y)^2
    array([[ 1.,  9.],
           [ 9., 81.]])
    """
    require_kernels(*kernels)
    return _finite(lambda X, Y: reduce(np.multiply, (k(X, Y) for k in kernels)))


def scaled(kernel: Kernel, factor: float) -> Kernel:
    """The kernel factor * k(x, y) for factor >= 0; a negative factor would turn PSD into its opposite.

    (book: Kernels, Closure rules)

    >>> scaled(linear, 10)([[1.0], [3.0]])
    array([[10., 30.],
           [30., 90.]])
    """
    require_kernels(kernel)
    factor = positive("factor", factor, allow_zero=True)
    return _finite(lambda X, Y: factor * kernel(X, Y))


def modulated(kernel: Kernel, g: Callable[[Array], Array]) -> Kernel:
    """The kernel g(x) k(x, y) g(y): `g` maps rows (n, d) to numbers (n,), of either sign.

    (book: Kernels, Closure rules)

    >>> K = modulated(linear, lambda X: np.exp(-X[:, 0]))
    >>> K([[0.0], [1.0]]).round(3)
    array([[0.   , 0.   ],
           [0.   , 0.135]])
    """
    require_kernels(kernel)

    def values(X):
        got = finite_array("g(X)", g(np.asarray(X)), ndim=1)
        if len(got) != len(X):
            raise ValueError(f"g must give one number a row: {len(X)} rows came in, {len(got)} numbers out")
        return got

    def evaluate(X, Y):
        left = values(X)  # (n,)
        return left[:, None] * kernel(X, Y) * (left if Y is None else values(Y))

    return _finite(evaluate)


def pulled_back(kernel: Kernel, f: Callable[[Any], Any]) -> Kernel:
    """The kernel k(f(x), f(y)): `f` maps rows (n, d) to rows (n, e) of any kind.

    (book: Kernels, Closure rules)

    >>> distance_from_0 = lambda X: np.linalg.norm(X, axis=1, keepdims=True)
    >>> pulled_back(linear, distance_from_0)([[3.0, 4.0], [0.0, 1.0]])
    array([[25.,  5.],
           [ 5.,  1.]])
    """
    require_kernels(kernel)
    return _finite(lambda X, Y: kernel(f(np.asarray(X)), None if Y is None else f(np.asarray(Y))))


def power_series(kernel: Kernel, coefficients: ArrayLike) -> Kernel:
    """The kernel sum_p a_p k(x, y)^p for a_p >= 0: sums, products, scalings and limits in one.

    With k linear and a_p = 1/p! it tends to exp(x.y), which is why the softmax kernel is
    positive definite (book: The softmax kernel, Which kernel is inside attention?).

    >>> power_series(linear, [1, 1, 1 / 2])([[1.0], [2.0]])  # 1 + s + s^2/2 at s = x.y
    array([[ 2.5,  5. ],
           [ 5. , 13. ]])
    """
    require_kernels(kernel)
    coefficients = finite_array("coefficients", coefficients, ndim=1, dtype=np.float64)
    if coefficients.min() < 0:
        raise ValueError(f"coefficients must be >= 0, but {coefficients.min():g} is among them")

    def series(X, Y):
        K = kernel(X, Y)
        return reduce(lambda total, a: total * K + a, coefficients[::-1].tolist(), np.zeros_like(K))

    return _finite(series)


def normalised(kernel: Kernel) -> Kernel:
    """The kernel k(x, y) / sqrt(k(x, x) k(y, y)), the cosine of the angle between features.

    (book: Kernels, Closure rules)

    >>> normalised(linear)([[1.0, 0.0], [3.0, 4.0]])
    array([[1. , 0.6],
           [0.6, 1. ]])
    """
    require_kernels(kernel)

    def inverse_norm(X):
        X = finite_array("X", X, ndim=2)
        blocks = [X[few] for few in slices(len(X), ROWS_OF_A_BLOCK)]
        diagonals = [np.diagonal(require_matrix(kernel(few), len(few), len(few))) for few in blocks]
        squares = real_array("kernel(x, x)", np.concatenate(diagonals))  # (n,)
        least = np.finfo(squares.dtype).tiny  # below it numbers lose their digits
        if not squares.min() >= least:
            got = f"it is {squares.min():g} at one"
            raise ValueError(f"kernel(x, x) must be > 0, and at least {least:.1e}, at every row, but {got}")
        return squares**-0.5

    return modulated(kernel, inverse_norm)


def _finite(evaluate):
    """The kernel k(X, Y=None) = evaluate(X, Y), refused where it overflows or is no matrix (n, m)."""

    def kernel(X, Y=None):
        with np.errstate(over="ignore", invalid="ignore"):
            K = evaluate(X, Y)
        require_matrix(K, len(X), len(X if Y is None else Y))
        if not np.isfinite(K).all():
            raise ValueError("the kernel made from others is not finite on these X and Y; rescale them")
        return K

    return kernel


def require_kernels(*kernels: object) -> None:
    """A refusal of no kernel at all, and of what is no function."""
    if not kernels:
        raise ValueError("expected at least one kernel, but got none")
    for kernel in kernels:
        if not callable(kernel):
            raise ValueError(f"a kernel must be a function k(X, Y=None) such as `linear`, but got {kernel!r}")
