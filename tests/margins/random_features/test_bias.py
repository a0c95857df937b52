"""The bias of the estimate and the jackknife, by quadrature and sampling."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margins import random_features as rf
from margins.attention import softmax_attention
from tests.margins.draws import normal
from tests.margins.random_features.expectations import gauss_hermite


def expectation_of_ratio(q, K, v, m, kind, jackknife=False, nodes=24):
    """E of the normalised estimate (or its jackknife) with m projections on a line, by m-fold quadrature."""
    omega, w = gauss_hermite(1, nodes)
    phi_q, phi_k = (rf.softmax_features(x, omega, kind) for x in (q[None], K))
    share = (phi_q[0] * phi_k).reshape(len(K), -1, nodes).sum(axis=1)  # (keys, nodes)
    N, M = v @ share, share.sum(axis=0)
    index = np.indices((nodes,) * m).reshape(m, -1)  # of the nodes of the m projections
    N, M = N[index], M[index]
    ratio = N.sum(axis=0) / M.sum(axis=0)
    if jackknife:
        ratio = m * ratio - (m - 1) * ((N.sum(axis=0) - N) / (M.sum(axis=0) - M)).mean(axis=0)
    return w[index].prod(axis=0) @ ratio


@pytest.mark.parametrize("kind", ["positive", "hyperbolic"])
def test_bias_coefficient_and_jackknife_by_quadrature(kind):
    q, K, v = np.array([0.25]), np.array([[0.3], [-0.2], [0.1]]), np.array([1.0, -1.0, 0.5])
    exact = softmax_attention(q[None], K, v[:, None], scale=1.0).item()
    c = rf.attention_bias_coefficient(q, K, v, kind)
    errors = [m * (expectation_of_ratio(q, K, v, m, kind) - exact) - c for m in (1, 2, 3)]
    # m * bias = c + O(1/m): the remainder falls, and extrapolation removes most of it
    assert abs(errors[2]) < abs(errors[1]) < abs(errors[0]) < abs(c)
    assert abs(3 * errors[2] - 2 * errors[1]) < abs(errors[2]) / 3
    left = expectation_of_ratio(q, K, v, 3, kind, jackknife=True) - exact
    assert abs(left) < abs(errors[2] + c) / 3 / 3


@pytest.mark.parametrize("kind", ["positive", "hyperbolic"])
def test_bias_and_variance_coefficients_by_sampling(kind):
    """The delta method from sampled moments of single projections."""
    q, K, v = 0.4 * normal(3), 0.4 * normal(6, 3, seed=1), normal(6, seed=2)
    omega = rf.projections(400_000, 3, rng=3)
    m = len(omega)
    phi_q, phi_k = (rf.softmax_features(x, omega, kind) for x in (q[None], K))
    f = m * (phi_q * phi_k).reshape(6, -1, m).sum(axis=1)  # (keys, m): single-projection estimates
    N, M = v @ f, f.sum(axis=0)
    n0, m0 = v @ np.exp(K @ q), np.exp(K @ q).sum()
    sampled = n0 * M.var() / m0**3 - np.cov(N, M)[0, 1] / m0**2
    assert_allclose(rf.attention_bias_coefficient(q, K, v, kind), sampled, atol=0.02)
    assert_allclose(
        rf.attention_variance_coefficient(q, K, v, kind), np.var(N - n0 / m0 * M) / m0**2, rtol=0.05
    )


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
