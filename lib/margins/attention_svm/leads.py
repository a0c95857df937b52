"""By how much optimal tokens lead, as one convex function: where a search for the least loss may begin.

With m_it(W) = (x_i,opt - x_it)' W z_i, log sum_it e^(-m_it(W)) lies between -min m and -min m + log n(T - 1).
(book: Attention converges to an SVM, The regularisation path)
"""

from __future__ import annotations

from math import isqrt
from typing import Any

import numpy as np

from margins._types import Array
from margins.attention_svm.constraints import pair_constraints
from margins.attention_svm.data import TokenData
from margins.attention_svm.excess import log_sum_exp


class SmallestLead:
    """The convex function log sum e^(-m_it(W)) over all tokens that score below the best, and its gradient.

    Its minimiser over a ball has a smallest m of at least the largest one in that ball less log n(T - 1).

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
