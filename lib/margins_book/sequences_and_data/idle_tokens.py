"""Three tokens and a pair: which choices are spurious, and where the flow of w = W z goes.

The first sequence has the best token and two others, the second two tokens; both have the query
z = (1, 0, ...) and the label 1, so that the loss depends on w alone
(book: Sequences, causality, depth and real data, Tokens that may go).
"""

import numpy as np
from numpy.typing import NDArray

from margins import attention_svm as att
from margins.least_distance import least_distance

TOUCHES = 1e-9  # by how much a margin has to exceed 1
PAIR = np.array([[0.0, 1.0], [0.0, 0.0]])  # the second sequence of both problems of the figure
PROBLEMS = {  # tokens o, t, r of the first sequence, and the head
    "creates a trap": (np.array([[0.0, 0.0], [-2.0, 3.0], [-2.5, 3.0]]), np.array([2.0, 1.0])),
    "removes a trap": (np.array([[0.0, 0.0], [-1.0, 0.0], [-5.0, 3.0]]), np.array([1.0, 1.0])),
}


def token_data(first: NDArray, pair: NDArray, head: NDArray) -> att.TokenData:
    """Both sequences, `first` (T, D) and `pair` (2, D), as token data; the pair is padded and masked."""
    T, D = first.shape
    padded = np.vstack([pair, np.zeros((T - 2, D))])
    mask = np.array([np.ones(T), np.arange(T) < 2], dtype=bool)
    return att.TokenData(np.array([first, padded]), np.eye(D)[[0, 0]], np.ones(2), head, mask)


def listed_choices(first: NDArray, pair: NDArray, head: NDArray) -> set[tuple[int, int]]:
    """The spurious choices (token of the first sequence, token of the pair) by the list of the proposition.

    Token 0 of `first` (3, D) and of `pair` (2, D) has the highest score of its sequence.
    """
    high, low = (1, 2) if first[1] @ head > first[2] @ head else (2, 1)
    a, c, b = first[0] - first[1], first[0] - first[2], pair[0] - pair[1]
    e, f, g = first[high] - first[low], first[high] - first[0], first[low] - first[0]
    conditions = {
        (high, 0): _exceeds_on_shortest([e, b], f),
        (low, 0): -(e @ b) > b @ b and g @ b > b @ b,
        (0, 1): _exceeds_on_shortest([a, c], -b),
        (high, 1): f @ e > e @ e and -(b @ e) > e @ e,
    }
    return {choice for choice, is_met in conditions.items() if is_met}


def _exceeds_on_shortest(rows: list[NDArray], dropped: NDArray) -> bool:
    """Whether the shortest w with <row, w> >= 1 for all rows exists and has <dropped, w> > 1."""
    w = least_distance(rows).point
    return w is not None and float(dropped @ w) > 1 + TOUCHES


def is_trap_of_pairs(a: NDArray, b: NDArray) -> bool:
    """Whether two pairs with the rows `a` and `b` have a spurious choice."""
    return bool(-(a @ b) > min(a @ a, b @ b))


def pulls(logits: NDArray, scores: NDArray) -> tuple[NDArray, NDArray]:
    """The pulls s_t (gamma_t - <s, gamma>) (m, T) at logits (m, T), and <s, gamma> (m,), accurate far out.

    The pull of the token with the largest logit is minus the sum of the others, which cancels nothing.
    """
    top = np.arange(len(logits)), logits.argmax(axis=1)
    mass = np.exp(logits - logits[top][:, None])
    mass[top] = 0
    total = 1 + mass.sum(axis=1, keepdims=True)
    best = scores[top[1]][:, None]  # (m, 1), of the token with the largest logit
    mean = (mass * (scores - best)).sum(axis=1, keepdims=True) / total
    q = mass * (scores - best - mean) / total
    q[top] = -q.sum(axis=1)
    return q, (best + mean)[:, 0]


def speed(w: NDArray, sequences: list[NDArray], head: NDArray) -> NDArray:
    """Minus the gradient of the mean logistic loss by w, at each row of `w` (m, D)."""
    total = np.zeros_like(w)
    for X in sequences:
        q, mean = pulls(w @ X.T, X @ head)
        total += (q @ X) / (1 + np.exp(mean))[:, None]
    return total / len(sequences)


def flow_paths(
    starts: NDArray, sequences: list[NDArray], head: NDArray, length: float, points: int, substeps: int = 20
) -> NDArray:
    """Gradient flow at unit speed from `starts` (m, D), by Heun's method: (points, m, D) at equal lengths."""
    step = length / (points - 1) / substeps
    path = [np.array(starts, dtype=float)]
    for _ in range(points - 1):
        w = path[-1]
        for _ in range(substeps):
            first = _unit(speed(w, sequences, head))
            w = w + step / 2 * (first + _unit(speed(w + step * first, sequences, head)))
        path.append(w)
    return np.array(path)


def _unit(rows: NDArray) -> NDArray:
    """The rows at length 1; their squares may underflow, so they are divided by their largest entry first."""
    rows = rows / np.abs(rows).max(axis=1, keepdims=True)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)
