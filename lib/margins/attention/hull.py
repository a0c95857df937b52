"""Which keys can win a query, and when the winner is the nearest one: geometry of the largest inner product.

(book: Attention as Nadaraya-Watson regression, Nearest neighbours and exposed points)
"""

import numpy as np

from margins.attention.inputs import queries_keys
from margins.validation import finite_array, positive


def gaussian_lift(queries, keys, *, bandwidth=1.0):
    """Queries (q/h^2, 1) and keys (k, -|k|^2/2h^2), whose logits are -|q - k|^2/2h^2 plus |q|^2/2h^2.

    Softmax attention with scale 1 on the lifted vectors is therefore Gaussian
    Nadaraya-Watson regression, and hard attention is the nearest neighbour. Both are free of
    |k|: the lift repairs what unequal key norms break
    (book: Attention as Nadaraya-Watson regression, Nearest neighbours and exposed points).
    """
    queries, keys = queries_keys(queries, keys)
    bandwidth = positive("bandwidth", bandwidth)
    ones = np.ones((*queries.shape[:-1], 1), queries.dtype)
    with np.errstate(over="ignore", divide="ignore"):
        half_squares = np.einsum("...d,...d->...", keys, keys)[..., None] / (2 * bandwidth**2)
        lifted = (queries / bandwidth**2, ones), (keys, -half_squares)
    lifted_queries, lifted_keys = (np.concatenate(parts, axis=-1) for parts in lifted)
    if not (np.isfinite(lifted_queries).all() and np.isfinite(lifted_keys).all()):
        raise ValueError(
            f"bandwidth {bandwidth!r} is too small for these queries and keys: their lift overflows"
        )
    return lifted_queries, lifted_keys  # (..., n, d + 1), (..., m, d + 1)


def winning_keys(keys):
    """A Boolean vector (m,): key j is the unique largest inner product of some query q in R^d.

    By definition these are the exposed points of the convex hull, hence its vertices:
    max t subject to q.(k_j - k_i) >= t for i != j and |q|_inf <= 1 is positive exactly there
    (book: Attention as Nadaraya-Watson regression, Nearest neighbours and exposed points).
    """
    keys = finite_array("keys", keys, ndim=2, dtype=np.float64)
    centred = keys - keys.mean(axis=0)
    size = np.abs(centred).max()
    return np.array([_is_exposed(centred / (size or 1.0), j) for j in range(len(keys))])


def _is_exposed(keys, j):
    """Whether some hyperplane touches the hull of `keys` (m, d) at key j alone."""
    from scipy.optimize import linprog

    others = np.delete(keys, j, axis=0)
    if len(others) == 0:
        return True
    width = keys.shape[1]
    objective = np.r_[np.zeros(width), -1.0]  # variables (q, t), maximise t
    constraints = np.column_stack([others - keys[j], np.ones(len(others))])  # q.(k_i - k_j) + t <= 0
    bounds = [(-1, 1)] * width + [(None, 1)]
    answer = linprog(objective, A_ub=constraints, b_ub=np.zeros(len(others)), bounds=bounds)
    if answer.status != 0:
        raise RuntimeError(f"the linear program of key {j} was not solved: {answer.message}")
    return bool(-answer.fun > 1e-6)
