"""Newton steps on the free multipliers: the linear system and the length of a step."""

import numpy as np
import pytest

from margins.kernels import gaussian
from margins.svm.large import newton
from margins.svm.large.box import BoxPoint
from margins.svm.large.grams import GivenGram
from margins.svm.large.newton import balanced_solution, newton_step, step_length
from tests.margins.svm.problems import clouds


@pytest.mark.parametrize("offset", [0.0, 50.0, 1e9])
def test_balanced_systems_are_solved_beside_their_multiplier(offset):
    """[[K + lift I, 1], [1', 0]] (delta, mu) = (aim, total), whatever is added to all entries of K."""
    rng = np.random.default_rng(0)
    F = rng.normal(size=(6, 6))
    K, aim, total, lift = F @ F.T, rng.normal(size=6), 0.7, 0.3
    bordered = np.block([[K + lift * np.eye(6), np.ones((6, 1))], [np.ones((1, 6)), np.zeros((1, 1))]])
    expected = np.linalg.solve(bordered, [*aim, total])[:6]
    found = balanced_solution(K + offset, aim, total, lift)
    np.testing.assert_allclose(found, expected, rtol=1e-10 + 1e-14 * offset)


@pytest.mark.parametrize(
    ("slope", "curvature", "length"), [(1.0, 4.0, 0.25), (1.0, 0.5, 1.0), (1.0, 0.0, 1.0), (-1.0, 2.0, 0.0)]
)
def test_newton_steps_end_where_the_dual_is_highest(slope, curvature, length):
    point = BoxPoint(None, np.zeros(1), np.array([slope]), np.zeros(1), np.ones(1))
    assert step_length(point, np.ones(1), np.array([curvature])) == length


@pytest.mark.parametrize("n", [2, 8])
def test_far_from_all_bounds_the_first_solution_is_the_optimum(n, monkeypatch):
    """The solution that stops at every bound takes many systems, and is for where the first one fails."""
    monkeypatch.setattr(newton, "_cautious_solution", lambda *_: pytest.fail("not needed here"))
    X, y = clouds(n, 2, 0.5)
    point = BoxPoint.start(GivenGram(gaussian(X)), y, 1e6, 10 * y)
    newton_step(point, np.ones(n, bool), lift=0.0)
    assert point.violation < 1e-9
    assert abs(point.beta.sum()) < 1e-9
