"""Regularisation paths against another optimiser."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import NonlinearConstraint, minimize

from conftest import full
from margins.attention_svm import TokenData, frobenius_svm, paths, random_token_data, token_margins, train
from margins.attention_svm.excess import LogExcess, SmallestLead, log_excess
from margins.attention_svm.paths import regularisation_path
from tests.margins.attention_svm.draws import small as draw


def best_by_another_optimiser(objective, size, radius, rng):
    """The least value over a ball by SLSQP from many points."""
    ball = NonlinearConstraint(lambda p: p @ p, 0, radius**2)
    runs = [
        minimize(objective, radius * rng.normal(size=size), method="SLSQP", constraints=ball, tol=1e-12)
        for _ in range(6)
    ]
    return min(run.fun for run in runs if run.success)


@pytest.mark.parametrize("seed", [0, *full(1)])
def test_path_is_that_of_another_optimiser(seed):
    data, rng = draw(seed, n=2, T=3, d=2), np.random.default_rng(seed)
    excess = LogExcess(data)
    path = regularisation_path(data, [0.5, 2.0, 8.0], rng=rng)
    for R, found in zip(path.radii, path.log_excess, strict=True):
        other = best_by_another_optimiser(lambda p: excess(p.reshape(2, 2))[0], 4, R, rng)
        assert found == pytest.approx(other, abs=1e-6)
    path = regularisation_path(data, [0.5, 8.0], rng=rng, width=1)
    for R, found in zip(path.radii, path.log_excess, strict=True):
        other = best_by_another_optimiser(lambda p: excess(np.outer(p[:2], p[2:]))[0], 4, np.sqrt(2 * R), rng)
        assert found == pytest.approx(other, abs=1e-6)


@pytest.mark.parametrize("seed", [4002, *full(9001)])
def test_path_is_not_above_the_svm_where_its_valley_is_narrow(seed):
    """Of eighty problems of this size these two have a valley into which no random start fell."""
    data = draw(seed)
    svm = frobenius_svm(data, data.optimal_tokens)
    reach = np.array([10.0, 1000.0])
    for width, ball in ((None, np.linalg.norm(svm.W)), (3, np.linalg.norm(svm.W, "nuc"))):
        path = regularisation_path(data, reach * ball, rng=np.random.default_rng(seed), width=width, starts=2)
        assert (path.log_excess <= [log_excess(data, r * svm.W) for r in reach]).all()
        assert set(path.status) == {"boundary"}


def test_path_stays_within_its_norm():
    data = draw()
    rng = np.random.default_rng(0)
    radii = [1.0, 10.0, 100.0]
    path = regularisation_path(data, radii, rng=rng, starts=2)
    assert_allclose(np.linalg.norm(path.W, axis=(1, 2)), radii)
    assert_allclose(path.log_excess, [log_excess(data, W) for W in path.W])
    path = regularisation_path(data, radii, rng=rng, width=3, starts=2)
    assert_allclose((path.K**2).sum((1, 2)) + (path.Q**2).sum((1, 2)), 2 * np.array(radii))
    assert_allclose(np.linalg.norm(path.W, "nuc", axis=(1, 2)), radii, rtol=1e-6)
    assert set(path.status) == {"boundary"}


def test_path_of_an_infeasible_choice_ends_inside():
    """Two equal queries that want opposite tokens leave a finite best W, the one that plain descent finds."""
    X = np.array([[[1.0], [-1.0], [0.3]], [[1.0], [-1.0], [-0.5]]])
    data = TokenData(X, np.ones((2, 1)), np.array([1.0, -1.0]), np.ones(1))
    path = regularisation_path(data, [0.01, 50.0], rng=np.random.default_rng(0))
    assert path.status.tolist() == ["boundary", "interior"]
    trained = train(data, iterations=5000, normalised=False, step=1.0)
    assert_allclose(path.W[1], trained.W[-1], atol=1e-6)


def test_ties_among_the_best_tokens_cost_nothing():
    """With two equal best tokens, mass may lie on either: only the third is a loss."""
    X = np.array([[[1.0, 1.0], [1.0, -1.0], [-1.0, 0.0]]])
    data = TokenData(X, np.array([[1.0, 0.0]]), np.ones(1), np.array([1.0, 0.0]))
    path = regularisation_path(data, [30.0], rng=np.random.default_rng(0))
    assert path.log_excess[0] < -55
    assert abs(path.W[0] @ data.Z[0])[0] > 25


def test_a_search_that_ends_too_early_is_confessed(monkeypatch):
    """A function that falls along the sphere everywhere, and a search that does not move."""
    # the optimiser does not stop early on problems of a test's size
    monkeypatch.setattr(paths, "search_sphere", lambda function, ball, theta: theta)
    gradient = np.array([[0.0, 1.0], [0.0, 0.0]])
    with pytest.warns(RuntimeWarning, match="a search stopped early"):
        _, status = paths.polished(lambda theta: (0.0, gradient), 1.0, np.diag([1.0, 0.0]))
    assert status == "inaccurate"


@pytest.mark.parametrize("size", [1e-3, 1.0, 1e3])
def test_radii_rise_evenly_from_where_logits_are_small(size):
    """In equal ratios of at most 4 between those asked for, from 1 / (longest difference x longest query)."""
    data = draw()
    data, asked = TokenData(size * data.X, data.Z, data.Y, data.v), np.array([0.5, 3.0, 100.0])
    radii = np.array(paths.radii_between(asked, data))
    longest = np.ptp(data.X, axis=-2).max() * np.linalg.norm(data.Z, axis=-1).max()
    assert radii[0] == pytest.approx(min(0.5, 1 / longest))
    for low, high in zip([radii[0], *asked[:-1]], asked, strict=True):
        within = radii[(radii >= low * (1 - 1e-12)) & (radii <= high * (1 + 1e-12))]
        assert_allclose(within, np.geomspace(low, high, len(within)), rtol=1e-9)
        assert (within[1:] / within[:-1] <= 4 * (1 + 1e-6)).all()
        assert len(within) <= 2 + np.log(high / low) / np.log(4)


@pytest.mark.parametrize("seed", range(5))
def test_the_value_lies_between_the_smallest_lead_and_that_with_the_logarithm_of_the_number(seed):
    rng = np.random.default_rng(seed)
    data = random_token_data(3, 4, 3, rng=rng)
    lead = SmallestLead(data)
    for size in (0.0, 1.0, 30.0):
        W = size * rng.normal(size=(3, 3))
        smallest = token_margins(data, data.optimal_tokens, W).min()
        assert -smallest <= lead(W)[0] + 1e-12
        assert lead(W)[0] <= -smallest + np.log(9) + 1e-12
    assert lead(np.zeros((3, 3)))[0] == pytest.approx(np.log(9)), "all nine are equal at 0: sharp there"


def test_equal_best_tokens_need_not_lead_each_other():
    X = np.array([[[1.0, 1.0], [1.0, -1.0], [-1.0, 0.0]]])
    lead = SmallestLead(TokenData(X, [[1.0, 0.0]], [1.0], [1.0, 0.0]))
    assert_allclose(lead.rows, [[2.0, 0.0, 1.0, 0.0]])


def test_where_zero_is_the_minimiser_some_way_is_named():
    """Two equal queries with opposite pulls: the function is least at 0, where it has no slope."""
    data = TokenData([[[1.0], [-1.0]], [[1.0], [-1.0]]], [[1.0], [1.0]], [1.0, -1.0], [1.0])
    assert_array_equal(SmallestLead(data).way, [[1.0]])
