"""The interior point against Clarabel, on both of its linear algebras, and the systems that these solve."""

import numpy as np
import pytest

from margins import svm
from margins.svm.large.interior_point import (
    DenseQuadratic,
    LowRankQuadratic,
    interior_optimum,
    substituted,
    substituted_back,
)
from tests.margins.svm.problems import clouds


@pytest.mark.parametrize("n", [1, 127, 128, 129, 300])
def test_substitution_in_blocks(n):
    rng = np.random.default_rng(n)
    factor = np.tril(rng.normal(size=(n, n))) / n + np.eye(n)
    v = rng.normal(size=n)
    np.testing.assert_allclose(factor @ substituted(factor, v), v, atol=1e-11)
    np.testing.assert_allclose(factor.T @ substituted_back(factor, v), v, atol=1e-11)


def test_both_linear_algebras_solve_the_same_system():
    rng = np.random.default_rng(0)
    Z, diagonal, v = rng.normal(size=(200, 5)), rng.uniform(0.1, 10, 200), rng.normal(size=200)
    expected = np.linalg.solve(Z @ Z.T + np.diag(diagonal), v)
    for quadratic in (LowRankQuadratic(Z), DenseQuadratic(Z @ Z.T)):
        np.testing.assert_allclose(quadratic.solver(diagonal)(v), expected, atol=1e-10)
        np.testing.assert_allclose(quadratic.times(v), Z @ (Z.T @ v), atol=1e-10)


@pytest.mark.parametrize("C", [0.01, 1.0, 100.0])
def test_soft_margin_by_either_algebra(C):
    """In u = alpha / C and divided by C, the dual is min C/2 u'Qu - 1'u with y'u = 0 and 0 <= u <= 1."""
    X, y = clouds(80, 3, 0.5)
    Z = np.sqrt(C) * y[:, None] * X
    expected = svm.dual_qp(X @ X.T, y, C).objective
    for quadratic in (LowRankQuadratic(Z), DenseQuadratic(Z @ Z.T)):
        point = interior_optimum(
            quadratic, np.ones(80), y[:, None], np.zeros(1), np.full(80, 0.5), 1.0, relative=1e-12
        )
        alpha = C * point.u
        assert point.slacks.min() > 0
        np.testing.assert_allclose(point.slacks.sum(axis=0), 1)
        assert abs(y @ alpha) < 1e-9 * C
        assert svm.dual_objective(X @ X.T, y, alpha) == pytest.approx(expected, rel=1e-9)
