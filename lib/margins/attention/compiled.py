"""An SVM compiled into an attention head with the same sign everywhere."""

from __future__ import annotations

import numpy as np

from margins._records import frozen
from margins._types import Array, ArrayLike
from margins.attention.softmax import softmax_attention
from margins.validation import finite_array, one_of, positive, same_length


@frozen
class AttentionHead:
    """A fixed attention head of scale 1: its keys, its values and the lift of a point to a query.

    (book: Attention as Nadaraya-Watson regression, Compile an SVM)

    >>> keys, values = np.array([[1.0], [0.0]]), np.array([[3.0], [-3.0]])
    >>> AttentionHead(keys, values, kernel="exponential")([[0.0], [1.0]]).round(3)
    array([0.   , 1.386])
    """

    keys: Array  # (m + 1, d) or (m + 1, d + 2)
    values: Array  # (m + 1, 1)
    kernel: str

    def queries(self, X: ArrayLike) -> Array:
        """The queries of the points `X` (n, d): x itself, or (x, |x|^2, 1) for the Gaussian kernel."""
        X = finite_array("X", X, ndim=2, dtype=np.float64)
        width = self.keys.shape[1] - (0 if self.kernel == "exponential" else 2)
        if X.shape[1] != width:
            raise ValueError(f"X must have {width} columns as the support vectors have, but it is {X.shape}")
        if self.kernel == "exponential":
            return X
        return np.column_stack([X, np.einsum("id,id->i", X, X), np.ones(len(X))])

    def __call__(self, X: ArrayLike) -> Array:
        """The outputs f(x) / (1 + sum_j k(x, x_j)) of the head (n,), of the same sign as the SVM's f(x)."""
        return softmax_attention(self.queries(X), self.keys, self.values, scale=1.0)[:, 0]


def svm_to_attention(
    support_vectors: ArrayLike,
    dual_coef: ArrayLike,
    intercept: ArrayLike = 0.0,
    *,
    kernel: str = "exponential",
    gamma: float = 1.0,
) -> AttentionHead:
    """The attention head whose output has the sign of the SVM f(x) = sum_j a_j k(x, x_j) + b.

    `dual_coef` holds a_j = alpha_j y_j. Each support vector becomes a key with logit
    log k(x, x_j) and value a_j; one more key with logit 0 carries the value b. So the
    numerator of softmax attention is f(x) and its denominator 1 + sum_j k(x, x_j) > 0: signs
    agree exactly, magnitudes do not. The scale must be 1, not 1/sqrt(d_k).

    - kernel "exponential", exp(gamma x.x_j): keys gamma x_j and 0;
    - kernel "gaussian", exp(-gamma |x - x_j|^2): queries (x, |x|^2, 1), keys
      (2 gamma x_j, -gamma, -gamma |x_j|^2) and 0

    (book: Attention as Nadaraya-Watson regression, Compile an SVM).

    >>> head = svm_to_attention([[1.0], [-1.0]], [0.5, -0.5], 0.1)
    >>> head([[2.0], [-2.0]]).round(3)  # of the signs of 0.5 e^x - 0.5 e^-x + 0.1
    array([ 0.437, -0.414])
    """
    one_of("kernel", kernel, ("exponential", "gaussian"))
    gamma = positive("gamma", gamma)
    X = finite_array("support_vectors", support_vectors, ndim=2, dtype=np.float64)  # (m, d)
    coefficients = finite_array("dual_coef", dual_coef, dtype=np.float64).ravel()  # (m,)
    same_length(support_vectors=X, dual_coef=coefficients)
    bias = finite_array("intercept", intercept, dtype=np.float64).ravel()
    if bias.size != 1:
        raise ValueError(f"intercept must be one number, but its shape is {np.shape(intercept)}")
    keys = gamma * X
    if kernel == "gaussian":
        keys = np.column_stack([2 * keys, np.full(len(X), -gamma), -gamma * np.einsum("id,id->i", X, X)])
    keys = np.vstack([keys, np.zeros(keys.shape[1])])
    return AttentionHead(keys=keys, values=np.r_[coefficients, bias][:, None], kernel=kernel)
