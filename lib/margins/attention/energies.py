"""Smoothing kernels written as exp(-energy / temperature), the form in which attention has them.

(book: Attention as Nadaraya-Watson regression, Bandwidth is temperature)
"""

import numpy as np

from margins.validation import finite_array

POWER = {"gaussian": 2, "laplacian": 1}  # temperature = bandwidth^power


def points(name, value):
    """Points as the rows of a finite float64 matrix (n, d); a vector is n points on a line."""
    array = finite_array(name, value, dtype=np.float64)
    array = finite_array(name, array[:, None] if array.ndim == 1 else array, ndim=2)
    largest = np.abs(array).max()
    if not largest < np.sqrt(np.finfo(np.float64).max / (8 * array.shape[1])):
        raise ValueError(f"{name} has entries up to {largest:.1e}, whose squares overflow; rescale them")
    return array


def energy(kernel, X, Y):
    """The matrix (n, m) of energies |x - y|^2 / 2 (gaussian) or |x - y|_1 (laplacian).

    `X` and `Y` should be centred: the Gaussian energies come from one matrix product, whose
    cancellation grows with the distance from the origin.
    """
    if kernel == "laplacian":
        return sum(np.abs(np.subtract.outer(x, y)) for x, y in zip(X.T, Y.T, strict=True))
    E = X @ Y.T
    np.subtract(np.einsum("id,id->i", Y, Y) / 2, E, out=E)
    E += np.einsum("id,id->i", X, X)[:, None] / 2
    return np.maximum(E, 0, out=E)


def relative_weights(kernel, E, bandwidth):
    """The weights exp(-E / bandwidth^power) relative to the largest of each row, in the memory of `E`.

    Energies count from the row's smallest, so one weight is 1 and no row sums to 0. The
    bandwidth divides once for every power, because its square may be too small for a number.
    """
    E -= E.min(axis=1, keepdims=True)
    with np.errstate(over="ignore"):
        for _ in range(POWER[kernel]):
            E /= -bandwidth if _ == 0 else bandwidth
    return np.exp(E, out=E)
