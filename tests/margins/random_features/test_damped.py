"""Damped features: mean, variance and the best damping."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margins import random_features
from margins import random_features as rf
from tests.margins.random_features.expectations import gauss_hermite, one_by_one


def test_damped_features_mean_and_variance_by_quadrature():
    x, y, A = np.array([[0.6, -0.2]]), np.array([[0.3, 0.5]]), -0.2
    omega, w = gauss_hermite(2, 80)
    phi_x, phi_y = (rf.damped_features(z, omega, A)[0] for z in (x, y))
    estimates = one_by_one(phi_x, phi_y, len(w))
    assert_allclose(w @ estimates, math.exp(x[0] @ y[0]), rtol=1e-9)
    variance = w @ estimates**2 - (w @ estimates) ** 2
    assert_allclose(variance, rf.damped_feature_variance(x[0], y[0], 1, A), rtol=1e-7)
    assert_allclose(rf.damped_features(x, omega, 0.0), rf.softmax_features(x, omega), rtol=1e-13)


@pytest.mark.parametrize(("d", "a"), [(1, 0.3), (4, 2.0), (64, 5.0)])
def test_best_damping_is_a_minimum(d, a):
    x = np.zeros(d)
    x[0] = math.sqrt(a) / 2  # y = x, so |x + y|^2 = a
    best = rf.best_damping(d, a)
    values = [rf.damped_feature_variance(x, x, 1, best + step) for step in (-1e-3, 0, 1e-3)]
    assert values[1] < min(values[0], values[2])
    assert values[1] < rf.softmax_feature_variance(x, x, 1)
    assert rf.best_damping(d, 0.0) == 0


def test_damped_features_of_stacks_are_those_of_their_members():
    X, omega = np.random.default_rng(0).normal(size=(2, 4, 3)), random_features.projections(5, 3, rng=1)
    stacked = random_features.damped_features(X, omega, -0.1)
    for one, features in zip(X, stacked, strict=True):
        np.testing.assert_allclose(random_features.damped_features(one, omega, -0.1), features, rtol=1e-12)
