"""Three tokens and a pair: which choices are spurious, and where the flow of w = W z goes.

The first sequence has the best token and two others, the second two tokens; both have the query
z = (1, 0, ...) and the label 1, so that the loss depends on w alone
(book: Sequences, causality, depth and real data, Tokens that may go).
"""

import numpy as np
from numpy.typing import NDArray

from margins import attention_svm as att

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
        (high, 0): _exceeds_on_shortest(e, b, f),
        (low, 0): -(e @ b) > b @ b and g @ b > b @ b,
        (0, 1): _exceeds_on_shortest(a, c, -b),
        (high, 1): f @ e > e @ e and -(b @ e) > e @ e,
    }
    return {choice for choice, is_met in conditions.items() if is_met}


def _exceeds_on_shortest(a: NDArray, b: NDArray, dropped: NDArray) -> bool:
    """Whether the shortest w with <a, w> >= 1 and <b, w> >= 1 exists and has <dropped, w> > 1."""
    w = shortest_of_two(a, b)
    return w is not None and float(dropped @ w) > 1 + TOUCHES


def shortest_of_two(a: NDArray, b: NDArray) -> NDArray | None:
    """The shortest w with <a, w> >= 1 and <b, w> >= 1, by hand; None where a and b are opposite.

    >>> shortest_of_two(np.array([1.0, 0.0]), np.array([0.0, 2.0]))
    array([1. , 0.5])
    """
    aa, bb, ab = a @ a, b @ b, a @ b
    if ab >= min(aa, bb):  # what serves the shorter row serves the other one, too
        return a / aa if aa <= bb else b / bb
    determinant = aa * bb - ab * ab
    if determinant <= TOUCHES**2 * aa * bb:
        return None
    return ((bb - ab) * a + (aa - ab) * b) / determinant


def is_trap_of_pairs(a: NDArray, b: NDArray) -> bool:
    """Whether two pairs with the rows `a` and `b` have a spurious choice."""
    return bool(-(a @ b) > min(a @ a, b @ b))


def pulls(logits: NDArray, scores: NDArray) -> tuple[NDArray, NDArray]:
    """The pulls s_t (gamma_t - <s, gamma>) (..., T) at logits (..., T), and <s, gamma>, accurate far out.

    The pull of the token with the largest logit is minus the sum of the others, which cancels nothing.
    """
    leads = np.arange(logits.shape[-1]) == logits.argmax(axis=-1)[..., None]
    mass = np.exp(logits - np.maximum.reduce(logits, axis=-1, keepdims=True))
    mass[leads] = 0
    total = 1 + np.add.reduce(mass, axis=-1, keepdims=True)
    best = np.vecdot(leads, scores)[..., None]  # of the token with the largest logit
    behind = scores - best
    mean = np.vecdot(mass, behind)[..., None] / total
    q = mass * (behind - mean) / total
    q -= leads * np.add.reduce(q, axis=-1, keepdims=True)
    return q, (best + mean)[..., 0]


def speed(w: NDArray, sequences: list[NDArray], head: NDArray) -> NDArray:
    """Minus the gradient of the mean logistic loss by w, at each row of `w` (m, D)."""
    return _speed(w, *_side_by_side(sequences, head))


def _side_by_side(sequences, head):
    """The tokens (S, T, D), zeros where one is missing, what hides these in the logits, and the scores."""
    T = max(map(len, sequences))
    X = np.array([np.vstack([one, np.zeros((T - len(one), len(head)))]) for one in sequences])
    missing = np.array([np.where(np.arange(T) < len(one), 0.0, -np.inf) for one in sequences])
    return X, missing[:, None], (X @ head)[:, None]


def _speed(w, X, missing, scores):
    q, mean = pulls(w @ X.mT + missing, scores)  # (S, m, T), (S, m)
    return ((q / (1 + np.exp(mean))[..., None]) @ X).sum(axis=0) / len(X)


def flow_paths(
    starts: NDArray, sequences: list[NDArray], head: NDArray, length: float, points: int, substeps: int = 20
) -> NDArray:
    """Gradient flow at unit speed from `starts` (m, D), by Heun's method: (points, m, D) at equal lengths."""
    step, problem = length / (points - 1) / substeps, _side_by_side(sequences, head)
    path = [np.array(starts, dtype=float)]
    for _ in range(points - 1):
        w = path[-1]
        for _ in range(substeps):
            first = _unit(_speed(w, *problem))
            w = w + step / 2 * (first + _unit(_speed(w + step * first, *problem)))
        path.append(w)
    return np.array(path)


def _unit(rows: NDArray) -> NDArray:
    """The rows at length 1; their squares may underflow, so they are divided by their largest entry first."""
    rows = rows / np.abs(rows).max(axis=1, keepdims=True)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)
