"""What sentences of the chapter state of examples that its page does not show.

(book: Attention as Nadaraya-Watson regression)
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from margins.attention import attention_weights, softmax_attention


def all_between_are_reached(values: NDArray) -> bool:
    """Whether attention along a line comes within 1e-9 of both ends of the values, in steps below 0.01.

    The key of the largest value is at 1, that of the smallest at -1, all others at 0
    (book: Attention as Nadaraya-Watson regression, Quiz).

    >>> all_between_are_reached(np.array([1.0, 0.5, -1.0]))
    True
    """
    keys = (values == values.max()).astype(float) - (values == values.min())
    queries = np.linspace(-25, 25, 5001)
    answers = softmax_attention(queries[:, None], keys[:, None], values[:, None], scale=1.0)[:, 0]
    ends = np.array([answers[0] - values.min(), values.max() - answers[-1]])
    return bool(np.abs(ends).max() < 1e-9 and np.abs(np.diff(answers)).max() < 0.01)


def peaks(places: Sequence[float], heights: Sequence[float]) -> NDArray:
    """The places inside at which heights are larger than at both neighbours, the highest first.

    (book: Attention as Nadaraya-Watson regression, Exercises)

    >>> peaks([0.0, 0.1, 0.2, 0.3, 0.4], [5.0, 6.0, 1.0, 7.0, 0.0])
    array([0.3, 0.1])
    """
    steps = np.sign(np.diff(heights))
    found = np.flatnonzero((steps[:-1] > 0) & (steps[1:] < 0)) + 1
    return np.array(places)[found[np.argsort(-np.array(heights)[found])]]


def keys_asked(Q: NDArray, K: NDArray, scales: Sequence[float]) -> NDArray:
    """How many keys are asked in effect, a row for each scale.

    (book: Attention as Nadaraya-Watson regression, Bias, variance, and a rate)

    >>> keys_asked(np.ones((1, 1)), np.array([[0.0], [np.log(3)]]), (0.0, 1.0))
    array([[2. ],
           [1.6]])
    """
    weights = np.array([attention_weights(Q, K, scale=scale) for scale in scales])
    return 1 / (weights**2).sum(axis=-1)


def winners_at_one(keys: NDArray) -> tuple[NDArray, NDArray]:
    """Who wins at (q, 1) among keys lifted to equal norms, and which key is nearest to q.

    The queries are the lifted keys, their last coordinate raised by 1e-6, up to a positive factor
    (book: Attention as Nadaraya-Watson regression, Exercises).

    >>> winners_at_one(np.array([[1.0], [0.5]]))
    (array([0, 1]), array([0, 1]))
    """
    squares = (keys**2).sum(axis=1)
    lifted = np.c_[keys, np.sqrt(squares.max() - squares)]
    queries = keys / (lifted[:, -1:] + 1e-6)
    winners = (np.c_[queries, np.ones(len(keys))] @ lifted.T).argmax(axis=1)
    nearest = ((queries[:, None] - keys) ** 2).sum(axis=2).argmin(axis=1)
    return winners, nearest
