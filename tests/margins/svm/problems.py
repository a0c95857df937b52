"""Classification problems that the tests of several solvers share."""

import numpy as np
import pytest

from margins import svm


def clouds(n, d, apart, seed=0):
    """Two Gaussian clouds with their means at `apart` and -`apart` in every coordinate."""
    rng, y = np.random.default_rng(seed), np.where(np.arange(n) % 2, 1.0, -1.0)
    return rng.normal(size=(n, d)) + apart * y[:, None], y


def chequers(n):
    """A chequerboard with noisy labels: bounded and free support vectors for every C."""
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, size=(n, 2))
    return X, np.sign(np.sin(4 * X[:, 0]) * np.cos(4 * X[:, 1]) + 0.1 * rng.normal(size=n))


def waves(n):
    """Points of the plane on either side of a wave, every tenth label wrong."""
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, size=(n, 2))
    y = np.where(X[:, 1] > 0.5 * np.sin(3 * X[:, 0]), 1.0, -1.0)
    return X, np.where(rng.random(n) < 0.1, -y, y)


def assert_same_optimum(found, K, y, C, tol=1e-10):
    """The solution of any solver is optimal, and has the dual objective that pair steps reach on K."""
    report = svm.kkt_report(K, y, found.alpha, found.b, C)
    assert found.status == "optimal"
    assert report.violation <= 2 * tol
    assert report.dual_infeasibility <= 1e-11 * (1 + found.alpha.sum())
    assert found.dual_objective == pytest.approx(svm.smo(K, y, C).dual_objective, rel=30 * tol)
