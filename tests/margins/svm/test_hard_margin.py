"""The hard margin against linear programming, and the nearest points of two hulls that decide it."""

import copy
import pickle

import numpy as np
import pytest

from margins import svm
from margins.svm.large.constants import FIRST_WORKING_SET
from margins.svm.nearest_points import interior_weights, nearest_points, retreat, signed_weights
from tests.margins.draws import separable, with_peak
from tests.margins.svm.problems import clouds


def draw(seed):
    """Points and labels: apart, touching, overlapping, or on a grid with repetitions."""
    rng = np.random.default_rng(seed)
    n, d, shift = int(rng.integers(4, 40)), int(rng.integers(1, 6)), rng.choice([0, 0.5, 1, 2, 4])
    y = np.where(rng.random(n) < 0.5, 1.0, -1.0)
    y[:2] = 1, -1
    X = rng.normal(size=(n, d)) + shift * np.outer(y, np.ones(d)) / np.sqrt(d)
    return (np.round(X) if seed % 5 == 0 else X), y


# in 100 dimensions the hulls are held by more points than Wolfe's method is given
MANY = [clouds(300, 100, shift, seed=1) for shift in (0.0, 0.05, 0.1, 0.4)]


@pytest.mark.parametrize("sample", [*range(60), *MANY])
def test_verdict_is_that_of_linear_programming(sample):
    X, y = draw(sample) if isinstance(sample, int) else sample
    if separable(y[:, None] * np.column_stack([X, np.ones(len(X))])):
        solution = svm.smo(X @ X.T, y)
        assert solution.status == "optimal"
        assert solution.gap <= 1e-7 * (1 + solution.dual_objective)
    else:
        with pytest.raises(svm.NotSeparableError) as refusal:
            svm.smo(X @ X.T, y)
        ray = refusal.value.ray
        assert ray.min() >= 0
        assert ray.sum() == pytest.approx(1)
        assert abs(ray @ y) < 1e-9
        np.testing.assert_allclose((ray * y) @ X, 0, atol=1e-6)


@pytest.mark.parametrize("share", [1e-8, 0.5])
def test_hulls_that_were_not_solved_are_no_verdict(share, monkeypatch):
    """Neither "separable" nor "not separable" may be said of weights that are not the nearest points'."""
    X, y = draw(1)
    far = nearest_points(np.eye(len(y)), y)  # the weights of another problem
    size = np.trace(X @ X.T) / len(y) - (X @ X.T).mean()
    nearest = type(far)(far.beta, share * size, -1.0)
    monkeypatch.setattr("margins.svm.hard_margin.nearest_points", lambda K, y: nearest)
    with pytest.raises(ValueError, match="rounding hides whether the classes are separable") as refusal:
        svm.smo(X @ X.T, y)
    assert not isinstance(refusal.value, svm.NotSeparableError)


STREET = [[0.5, 0], [1.2, -0.6], [2.3, 0.2], [1.9, 1.3], [2.6, -0.9], [0.6, 1.6]]
STREET += [[-0.9, -0.3], [-0.4, -1.3], [-1.6, 0.9], [-2.2, -0.5], [-1.5, -1.4], [-2.6, 0.6]]


@pytest.mark.parametrize(("place", "squared"), [((0.1, -0.8), 0.72), ((0.1, 0.5), 0.18525292)])
def test_verdict_is_right_where_three_pairs_lie_on_a_line(place, squared):
    """There Wolfe's rounds come no closer, and were once taken to have met."""
    X, y = np.array(STREET), np.repeat([1.0, -1.0], 6)
    X[7] = place
    solution = svm.smo(X @ X.T, y, tol=1e-9)
    assert solution.margin == pytest.approx(np.sqrt(squared) / 2, rel=1e-7)


def test_a_hard_margin_takes_the_room_of_few_matrices():
    """The Gram matrix itself is not counted: its centred copy, the factor of that, and little more."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(500, 4))
    K, y = (1 + X @ X.T) ** 2, np.sign(X[:, 0] + 0.3 * X[:, 1] * X[:, 2] + 0.1)
    solution, peak = with_peak(lambda: svm.smo(K, y))
    assert solution.status == "optimal"
    assert peak < 2.5 * 8 * 500**2


def test_a_refusal_reaches_another_process_whole():
    with pytest.raises(svm.NotSeparableError) as refusal:
        svm.smo(np.ones((2, 2)), [1, -1])
    for other in (copy.copy(refusal.value), pickle.loads(pickle.dumps(refusal.value))):
        assert str(other) == str(refusal.value)
        np.testing.assert_array_equal(other.ray, [0.5, 0.5])


def test_nearest_points_of_two_segments():
    """Closed form: the segments x = 1, |y| <= 1 and x = -2, 0 <= y <= 3 are 3 apart."""
    X, y = np.array([[1.0, -1], [1, 1], [-2, 0], [-2, 3]]), np.array([1.0, 1, -1, -1])
    nearest = nearest_points(X @ X.T, y)
    assert nearest.squared_distance == pytest.approx(9)
    assert nearest.gap == pytest.approx(9)
    np.testing.assert_allclose(nearest.beta @ X, [3, 0], atol=1e-12)


def test_a_corral_retreats_towards_the_origin():
    """Only who reaches weight 0 first has to leave: without the others the nearest point may be further."""
    for seed in range(70, 80):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(10, 4))
        pairs, weights = [(i, 5 + i) for i in range(5)], rng.dirichlet(np.ones(5))
        before, after = (
            signed_weights(*corral, 10) @ X for corral in ((pairs, weights), retreat(X @ X.T, pairs, weights))
        )
        assert np.linalg.norm(after) <= np.linalg.norm(before)


@pytest.mark.parametrize("n", [40, FIRST_WORKING_SET + 300])
def test_interior_point_and_wolfe_find_the_same_nearest_points(n):
    """With all points in the working set at once, and with rounds that exchange points."""
    X, y = clouds(n, 4, 4.0, seed=3)
    beta, nearest = interior_weights(X @ X.T, y), nearest_points(X @ X.T, y)
    assert beta[y > 0].sum() == pytest.approx(1)
    assert beta[y < 0].sum() == pytest.approx(-1)
    assert (beta * y).min() >= 0
    np.testing.assert_allclose(beta @ X, nearest.beta @ X, atol=1e-5)
    assert nearest.gap == pytest.approx(nearest.squared_distance)
