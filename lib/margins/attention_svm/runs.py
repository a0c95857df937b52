"""Classification of training runs: which tokens were selected, and does W point to their SVM."""

from __future__ import annotations

from typing import Any

import numpy as np

from margins._records import frozen
from margins._types import Array, ArrayLike
from margins.attention_svm.data import TokenData
from margins.attention_svm.frobenius import frobenius_svm
from margins.attention_svm.gradient import checked_matrix, softmax_weights
from margins.attention_svm.nuclear import nuclear_svm
from margins.attention_svm.solution import AttentionSVM, correlation
from margins.validation import one_of

SATURATED_PROBABILITY = 1 - 1e-6
ALIGNED_CORRELATION = 0.99
SOLVERS = {"frobenius": frobenius_svm, "nuclear": nuclear_svm}


@frozen
class RunVerdict:
    """Where a run ended: "global" if every selected token is optimal, "local" if not, or "not converged".

    Not converged means a winning probability below 1 - 1e-6, or a correlation of W with the SVM below .99
    (book: Local optima, feasibility and over-parameterisation, Where runs end).

    >>> data = random_token_data(2, 3, 8, rng=np.random.default_rng(0))
    >>> classify_run(data, 100 * frobenius_svm(data, data.optimal_tokens).W).kind
    'global'
    """

    kind: str
    tokens: Array  # (n,), the most probable ones
    probability: float  # the smallest of the winning probabilities
    correlation: float  # of W with the SVM of the selected tokens, NaN if that is infeasible
    token_accuracy: float  # the share of sequences whose selected token is optimal
    solution: AttentionSVM


def classify_run(data: TokenData, W: ArrayLike, *, norm: str = "frobenius") -> Any:
    """The `RunVerdict` of a run that ended at W, against the SVM of least `norm` for the tokens it selected.

    `norm` is "frobenius" for a trained W and "nuclear" for W = K Q'. Data with leading axes give a list of
    verdicts (book: Local optima, feasibility and over-parameterisation, Where runs end).

    >>> data = random_token_data(2, 3, 8, rng=np.random.default_rng(0))
    >>> run = train(data, iterations=1000)
    >>> verdict = classify_run(data, run.W[-1])
    >>> verdict.kind, bool(verdict.correlation > 0.99)
    ('global', True)
    """
    solver = SOLVERS[one_of("norm", norm, SOLVERS)]
    matrices = checked_matrix("W", W, data).reshape(*data.batch_shape, *data.X.shape[-1:] * 2)
    weights = np.where(data.allowed, softmax_weights(data, matrices), 0.0)  # (..., n, T)
    tokens = weights.argmax(axis=-1)
    solutions = solver(data, tokens)
    if not data.batch_shape:
        return _verdict(data, matrices, weights, solutions)
    sets = np.ndindex(data.batch_shape)
    return [
        _verdict(data[k], matrices[k], weights[k], solution)
        for k, solution in zip(sets, solutions, strict=True)
    ]


def _verdict(data, W, weights, solution):
    """The verdict on one run."""
    tokens = weights.argmax(axis=1)
    probability = float(weights.max(axis=1).min())
    aligned = float(correlation(W, solution.W)) if solution.feasible and W.any() else np.nan
    optimal = np.take_along_axis(data.optimal_sets, tokens[:, None], axis=1)
    if not (probability >= SATURATED_PROBABILITY and aligned >= ALIGNED_CORRELATION):
        kind = "not converged"
    else:
        kind = "global" if optimal.all() else "local"
    return RunVerdict(kind, tokens, probability, aligned, float(optimal.mean()), solution)
