"""The transformers: scikit-learn's conventions, and the kernels that they estimate."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.metrics.pairwise import rbf_kernel

from margins.estimators import FourierFeatures, SoftmaxFeatures
from margins.random_features import softmax_feature_variance, softmax_features


@pytest.mark.parametrize("orthogonal", [False, True])
def test_fourier_features_approximate_the_gaussian_kernel(orthogonal):
    """As scikit-learn tests its own: bias, largest and mean error; here also exact on the diagonal."""
    X = np.random.default_rng(0).standard_normal((50, 6))
    exact = rbf_kernel(X, gamma=0.3)
    features = FourierFeatures(1024, gamma=0.3, orthogonal=orthogonal, random_state=0).fit_transform(X)
    assert features.shape == (50, 1024)
    error = features @ features.T - exact
    assert abs(error.mean()) < 0.01
    assert np.abs(error).max() < 0.16  # five standard deviations of a mean of 512 cosines
    assert_allclose(np.diag(error), 0, atol=1e-12)


@pytest.mark.parametrize("kind", ["positive", "trigonometric", "hyperbolic"])
def test_softmax_features_approximate_the_exponential_kernel(kind):
    X = 0.3 * np.random.default_rng(0).standard_normal((50, 4))
    model = SoftmaxFeatures(4096, kind=kind, random_state=0).fit(X)
    features = model.transform(X)
    assert features.shape == (50, 4096 if kind == "positive" else 8192)
    assert len(model.get_feature_names_out()) == features.shape[1]
    expected = softmax_feature_variance(X[:, None], X, 4096, kind, orthogonal=True).sum()
    assert np.square(features @ features.T - np.exp(X @ X.T)).sum() < 4 * expected
    assert_array_equal(features, softmax_features(X, model.omega_, kind))


@pytest.mark.parametrize(("model", "orthogonal"), [(FourierFeatures, False), (SoftmaxFeatures, True)])
def test_features_are_256_where_nothing_is_said(model, orthogonal):
    model = model(random_state=0).fit(np.ones((3, 5)))
    assert model.transform(np.ones((3, 5))).shape == (3, 256)
    block = model.omega_[:5] @ model.omega_[:5].T
    assert np.allclose(block, np.diag(np.diagonal(block))) == orthogonal
