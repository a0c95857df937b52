"""Losses of the label times the output, with their excess in logarithms, where it is too small for a float.

(book: Attention converges to an SVM, The model)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from margins._types import Array
from margins.attention_svm.normalisers import log_softplus
from margins.validation import instance


class Loss(NamedTuple):
    """A decreasing loss l(u) of u = Y h: its value, its slope, and how far a small loss of score raises it.

    `log_excess(log_e, gamma)` is log(l(gamma - e) - l(gamma)) and its derivative by log e. For l' < 0 that
    derivative tends to 1 as e -> 0: this is what makes every sequence pull with the same exponent
    (book: Attention converges to an SVM, The regularisation path).
    """

    value: Callable[[Array], Array]
    slope: Callable[[Array], Array]
    log_excess: Callable[[Array, Array], tuple[Array, Array]]
    name: str = "a loss of your own"

    def __repr__(self) -> str:
        return self.name


def _logistic_slope(u):
    """The derivative -1/(1 + e^u); beyond u = 709 it is below the smallest float."""
    return -1 / (1 + np.exp(np.minimum(u, 709.0)))


def _logistic_log_excess(log_e, gamma):
    """log log(1 + p (e^eps - 1)) with p = 1/(1 + e^gamma), and its elasticity.

    In logarithms throughout, for p underflows and e^eps overflows from scores of 710 on.
    """
    eps, log_p = np.exp(log_e), -np.logaddexp(0.0, gamma)
    tiny = eps < 1e-8  # there e^eps - 1 = eps to double precision, and eps itself may underflow
    if tiny.all():  # as nearly always on a path
        return log_e + log_p, np.ones_like(log_e)
    log_growth = np.where(tiny, log_e, eps + np.log(-np.expm1(-np.where(tiny, 1.0, eps))))
    value = log_softplus(log_growth + log_p)
    elasticity = np.exp(log_e - np.logaddexp(0.0, gamma - eps) - value)
    return value, np.where(tiny, 1.0, elasticity)


LOGISTIC = Loss(lambda u: np.logaddexp(0.0, -u), _logistic_slope, _logistic_log_excess, "LOGISTIC")
CORRELATION = Loss(
    lambda u: -u, lambda u: -np.ones_like(u), lambda log_e, gamma: (log_e, np.ones_like(log_e)), "CORRELATION"
)


def checked_loss(loss: object) -> Loss:
    """`loss` if it is a `Loss`, else a message that says which there are."""
    return instance("loss", loss, Loss, "LOGISTIC or CORRELATION")
