"""Nadaraya-Watson regression as a scikit-learn regressor."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from margins._types import Array, ArrayLike, Kernel
from margins.attention import loo_errors, nadaraya_watson
from margins.attention.energies import sample_weights
from margins.validation import positive


class NadarayaWatson(RegressorMixin, BaseEstimator):
    """Nadaraya-Watson regression f(x) = sum_j K((x - x_j)/h) y_j / sum_j K((x - x_j)/h).

    Parameters
    ----------
    bandwidth : float or "loo"
        The bandwidth h; "loo" takes the one of 100 that has the smallest leave-one-out error.
    kernel : str or callable
        "gaussian", K(u) = exp(-|u|^2/2), or "laplacian", K(u) = exp(-|u|_1), or a function k(X, Y) -> (n, m),
        which is called with the points divided by h.

    Attributes
    ----------
    bandwidth_ : the bandwidth in use.
    loo_error_ : its leave-one-out mean squared error.

    (book: Attention as Nadaraya-Watson regression, Choosing the bandwidth)

    >>> X = np.linspace(0, 1, 21)[:, None]
    >>> model = NadarayaWatson(bandwidth=0.05).fit(X, X[:, 0] ** 2)
    >>> model.predict([[0.5]]).round(2)
    array([0.25])
    """

    def __init__(self, bandwidth: float | str = "loo", kernel: str | Kernel = "gaussian") -> None:
        self.bandwidth = bandwidth
        self.kernel = kernel

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """The regressor itself, holding the samples and the bandwidth.

        A weight w_j multiplies K((x - x_j)/h), as if the sample were there w_j times. The leave-one-out error
        leaves out one of the w_j, all of it where w_j <= 1.
        """
        checks = {"multi_output": True, "y_numeric": True, "ensure_min_samples": 2}
        points, values = validate_data(self, X, y, dtype=np.float64, **checks)
        chosen = isinstance(self.bandwidth, str)
        if chosen and self.bandwidth != "loo":
            raise ValueError(f'bandwidth must be a number > 0 or "loo", but got {self.bandwidth!r}')
        candidates = None if chosen else [positive("bandwidth", self.bandwidth)]
        weights = (
            None if sample_weight is None else sample_weights("sample_weight", sample_weight, len(points))
        )
        bandwidths, errors = loo_errors(points, values, candidates, kernel=self.kernel, weights=weights)
        best = np.argmin(errors)
        self.bandwidth_, self.loo_error_ = float(bandwidths[best]), float(errors[best])
        self.X_, self.y_, self.sample_weight_ = points, values, weights
        return self

    def predict(self, X: ArrayLike) -> Array:
        """The regression at the points `X` (n,) or (n, p)."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        samples = self.X_, self.y_, self.bandwidth_
        return nadaraya_watson(X, *samples, kernel=self.kernel, weights=self.sample_weight_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags
