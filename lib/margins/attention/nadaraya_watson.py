"""Nadaraya-Watson regression, the estimator of 1964 that attention is."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from margins._types import Array, ArrayLike, Kernel
from margins.attention.energies import (
    checked_kernel,
    negated_energies,
    points,
    relative_weights,
    sample_weights,
    temperature,
)
from margins.kernels.gram import kernel_matrix
from margins.validation import finite_array, positive, same_length, squarable

TILE = 1 << 17  # entries of one tile of energies: a megabyte


def nadaraya_watson(
    queries: ArrayLike,
    keys: ArrayLike,
    values: ArrayLike,
    bandwidth: float,
    *,
    kernel: str | Kernel = "gaussian",
    weights: ArrayLike | None = None,
) -> Array:
    """Nadaraya-Watson regression sum_j K((q - k_j)/h) v_j / sum_j K((q - k_j)/h) at every query q.

    K is exp(-|u|^2/2) ("gaussian") or exp(-|u|_1) ("laplacian"). `queries` (n, d) and `keys` (m, d) are
    points (a vector is points on a line), `values` (m,) or (m, p) the responses at the keys. For every
    bandwidth h > 0, also far from all keys, the answer is a convex combination of values. A function k in
    place of the name is called as k(queries / h, keys / h) and returns the numbers K (n, m). `weights` w_j >=
    0 (m,) multiply K((q - k_j)/h) (book: Attention as Nadaraya-Watson regression, An estimator of 1964).

    >>> nadaraya_watson([0.0, 0.5, 9.0], [0.0, 1.0], [10.0, 20.0], bandwidth=0.5).round(3)
    array([11.192, 15.   , 20.   ])
    """
    kernel, bandwidth = checked_kernel(kernel), positive("bandwidth", bandwidth)
    queries = squarable("queries", points("queries", queries, allow_empty=True))
    keys = squarable("keys", points("keys", keys))
    values = finite_array("values", values, ndim=(1, 2), dtype=np.float64)
    if queries.shape[1] != keys.shape[1]:
        raise ValueError(
            f"queries has {queries.shape[1]} columns and keys has {keys.shape[1]}; expected equally many"
        )
    same_length(keys=keys, values=values)
    shares = None if weights is None else sample_weights("weights", weights, len(keys))
    if shares is not None:
        keys, values, shares = keys[shares > 0], values[shares > 0], shares[shares > 0] / shares.max()
    out = np.empty((len(queries), *values.shape[1:]))
    if not len(queries):
        return out
    weights_at, rows = _weights_by(kernel, queries, keys, bandwidth), max(1, TILE // len(keys))
    for first in range(0, len(queries), rows):
        tile = slice(first, first + rows)
        out[tile] = _means(weights_at(tile), values, shares)
    return out


def _weights_by(
    kernel: str | Kernel, queries: Array, keys: Array, bandwidth: float
) -> Callable[[slice], Array]:
    """The function of a tile of queries that gives its weights (rows, m), up to a factor for each query."""
    if not isinstance(kernel, str):
        return lambda tile: kernel_matrix(kernel, queries[tile] / bandwidth, keys / bandwidth)
    energies = negated_energies(kernel, queries, keys, finest=temperature(kernel, bandwidth))
    return lambda tile: relative_weights(kernel, energies(tile, slice(None)), bandwidth)


def _means(kernel_weights: Array, values: Array, weights: Array | None) -> Array:
    """The weighted means (rows,) or (rows, p), refused where a query's weights do not have a sum > 0."""
    if weights is not None:
        kernel_weights = kernel_weights * weights
    sums = kernel_weights.sum(axis=1)
    if not sums.min() > 0:
        raise ValueError(
            f"the kernel's values at a query must have a sum > 0, but it is {sums.min():g} at one; "
            "choose a larger bandwidth or a kernel that is positive everywhere"
        )
    return kernel_weights @ values / sums.reshape(-1, *[1] * (values.ndim - 1))
