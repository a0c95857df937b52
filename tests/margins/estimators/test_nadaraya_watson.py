"""The regressor: scikit-learn's conventions, and the function that it calls."""

from functools import partial

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.model_selection import LeaveOneOut, cross_val_score
from sklearn.utils.estimator_checks import check_estimator

from margins.attention import loo_errors, nadaraya_watson
from margins.estimators import FourierFeatures, NadarayaWatson, SoftmaxFeatures
from margins.kernels import gaussian


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
