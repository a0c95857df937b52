"""Projections have the distribution that they should, orthogonal ones too."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats

from margins import random_features as rf
from tests.margins.draws import normal


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
    bare = np.array([np.linalg.qr(normal(4, 4, seed=s))[0][:, 0] for s in range(50)])
    assert (bare[:, 0] < 0).all()  # why the signs of R matter
