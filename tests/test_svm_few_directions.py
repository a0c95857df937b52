"""The first guess where a Gaussian kernel is smooth beside the points: factor, hinge and start."""

import numpy as np
import pytest
from scipy.optimize import minimize

from margins import svm
from margins.kernels import gaussian
from margins.svm.box import BoxPoint, bounds
from margins.svm.few_directions import GLIMPSE, NARROWEST, RoundedHinge, first_guess, partial_factor
from margins.svm.grams import GaussianGram, GivenGram


def waves(n, seed=0):
    """Points of the plane on either side of a wave, every tenth label wrong."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, size=(n, 2))
    y = np.where(X[:, 1] > 0.5 * np.sin(3 * X[:, 0]), 1.0, -1.0)
    return X, np.where(rng.random(n) < 0.1, -y, y)


def counted(gram):
    """A list that grows by the rows that this matrix is asked for."""
    made, full_rows = [], gram.full_rows
    gram.full_rows = lambda rows: made.extend(rows) or full_rows(rows)
    return made


@pytest.mark.parametrize("lacking", [0.1, 1e-3, 1e-6])
def test_a_partial_factor_lacks_what_it_may_and_meets_no_row_twice(lacking):
    X = waves(400)[0]
    gram = GaussianGram(X, 0.5)
    made, factor = counted(gram), partial_factor(gram, 40, lacking)
    rest = gaussian(X, gamma=0.5) - factor @ factor.T
    assert factor.shape[1] == len(made) == len(set(made)) < 40
    assert np.abs(rest).max() <= lacking + 1e-6
    assert np.linalg.eigvalsh(rest)[0] > -1e-4


def test_many_directions_are_left_alone_at_a_glimpse():
    X = np.random.default_rng(0).normal(size=(400, 12))
    for gamma, rows in ((0.3, GLIMPSE), (1e-2, 20)):
        gram = GaussianGram(X, gamma)
        made = counted(gram)
        assert partial_factor(gram, 20, 1e-3) is None
        assert len(made) == rows


def rounded(A, C, w):
    """The primal objective with the hinge rounded off between the margins 1 - NARROWEST and 1 + NARROWEST."""
    lack = 1 + NARROWEST - A @ w
    parabola, straight = lack**2 / (4 * NARROWEST), lack - NARROWEST
    return (
        w[:-1] @ w[:-1] / 2
        + C * np.where(lack < 0, 0, np.where(lack < 2 * NARROWEST, parabola, straight)).sum()
    )


@pytest.mark.parametrize("C", [1e-3, 0.5, 30.0])
def test_the_rounded_hinge_settles_at_its_minimum(C):
    X, y = waves(200)
    A = y[:, None] * np.column_stack([X, X[:, 0] * X[:, 1], np.ones(200)])
    hinge = RoundedHinge(A, C)
    assert hinge.settle()
    np.testing.assert_allclose(hinge.alpha @ A, [*hinge.w[:-1], 0], atol=1e-9 * C * 200)
    np.testing.assert_allclose(hinge.margins, A @ hinge.w, atol=1e-9)
    expected = minimize(lambda w: rounded(A, C, w), hinge.w + 1e-3, method="Nelder-Mead", tol=1e-13)
    assert rounded(A, C, hinge.w) <= expected.fun * (1 + 1e-9)


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


def test_no_guess_beyond_single_precision():
    """At C = 1e4 the factor could lack no more than float32 has lost of K."""
    X, y = waves(600)
    assert first_guess(GaussianGram(X, 0.5), y, 1e4) is None


def test_a_hinge_that_finds_no_rest_is_no_guess(monkeypatch):
    monkeypatch.setattr("margins.svm.few_directions.LAST", 1)
    X, y = waves(600)
    assert first_guess(GaussianGram(X, 0.5), y, 10.0) is None


@pytest.mark.parametrize("tol", [1e-3, 1e-10])
@pytest.mark.parametrize("C", [1e-160, 0.1, 10.0, 100.0])
def test_same_optimum_as_by_pair_steps(C, tol):
    X, y = waves(600)
    K = gaussian(X, gamma=0.5)
    primal, pairs = svm.gaussian_svm(X, y, C, gamma=0.5, tol=tol), svm.smo(K, y, C)
    assert primal.status == "optimal"
    assert svm.kkt_report(K, y, primal.alpha, primal.b, C).violation <= 2 * tol
    assert primal.dual_objective == pytest.approx(pairs.dual_objective, rel=30 * tol)


def test_a_guess_saves_all_but_a_few_pair_steps():
    X, y = waves(600)
    assert svm.gaussian_svm(X, y, 1.0, gamma=0.5, tol=1e-3).steps < 60
    assert svm.smo(gaussian(X, gamma=0.5), y, 1.0, tol=1e-3).steps > 200


def test_a_guess_is_polished_before_any_pair_step(monkeypatch):
    waited = []
    monkeypatch.setattr(
        "margins.svm.box.newton_step", lambda point, free, *, caution: waited.append(point.steps)
    )
    monkeypatch.setattr("margins.svm.box.ATTEMPTS", 1)
    X, y = waves(600)
    with pytest.warns(RuntimeWarning, match="short of"):
        svm.gaussian_svm(X, y, 1.0, gamma=0.5)
    assert waited[0] == 0


def test_bound_multipliers_of_a_guess_lie_on_their_bounds():
    X, y = waves(600)
    gram, C = GivenGram(gaussian(X, gamma=0.5)), 1.0
    gram.full_rows = lambda rows: gram.K[rows]
    guess = first_guess(gram, y, C)
    point = BoxPoint(gram, guess, y - gram.product(guess), *bounds(y, C))
    assert point.violation < 0.2
    assert point.free.sum() < 60
    assert np.isin(np.abs(guess), [0.0, C]).sum() + point.free.sum() == 600
