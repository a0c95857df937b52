"""Training of the attention matrix and the linear head together, from zero, many problems at once."""

from __future__ import annotations

from typing import Any

import numpy as np

from margins._records import frozen
from margins._types import Array
from margins.attention_svm.data import TokenData, trainable
from margins.attention_svm.excess import log_sum_exp
from margins.attention_svm.losses import LOGISTIC
from margins.validation import count, positive


@frozen
class JointTrajectory:
    """The recorded states of a joint training: matrix, head and weights after the numbers of steps.

    (book: Errata and open questions, Q2. What if the head is trained as well?)

    >>> train_together(random_token_data(2, 3, 4, rng=np.random.default_rng(0)), record=[0, 5]).iterations
    array([0, 5])
    """

    iterations: Array  # (R,)
    W: Array  # (R, ..., d, d)
    v: Array  # (R, ..., d)
    weights: Array  # (R, ..., n, T)


def train_together(
    data: TokenData, *, record: Any, step: float = 0.1, normalised: bool = True
) -> JointTrajectory:
    """Descent on L(W, v) from W = 0, v = 0 with the logistic loss; the head of `data` is ignored.

    A step goes along both gradients, divided by their common norm if `normalised`; the numbers of steps in
    `record` are kept (book: Errata and open questions, Q2. What if the head is trained as well?).

    >>> data = random_token_data(2, 3, 4, rng=np.random.default_rng(0))
    >>> run = train_together(data, record=[0, 100])
    >>> run.weights[-1].max(axis=-1).round(1)
    array([0.8, 1. ])
    """
    if np.ndim(record) != 1 or not len(record):
        raise ValueError(f"record must be a list of numbers of steps, but got {record!r}")
    due = sorted(count("record", k, at_least=0) for k in record)
    step, d = positive("step", step), trainable(data).sizes[-1]
    W, v, kept = np.zeros((*data.batch_shape, d, d)), np.zeros((*data.batch_shape, d)), []
    for k in range(due[-1] + 1):
        weights, by_W, by_v = _gradients(data, W, v)
        if k in due:
            kept.append((W, v, weights))
        size = np.sqrt((by_W**2).sum(axis=(-2, -1)) + (by_v**2).sum(axis=-1))[..., None]
        size = np.where((size > 0) & normalised, size, 1.0)  # where both are zero descent is stuck
        W, v = W - step * by_W / size[..., None], v - step * by_v / size
    return JointTrajectory(np.array(due), *(np.stack(arrays) for arrays in zip(*kept, strict=True)))


def _gradients(data, W, v):
    """The weights (..., n, T) and the gradients of L by W (..., d, d) and by v (..., d)."""
    X, Y = data.X, data.Y
    logits = (X @ (data.Z @ W.swapaxes(-1, -2))[..., None])[..., 0]  # (..., n, T)
    weights = log_sum_exp(np.where(data.allowed, logits, -np.inf))[1]
    outputs = (weights[..., None, :] @ X)[..., 0, :]  # (..., n, d)
    pull = LOGISTIC.slope(Y * (outputs @ v[..., None])[..., 0]) * Y / Y.shape[-1]  # (..., n)
    scores = (X @ v[..., None, :, None])[..., 0]  # (..., n, T)
    bracket = weights * (scores - (weights * scores).sum(axis=-1, keepdims=True))
    moved = (bracket[..., None, :] @ X)[..., 0, :] * pull[..., None]  # (..., n, d)
    return weights, moved.swapaxes(-1, -2) @ data.Z, (pull[..., None, :] @ outputs)[..., 0, :]
