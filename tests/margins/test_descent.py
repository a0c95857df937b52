"""Descent on the logistic loss: its steps by hand, and the direction against an independent solver."""

import cvxpy as cp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from margins import descent
from margins.descent import logistic_descent
from margins.svm import NotSeparableError


def separable(seed, d=2):
    """Points that some hyperplane through the origin separates with room to spare."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(30, d))
    w = rng.normal(size=d)
    w /= np.linalg.norm(w)
    X = X[np.abs(X @ w) > 0.3]
    return X, np.sign(X @ w)


@given(st.integers(0, 10**6), st.integers(1, 6))
def test_direction_is_that_of_the_quadratic_program(seed, d):
    X, y = separable(seed, d=d)
    if len(set(y)) < 2:
        y = np.concatenate([y, -y])  # mirrored points keep the same direction
        X = np.concatenate([X, -X])
    w = cp.Variable(d)
    cp.Problem(cp.Minimize(cp.sum_squares(w)), [cp.multiply(y, X @ w) >= 1]).solve(solver=cp.CLARABEL)
    direction = descent.hard_margin_direction(X, y)
    assert np.linalg.norm(direction) == pytest.approx(1)
    assert (y * (X @ direction)).min() == pytest.approx(1 / np.linalg.norm(w.value), rel=1e-6)
    np.testing.assert_allclose(direction, w.value / np.linalg.norm(w.value), atol=1e-5)


def test_a_line_that_misses_the_origin_does_not_count():
    """1 and 2 are separable, but not by the sign of w x."""
    with pytest.raises(NotSeparableError, match="through the origin") as refusal:
        descent.hard_margin_direction([[1.0], [2.0]], [1, -1])
    ray = refusal.value.ray
    assert ray.min() >= 0
    assert ray @ np.array([1.0, -2.0]) == pytest.approx(0, abs=1e-9)


def test_margins_beyond_the_range_of_floats():
    """After enough unit steps every slope underflows to zero; the unit vector of the gradient does not."""
    X, y = separable(4)
    run = descent.logistic_descent(X, y, 30_000, normalised=True, record=[0, 10_000, 30_000])
    smallest = (y * (X @ run.weights[-1])).min()
    assert smallest > 2000
    assert np.exp(-smallest) == 0
    assert np.isfinite(run.weights).all()
    angles = run.angles(descent.hard_margin_direction(X, y))
    assert angles[2] < angles[1] < 2e-3


def test_angles_keep_their_digits():
    """arccos would round an angle of 1e-9 to zero."""
    run = descent.Descent(np.array([1]), np.array([[np.cos(1e-9), np.sin(1e-9)]]))
    assert run.angles([2.0, 0.0])[0] == pytest.approx(1e-9)
    assert run.angles([-1.0, 0.0])[0] == pytest.approx(np.pi)


def test_default_steps_are_those_of_the_book():
    """4 / lambda_max(X'X) of the gradient, here sum y_i x_i / 2, and a normalised step of 1 / max ||x_i||."""
    X, y = np.array([[2.0, 1.0], [1.0, -3.0], [0.5, 0.5]]), np.array([1.0, -1.0, 1.0])
    plain, unit = (logistic_descent(X, y, 1, normalised=unit, record=[0, 1]) for unit in (False, True))
    np.testing.assert_allclose(plain.weights, [[0, 0], 2 / np.linalg.eigvalsh(X.T @ X)[-1] * (y @ X)])
    np.testing.assert_allclose(plain.directions, [[0, 0], y @ X / np.linalg.norm(y @ X)])
    np.testing.assert_allclose(unit.norms, [0, 10**-0.5])
    given = logistic_descent(X, y, 1, step_size=0.1, normalised=True, record=[1])
    np.testing.assert_allclose(given.weights, 0.1 * plain.directions[1:])
    nowhere = logistic_descent(0 * X, y, 5, step_size=1.0, record=[0, 3, 5])
    assert nowhere.steps.tolist() == [0, 3, 5]
    assert not nowhere.weights.any()


@pytest.mark.parametrize("steps", [1, 7, 500, 12_345])
def test_records_are_spread_evenly_in_the_logarithm_by_default(steps):
    X, y = separable(0)
    counts = {0} | {round(steps ** (k / 99)) for k in range(100)}
    np.testing.assert_array_equal(logistic_descent(X, y, steps).steps, sorted(counts))
