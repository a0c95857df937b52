"""Nadaraya-Watson regression, the estimator of 1964 that attention is.

(book: Attention as Nadaraya-Watson regression, An estimator of 1964)
"""

import numpy as np

from margins.attention.energies import (
    TEMPERATURE,
    negated_energies,
    points,
    relative_weights,
    temperature,
)
from margins.octaves import octave
from margins.validation import finite_array, one_of, positive, same_length

TILE = 1 << 17  # entries of one tile of energies: a megabyte


def nadaraya_watson(queries, keys, values, bandwidth, *, kernel="gaussian"):
    """Nadaraya-Watson regression sum_j K((q - k_j)/h) v_j / sum_j K((q - k_j)/h) at every query q.

    K is exp(-|u|^2/2) ("gaussian") or exp(-|u|_1) ("laplacian"). `queries` (n, d) and `keys`
    (m, d) are points (a vector is points on a line), `values` (m,) or (m, p) the responses
    at the keys. For every bandwidth h > 0, also far from all keys, the answer is a convex
    combination of values (book: Attention as Nadaraya-Watson regression, An estimator of 1964).

    >>> nadaraya_watson([0.0, 0.5, 9.0], [0.0, 1.0], [10.0, 20.0], bandwidth=0.5).round(3)
    array([11.192, 15.   , 20.   ])
    """
    one_of("kernel", kernel, tuple(TEMPERATURE))
    bandwidth = positive("bandwidth", bandwidth)
    queries, keys = points("queries", queries, allow_empty=True), points("keys", keys)
    values = finite_array("values", values, ndim=(1, 2), dtype=np.float64)
    if queries.shape[1] != keys.shape[1]:
        raise ValueError(
            f"queries has {queries.shape[1]} columns and keys has {keys.shape[1]}; expected equally many"
        )
    same_length(keys=keys, values=values)
    if not len(queries):
        return np.empty((0, *values.shape[1:]))
    exponent = octave(queries, keys)
    queries, keys = np.ldexp(queries, -exponent), np.ldexp(keys, -exponent)
    bandwidth = max(np.ldexp(bandwidth, -exponent), np.finfo(np.float64).tiny)
    energies = negated_energies(kernel, queries, keys, finest=temperature(kernel, bandwidth))
    out = np.empty((len(queries), *values.shape[1:]))
    rows = max(1, TILE // len(keys))
    for first in range(0, len(queries), rows):
        tile = slice(first, first + rows)
        weights = relative_weights(kernel, energies(tile, slice(None)), bandwidth)  # (rows, m)
        out[tile] = weights @ values / weights.sum(axis=1).reshape(-1, *[1] * (values.ndim - 1))
    return out
