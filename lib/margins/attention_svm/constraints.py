"""The constraints of an attention SVM: each chosen token ahead of the others of its sequence by 1."""

from __future__ import annotations

from typing import Any

import numpy as np

from margins._records import frozen
from margins._types import Array, ArrayLike
from margins.attention_svm.data import ROUNDING, TokenData, checked_data, require_squares
from margins.attention_svm.gradient import checked_matrix


@frozen
class PairConstraints:
    """The constraints (x_{i alpha_i} - x_it)' W z_i >= 1, one a pair (i, t) with t != alpha_i.

    Their order is i, then t. Differences are zero where there is no constraint: at the chosen token and where
    the mask hides one (book: Attention converges to an SVM, The attention SVM).
    """

    differences: Array  # (n, T, d), x_{i alpha_i} - x_it
    queries: Array  # (n, d), or (n, q) in coordinates of their span
    present: Array  # (n, T)

    def __getitem__(self, index: Any) -> PairConstraints:
        """The constraints of the set at `index`, where there are leading axes."""
        return PairConstraints(self.differences[index], self.queries[index], self.present[index])

    @property
    def flat(self) -> tuple[Array, Array]:
        """Difference and query of each constraint, one a row."""
        sequence = np.nonzero(self.present)[0]
        return self.differences[self.present], self.queries[sequence]  # (m, d), (m, d)

    @property
    def rows(self) -> Array:
        """The constraints as vectors, the outer products (x_alpha - x_t) z' laid flat."""
        differences, queries = self.flat
        size = differences.shape[1] * queries.shape[1]
        return (differences[:, :, None] * queries[:, None, :]).reshape(-1, size)  # (m, d d)

    @property
    def lengths(self) -> Array:
        """The norms ||x_alpha - x_t|| ||z|| of the rows, zero for a duplicate of the chosen token."""
        differences, queries = self.flat
        return np.linalg.norm(differences, axis=1) * np.linalg.norm(queries, axis=1)  # (m,)

    @property
    def rows_size(self) -> int:
        """The number of entries of the rows."""
        return int(self.present.sum()) * self.differences.shape[2] * self.queries.shape[1]

    @property
    def rows_rank(self) -> int:
        """An upper bound on the rank of the rows: their number, and d times the rank of the queries."""
        n, d = self.queries.shape
        return min(int(self.present.sum()), d * min(n, d))

    def spread(self, values: Array) -> Array:
        """Values of the constraints (m,) in their places (n, T), zero in the other places."""
        grid = np.zeros(self.present.shape)
        grid[self.present] = values
        return grid

    def margins(self, W: Array) -> Array:
        """The left-hand sides (x_alpha - x_t)' W z, laid out as (n, T)."""
        return (self.differences @ (self.queries @ W.T)[:, :, None])[..., 0]  # (n, T)

    def combination(self, weights: Array) -> Array:
        """The matrix sum of weights_it (x_alpha - x_t) z' for weights (n, T)."""
        return (weights[:, None, :] @ self.differences)[:, 0].T @ self.queries  # (d, d)


def span_basis(rows: Array) -> Array:
    """Orthonormal columns whose span holds the rows (..., k, d): (..., d, min(k, d))."""
    *batch, k, d = rows.shape
    return np.linalg.qr(rows.mT)[0] if k < d else np.broadcast_to(np.eye(d), (*batch, d, d))


def pair_constraints(data: TokenData, tokens: ArrayLike) -> PairConstraints:
    """The `PairConstraints` of token data and a token a sequence, with the leading axes of the data.

    A difference within the rounding of its two tokens becomes exactly zero: such tokens are duplicates.
    """
    tokens = checked_tokens(data, tokens)
    chosen = np.take_along_axis(data.X, tokens[..., None, None], axis=-2)  # (..., n, 1, d)
    differences = chosen - data.X  # (..., n, T, d)
    present = data.allowed & (np.arange(data.X.shape[-2]) != tokens[..., None])
    rounding = ROUNDING * np.maximum(np.abs(chosen), np.abs(data.X)).max(axis=-1)
    duplicate = np.abs(differences).max(axis=-1) <= rounding  # (..., n, T)
    differences = np.where((present & ~duplicate)[..., None], differences, 0.0)
    require_squares(differences, data.Z[..., None, :])
    return PairConstraints(differences, data.Z, present)


def token_margins(data: TokenData, tokens: ArrayLike, W: ArrayLike) -> Array:
    """The gaps (x_{i alpha_i} - x_it)' W z_i, infinite at the chosen and at the hidden tokens.

    (book: Attention converges to an SVM, The attention SVM)

    >>> data = random_token_data(2, 3, 4, rng=np.random.default_rng(0))
    >>> svm = frobenius_svm(data, data.optimal_tokens)
    >>> token_margins(data, data.optimal_tokens, svm.W).min().round(6)
    np.float64(1.0)
    """
    constraints, matrix = pair_constraints(data, tokens), checked_matrix("W", W, data)[0]
    return np.where(constraints.present, constraints.margins(matrix), np.inf)  # (n, T)


def checked_tokens(data: TokenData, tokens: ArrayLike) -> Array:
    """`tokens` as integers (..., n), each a token that its query may attend to."""
    tokens, expected = np.asarray(tokens), checked_data(data).Y.shape
    if tokens.shape != expected or tokens.dtype.kind not in "iu":
        got = f"{tokens.dtype} of shape {tokens.shape}"
        raise ValueError(f"tokens must be integers of shape {expected}, one a sequence, but they are {got}")
    count = data.X.shape[-2]
    if tokens.min() < 0 or tokens.max() >= count:
        raise ValueError(f"tokens must lie in 0..{count - 1}, but they hold {tokens.min()}..{tokens.max()}")
    if data.mask is not None:
        hidden = ~np.take_along_axis(data.mask, tokens[..., None], axis=-1)[..., 0]
        if hidden.any():
            where = np.argwhere(hidden)[0].tolist()
            raise ValueError(
                f"tokens must be attended to, but the mask hides the one chosen in sequence {where}"
            )
    return tokens
