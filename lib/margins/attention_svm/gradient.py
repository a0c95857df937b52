"""The training loss of attention and its gradient at a given W, for reading and for checking."""

from __future__ import annotations

from typing import Any

import numpy as np

from margins._types import Array, ArrayLike
from margins.attention_svm.data import TokenData, checked_data
from margins.attention_svm.heads import LINEAR, Head
from margins.attention_svm.losses import LOGISTIC, Loss
from margins.attention_svm.normalisers import EXPONENTIAL, Normaliser
from margins.attention_svm.objective import Objective
from margins.attention_svm.parameters import logits, pulls
from margins.validation import finite_array


def softmax_weights(
    data: TokenData,
    W: ArrayLike,
    *,
    head: Head = LINEAR,
    loss: Loss = LOGISTIC,
    normaliser: Normaliser = EXPONENTIAL,
) -> Array:
    """The attention weights s_i = softmax(X_i W z_i), (..., n, T); the choices are those of `train`.

    (book: Attention converges to an SVM, The model)

    >>> data = TokenData(X=[np.eye(2)], Z=[[1.0, 0.0]], Y=[1.0], v=[1.0, 0.0])
    >>> softmax_weights(data, np.log(3.0) * np.eye(2))
    array([[0.75, 0.25]])
    """
    objective, a = _at(data, W, head, loss, normaliser)
    return objective.weights(a).transpose(2, 1, 0).reshape(data.X.shape[:-1])


def training_loss(
    data: TokenData,
    W: ArrayLike,
    *,
    head: Head = LINEAR,
    loss: Loss = LOGISTIC,
    normaliser: Normaliser = EXPONENTIAL,
) -> Any:
    """The loss L(W) = 1/n sum_i l(Y_i h(X_i' s_i)), one number a problem.

    The head, the loss and the normaliser are those of `train`
    (book: Attention converges to an SVM, The model).

    >>> data = random_token_data(2, 3, 4, rng=np.random.default_rng(0))
    >>> training_loss(data, np.zeros((4, 4))) > training_loss(data, 50 * rank_one_separator(data))
    np.True_
    """
    objective, a = _at(data, W, head, loss, normaliser)
    return objective.value(a).reshape(data.batch_shape)[()]


def loss_gradient(
    data: TokenData,
    W: ArrayLike,
    *,
    head: Head = LINEAR,
    loss: Loss = LOGISTIC,
    normaliser: Normaliser = EXPONENTIAL,
) -> Array:
    """The gradient of L by W, (..., d, d): 1/n sum_i l'_i Y_i X_i' (s_i * (g_i - s_i.g_i)) z_i'.

    (book: Attention converges to an SVM, One step: a covariance)

    >>> data = random_token_data(2, 3, 4, rng=np.random.default_rng(0))
    >>> W, direction = np.zeros((4, 4)), np.ones((4, 4))
    >>> slope = (training_loss(data, 1e-6 * direction) - training_loss(data, -1e-6 * direction)) / 2e-6
    >>> np.isclose(slope, (loss_gradient(data, W) * direction).sum())
    np.True_
    """
    objective, a = _at(data, W, head, loss, normaliser)
    q, scale = objective.stable_gradient(a)
    return (pulls(objective.X, q * np.exp(scale)) @ objective.Z).reshape(*data.batch_shape, *_square(data))


def _square(data):
    """The shape (d, d) of the trained matrix."""
    return (data.sizes[-1],) * 2


def checked_matrix(name: str, W: ArrayLike, data: TokenData) -> Array:
    """`W` as (B, d, d), or a message that says which shape fits the data."""
    W, data = finite_array(name, W, dtype=np.float64), checked_data(data)
    if W.shape not in (_square(data), (*data.batch_shape, *_square(data))):
        expected = (*data.batch_shape, *_square(data))
        raise ValueError(f"{name} must be {expected} beside X of {data.X.shape}, but its shape is {W.shape}")
    return flat(W, data)


def flat(array: Array, data: TokenData) -> Array:
    """`array` (..., a, b) with the leading axes of `data`, or none, as one array (B, a, b)."""
    inner = array.shape[-2:]
    return np.broadcast_to(array, (*data.batch_shape, *inner)).reshape(-1, *inner)


def _at(data, W, head, loss, normaliser):
    objective = Objective(data, head=head, loss=loss, normaliser=normaliser)
    return objective, logits(objective.X, checked_matrix("W", W, data) @ objective.Z.mT)
