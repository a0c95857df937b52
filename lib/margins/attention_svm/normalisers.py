"""Ways to turn logits into weights: s_t = phi(a_t) / sum phi(a), with phi = exp or another function."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from margins._types import Array
from margins.validation import positive


class Normaliser(NamedTuple):
    """A positive increasing phi through log phi and its derivative; None stands for the constant 1."""

    log: Callable[[Array], Array]
    log_slope: Callable[[Array], Array] | None
    name: str = "a normaliser of your own"

    def __repr__(self) -> str:
        return self.name


EXPONENTIAL = Normaliser(lambda a: a, None, "EXPONENTIAL")


def softplus_power(power: float) -> Normaliser:
    """The normaliser phi(a) = log(1 + e^a)^p: exponential for a -> -inf only, a mere power for a -> inf.

    Trained with it, attention does not approach the attention SVM, but the one that also has the
    constraints -x_it' W z_i >= 1 for every token not selected, if those can be met
    (book: Attention converges to an SVM, Why the exponential).

    >>> data = random_token_data(2, 3, 4, rng=np.random.default_rng(0))
    >>> train(data, normaliser=softplus_power(2), iterations=10).status
    array('moving', dtype='<U10')
    """
    power = positive("power", power)
    return Normaliser(
        lambda a: power * log_softplus(a),
        lambda a: power * np.exp(-np.logaddexp(0.0, -a) - log_softplus(a)),
        f"softplus_power({power:g})",
    )


def log_softplus(a: Array) -> Array:
    """log log(1 + e^a), which tends to a as a -> -inf."""
    inner = np.log(np.logaddexp(0.0, np.maximum(a, -40.0)))
    return np.where(a < -40.0, a, inner)
