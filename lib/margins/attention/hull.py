"""Which keys can win a query, and when the winner is the nearest one: the largest inner products."""

from __future__ import annotations

import numpy as np

from margins._types import Array, ArrayLike
from margins.attention.inputs import broadcast_rows
from margins.least_distance import least_distance
from margins.validation import finite_array, positive, squarable


def gaussian_lift(queries: ArrayLike, keys: ArrayLike, *, bandwidth: float = 1.0) -> tuple[Array, Array]:
    """Queries (q/h^2, 1) and keys (k, -|k|^2/2h^2), whose logits are -|q - k|^2/2h^2 plus |q|^2/2h^2.

    Softmax attention with scale 1 on the lifted vectors is therefore Gaussian
    Nadaraya-Watson regression, and hard attention is the nearest neighbour. Both are free of
    |k|: the lift repairs what unequal key norms break
    (book: Attention as Nadaraya-Watson regression, Nearest neighbours and exposed points).

    >>> queries, keys = gaussian_lift([[1.0]], [[0.0], [3.0]])
    >>> queries @ keys.T  # -|q - k|^2/2 + |q|^2/2
    array([[ 0. , -1.5]])
    """
    queries, keys = broadcast_rows(queries=queries, keys=keys)
    bandwidth = positive("bandwidth", bandwidth)
    ones = np.ones((*queries.shape[:-1], 1), queries.dtype)
    with np.errstate(over="ignore"):
        shrunk = keys / bandwidth
        half_squares = np.einsum("...d,...d->...", shrunk, shrunk)[..., None] / 2
        lifted = (queries / bandwidth / bandwidth, ones), (keys, -half_squares)
    lifted_queries, lifted_keys = (np.concatenate(parts, axis=-1) for parts in lifted)
    if not (np.isfinite(lifted_queries).all() and np.isfinite(lifted_keys).all()):
        raise ValueError(
            f"bandwidth {bandwidth!r} is too small for these queries and keys: their lift overflows"
        )
    return lifted_queries, lifted_keys  # (..., n, d + 1), (..., m, d + 1)


def winning_keys(keys: ArrayLike) -> Array:
    """A Boolean vector (m,): key j is the unique largest inner product of some query q in R^d.

    These are the exposed points of the convex hull, hence its vertices (book: Attention as Nadaraya-Watson
    regression, Nearest neighbours and exposed points).

    >>> winning_keys([[1.0, 0.0], [-1.0, 1.0], [-1.0, -1.0], [0.0, 0.0]])  # the last lies inside
    array([ True,  True,  True, False])
    """
    keys = squarable("keys", finite_array("keys", keys, ndim=2, dtype=np.float64))
    return np.array([is_exposed(keys, j) for j in range(len(keys))])


def is_exposed(points: Array, index: int) -> bool:
    """Whether some q has a larger inner product with the row `index` of `points` than with every other row.

    Such a q has q.(x - x_i) >= 1 for all others x_i, up to its length (book: Attention as Nadaraya-Watson
    regression, Nearest neighbours and exposed points).
    """
    ahead = points[index] - np.delete(points, index, axis=0)  # (m - 1, d)
    return not len(ahead) or least_distance(ahead).certificate is None
