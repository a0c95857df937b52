"""Variances and biases in closed form against quadrature, the least damping, and the jackknife."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margins import random_features as rf
from tests.margins.draws import gauss_hermite, normal, one_by_one

KINDS = ("positive", "trigonometric", "hyperbolic")


def orthogonal_pair():
    """Two orthogonal projections of a block in the plane projected on a fixed unit vector, with weights.

    The directions are uniform, the lengths chi_2: Gauss-Laguerre over both squared lengths
    and equidistant angles. Nothing here uses the closed form.
    """
    s, u = np.polynomial.laguerre.laggauss(40)
    r, angle = np.sqrt(2 * s), np.arange(128) * 2 * math.pi / 128
    R1, R2, T = np.meshgrid(r, r, angle, indexing="ij")
    weights = np.broadcast_to(u[:, None, None] * u[None, :, None] / 128, T.shape)
    return R1 * np.cos(T), -R2 * np.sin(T), weights / weights.sum()


@pytest.mark.parametrize("kind", KINDS)
def test_orthogonal_variance_by_quadrature_in_two_dimensions(kind):
    x, y = np.array([0.7, 0.3]), np.array([0.2, -0.5])
    c, K = x @ x + y @ y, math.exp(x @ y)
    length = np.linalg.norm(x - y if kind == "trigonometric" else x + y)
    one, two, w = orthogonal_pair()
    shape, factor = {
        "positive": (np.exp, math.exp(-c / 2)),
        "hyperbolic": (np.cosh, math.exp(-c / 2)),
        "trigonometric": (np.cos, math.exp(c / 2)),
    }[kind]
    estimate = factor * (shape(length * one) + shape(length * two)) / 2
    assert_allclose((w * estimate).sum(), K, rtol=1e-9)
    variance = (w * (estimate - K) ** 2).sum()
    assert_allclose(variance, rf.softmax_feature_variance(x, y, 2, kind, orthogonal=True), rtol=1e-7)


def test_variance_broadcasts_and_shrinks_with_m():
    X, Y = 0.4 * normal(5, 1, 3), 0.4 * normal(4, 3, seed=1)
    for kind in KINDS:
        table = rf.softmax_feature_variance(X, Y, 4, kind)
        assert table.shape == (5, 4)
        assert_allclose(table, rf.softmax_feature_variance(X, Y, 1, kind) / 4, rtol=1e-14)
        assert_allclose(table[2, 3], rf.softmax_feature_variance(X[2, 0], Y[3], 4, kind), rtol=1e-13)
    # one projection, or a line, has no partners to be orthogonal to
    assert_array_equal(
        rf.softmax_feature_variance(X, Y, 1, orthogonal=True), rf.softmax_feature_variance(X, Y, 1)
    )
    line = X[..., :1], Y[..., :1]
    assert_array_equal(
        rf.softmax_feature_variance(*line, 9, orthogonal=True), rf.softmax_feature_variance(*line, 9)
    )
    # blocks of 3 and 2 projections are independent
    sums = [m**2 * rf.softmax_feature_variance(X, Y, m, orthogonal=True) for m in (2, 3, 5)]
    assert_allclose(sums[2], sums[0] + sums[1], rtol=1e-9)
    share = rf.fourier_feature_variance(X, Y, 6, orthogonal=True) / rf.fourier_feature_variance(X, Y, 6)
    c = np.square(X).sum(-1) + np.square(Y).sum(-1)
    trig = rf.softmax_feature_variance(X, Y, 6, "trigonometric", orthogonal=True)
    assert_allclose(share, trig / rf.softmax_feature_variance(X, Y, 6, "trigonometric"), rtol=1e-9)
    assert_allclose(trig, np.exp(c) * rf.fourier_feature_variance(X, Y, 6, orthogonal=True), rtol=1e-9)


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
    X, omega = np.random.default_rng(0).normal(size=(2, 4, 3)), rf.projections(5, 3, rng=1)
    stacked = rf.damped_features(X, omega, -0.1)
    for one, features in zip(X, stacked, strict=True):
        np.testing.assert_allclose(rf.damped_features(one, omega, -0.1), features, rtol=1e-12)


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
