"""Smoothing kernels written as exp(-energy / temperature), the form in which attention has them.

(book: Attention as Nadaraya-Watson regression, Bandwidth is temperature)
"""

import numpy as np

from margins.kernels.distances import negated_distances, negated_squares
from margins.validation import finite_array

TEMPERATURE = {"gaussian": (1, 2), "laplacian": (1,)}  # h * 2h and h: the factors of the bandwidth


def points(name, value, *, allow_empty=False):
    """Points as the rows of a finite float64 matrix (n, d); a vector is n points on a line."""
    array = finite_array(name, value, dtype=np.float64, allow_empty=allow_empty)
    return finite_array(name, array[:, None] if array.ndim == 1 else array, ndim=2, allow_empty=allow_empty)


def temperature(kernel, bandwidths):
    """The temperatures 2 h^2 (gaussian) or h (laplacian) of bandwidths h."""
    with np.errstate(over="ignore", under="ignore"):
        return np.prod([factor * bandwidths for factor in TEMPERATURE[kernel]], axis=0)


def negated_energies(kernel, X, Y, *, finest):
    """A tile-maker (rows, columns): -|x - y|^2 (gaussian) or -|x - y|_1 (laplacian) of those rows of X and Y.

    Their digits suffice for all temperatures down to `finest`.
    """
    if kernel == "laplacian":
        exponents = negated_distances(X, Y, power=1, scale=1.0)
    else:
        with np.errstate(over="ignore", divide="ignore"):
            exponents = negated_squares(X, Y, scale=1.0, sharpest=np.divide(1.0, finest))

    def tile(rows, columns):
        E = np.empty((len(X[rows]), len(Y[columns])))
        exponents(rows, columns, E)
        return np.minimum(E, 0, out=E)

    return tile


def relative_weights(kernel, E, bandwidth):
    """The weights exp(E / temperature) relative to the largest of each row, in the memory of `E` = -energy.

    Energies count from the row's smallest, so one weight is 1 and no row sums to 0. The
    bandwidth divides once for every factor, because the temperature may be too small for a number.
    """
    E -= E.max(axis=1, keepdims=True)
    with np.errstate(over="ignore"):
        for factor in TEMPERATURE[kernel]:
            E /= factor * bandwidth
    return np.exp(E, out=E)
