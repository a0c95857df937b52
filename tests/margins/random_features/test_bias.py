"""The bias of the estimate by quadrature, and the jackknife."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margins import random_features as rf
from tests.margins.draws import gauss_hermite, normal


@pytest.mark.parametrize("kind", ["positive", "hyperbolic"])
def test_bias_and_variance_coefficients_by_quadrature(kind):
    """The delta method from the moments of single projections."""
    q, K, v = 0.4 * normal(2), 0.4 * normal(6, 2, seed=1), normal(6, seed=2)
    omega, w = gauss_hermite(2, 40)
    phi_q, phi_k = (rf.softmax_features(x, omega, kind) for x in (q[None], K))
    f = len(w) * (phi_q * phi_k).reshape(6, -1, len(w)).sum(axis=1)  # (keys, m): what each estimates alone
    N, M = v @ f, f.sum(axis=0)
    n0, m0 = w @ N, w @ M
    bias = w @ ((n0 / m0 * M - N) * (M - m0)) / m0**2
    assert_allclose(rf.attention_bias_coefficient(q, K, v, kind), bias, rtol=1e-9)
    variance = w @ np.square(N - n0 / m0 * M) / m0**2
    assert_allclose(rf.attention_variance_coefficient(q, K, v, kind), variance, rtol=1e-9)


def test_jackknife_leaves_one_projection_out():
    q, K, V = 0.5 * normal(3, 2), 0.5 * normal(6, 2, seed=1), normal(6, 2, seed=2)
    omega = rf.projections(5, 2, rng=3)
    for kind in ("positive", "hyperbolic"):
        whole = rf.linear_attention(*(rf.softmax_features(x, omega, kind) for x in (q, K)), V)
        rest = [np.delete(omega, r, axis=0) for r in range(5)]
        partial = [rf.linear_attention(*(rf.softmax_features(x, o, kind) for x in (q, K)), V) for o in rest]
        phi_q, phi_k = (rf.softmax_features(x, omega, kind) for x in (q, K))
        answer = rf.jackknife_attention(phi_q, phi_k, V, 5)
        assert_allclose(answer, 5 * whole - 4 * np.mean(partial, axis=0), rtol=1e-10)
