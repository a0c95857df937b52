"""Descent of one attention head whose output is judged by a concave square, and the parts of its matrix.

(book: Nonlinear heads and the generalised SVM)
"""

from collections.abc import Sequence

import numpy as np
from numpy.linalg import norm
from numpy.typing import NDArray

from margins import attention_svm as engine
from margins.attention_svm import generalised_svm, sparsemax


def descend(
    gamma: NDArray,
    lam: NDArray | float,
    record: Sequence[int],
    step: float = 0.5,
    start: NDArray | float = 0.0,
) -> NDArray:
    """Attention after each number of steps in `record`: descent for orthonormal tokens with these scores.

    The scores have any number of leading axes, `lam` and `start` fit them (book: Nonlinear heads and the
    generalised SVM, Does descent find it?).

    >>> descend(np.array([1.0, 0.0]), 0.25, (0, 1000)).round(3).tolist()
    [[0.5, 0.5], [0.998, 0.002]]
    """
    a, seen = start + 0.0 * (gamma + lam), []  # (..., T)
    for k in range(record[-1] + 1):
        s = np.exp(a - a.max(axis=-1, keepdims=True))  # (..., T)
        s /= s.sum(axis=-1, keepdims=True)
        seen += [s] if k in record else []
        slopes = gamma - 2 * lam * s
        a = a + step * s * (slopes - (s * slopes).sum(axis=-1, keepdims=True))
    return np.array(seen)  # (len(record), ..., T)


def ways(tokens: NDArray, goals: NDArray, record: Sequence[int]) -> NDArray:
    """The weights (P, K, T) of descent on W z from 0 with the head -||x - y||^2, for goals y (P, d).

    (book: Nonlinear heads and the generalised SVM, A concave square wants the nearest point)
    """
    w, seen = np.zeros((len(goals), tokens.shape[1])), []
    step = min(0.2, 0.76 / np.square(tokens).sum(axis=1).max() ** 2)  # small enough for far tokens, too
    for k in range(record[-1] + 1):
        s = np.exp(w @ tokens.T)
        s /= s.sum(axis=1, keepdims=True)  # (P, T)
        seen += [s] if k in record else []
        slopes = 2 * (goals - s @ tokens) @ tokens.T
        w = w + step * (s * (slopes - (s * slopes).sum(axis=1, keepdims=True))) @ tokens
    return np.array(seen).transpose(1, 0, 2)


def kept_span(data: engine.TokenData, kept: NDArray) -> NDArray:
    """An orthonormal basis (r, d d) of the span of (x_t - x_tau) z' with t, tau `kept` (n, T).

    (book: Nonlinear heads and the generalised SVM, The generalised SVM)
    """
    rows = [
        np.outer(x[t] - x[o[0]], z).ravel()
        for x, z, of_sequence in zip(data.X, data.Z, kept, strict=True)
        for o in [np.flatnonzero(of_sequence)]
        for t in o[1:]
    ]
    return np.linalg.qr(np.array(rows).T)[0].T if rows else np.zeros((0, data.Z.shape[1] ** 2))


def parts_in_training(gamma: NDArray, lam: float, record: NDArray) -> tuple[NDArray, NDArray, NDArray]:
    """Training of orthonormal tokens with these scores, from a random matrix.

    The weights (K, T), the constants (T,) of their laws, and the sizes (K, 3) of W's part in S, of that along
    W^mm and of the rest (book: Nonlinear heads and the generalised SVM, The two parts in training).
    """
    T = len(gamma)
    one_sequence = engine.TokenData(np.eye(T)[None], np.eye(T)[:1], np.array([1]), gamma)
    start = 0.4 * np.random.default_rng(2).normal(size=(T, T))
    run = engine.train(
        one_sequence, start, head=engine.concave_head(lam), loss=engine.CORRELATION, normalised=False,
        step=0.5, iterations=record[-1], record=record,
    )  # fmt: skip
    best = sparsemax(gamma / (2 * lam))
    S = best > 0
    svm, basis = generalised_svm(one_sequence, S[None], best[None]), kept_span(one_sequence, S[None])
    lacking = (gamma[S].sum() - 2 * lam) / S.sum() - gamma
    laws = np.where(S, 0, S.sum() / (T * 0.5 * np.where(S, 1, lacking)))
    inside = (run.W.reshape(-1, T * T) @ basis.T) @ basis
    along = np.einsum("kde,de->k", run.W, svm.directional.W) / norm(svm.directional.W)
    rest = np.sqrt(np.maximum(norm(run.W, axis=(1, 2)) ** 2 - norm(inside, axis=1) ** 2 - along**2, 0))
    return run.weights[:, 0], laws, np.column_stack([norm(inside, axis=1), along, rest])
