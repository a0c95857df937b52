"""The regressor and the transformers: scikit-learn's conventions, and the functions that they call."""

from functools import partial

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import LeaveOneOut, cross_val_score
from sklearn.utils.estimator_checks import check_estimator

from margins.attention import loo_errors, nadaraya_watson
from margins.estimators import FourierFeatures, NadarayaWatson, SoftmaxFeatures
from margins.kernels import gaussian
from margins.random_features import softmax_feature_variance, softmax_features


def noisy_sine(n=80):
    rng = np.random.default_rng(0)
    X = rng.uniform(-2, 2, (n, 1))
    return X, np.sin(3 * X[:, 0]) + 0.2 * rng.standard_normal(n)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
@pytest.mark.parametrize(
    "estimator",
    [
        NadarayaWatson(),
        NadarayaWatson(bandwidth=0.5, kernel="laplacian"),
        FourierFeatures(8),
        FourierFeatures(8, orthogonal=True),
        SoftmaxFeatures(8),
        SoftmaxFeatures(8, kind="hyperbolic", orthogonal=False),
    ],
    ids=repr,
)
def test_estimators_follow_the_conventions(estimator):
    check_estimator(estimator)


@pytest.mark.parametrize("kernel", ["gaussian", "laplacian", partial(gaussian, gamma=0.5)])
@pytest.mark.parametrize("weights", [None, np.arange(80) % 4])
def test_the_regressor_is_the_function(weights, kernel):
    X, y = noisy_sine()
    points, options = np.linspace(-3, 3, 40)[:, None], {"kernel": kernel, "weights": weights}
    model = NadarayaWatson(0.3, kernel).fit(X, y, sample_weight=weights)
    assert_array_equal(model.predict(points), nadaraya_watson(points, X, y, 0.3, **options))
    assert (model.bandwidth_, model.loo_error_) == (0.3, loo_errors(X, y, 0.3, **options)[1][0])
    assert type(model.bandwidth_) is type(model.loo_error_) is float


def test_the_chosen_bandwidth_is_the_best_by_scikit_learns_own_leave_one_out():
    X, y = noisy_sine(30)
    model = NadarayaWatson().fit(X, y)
    errors = {}
    for h in (model.bandwidth_ / 2 ** (1 / 10), model.bandwidth_, model.bandwidth_ * 2 ** (1 / 10)):
        scores = cross_val_score(NadarayaWatson(h), X, y, cv=LeaveOneOut(), scoring="neg_mean_squared_error")
        errors[h] = -scores.mean()
    assert min(errors, key=errors.get) == model.bandwidth_
    assert_allclose(model.loo_error_, errors[model.bandwidth_], rtol=1e-9)


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
