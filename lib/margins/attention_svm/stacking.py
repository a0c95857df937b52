"""Token data in the order that training works in: tokens first, problems last.

(book: Attention converges to an SVM, Descent)
"""

import math
from dataclasses import dataclass

import numpy as np

from margins.attention_svm.data import trainable
from margins.attention_svm.objective import Objective


@dataclass(frozen=True, eq=False)
class Stack:
    """The problems of all leading axes as one axis of length B."""

    X: np.ndarray  # (d, T, n, B)
    Z: np.ndarray  # (B, n, d)
    objective: Objective


def stack(data, **choices):
    """The `Stack` of token data; `choices` are those of `Objective` (head, loss, normaliser)."""
    n, T, d = trainable(data).sizes
    tokens = data.X.reshape(-1, n, T, d)
    X = np.ascontiguousarray(tokens.transpose(3, 2, 1, 0))
    Y, v = (np.ascontiguousarray(a.reshape(len(tokens), -1).T) for a in (data.Y, data.v))
    mask = None if data.mask is None else np.ascontiguousarray(data.mask.reshape(-1, n, T).transpose(2, 1, 0))
    objective = Objective(X, Y, v, mask, **choices)
    return Stack(X, np.ascontiguousarray(data.Z.reshape(-1, n, d)), objective)


def flat(array, data, *, axes=2):
    """`array` (..., a, b) with the leading axes of `data`, or none, as one array (B, a, b)."""
    inner = array.shape[-axes:]
    shape = (math.prod(data.batch_shape), *inner)
    return np.broadcast_to(array, (*data.batch_shape, *inner)).reshape(shape)
