"""Features of the exponential kernel: their mean by quadrature."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margins import random_features as rf
from tests.margins.random_features.expectations import gauss_hermite, one_by_one

KINDS = ("positive", "trigonometric", "hyperbolic")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("x", "y"), [([0.3, -0.8], [1.0, 0.4]), ([1.0, 0.5], [-0.9, -0.6]), ([0.2, 0.1], [0.2, 0.1])]
)
def test_softmax_features_mean_and_variance_by_quadrature(kind, x, y):
    """E phi(x).phi(y) = exp(x.y) exactly; Monte Carlo would need millions of draws to see it."""
    x, y = np.array([x]), np.array([y])
    omega, w = gauss_hermite(2, 80)
    phi_x, phi_y = (rf.softmax_features(z, omega, kind)[0] for z in (x, y))
    estimates = one_by_one(phi_x, phi_y, len(w))
    mean = w @ estimates
    assert_allclose(mean, math.exp(x[0] @ y[0]), rtol=1e-12)
    variance = rf.softmax_feature_variance(x[0], y[0], 1, kind)
    assert_allclose(w @ (estimates - mean) ** 2, variance, rtol=1e-10, atol=1e-14)
