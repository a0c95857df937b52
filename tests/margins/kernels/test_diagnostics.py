"""Eigenvalues, ranks, witnesses and symmetry of Gram matrices."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margins import kernels
from margins.kernels.diagnostics import is_symmetric
from tests.margins.draws import normal


def test_diagnostics_of_a_known_spectrum():
    Q, _ = np.linalg.qr(normal(6, 6))
    K = Q @ np.diag([3.0, 2.0, 1.0, 0.0, 0.0, -0.5]) @ Q.T
    assert_allclose(kernels.spectrum(K), [3, 2, 1, 0, 0, -0.5], atol=1e-14)
    assert_allclose(kernels.smallest_eigenvalue(K), -0.5, atol=1e-14)
    assert kernels.numerical_rank(K) == 4
    assert kernels.numerical_rank(K, tolerance=0.7) == 3
    u = kernels.psd_witness(K)
    assert_allclose([u @ u, u @ K @ u], [1.0, -0.5], atol=1e-14)
    assert kernels.psd_witness(K, tolerance=0.6) is None
    assert not kernels.is_psd(K)
    assert kernels.is_psd(K + 0.5 * np.eye(6))


def test_rounding_alone_is_no_witness():
    for dtype in (np.float32, np.float64):
        K = kernels.gaussian(normal(200, 1, dtype=dtype))
        assert kernels.psd_witness(K) is None
        assert kernels.numerical_rank(K) < 100


@pytest.mark.parametrize(("roundings", "symmetric"), [(900, True), (1100, False)])
def test_rounding_a_thousand_times_is_no_asymmetry(roundings, symmetric):
    """In units of the largest entry in modulus, here a negative one."""
    K = np.array([[0.0, 0.5], [0.5 + roundings * np.finfo(float).eps * 4, -4.0]])
    assert is_symmetric(K) == symmetric
