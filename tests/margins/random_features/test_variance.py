"""Variances in closed form against quadrature and sampling."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margins import random_features as rf
from tests.margins.draws import normal

KINDS = ("positive", "trigonometric", "hyperbolic")


def orthogonal_pair(d, nodes=40):
    """Two orthogonal projections of one block projected on a fixed unit vector, with weights.

    The directions are uniform, the lengths chi_d: Gauss-Laguerre over both squared lengths
    and, in two dimensions, equidistant angles. Nothing here uses the closed form.
    """
    assert d == 2
    s, u = np.polynomial.laguerre.laggauss(nodes)
    r, angle = np.sqrt(2 * s), np.arange(128) * 2 * math.pi / 128
    R1, R2, T = np.meshgrid(r, r, angle, indexing="ij")
    weights = np.broadcast_to(u[:, None, None] * u[None, :, None] / 128, T.shape)
    return R1 * np.cos(T), -R2 * np.sin(T), weights / weights.sum()


@pytest.mark.parametrize("kind", KINDS)
def test_orthogonal_variance_by_quadrature_in_two_dimensions(kind):
    x, y = np.array([0.7, 0.3]), np.array([0.2, -0.5])
    c, K = x @ x + y @ y, math.exp(x @ y)
    length = np.linalg.norm(x - y if kind == "trigonometric" else x + y)
    one, two, w = orthogonal_pair(2)
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
