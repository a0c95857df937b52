"""Nadaraya-Watson regression and random features as scikit-learn sees them."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import GridSearchCV, LeaveOneOut, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

from margins.attention import loo_errors, nadaraya_watson
from margins.estimators import FourierFeatures, NadarayaWatson, SoftmaxFeatures
from margins.random_features import softmax_feature_variance, softmax_features


def noisy_sine(n=80, seed=0):
    rng = np.random.default_rng(seed)
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


# --- Nadaraya-Watson --------------------------------------------------------------------------


def test_the_regressor_is_the_function():
    X, y = noisy_sine()
    points = np.linspace(-3, 3, 40)[:, None]
    model = NadarayaWatson(bandwidth=0.3).fit(X, y)
    assert model.bandwidth_ == 0.3
    assert_array_equal(model.predict(points), nadaraya_watson(points, X, y, 0.3))
    assert_allclose(model.loo_error_, loo_errors(X, y, 0.3)[1][0], rtol=1e-12)


def test_the_chosen_bandwidth_is_the_best_by_scikit_learns_own_leave_one_out():
    X, y = noisy_sine()
    model = NadarayaWatson().fit(X, y)
    errors = {}
    for h in (model.bandwidth_ / 2 ** (1 / 10), model.bandwidth_, model.bandwidth_ * 2 ** (1 / 10)):
        scores = cross_val_score(NadarayaWatson(h), X, y, cv=LeaveOneOut(), scoring="neg_mean_squared_error")
        errors[h] = -scores.mean()
    assert min(errors, key=errors.get) == model.bandwidth_
    assert_allclose(model.loo_error_, errors[model.bandwidth_], rtol=1e-9)


def test_the_regressor_takes_several_targets_and_both_kernels():
    X, y = noisy_sine()
    Y = np.column_stack([y, -2 * y])
    for kernel in ("gaussian", "laplacian"):
        model = NadarayaWatson(kernel=kernel).fit(X, Y)
        assert model.predict(X[:7]).shape == (7, 2)
        assert model.score(X, Y) > 0.8


def test_the_regressor_in_a_pipeline_and_a_grid_search():
    X, y = noisy_sine()
    pipeline = make_pipeline(StandardScaler(), NadarayaWatson())
    grid = {"nadarayawatson__bandwidth": ["loo", 5.0], "nadarayawatson__kernel": ["gaussian", "laplacian"]}
    search = GridSearchCV(pipeline, grid, cv=4).fit(X, y)
    assert search.best_params_["nadarayawatson__bandwidth"] == "loo"
    assert search.best_score_ > 0.7


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"bandwidth": "cv"}, 'bandwidth must be a number > 0 or "loo"'),
        ({"bandwidth": 0.0}, "bandwidth must be a number > 0, but 0.0 came"),
        ({"bandwidth": -1}, "bandwidth must be a number > 0"),
        ({"kernel": "box"}, "kernel must be one of 'gaussian', 'laplacian'"),
    ],
)
def test_the_regressor_refuses(parameters, words):
    X, y = noisy_sine()
    with pytest.raises(ValueError, match=words):
        NadarayaWatson(**parameters).fit(X, y)


# --- random features --------------------------------------------------------------------------


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


def test_features_keep_single_precision_seeds_and_themselves():
    X = np.random.default_rng(0).standard_normal((20, 3)).astype(np.float32)
    for model in (FourierFeatures(16, random_state=1), SoftmaxFeatures(16, random_state=1)):
        features = model.fit_transform(X)
        assert features.dtype == np.float32
        assert_array_equal(clone(model).fit_transform(X), features)
        assert_array_equal(pickle.loads(pickle.dumps(model)).transform(X), features)
        assert np.abs(clone(model).set_params(random_state=2).fit_transform(X) - features).max() > 0.01


def test_integers_are_numbers_like_others():
    X = np.array([[1, -2, 0], [3, 1, 1]])
    for model in (FourierFeatures(16, gamma=0.3, random_state=1), SoftmaxFeatures(16, random_state=1)):
        assert_array_equal(model.fit_transform(X), model.fit_transform(X.astype(float)))


@pytest.mark.parametrize(("model", "orthogonal"), [(FourierFeatures, False), (SoftmaxFeatures, True)])
def test_features_are_256_where_nothing_is_said(model, orthogonal):
    model = model(random_state=0).fit(np.ones((3, 5)))
    assert model.transform(np.ones((3, 5))).shape == (3, 256)
    block = model.omega_[:5] @ model.omega_[:5].T
    assert np.allclose(block, np.diag(np.diagonal(block))) == orthogonal


def test_features_in_pipelines_and_grid_searches():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((200, 2))
    y = (np.hypot(*X.T) > 1.1).astype(int)
    pipeline = make_pipeline(FourierFeatures(128, random_state=0), LogisticRegression(C=10))
    search = GridSearchCV(pipeline, {"fourierfeatures__gamma": [1e-4, 0.5]}, cv=4).fit(X, y)
    assert search.best_params_ == {"fourierfeatures__gamma": 0.5}
    assert search.best_score_ > 0.9
    pipeline = make_pipeline(SoftmaxFeatures(256, random_state=0), Ridge(1e-2))
    assert pipeline.fit(X, np.exp(X[:, 0])).score(X, np.exp(X[:, 0])) > 0.95


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (FourierFeatures(0), "n_features must be an integer >= 1, but 0 came"),
        (FourierFeatures(7), "n_features must be even, a cosine and a sine each, but 7 came"),
        (FourierFeatures(8, gamma=0), "gamma must be a number > 0"),
        (SoftmaxFeatures(-1), "n_features must be an integer >= 1"),
        (SoftmaxFeatures(2.5), "n_features must be an integer >= 1"),
        (SoftmaxFeatures(8, kind="elu"), "kind must be one of 'positive', 'trigonometric', 'hyperbolic'"),
    ],
)
def test_features_refuse(model, words):
    with pytest.raises(ValueError, match=words):
        model.fit(np.ones((3, 2)))
