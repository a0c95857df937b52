"""Next-token prediction with linear logits W x: what comes to rest, and what grows without end.

(book: Sequences, causality, depth and real data, The next token)
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from margins.least_distance import least_distance


def normalised(counts: NDArray) -> NDArray:
    """Rows that sum to 1.

    >>> normalised(np.array([[3, 1, 0]])).tolist()
    [[0.75, 0.25, 0.0]]
    """
    return counts / counts.sum(axis=-1, keepdims=True)


def predicted(contexts: NDArray, W: NDArray) -> NDArray:
    """The probabilities (..., n, m) of the words after contexts (..., n, d), at matrices W (..., m, d).

    >>> predicted(np.eye(2), np.log([[3.0, 1], [1, 1]])).tolist()
    [[0.75, 0.25], [0.5, 0.5]]
    """
    masses = contexts @ W.mT
    masses -= np.maximum.reduce(masses, axis=-1, keepdims=True)
    np.exp(masses, out=masses)
    masses /= np.add.reduce(masses, axis=-1, keepdims=True)
    return masses


class Language:
    """Contexts (n, d), the chances (n, m) of the words that follow each, and the shares (n,) of the contexts.

    `log_odds` is the matrix (m, d) in the subspace of the data that has the log-odds, `machine` the shortest
    one off it that puts all words that follow ahead by 1; each is None if there is none.

    >>> cat = Language(np.array([[1.0]]), np.array([[0.75, 0.25, 0]]), np.ones(1))
    >>> cat.log_odds.ravel().round(3).tolist(), cat.machine.ravel().round(3).tolist()
    ([0.549, -0.549, 0.0], [0.333, 0.333, -0.667])
    """

    def __init__(self, contexts: NDArray, chances: NDArray, shares: NDArray) -> None:
        self.contexts, self.chances, self.shares = contexts, chances, shares
        self.follows, self._shape = chances > 0, (chances.shape[1], contexts.shape[1])
        self.step = 2 / (shares @ (contexts**2).sum(axis=1))  # the longest step of the theorem
        inside, odds, outside = self._comparisons()
        _, sizes, rows = np.linalg.svd(inside, full_matrices=False)
        self._basis = rows[sizes > 1e-9 * sizes.max(initial=0)]
        found = np.linalg.lstsq(inside, odds, rcond=None)[0]
        self.log_odds = found.reshape(self._shape) if np.allclose(inside @ found, odds) else None
        point = least_distance(outside - outside @ self._basis.T @ self._basis).point
        self.machine = None if point is None else point.reshape(self._shape)

    def _comparisons(self) -> tuple[NDArray, NDArray, NDArray]:
        """The rows (e_u - e_v) x_j: where both words follow, with their log-odds, and where v never does."""
        words, inside, odds, outside = np.eye(self._shape[0]), [np.zeros(self._shape).ravel()], [0.0], []
        for x, p, follows in zip(self.contexts, self.chances, self.follows, strict=True):
            first, *others = np.flatnonzero(follows)
            inside += [np.outer(words[first] - words[v], x).ravel() for v in others]
            odds += [np.log(p[first] / p[v]) for v in others]
            outside += [np.outer(words[first] - words[v], x).ravel() for v in np.flatnonzero(~follows)]
        return np.array(inside), np.array(odds), np.array(outside)

    def split(self, W: NDArray) -> tuple[NDArray, NDArray]:
        """The part of `W` in the subspace of the data, and the rest."""
        G = (W.ravel() @ self._basis.T @ self._basis).reshape(self._shape)
        return G, W - G

    def predicted(self, W: NDArray) -> NDArray:
        """The probabilities (n, m) of the words after each context."""
        return predicted(self.contexts, W)

    def excess(self, W: NDArray) -> float:
        """The loss at `W` less the entropy of the data."""
        p = np.where(self.follows, self.chances, 1)
        terms = self.chances * (np.log(p) - np.log(np.where(self.follows, self.predicted(W), 1)))
        return float(self.shares @ terms.sum(axis=1))

    def inside(self, G: NDArray) -> float:
        """K(G): the divergence of the data from the prediction, among the words that follow."""
        among = self.predicted(G) * self.follows
        ratio = np.where(self.follows, self.chances, 1) / np.where(self.follows, normalised(among), 1)
        return float(self.shares @ (self.chances * np.log(ratio)).sum(axis=1))

    def outside(self, G: NDArray, B: NDArray) -> float:
        """T(G, B): what the probability of words that never follow costs."""
        return float(-self.shares @ np.log((self.predicted(G + B) * self.follows).sum(axis=1)))

    def descend(self, record: Sequence[int], start: NDArray | None = None) -> list[NDArray]:
        """The matrices of gradient descent after the numbers of steps of `record`, from `start` or 0."""
        first = np.zeros(self._shape) if start is None else start
        return list(descend_together([self], record, first[None])[:, 0])


def descend_together(languages: Sequence[Language], record: Sequence[int], starts: NDArray) -> NDArray:
    """The matrices (records, languages, m, d) of gradient descent in languages of one shape, from `starts`.

    A step for all of them costs little more than a step for one.
    """
    contexts, chances = (
        np.array([getattr(one, name) for one in languages]) for name in ("contexts", "chances")
    )
    pulled = np.array([one.step * one.shares[:, None] * one.contexts for one in languages])  # (L, n, d)
    W, found = np.array(starts), []
    for k in range(max(record) + 1):
        if k in record:
            found.append(W.copy())
        W += (chances - predicted(contexts, W)).mT @ pulled
    return np.array(found)
