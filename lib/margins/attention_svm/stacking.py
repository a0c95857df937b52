"""Token data in the order that training works in: tokens first, problems last.

(book: Attention converges to an SVM, Descent)
"""

from __future__ import annotations

import math

import numpy as np

from margins._records import frozen
from margins._types import Array
from margins.attention_svm.data import TokenData, trainable
from margins.attention_svm.heads import LINEAR, Head
from margins.attention_svm.losses import LOGISTIC, Loss
from margins.attention_svm.normalisers import EXPONENTIAL, Normaliser
from margins.attention_svm.objective import Objective


@frozen
class Stack:
    """The problems of all leading axes as one axis of length B."""

    X: Array  # (d, T, n, B)
    Z: Array  # (B, n, d)
    objective: Objective


def stack(
    data: TokenData, *, head: Head = LINEAR, loss: Loss = LOGISTIC, normaliser: Normaliser = EXPONENTIAL
) -> Stack:
    """The `Stack` of token data with the head, the loss and the normaliser of its `Objective`."""
    n, T, d = trainable(data).sizes
    tokens = data.X.reshape(-1, n, T, d)
    X = np.ascontiguousarray(tokens.transpose(3, 2, 1, 0))
    Y, v = (np.ascontiguousarray(a.reshape(len(tokens), -1).T) for a in (data.Y, data.v))
    mask = None if data.mask is None else np.ascontiguousarray(data.mask.reshape(-1, n, T).transpose(2, 1, 0))
    objective = Objective(X, Y, v, mask, head=head, loss=loss, normaliser=normaliser)
    return Stack(X, np.ascontiguousarray(data.Z.reshape(-1, n, d)), objective)


def flat(array: Array, data: TokenData) -> Array:
    """`array` (..., a, b) with the leading axes of `data`, or none, as one array (B, a, b)."""
    inner = array.shape[-2:]
    shape = (math.prod(data.batch_shape), *inner)
    return np.broadcast_to(array, (*data.batch_shape, *inner)).reshape(shape)
