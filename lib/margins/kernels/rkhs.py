"""Functions in the space of a kernel: their norm, ridge regression, and what the norm promises.

f = sum_i alpha_i k(x_i, .) is written by its
coefficients alpha (n,), or (n, q) for q functions at once, and the Gram matrix K of the x_i.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from margins._types import Array, ArrayLike
from margins.kernels.diagnostics import rounding_level, symmetric_matrix
from margins.validation import count, finite_array, positive, same_length, squarable


def rkhs_norm(alpha: ArrayLike, K: ArrayLike) -> Any:
    """The norm ||f|| = sqrt(alpha' K alpha) of f = sum_i alpha_i k(x_i, .).

    (book: Kernels, The space of functions)

    >>> rkhs_norm([3.0, 4.0], np.eye(2))
    np.float64(5.0)
    """
    K = squarable("K", symmetric_matrix("K", K))
    alpha = _rows_for(K, "alpha", alpha)  # (n,) or (n, q)
    with np.errstate(over="ignore", invalid="ignore"):
        square = np.einsum("i...,i...->...", alpha, K @ alpha)
    if not np.isfinite(square).all():
        raise ValueError("alpha' K alpha overflows; rescale alpha or K")
    if np.min(square) < -rounding_level(K) * (alpha**2).sum():
        raise ValueError(f"K must be positive semi-definite, but alpha' K alpha is {np.min(square):g}")
    return np.sqrt(np.maximum(square, 0))[()]


def kernel_ridge(K: ArrayLike, y: ArrayLike, *, penalty: float) -> Array:
    """The coefficients alpha = (K + penalty I)^-1 y of kernel ridge regression.

    f = sum_i alpha_i k(x_i, .) minimises sum_i (y_i - f(x_i))^2 + penalty ||f||^2 over the
    whole space: the representer theorem at work (book: Kernels, Kernel ridge regression).

    >>> alpha = kernel_ridge(linear([[1.0], [2.0]]), [1.0, 2.0], penalty=5.0)
    >>> (alpha @ [1.0, 2.0]).round(6)  # the slope, shrunk from 1
    np.float64(0.5)
    """
    ridged, y = _ridged(K, y, penalty)
    return np.linalg.solve(ridged, y)


def leave_one_out_residuals(K: ArrayLike, y: ArrayLike, *, penalty: float) -> Array:
    """The errors y_i - f_{-i}(x_i) of ridge regressions fitted without point i, from one fit.

    They are alpha_i / G_ii with G = (K + penalty I)^-1 (book: Kernels, Kernel ridge regression).

    >>> K = gaussian([[0.0], [1.0], [2.0]])
    >>> leave_one_out_residuals(K, [0.0, 1.0, 0.0], penalty=0.1).round(3)
    array([-0.37,  1.  , -0.37])
    """
    ridged, y = _ridged(K, y, penalty)
    G = np.linalg.inv(ridged)
    return ((G @ y).T / np.diagonal(G)).T


def _ridged(K: ArrayLike, y: ArrayLike, penalty: float) -> tuple[Array, Array]:
    """The matrix K + penalty I, refused unless it is positive definite, and y with as many rows."""
    K = symmetric_matrix("K", K)
    y = _rows_for(K, "y", y)
    ridged = K + positive("penalty", penalty) * np.eye(len(K), dtype=K.dtype)
    try:
        np.linalg.cholesky(ridged)
    except np.linalg.LinAlgError:
        raise ValueError(
            f"K + penalty I must be positive definite; with penalty={penalty:g} it is not, "
            "because K is indefinite or the penalty is lost in its rounding"
        ) from None
    return ridged, y


def embedding_distance(K_xx: ArrayLike, K_xy: ArrayLike, K_yy: ArrayLike) -> float:
    """The distance ||mu_x - mu_y|| between the mean features of two samples.

    It is the largest gap between the means of f on the two samples over the unit ball,
    sup (1/n) sum_i f(x_i) - (1/m) sum_j f(y_j) (book: Kernels, What the norm promises).

    >>> X, Y = [[0.0], [2.0]], [[4.0], [6.0]]
    >>> embedding_distance(linear(X), linear(X, Y), linear(Y))  # of the means, for the linear kernel
    4.0
    """
    K_xx, K_yy = symmetric_matrix("K_xx", K_xx), symmetric_matrix("K_yy", K_yy)
    K_xy = finite_array("K_xy", K_xy, ndim=2)
    if K_xy.shape != (len(K_xx), len(K_yy)):
        raise ValueError(f"K_xy must have shape {(len(K_xx), len(K_yy))}, but its shape is {K_xy.shape}")
    square = K_xx.mean(dtype=np.float64) - 2 * K_xy.mean(dtype=np.float64) + K_yy.mean(dtype=np.float64)
    return math.sqrt(max(square, 0.0))


def generalisation_bound(
    n: int,
    *,
    radius: float,
    kappa: float = 1.0,
    lipschitz: float = 1.0,
    loss_range: float = 1.0,
    delta: float = 0.05,
) -> float:
    """The bound 2 L B kappa / sqrt n + M sqrt(log(1/delta) / 2n) on risk minus empirical risk.

    It holds with probability 1 - delta for all f of norm <= B = `radius` at once, on n
    independent points with k(x, x) <= kappa^2, for an L-Lipschitz loss with values in [0, M];
    B must be fixed before the data are seen (book: Kernels, What the norm promises).

    >>> round(generalisation_bound(10_000, radius=5.0), 3)
    0.112
    """
    n, delta = count("n", n), positive("delta", delta)
    if delta >= 1:
        raise ValueError(f"delta must be a probability below 1, but got {delta!r}")
    B, kappa, L = positive("radius", radius), positive("kappa", kappa), positive("lipschitz", lipschitz)
    M = positive("loss_range", loss_range)
    return 2 * L * B * kappa / math.sqrt(n) + M * math.sqrt(math.log(1 / delta) / (2 * n))


def _rows_for(K: Array, name: str, value: ArrayLike) -> Array:
    """The array of this name, with as many rows as K."""
    array = finite_array(name, value, ndim=(1, 2))
    same_length(K=K, **{name: array})
    return array
