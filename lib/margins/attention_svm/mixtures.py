"""The mixtures that heads want, before any training: sparsemax, the nearest point of a hull, silence."""

from __future__ import annotations

from math import comb

import numpy as np

from margins._extras import extra
from margins._types import Array, ArrayLike
from margins.validation import count, finite_array, squarable

LARGEST_RESIDUAL = 1e-9  # relative residual below which least squares has hit its target


def sparsemax(y: ArrayLike) -> Array:
    """The point of the simplex nearest to y, max(0, y_t - rho) with rho such that the sum is 1.

    Leading axes hold independent problems. With y = gamma / 2 lambda it is the mixture of orthonormal tokens
    that a concave head wants (book: Nonlinear heads, Sparsemax).

    >>> sparsemax([1.0, 0.8, 0.1]).round(6)
    array([0.6, 0.4, 0. ])
    """
    y = finite_array("y", y, dtype=np.float64)
    if y.ndim == 0 or y.shape[-1] == 0:
        raise ValueError(f"y must be (..., T) with T >= 1, but its shape is {y.shape}")
    ordered = -np.sort(-y, axis=-1)  # (..., T)
    levels = (np.cumsum(ordered, axis=-1) - 1) / np.arange(1, y.shape[-1] + 1)
    kept = (ordered > levels).sum(axis=-1, keepdims=True)  # (..., 1)
    return np.maximum(y - np.take_along_axis(levels, kept - 1, axis=-1), 0.0)


def nearest_mixture(X: ArrayLike, point: ArrayLike) -> Array:
    """Weights s (T,) on the simplex with X's nearest to `point` (d,), for tokens X (T, d).

    Non-negative least squares of ||(X - point)'u||^2 + (1'u - 1)^2 has u along the answer. The point X's is
    unique, s too if the tokens are affinely independent (book: Nonlinear heads, A concave square wants the
    nearest point).

    >>> nearest_mixture(np.array([[0.0, 0.0], [2.0, 0.0]]), np.array([0.5, 3.0])).round(6)
    array([0.75, 0.25])
    """
    with extra("solvers", "margins.attention_svm.nearest_mixture"):
        from scipy.optimize import nnls

    X, point = _tokens(X), squarable("point", finite_array("point", point, dtype=np.float64))
    if point.shape != X.shape[1:]:
        raise ValueError(f"point must be {X.shape[1:]} beside X of {X.shape}, but its shape is {point.shape}")
    away = X - point
    scale = np.linalg.norm(away, axis=1).max() or 1.0
    u, _ = nnls(np.vstack([away.T / scale, np.ones(len(X))]), np.append(np.zeros(X.shape[1]), 1.0))
    return u / u.sum()


def is_silenced(X: ArrayLike, V: ArrayLike) -> bool:
    """Whether some mixture of the tokens X (T, d) makes all units V_p . x (p, d) of a ReLU head <= 0.

    (book: Nonlinear heads, Silence)

    >>> X = np.array([[1.0, 0.0], [-1.0, 0.0]])
    >>> is_silenced(X, np.array([[1.0, 0.0]])), is_silenced(X + [0.0, 1.0], np.array([[0.0, 1.0]]))
    (True, False)
    """
    with extra("solvers", "margins.attention_svm.is_silenced"):
        from scipy.optimize import nnls

    X, V = _tokens(X), squarable("V", finite_array("V", V, dtype=np.float64))
    if V.ndim != 2 or V.shape[1] != X.shape[1]:
        raise ValueError(f"V must be (units, {X.shape[1]}) beside X of {X.shape}, but its shape is {V.shape}")
    units, T = len(V), len(X)
    activity = V @ X.T  # (p, T)
    activity /= np.maximum(np.abs(activity).max(axis=1, keepdims=True), np.finfo(float).tiny)
    equations = np.block([[activity, np.eye(units)], [np.ones(T), np.zeros(units)]])  # (p + 1, T + p)
    return bool(nnls(equations, np.append(np.zeros(units), 1.0))[1] < LARGEST_RESIDUAL)


def silence_probability(units: int, tokens: int) -> float:
    """The probability 2^(1-N) sum_{k<T} C(N-1, k), N = p + T, that T random tokens silence p random units.

    It needs tokens and units drawn symmetrically in at least T dimensions (book: Nonlinear heads, Silence).

    >>> silence_probability(units=1, tokens=1), silence_probability(units=4, tokens=4)
    (0.5, 0.5)
    """
    units, tokens = count("units", units), count("tokens", tokens)
    N = units + tokens
    return sum(comb(N - 1, k) for k in range(tokens)) / 2 ** (N - 1)


def _tokens(X: ArrayLike) -> Array:
    """Tokens as rows of numbers."""
    return squarable("X", finite_array("X", X, ndim=2, dtype=np.float64))
