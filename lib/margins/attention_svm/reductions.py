"""Sequence-to-sequence and causal attention as the single-query problem, exactly."""

from __future__ import annotations

import numpy as np

from margins._types import ArrayLike
from margins.attention_svm.data import TokenData
from margins.validation import finite_array


def sequence_data(X: ArrayLike, Y: ArrayLike, v: ArrayLike) -> TokenData:
    """The token data in which every token x_ik is a query over its whole sequence, with its own label Y_ik.

    X is (..., n, T, d), Y (..., n, T) and v (..., d). The n T samples (X_i, x_ik, Y_ik) have the training
    loss 1/(n T) sum_ik l(Y_ik v.output_ik), output k of self-attention on X_i, in the order i, then k
    (book: Sequences, causality, depth and real data, Every output is a query).

    >>> data = sequence_data(np.eye(3)[None], np.ones((1, 3)), np.ones(3))
    >>> data.X.shape, data.Z
    ((3, 3, 3), array([[1., 0., 0.],
           [0., 1., 0.],
           [0., 0., 1.]]))
    """
    X, Y = finite_array("X", X, dtype=np.float64), finite_array("Y", Y, dtype=np.float64)
    if X.ndim < 3 or Y.shape != X.shape[:-1]:
        raise ValueError(f"X must be (..., n, T, d) and Y (..., n, T), but they are {X.shape} and {Y.shape}")
    *batch, n, T, d = X.shape
    samples = np.repeat(X, T, axis=-3)  # (..., n T, T, d)
    return TokenData(samples, X.reshape(*batch, n * T, d), Y.reshape(*batch, n * T), np.asarray(v))


def causal_data(X: ArrayLike, Y: ArrayLike, v: ArrayLike) -> TokenData:
    """The same samples with a mask that lets query k attend to the tokens 1, ..., k only.

    The first query has no choice and constrains nothing
    (book: Sequences, causality, depth and real data, Is a causal mask easier?).

    >>> causal_data(np.ones((1, 3, 2)), np.ones((1, 3)), np.ones(2)).mask.astype(int)
    array([[1, 0, 0],
           [1, 1, 0],
           [1, 1, 1]])
    """
    data = sequence_data(X, Y, v)
    *batch, n, T = np.shape(Y)
    mask = np.broadcast_to(np.tril(np.ones((T, T), dtype=bool)), (*batch, n, T, T)).reshape(*batch, n * T, T)
    return TokenData(data.X, data.Z, data.Y, data.v, mask)
