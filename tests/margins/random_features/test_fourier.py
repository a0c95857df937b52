"""Projections have the distribution that they should; Fourier features, their mean and variance."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats

from margins import random_features as rf
from margins.random_features import fourier
from tests.margins.draws import gauss_hermite, normal, one_by_one


def test_projections_are_gaussian_and_reproducible():
    omega = rf.projections(4000, 3, rng=0)
    assert_array_equal(omega, rf.projections(4000, 3, rng=np.random.default_rng(0), orthogonal=False))
    assert stats.kstest(omega.ravel(), "norm").pvalue > 0.01
    assert_allclose(np.cov(omega.T), np.eye(3), atol=0.1)


@pytest.mark.parametrize(("m", "d"), [(3, 8), (8, 8), (20, 8), (5, 1)])
def test_orthogonal_projections_come_in_blocks_of_chi_lengths(m, d):
    omega = rf.projections(m, d, rng=0, orthogonal=True)
    assert omega.shape == (m, d)
    for first in range(0, m, d):
        block = omega[first : first + d]
        inner = block @ block.T
        assert_allclose(inner - np.diag(np.diag(inner)), 0, atol=1e-12)


def test_orthogonal_projections_are_gaussian_one_by_one():
    """Each row is N(0, I): chi lengths, and directions of both signs (a bare QR has one sign only)."""
    first_rows = np.array([rf.projections(4, 4, rng=seed, orthogonal=True)[0] for seed in range(1000)])
    assert stats.kstest((first_rows**2).sum(axis=1), "chi2", args=(4,)).pvalue > 0.01
    for column in first_rows.T:
        assert stats.kstest(column, "norm").pvalue > 0.01


@pytest.mark.parametrize("n", [5, 700])
@pytest.mark.parametrize(("dtype", "atol"), [(np.float64, 1e-14), (np.float32, 1e-5)])
def test_fourier_pairs_are_cosines_and_sines(dtype, atol, n):
    """Of few points by the formula, of many by tangents or in float32 tile by tile."""
    X, omega = 3 * normal(2, n, 3, dtype=dtype), normal(200, 3, seed=1, dtype=dtype)
    angles = X.astype(float) @ omega.T.astype(float)
    features = rf.fourier_features(X, omega)
    assert features.dtype == dtype
    assert_allclose(
        features, np.concatenate([np.cos(angles), np.sin(angles)], axis=-1) / math.sqrt(200), atol=atol
    )


def test_fourier_pairs_at_the_poles_of_the_tangent(monkeypatch):
    monkeypatch.setattr(fourier, "FEW", 0)  # of a few points it would not be asked
    angles = np.array([0, math.pi / 2, math.pi, -math.pi, 3 * math.pi, 1e9, 1e15])
    features = rf.fourier_features(angles[:, None], np.ones((1, 1)))
    assert_allclose(features, np.column_stack([np.cos(angles), np.sin(angles)]), atol=1e-14)


def test_fourier_mean_and_variance_by_quadrature():
    x, y = np.array([[0.3, -0.8]]), np.array([[1.1, 0.4]])
    omega, w = gauss_hermite(2)
    estimates = one_by_one(rf.fourier_features(x, omega)[0], rf.fourier_features(y, omega)[0], len(w))
    mean = w @ estimates
    assert_allclose(mean, math.exp(-((x - y) ** 2).sum() / 2), rtol=1e-13)
    assert_allclose(w @ estimates**2 - mean**2, rf.fourier_feature_variance(x[0], y[0], 1), rtol=1e-12)
    # offsets: 64 equidistant ones integrate their trigonometric polynomials exactly
    b = np.arange(64) * 2 * math.pi / 64
    both = np.repeat(omega, 64, axis=0), np.tile(b, len(omega)), np.repeat(w, 64) / 64
    phi_x, phi_y = (rf.fourier_features(z, both[0], offsets=both[1])[0] for z in (x, y))
    estimates = one_by_one(phi_x, phi_y, len(both[2]))
    assert_allclose(both[2] @ estimates, mean, rtol=1e-12)
    variance = both[2] @ estimates**2 - mean**2
    assert_allclose(variance, rf.fourier_feature_variance(x[0], y[0], 1, offset=True), rtol=1e-12)
