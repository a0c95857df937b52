"""Smoothing kernels written as exp(-energy / temperature), the form in which attention has them.

(book: Attention as Nadaraya-Watson regression, Bandwidth is temperature)
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from margins._types import Array, ArrayLike, Kernel
from margins.kernels.distances import negated_distances, negated_squares
from margins.validation import finite_array

TEMPERATURE = {"gaussian": (1, 2), "laplacian": (1,)}  # h * 2h and h: the factors of the bandwidth


def points(name: str, value: ArrayLike, *, allow_empty: bool = False) -> Array:
    """Points as the rows of a finite float64 matrix (n, d); a vector is n points on a line."""
    if np.ndim(value) == 1:
        value = finite_array(name, value, dtype=np.float64, allow_empty=allow_empty)[:, None]
    return finite_array(name, value, ndim=2, dtype=np.float64, allow_empty=allow_empty)


def checked_kernel(kernel: str | Kernel) -> str | Kernel:
    """The name of a smoothing kernel, or a function k(X, Y) -> (n, m); anything else is refused."""
    if callable(kernel):
        return kernel
    if not isinstance(kernel, str) or kernel not in TEMPERATURE:
        names = ", ".join(map(repr, TEMPERATURE))
        raise ValueError(f"kernel must be one of {names}, or a function k(X, Y), but got {kernel!r}")
    return kernel


def sample_weights(name: str, weights: ArrayLike, n: int) -> Array:
    """Weights >= 0 of n samples (n,), not all zero."""
    weights = finite_array(name, weights, ndim=1, dtype=np.float64)
    if len(weights) != n:
        raise ValueError(f"{name} must have {n} entries, one a sample, but it has {len(weights)}")
    if weights.min() < 0 or weights.max() == 0:
        raise ValueError(f"{name} must be >= 0 and not all zero, but the smallest is {weights.min():g}")
    return weights


def temperature(kernel: str, bandwidths: Array | float) -> Array:
    """The temperatures 2 h^2 (gaussian) or h (laplacian) of bandwidths h."""
    with np.errstate(over="ignore", under="ignore"):
        return np.prod([factor * np.asarray(bandwidths) for factor in TEMPERATURE[kernel]], axis=0)


def negated_energies(
    kernel: str, X: Array, Y: Array, *, finest: float | Array
) -> Callable[[slice, slice], Array]:
    """A tile-maker (rows, columns): -|x - y|^2 (gaussian) or -|x - y|_1 (laplacian) of those rows of X and Y.

    Their digits suffice for all temperatures down to `finest`.
    """
    if kernel == "laplacian":
        exponents = negated_distances(X, Y, power=1, scale=1.0)
    else:
        with np.errstate(over="ignore", divide="ignore"):
            exponents = negated_squares(X, Y, scale=1.0, sharpest=float(np.divide(1.0, finest)))

    def tile(rows, columns):
        E = np.empty((len(X[rows]), len(Y[columns])))
        exponents(rows, columns, E)
        return np.minimum(E, 0, out=E)

    return tile


def relative_weights(kernel: str, E: Array, bandwidth: float) -> Array:
    """The weights exp(E / temperature) relative to the largest of each row, in the memory of `E` = -energy.

    Energies count from the row's smallest, so one weight is 1 and no row sums to 0. The
    bandwidth divides once for every factor, because the temperature may be too small for a number.
    """
    E -= E.max(axis=1, keepdims=True)
    with np.errstate(over="ignore"):
        for factor in TEMPERATURE[kernel]:
            E /= factor * bandwidth
    return np.exp(E, out=E)
