"""The excess of the training loss over its infimum, in logarithms: like e^(-margin) it soon underflows.

With e_i = sum_t s_it (gamma_i,opt - gamma_it), the score that sequence i loses to tokens other than its best,
L(W) - inf L = 1/n sum_i (l(gamma_i,opt - e_i) - l(gamma_i,opt)).
"""

from __future__ import annotations

from math import isqrt
from typing import Any

import numpy as np

from margins._types import Array, ArrayLike
from margins.attention_svm.constraints import pair_constraints
from margins.attention_svm.data import TokenData, trainable
from margins.attention_svm.gradient import checked_matrix
from margins.attention_svm.losses import LOGISTIC, Loss, checked_loss


class LogExcess:
    """The function log(L(W) - inf L) of one set of token data with a linear head, and its gradient.

    inf L = 1/n sum_i l(gamma_i,opt) is the infimum if all optimal tokens can win at once
    (book: Attention converges to an SVM, The regularisation path).
    """

    def __init__(self, data: TokenData, *, loss: Loss = LOGISTIC) -> None:
        scores = np.where(trainable(data).allowed, data.scores, -np.inf)  # (n, T)
        best = scores.max(axis=-1)  # (n,)
        lost = np.where(data.allowed & ~data.optimal_sets, best[:, None] - scores, 0.0)
        if not (lost > 0).any():
            raise ValueError("all tokens have equal scores in every sequence: no W changes the loss")
        pulled = (lost > 0).any(axis=-1)  # (n,), the others add nothing; p of them
        self.loss, self.best, self.log_count = checked_loss(loss), best[pulled], np.log(len(best))
        self.tokens, self.queries = data.X[pulled], data.Z[pulled]  # (p, T, d), (p, d)
        with np.errstate(divide="ignore"):
            self.log_factors = np.log([1.0 * data.allowed[pulled], lost[pulled]])  # (2, p, T)

    def __call__(self, W: Array) -> tuple[Any, Array]:
        """The value and the gradient (d, d) at W."""
        terms, elasticity, weights, pull = self._terms(self._logits(W))
        value, share = log_sum_exp(terms)
        q = (share * elasticity)[:, None] * (pull - weights)  # (p, T)
        towards = (q[:, None, :] @ self.tokens)[:, 0]  # (p, d)
        return value - self.log_count, towards.T @ self.queries

    def along(self, W: Array, factors: Array) -> Array:
        """The values at the multiples of W by all of the `factors` (F,)."""
        logits = factors[:, None, None] * self._logits(W)  # (F, p, T)
        return log_sum_exp(self._terms(logits)[0])[0] - self.log_count

    def _logits(self, W):
        return (self.tokens @ (self.queries @ W.T)[:, :, None])[..., 0]  # (p, T)

    def _terms(self, logits):
        """Logarithms (..., p) of what sequences add, elasticities, s, and s by what a token loses."""
        sums, weights = log_sum_exp(logits[..., None, :, :] + self.log_factors)  # (..., 2, p), (..., 2, p, T)
        log_e = sums[..., 1, :] - sums[..., 0, :]
        terms, elasticity = self.loss.log_excess(log_e, self.best)
        return terms, elasticity, weights[..., 0, :, :], weights[..., 1, :, :]


class SmallestLead:
    """The convex function log sum e^(-m_it(W)) over all tokens that score below the best, and its gradient.

    With the leads m_it(W) = (x_i,opt - x_it)' W z_i it lies between -min m and -min m + log n(T - 1): its
    minimiser over a ball has a smallest m of at least the largest one in that ball less log n(T - 1). There a
    search for the least loss may begin (book: Attention converges to an SVM, The regularisation path).

    >>> data = TokenData([[[1.0], [-1.0]]], [[1.0]], [1.0], [1.0])
    >>> value, gradient = SmallestLead(data)(np.array([[3.0]]))
    >>> print(value, gradient)
    -6.0 [[-2.]]
    """

    def __init__(self, data: TokenData) -> None:
        pairs = pair_constraints(data, data.optimal_sets.argmax(axis=-1))
        self.rows = pairs.rows[~data.optimal_sets[pairs.present]]  # (p, d d)

    @property
    def way(self) -> Array:
        """The direction (d, d) in which the function falls fastest at 0; any if 0 is its minimiser."""
        d = isqrt(self.rows.shape[1])
        fall = -self(np.zeros((d, d)))[1]
        return fall if fall.any() else np.eye(d)

    def __call__(self, W: Array) -> tuple[Any, Array]:
        """The value and the gradient (d, d) at W."""
        value, shares = log_sum_exp(-(self.rows @ W.ravel()))
        return value, -(shares @ self.rows).reshape(W.shape)


def log_excess(data: TokenData, W: ArrayLike, *, loss: Loss = LOGISTIC) -> Any:
    """The numbers log(L(W) - inf L), one a problem.

    (book: Attention converges to an SVM, The regularisation path)

    >>> data = random_token_data(2, 3, 4, rng=np.random.default_rng(0))
    >>> W = frobenius_svm(data, data.optimal_tokens).W
    >>> (log_excess(data, 10 * W) - log_excess(data, 20 * W)).round(1)  # the loss falls like exp(-R)
    np.float64(10.0)
    """
    W = checked_matrix("W", W, data)  # (B, d, d)
    W = W.reshape(*data.batch_shape, *W.shape[-2:])
    if not data.batch_shape:
        return LogExcess(data, loss=loss)(W)[0]
    return np.array([log_excess(data[b], W[b], loss=loss) for b in range(data.batch_shape[0])])


def log_sum_exp(a: Array) -> tuple[Array, Array]:
    """The numbers log sum_t e^a_t along the last axis, and the softmax weights."""
    top = np.maximum.reduce(a, axis=-1, keepdims=True)  # called so often that the detour by a.max() counts
    masses = np.exp(a - top)
    total = np.add.reduce(masses, axis=-1, keepdims=True)
    return (top + np.log(total))[..., 0], masses / total
