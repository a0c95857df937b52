"""The climb with finite bounds: where it starts, when Newton steps come, and when it gives up."""

import numpy as np
import pytest

from margins import kernels, svm
from margins.svm.large import constants
from margins.svm.large.box import BoxPoint, climb_all, refine
from margins.svm.large.grams import GivenGram
from tests.margins.svm.problems import clouds


def test_a_start_has_the_gradient_and_the_bounds_of_its_multipliers():
    X, y = clouds(12, 2, 0.5)
    K, beta = kernels.gaussian(X), 0.1 * y
    for C in (0.3, np.full(12, 0.3)):
        point = BoxPoint.start(GivenGram(K), y, C, beta)
        np.testing.assert_allclose(point.gradient, y - K @ beta, atol=1e-12)
        np.testing.assert_allclose([point.low, point.high], [0.15 * (y - 1), 0.15 * (y + 1)])


def test_a_failed_attempt_is_followed_by_a_finer_one(monkeypatch):
    # a coarse violation of 1e4 lets Newton steps begin at once, far from the optimum, where they fail
    monkeypatch.setattr(constants, "COARSE_VIOLATION", 1e4)
    X, y = clouds(120, 2, 0.3, seed=1)
    solution = svm.smo(kernels.gaussian(X), y, 100.0)
    assert solution.status == "optimal"
    assert solution.violation <= 1e-10


@pytest.mark.parametrize(("dtype", "attempts"), [(np.float64, 1), (np.float32, 2)])
def test_a_climb_that_used_up_its_rounds_is_the_last_attempt(dtype, attempts, monkeypatch):
    """Seven finer attempts would each use up theirs; in float32 one in float64 follows."""
    monkeypatch.setattr(constants, "MOST_CLIMB_ROUNDS", 2)  # too few for this problem, as 250 are for others
    X, y = clouds(200, 2, 0.1)
    climbed = []

    def counted(point, y, tolerance):
        climbed.append(tolerance)
        climb_all(point, y, tolerance)

    point = BoxPoint.start(GivenGram(kernels.gaussian(X.astype(dtype))), y, 1e3, np.zeros(200))
    refine(point, y, 1e-10, counted)
    assert point.violation > 1e-3
    assert len(climbed) == attempts
