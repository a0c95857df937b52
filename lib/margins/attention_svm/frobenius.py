"""The attention SVM of least Frobenius norm: where gradient descent on W points in the end."""

from __future__ import annotations

from typing import Any

import numpy as np

from margins._types import Array, ArrayLike
from margins.attention_svm.constraints import PairConstraints, span_basis
from margins.attention_svm.data import TokenData
from margins.attention_svm.pivoting import ascent, pivoted_multipliers
from margins.attention_svm.solution import each_constraints, infeasible, solved
from margins.least_distance import least_distance

MAX_DIRECT_ENTRIES = 10_000  # of the rows, as they are or in their spans, up to which least squares is best
GRADIENT_STEPS = 200, 1000
SMALLEST_TRUSTED_MARGIN = 1e-8  # relative to the rows; below, least squares is asked whether there is one


def frobenius_svm(data: TokenData, tokens: ArrayLike) -> Any:
    """The `AttentionSVM` argmin ||W||_F with (x_{i alpha_i} - x_it)' W z_i >= 1 for all t != alpha_i.

    A hard-margin SVM without bias whose kernel is the product <z, z'> <x_alpha - x_t, x'_alpha - x'_t>; the
    solution is W = sum lambda (x_alpha - x_t) z'. Data with leading axes give a list of solutions, one a set
    (book: Attention converges to an SVM, The attention SVM).

    >>> data = random_token_data(n=4, T=6, d=8, rng=np.random.default_rng(0))
    >>> svm = frobenius_svm(data, data.optimal_tokens)
    >>> svm.status, svm.gap < 1e-9, len(svm.support)
    ('optimal', True, 4)
    """
    return each_constraints(_solve, data, tokens)


def _solve(constraints):
    W, weights, certificate = frobenius_optimum(constraints)
    if certificate is not None:
        return infeasible(constraints, "frobenius", certificate)
    return solved(constraints, "frobenius", W, weights)


def frobenius_optimum(constraints: PairConstraints) -> tuple[Any, Any, Array | None]:
    """The minimiser W, its multipliers (m,) and None; or None, None and a certificate (m,) of no W.

    If the rows are large it is sought in coordinates of the spans of differences and queries, which hold its
    columns and its rows.
    """
    everywhere = np.ones(np.count_nonzero(constraints.present), dtype=bool)
    if constraints.rows_size <= MAX_DIRECT_ENTRIES:
        return direct_optimum(constraints, everywhere)
    lengths = constraints.lengths
    if lengths.min() == 0:  # a duplicate of the chosen token, or a zero query: 0 >= 1
        return None, None, (lengths == 0).astype(float)
    P, Q = span_basis(constraints.flat[0]), span_basis(constraints.queries)  # (d, p), (d, q)
    inside = PairConstraints(constraints.differences @ P, constraints.queries @ Q, constraints.present)
    if inside.rows_size <= MAX_DIRECT_ENTRIES:
        W, weights, certificate = direct_optimum(inside, everywhere)
    else:
        W, weights, certificate = large_optimum(inside)
    return None if W is None else P @ W @ Q.T, weights, certificate


def direct_optimum(constraints: PairConstraints, working: Array) -> tuple[Any, Any, Array | None]:
    """The optimum by least squares on the constraints of `working` (m,), grown until none is violated."""
    rows = constraints.rows  # (m, d d)
    weights = np.zeros(len(rows))
    while True:
        everything = working.all()
        least = least_distance(rows if everything else rows[working])
        if least.certificate is not None:
            weights[working] = least.certificate
            return None, None, weights
        violated = ~working & (rows @ least.point < 1 - 1e-12)
        if everything or not violated.any():
            weights[working] = least.multipliers
            shape = constraints.differences.shape[2], constraints.queries.shape[1]
            return least.point.reshape(shape), weights, None
        working = working | violated


def large_optimum(constraints: PairConstraints) -> tuple[Any, Any, Array | None]:
    """The optimum by pivoting from the support that projected gradients find, else by least squares."""
    multipliers = np.zeros(constraints.present.shape)  # (n, T)
    for steps in GRADIENT_STEPS:
        multipliers = ascent(constraints, multipliers, steps=steps)
        exact = pivoted_multipliers(constraints, multipliers > 0)
        if exact is not None:
            multipliers = exact
            break
    W, weights = constraints.combination(multipliers), multipliers[constraints.present]
    if exact is None or np.linalg.norm(W) < SMALLEST_TRUSTED_MARGIN * (weights @ constraints.lengths):
        return direct_optimum(constraints, weights > 0)
    return W, weights, None
