"""A metric learned for attention: keys and queries are A x, and A falls down the error left out."""

from __future__ import annotations

import numpy as np

from margins._types import Array, ArrayLike
from margins.kernels.distances import negated_distances
from margins.validation import count, finite_array, finite_product, positive, same_length, summable_squares


def left_out(A: ArrayLike, X: ArrayLike, y: ArrayLike) -> tuple[float, Array]:
    """The error left out of attention with logits -|A(x_i - x_j)|^2 / 2, and its gradient (r, d).

    It is the mean square; each value is estimated from all others. `A` is (r, d), `X` (n, d), `y` (n,).
    With weights s_ij, estimates f_i and c_ij = (2/n)(f_i - y_i) s_ij (y_j - f_i) the gradient is
    -A sum_ij c_ij (x_i - x_j)(x_i - x_j)' (book: Beyond the equivalence, A learned metric).

    >>> error, gradient = left_out(np.eye(1), [[0.0], [1.0], [2.0]], [0.0, 1.0, 0.0])
    >>> round(error, 3), gradient.shape
    (0.779, (1, 1))
    """
    return _left_out(*_checked(A, X, y))


def _checked(A: ArrayLike, X: ArrayLike, y: ArrayLike) -> tuple[Array, Array, Array]:
    """A (r, d), the points X (n, d) about their mean, for differences alone count, and y (n,)."""
    A, X = finite_array("A", A, ndim=2, dtype=np.float64), finite_array("X", X, ndim=2, dtype=np.float64)
    y = finite_array("y", y, ndim=1, min_rows=2, dtype=np.float64)
    same_length(X=X, y=summable_squares("y", y))
    if A.shape[1] != X.shape[1]:
        raise ValueError(f"A must have {X.shape[1]} columns as X has, but its shape is {A.shape}")
    return A, summable_squares("X", X) - X.mean(axis=0), y


def _left_out(A: Array, X: Array, y: Array) -> tuple[float, Array]:
    """The error and its gradient, refused where a step has grown A so far that squares overflow."""
    weights = _others(summable_squares("the product X A'", finite_product("X A'", X, A.T)))  # (n, n)
    estimates = weights @ y
    blame = 2 / len(y) * (estimates - y)[:, None] * weights * (y - estimates[:, None])  # (n, n)
    spread = np.diag(blame.sum(axis=0) + blame.sum(axis=1)) - blame - blame.T
    return float(np.mean((estimates - y) ** 2)), -A @ (X.T @ spread @ X)


def _others(points: Array) -> Array:
    """The Gaussian attention weights (n, n) between points, none on the diagonal."""
    logits = np.empty((len(points), len(points)))
    negated_distances(points, points, power=2, scale=0.5)(slice(None), slice(None), logits)
    np.fill_diagonal(logits, -np.inf)
    weights = np.exp(logits - logits.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True)


def learn_metric(A: ArrayLike, X: ArrayLike, y: ArrayLike, *, steps: int = 400, rate: float = 0.5) -> Array:
    """The matrices (steps + 1, r, d) of gradient descent on the error left out, from `A` on.

    (book: Beyond the equivalence, A learned metric)

    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(40, 2))
    >>> A = learn_metric(np.eye(2), X, X[:, 0], steps=50)[-1]
    >>> bool(np.linalg.norm(A[:, 0]) > np.linalg.norm(A[:, 1]))  # the second column says nothing of y
    True
    """
    steps, rate = count("steps", steps), positive("rate", rate)
    A, X, y = _checked(A, X, y)
    seen = [A]
    for _ in range(steps):
        seen.append(seen[-1] - rate * _left_out(seen[-1], X, y)[1])
    return np.array(seen)
