"""The training loss of attention and its gradient at a given W, for reading and for checking."""

from __future__ import annotations

from typing import Any

import numpy as np

from margins._types import Array, ArrayLike
from margins.attention_svm.data import TokenData, checked_data
from margins.attention_svm.heads import LINEAR, Head
from margins.attention_svm.losses import LOGISTIC, Loss
from margins.attention_svm.normalisers import EXPONENTIAL, Normaliser
from margins.attention_svm.parameters import logits, pulls
from margins.attention_svm.stacking import flat, stack
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
    problems, a = _at(data, W, head, loss, normaliser)
    return problems.objective.weights(a).transpose(2, 1, 0).reshape(data.X.shape[:-1])


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
    problems, a = _at(data, W, head, loss, normaliser)
    return problems.objective.value(a).reshape(data.batch_shape)[()]


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
    problems, a = _at(data, W, head, loss, normaliser)
    q, scale = problems.objective.stable_gradient(a)
    return (pulls(problems.X, q * np.exp(scale)) @ problems.Z).reshape(*data.batch_shape, *_square(data))


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


def _at(data, W, head, loss, normaliser):
    problems = stack(data, head=head, loss=loss, normaliser=normaliser)
    return problems, logits(problems.X, checked_matrix("W", W, data) @ problems.Z.transpose(0, 2, 1))
