"""Random features as scikit-learn transformers."""

from __future__ import annotations

import math
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from margins._types import Array, ArrayLike
from margins.random_features import KINDS, fourier_features, projections, softmax_features
from margins.validation import count, one_of, positive


class _RandomFeatures(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """What the two transformers share: projections drawn at fit, in the precision of the data."""

    def _draw(self, X: Array, m: int) -> Array:
        """The projections (m, d) for checked data `X` (n, d)."""
        seed = check_random_state(self.random_state).randint(np.iinfo(np.int32).max)
        omega = projections(m, X.shape[1], rng=seed, orthogonal=self.orthogonal)
        return omega.astype(X.dtype, copy=False)

    def _validated(self, X: ArrayLike, *, reset: bool) -> Array:
        return validate_data(self, X, dtype=[np.float64, np.float32], reset=reset)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


class FourierFeatures(_RandomFeatures):
    """Random Fourier features of the Gaussian kernel: phi(x).phi(y) estimates exp(-gamma |x - y|^2).

    Parameters
    ----------
    n_features : int
        The number of columns, even: a cosine and a sine of n_features/2 projections.
    gamma : float
        The parameter of the kernel.
    orthogonal : bool
        Whether projections are orthogonal within blocks of the dimension.
    random_state : int, RandomState or None

    Attributes
    ----------
    omega_ : the projections (n_features/2, d), scaled by sqrt(2 gamma).

    (book: Random features and linear attention, Bochner's theorem)

    >>> from sklearn.linear_model import Ridge
    >>> from sklearn.pipeline import make_pipeline
    >>> X = np.linspace(-3, 3, 60)[:, None]
    >>> model = make_pipeline(FourierFeatures(200, random_state=0), Ridge(1e-3)).fit(X, np.sin(X[:, 0]))
    >>> np.abs(model.predict(X) - np.sin(X[:, 0])).max() < 0.05
    np.True_
    """

    def __init__(
        self,
        n_features: int = 256,
        *,
        gamma: float = 1.0,
        orthogonal: bool = False,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.n_features = n_features
        self.gamma = gamma
        self.orthogonal = orthogonal
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: object = None) -> Self:
        """The transformer itself, with its projections."""
        X = self._validated(X, reset=True)
        if count("n_features", self.n_features) % 2:
            raise ValueError(f"n_features must be even, a cosine and a sine each, but got {self.n_features}")
        root = X.dtype.type(math.sqrt(2 * positive("gamma", self.gamma)))
        self.omega_ = root * self._draw(X, self.n_features // 2)
        self._n_features_out = self.n_features
        return self

    def transform(self, X: ArrayLike) -> Array:
        """The features (n, n_features) of the points `X` (n, d), cosines first."""
        check_is_fitted(self)
        return fourier_features(self._validated(X, reset=False), self.omega_)


class SoftmaxFeatures(_RandomFeatures):
    """Random features of the exponential kernel: phi(x).phi(y) estimates exp(x.y), no scale inside.

    The defaults, positive features of orthogonal projections, are those of FAVOR+.

    Parameters
    ----------
    n_features : int
        The number m of projections; "positive" gives m columns, the other kinds 2m.
    kind : str
        "positive", "trigonometric" or "hyperbolic".
    orthogonal : bool
        Whether projections are orthogonal within blocks of the dimension.
    random_state : int, RandomState or None

    Attributes
    ----------
    omega_ : the projections (n_features, d).

    (book: Random features and linear attention, Three ways to estimate the softmax kernel)

    >>> phi = SoftmaxFeatures(4096, random_state=0).fit_transform([[0.5, 0.0], [0.0, 0.5]])
    >>> (phi @ phi.T).round(1)  # exp(x.y)
    array([[1.3, 1. ],
           [1. , 1.3]])
    """

    def __init__(
        self,
        n_features: int = 256,
        *,
        kind: str = "positive",
        orthogonal: bool = True,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.n_features = n_features
        self.kind = kind
        self.orthogonal = orthogonal
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: object = None) -> Self:
        """The transformer itself, with its projections."""
        X = self._validated(X, reset=True)
        one_of("kind", self.kind, KINDS)
        self.omega_ = self._draw(X, count("n_features", self.n_features))
        self._n_features_out = self.n_features * (1 if self.kind == "positive" else 2)
        return self

    def transform(self, X: ArrayLike) -> Array:
        """The features (n, m) or (n, 2m) of the points `X` (n, d)."""
        check_is_fitted(self)
        return softmax_features(self._validated(X, reset=False), self.omega_, self.kind)
