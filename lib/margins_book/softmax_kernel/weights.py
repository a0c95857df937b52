"""Weights of keys: the softmax at a temperature, Gaussian smoothing, and how many keys are attended to.

(book: The softmax kernel)
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from margins import softmax_kernel
from margins.kernels import gaussian


def keys_attended(weights: NDArray) -> NDArray:
    """The effective number of keys, e^H, of each row of weights, where H is their entropy.

    (book: The softmax kernel, Why the square root)

    >>> float(keys_attended(np.array([0.5, 0.5, 0.0])).round(9))
    2.0
    """
    logarithms = np.log(np.maximum(weights, 1e-300))
    return np.exp(-np.sum(weights * logarithms, axis=-1))


def softened(a: ArrayLike, tau: float) -> NDArray:
    """The softmax of a / tau over the last axis.

    (book: The softmax kernel, Temperature)

    >>> softened(np.log([1, 2, 4]), 1) * 7
    array([1., 2., 4.])
    """
    logits = np.asarray(a)
    powers = np.exp((logits - logits.max(axis=-1, keepdims=True)) / tau)
    return powers / powers.sum(axis=-1, keepdims=True)


def gaussian_weights(queries: ArrayLike, keys: ArrayLike) -> NDArray:
    """The weights of Gaussian smoothing with bandwidth 1, (n, m).

    (book: The softmax kernel, What a long key does)

    >>> gaussian_weights([[0.0, 0.0]], [[1.0, 0.0], [0.0, -1.0]])
    array([[0.5, 0.5]])
    """
    return softmax_kernel.attention_of(gaussian(queries, keys, gamma=0.5))
