"""The first guess where a Gaussian kernel is smooth beside the points: factor, hinge and start."""

import numpy as np
import pytest
from scipy.optimize import minimize

from margins import svm
from margins.kernels import gaussian
from margins.svm.large import constants
from margins.svm.large.grams import GaussianGram
from margins.svm.large.primal_newton import SmoothedHinge, first_guess
from tests.margins.svm.problems import waves


def smoothed(A, C, w):
    """The primal objective with a parabola for the hinge's kink, between 1 - width and 1 + width."""
    width = constants.NARROWEST_PARABOLA
    lack = 1 + width - A @ w
    slack = np.where(lack < 2 * width, lack**2 / (4 * width), lack - width)
    return w[:-1] @ w[:-1] / 2 + C * np.where(lack < 0, 0, slack).sum()


@pytest.mark.parametrize("C", [1e-3, 0.5, 30.0])
def test_the_smoothed_hinge_is_minimised(C):
    X, y = waves(200)
    A = y[:, None] * np.column_stack([X, X[:, 0] * X[:, 1], np.ones(200)])
    hinge = SmoothedHinge(A, C)
    assert hinge.minimise()
    np.testing.assert_allclose(hinge.alpha @ A, [*hinge.w[:-1], 0], atol=1e-9 * C * 200)
    np.testing.assert_allclose(hinge.margins, A @ hinge.w, atol=1e-9)
    expected = minimize(lambda w: smoothed(A, C, w), hinge.w + 1e-3, method="Nelder-Mead", tol=1e-13)
    assert smoothed(A, C, hinge.w) <= expected.fun * (1 + 1e-9)


@pytest.mark.parametrize("C", [0.01, 1.0, 100.0])
def test_a_guess_is_feasible_and_all_but_optimal(C):
    X, y = waves(600)
    guess, best = first_guess(GaussianGram(X, 0.5), y, C), svm.smo(gaussian(X, gamma=0.5), y, C)
    assert abs(guess.sum()) <= 1e-12 * np.abs(guess).sum()
    assert (guess * y).min() >= 0
    assert np.abs(guess).max() <= C
    value = svm.dual_objective(gaussian(X, gamma=0.5), y, np.abs(guess))
    assert 0.99 * best.dual_objective <= value <= best.dual_objective
    assert np.mean(np.abs(np.abs(guess) - best.alpha) < 0.01 * C) > 0.9


def test_a_hinge_that_was_not_minimised_is_no_guess(monkeypatch):
    # one Newton step at the last width is too few for any data
    monkeypatch.setattr(constants, "STEPS_AT_LAST_WIDTH", 1)
    X, y = waves(600)
    assert first_guess(GaussianGram(X, 0.5), y, 10.0) is None
