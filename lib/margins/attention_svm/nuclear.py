"""The attention SVM of least nuclear norm: where descent on keys and queries, W = K Q', points in the end."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np

from margins._types import ArrayLike
from margins.attention_svm.constraints import pair_constraints, span_basis
from margins.attention_svm.data import TokenData
from margins.attention_svm.frobenius import frobenius_optimum
from margins.attention_svm.interior_point import interior_point, interior_start
from margins.attention_svm.solution import infeasible, solved

BATCH_ENTRIES = 5e4  # entries of the Schur matrices of a batch, so that they stay in the cache


def nuclear_svm(data: TokenData, tokens: ArrayLike) -> Any:
    """The `AttentionSVM` argmin ||W||_* with (x_{i alpha_i} - x_it)' W z_i >= 1 for all t != alpha_i.

    Here W is not sum lambda (x_alpha - x_t) z'; that sum S is a subgradient, ||S||_op = 1 with <S, W> =
    ||W||_*, and the rank of W is at most the number of singular values of S equal to 1. Where several W are
    optimal this is the one in the middle, of largest rank. Data with leading axes give a list of solutions,
    one a set (book: Attention converges to an SVM, Two parametrisations).

    >>> data = random_token_data(n=4, T=3, d=8, rng=np.random.default_rng(0))
    >>> nuclear, frobenius = (svm(data, data.optimal_tokens).W for svm in (nuclear_svm, frobenius_svm))
    >>> bool(np.linalg.norm(nuclear, "nuc") < np.linalg.norm(frobenius, "nuc"))
    True
    """
    constraints = pair_constraints(data, tokens)
    solutions = _solve_all([constraints[index] for index in np.ndindex(data.batch_shape)])
    return solutions if data.batch_shape else solutions[0]


def _solve_all(problems):
    """One solution a problem; the Frobenius norm sorts out the infeasible and lends the others a start."""
    solutions: list[Any] = [None] * len(problems)
    alike: defaultdict[int, list[tuple[Any, ...]]] = defaultdict(list)
    for k, constraints in enumerate(problems):
        W, weights, certificate = frobenius_optimum(constraints)
        if certificate is not None:
            solutions[k] = infeasible(constraints, "nuclear", certificate)
        else:
            alike[weights.size].append((k, constraints, W, weights))
    for m, group in alike.items():
        size = max(1, int(BATCH_ENTRIES / m**2))
        for first in range(0, len(group), size):
            indices, *starts = zip(*group[first : first + size], strict=True)
            for k, solution in zip(indices, _solve_alike(*starts), strict=True):
                solutions[k] = solution
    return solutions


def _solve_alike(constraints, W, weights):
    """The solutions of feasible problems with equally many constraints, in coordinates of their spans.

    Rows are scaled to unit length; what they demand is then the shortest length over their own.
    """
    # rows a_c and z_c of all problems, in the spans that hold them, each of length 1
    a, z = (np.stack(part) for part in zip(*(c.flat for c in constraints), strict=True))  # (B, m, d)
    P, Q = span_basis(a), span_basis(np.stack([c.queries for c in constraints]))  # (B, d, p), (B, d, q)
    a_lengths, z_lengths = (np.linalg.norm(rows, axis=2, keepdims=True) for rows in (a, z))
    lengths = (a_lengths * z_lengths)[..., 0]  # (B, m)
    unit = lengths.min(axis=1)[:, None]  # (B, 1)
    W = unit[..., None] * (P.mT @ np.stack(W) @ Q)
    multipliers = np.stack(weights) * lengths
    W, multipliers = interior_point(
        interior_start(a / a_lengths @ P, z / z_lengths @ Q, unit / lengths, W, multipliers)
    )
    W, multipliers = P @ W @ Q.mT / unit[..., None], multipliers / lengths
    smallest = [c.margins(one)[c.present].min() for c, one in zip(constraints, W, strict=True)]
    W = W / np.array(smallest)[:, None, None]
    return [solved(c, "nuclear", *answer) for c, *answer in zip(constraints, W, multipliers, strict=True)]
