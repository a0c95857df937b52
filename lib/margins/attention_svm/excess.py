"""The excess of the training loss over its infimum, in logarithms: like e^(-margin) it soon underflows.

With e_i = sum_t s_it (gamma_i,opt - gamma_it), the score that sequence i loses to tokens other than its best,
L(W) - inf L = 1/n sum_i (l(gamma_i,opt - e_i) - l(gamma_i,opt)).
(book: Attention converges to an SVM, The regularisation path)
"""

import numpy as np

from margins.attention_svm.gradient import checked_matrix
from margins.attention_svm.losses import LOGISTIC


class LogExcess:
    """The function log(L(W) - inf L) of one set of token data with a linear head, and its gradient.

    inf L = 1/n sum_i l(gamma_i,opt) is the infimum if all optimal tokens can win at once
    (book: Attention converges to an SVM, The regularisation path).
    """

    def __init__(self, data, *, loss=LOGISTIC):
        scores = np.where(data.allowed, data.scores, -np.inf)  # (n, T)
        self.best = scores.max(axis=-1)  # (n,)
        lost = np.where(data.allowed & ~data.optimal_sets, self.best[:, None] - scores, 0.0)
        if not (lost > 0).any():
            raise ValueError("all tokens have equal scores in every sequence: no W changes the loss")
        self.data, self.loss, self.pulled = data, loss, (lost > 0).any(axis=-1)
        self.pulled_tokens, self.pulled_queries = data.X[self.pulled], data.Z[self.pulled]
        with np.errstate(divide="ignore"):
            self.log_lost = np.log(lost[self.pulled])  # (pulled, T)
            self.log_allowed = np.log(1.0 * data.allowed)  # (n, T)

    def __call__(self, W):
        """The value and the gradient (d, d) at W."""
        logits = (self.data.X @ (self.data.Z @ W.T)[:, :, None])[..., 0]  # (n, T)
        total, weights = log_sum_exp(logits + self.log_allowed)
        loss, pull = log_sum_exp(logits[self.pulled] + self.log_lost)
        terms, elasticity = self.loss.log_excess(loss - total[self.pulled], self.best[self.pulled])
        value, share = log_sum_exp(terms)
        q = (share * elasticity)[:, None] * (pull - weights[self.pulled])  # (n, T)
        towards = (q[:, None, :] @ self.pulled_tokens)[:, 0]  # (pulled, d)
        return value - np.log(len(self.best)), towards.T @ self.pulled_queries


def log_excess(data, W, *, loss=LOGISTIC):
    """The numbers log(L(W) - inf L), one a problem.

    (book: Attention converges to an SVM, The regularisation path)

    >>> data = random_token_data(2, 3, 4, rng=np.random.default_rng(0))
    >>> W = frobenius_svm(data, data.optimal_tokens).W
    >>> (log_excess(data, 10 * W) - log_excess(data, 20 * W)).round(1)  # the loss falls like exp(-R)
    np.float64(10.0)
    """
    W = checked_matrix("W", W, data).reshape(*data.batch_shape, *W.shape[-2:])
    if not data.batch_shape:
        return LogExcess(data, loss=loss)(W)[0]
    return np.array([log_excess(data[b], W[b], loss=loss) for b in range(data.batch_shape[0])])


def log_sum_exp(a):
    """The numbers log sum_t e^a_t along the last axis, and the softmax weights."""
    top = a.max(axis=-1, keepdims=True)
    masses = np.exp(a - top)
    total = masses.sum(axis=-1, keepdims=True)
    return (top + np.log(total))[..., 0], masses / total
