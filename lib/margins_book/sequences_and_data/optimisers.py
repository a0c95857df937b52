"""Sign descent and Adam on W, and the attention SVM of the largest entry, to which sign descent turns.

(book: Sequences, causality, depth and real data, Adam goes elsewhere)
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog

from margins.attention_svm import TokenData

Rule = Callable[[NDArray, int], NDArray]  # from a gradient and the number of the step to a direction


class Leads(NamedTuple):
    """How far the best tokens lead: by <A, W> in logits, by the gaps in scores (their own row is zero)."""

    A: NDArray  # (B, n T, d d), the matrices A_it laid flat
    gaps: NDArray  # (B, n, T)
    tops: NDArray  # (B, n, 1), the scores of the best tokens


def leads_of(data: TokenData) -> Leads:
    """The leads of the best tokens of a batch of problems, or of one."""
    best = data.optimal_tokens[..., None]
    ahead = np.take_along_axis(data.X, best[..., None], axis=-2) - data.X
    A = np.einsum("...ntd,...ne->...ntde", ahead, data.Z)
    top = np.take_along_axis(data.scores, best, axis=-1)
    n, T, d = data.X.shape[-3:]
    return Leads(A.reshape(-1, n * T, d * d), (top - data.scores).reshape(-1, n, T), top.reshape(-1, n, 1))


def rivals(problem: TokenData) -> NDArray:
    """The matrices A_it of one problem laid flat, without those of the best tokens."""
    A = leads_of(problem).A[0]
    return A[A.any(axis=1)]


def least_margins(data: TokenData, W: NDArray) -> NDArray:
    """The smallest margin of the best tokens of each problem of a batch at W (B, d, d)."""
    return np.array([(rivals(data[b]) @ V.ravel()).min() for b, V in enumerate(W)])


def gradient(leads: Leads, W: NDArray) -> NDArray:
    """The gradient of the mean logistic loss at W (..., B, d d), without cancellation."""
    s = np.exp(-(leads.A @ W[..., None])).reshape(*W.shape[:-1], *leads.gaps.shape[1:])
    s /= np.add.reduce(s, axis=-1, keepdims=True)
    lost = np.vecdot(s, leads.gaps)[..., None]
    pushes = s * (leads.gaps - lost) / (1 + np.exp(leads.tops - lost)) / leads.gaps.shape[1]
    return -(pushes.reshape(*W.shape[:-1], 1, -1) @ leads.A)[..., 0, :]


def normalised(G: NDArray, k: int) -> NDArray:
    """The gradient divided by its Frobenius norm."""
    return G / np.linalg.norm(G, axis=-1, keepdims=True)


def signs(G: NDArray, k: int) -> NDArray:
    """The sign of every entry of the gradient."""
    return np.sign(G)


def adam(betas: tuple[float, float] = (0.9, 0.95), epsilon: float = 0.0) -> Rule:
    """Adam with its corrections of the start; an entry whose gradient was always 0 stays."""
    means: dict[str, NDArray | float] = {"G": 0.0, "G squared": 0.0}

    def direction(G: NDArray, k: int) -> NDArray:
        corrected = []
        for (name, mean), beta, new in zip(means.items(), betas, (G, G * G), strict=True):
            means[name] = beta * mean + (1 - beta) * new
            corrected.append(means[name] / (1 - beta**k))
        size = np.sqrt(corrected[1]) + epsilon
        return np.divide(corrected[0], size, out=np.zeros_like(G), where=size > 0)

    return direction


def descend(
    data: TokenData, rules: Mapping[str, Rule], marks: Sequence[int], step: float = 0.3
) -> dict[str, NDArray]:
    """By rule W (marks, B, d, d) after those numbers of steps of length step / sqrt(k), from W = 0.

    All rules step at the same time, so that their gradients are computed together.
    """
    leads, d = leads_of(data), data.X.shape[-1]
    W, kept = np.zeros((len(rules), len(leads.A), d * d)), []
    for k in range(1, max(marks) + 1):
        G = gradient(leads, W)
        for mine, slope, rule in zip(W, G, rules.values(), strict=True):
            mine -= step / np.sqrt(k) * rule(slope, k)
        if k in marks:
            kept.append(W.copy())
    found = np.reshape(kept, (len(kept), len(rules), -1, d, d))
    return dict(zip(rules, found.swapaxes(0, 1), strict=True))


def max_svm(problem: TokenData) -> tuple[NDArray, NDArray]:
    """A feasible W (d, d) of the best tokens whose largest entry is least, and its multipliers."""
    A = rivals(problem)
    one, size = np.eye(A.shape[1]), np.ones((A.shape[1], 1))  # the last unknown is the largest entry
    within = np.block([[-A, np.zeros((len(A), 1))], [one, -size], [-one, -size]])
    ahead = np.repeat([-1.0, 0.0], [len(A), 2 * len(one)])
    least = linprog(np.eye(len(one) + 1)[-1], A_ub=within, b_ub=ahead, bounds=(None, None))
    return least.x[:-1].reshape(problem.X.shape[-1], -1), -least.ineqlin.marginals[: len(A)]
