"""Block coordinate ascent on samples of growing size: the optimum of pair steps, and the soft threshold."""

import numpy as np
import pytest
from scipy.optimize import brentq

from margins import svm
from margins.kernels import gaussian
from margins.svm.large import constants
from margins.svm.large.blocks import thresholded
from tests.margins.svm.problems import assert_same_optimum, chequers


def few_points_are_many(monkeypatch):
    """Lets 1600 points be solved as 100,000 are, for these would take a minute."""
    for name, number in {"BLOCKWISE_POINTS": 1000, "SMALLEST_SAMPLE": 100, "BLOCK_POINTS": 200}.items():
        monkeypatch.setattr(constants, name, number)


@pytest.mark.parametrize("tol", [1e-3, 1e-10])
@pytest.mark.parametrize("C", [0.1, 10.0])
def test_samples_and_blocks_reach_the_same_optimum(C, tol, monkeypatch):
    """Samples of 100 and 400 points, then all 1600, in blocks of 200."""
    few_points_are_many(monkeypatch)
    X, y = chequers(1600)
    found = svm.gaussian_svm(X, y, C, gamma=2.0, tol=tol)
    assert_same_optimum(found, gaussian(X, gamma=2.0), y, C, tol)


def test_a_soft_threshold_is_where_the_multipliers_balance():
    """The root by Brent's method; beyond the soft zone multipliers lie exactly on their bounds."""
    rng = np.random.default_rng(0)
    y = np.where(rng.random(200) < 0.3, 1.0, -1.0)
    scores, width = y + rng.normal(size=200), constants.THRESHOLD_WIDTH

    def multipliers(t):
        return 0.7 * y * np.interp(y * (scores + t), [1 - width, 1 + width], [1, 0])

    t = brentq(lambda t: multipliers(t).sum(), -9, 9, xtol=1e-15)
    found = thresholded(scores, y, 0.7)
    np.testing.assert_allclose(found, multipliers(t), atol=1e-9)
    sure = np.abs(y * (scores + t) - 1) > width + 1e-9
    np.testing.assert_array_equal(found[sure], multipliers(t)[sure])
