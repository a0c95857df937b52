"""The solver at prices of slack from 1e-300 to infinity: its status, gap and warnings tell the truth."""

import numpy as np
import pytest

from margins import svm
from margins.kernels import gaussian, linear
from tests.margins.svm.problems import clouds


def entangled(n):
    """Points whose labels are noisy near a plane, a smooth kernel's hardest hard margin."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 5))
    return X, np.sign(X[:, 0] + 0.3 * rng.normal(size=n))


@pytest.mark.parametrize("C", [1e2, 1e9, 1e13, 1e20, 1e100, 1e300])
@pytest.mark.parametrize("kernel", ["linear", "gaussian"])
def test_a_price_that_nobody_pays_is_the_hard_margin(C, kernel):
    X, y = clouds(100, 2, 2.5)
    K = linear(X) if kernel == "linear" else gaussian(X, gamma=2.0)
    soft, hard = svm.smo(K, y, C), svm.smo(K, y)
    assert soft.status == "optimal"
    assert soft.dual_objective == pytest.approx(hard.dual_objective, rel=1e-12)
    assert abs(soft.gap) <= 1e-10 * soft.dual_objective
    assert soft.margin == pytest.approx(hard.margin, rel=1e-12)


@pytest.mark.parametrize("C", [1e8, 1e13, 1e20, 1e300])
def test_a_price_beyond_rounding_is_confessed(C):
    """Where the classes overlap the multipliers grow with C, and y - K beta loses all of its digits."""
    X, y = clouds(60, 2, 0.3)
    with pytest.warns(RuntimeWarning, match="and a gap of .* rounding blurs it by about .*: rescale"):
        solution = svm.smo(linear(X), y, C)
    assert solution.status == "inaccurate"
    assert 0 < np.abs(solution.alpha).max() <= C
    scores = linear(X) @ (solution.alpha * y)
    assert (np.sign(scores + solution.b) == y).mean() >= 0.6
    assert solution.primal_objective >= solution.dual_objective


@pytest.mark.parametrize("C", [1e-300, 1e-160, 1e-18, 1e-9])
def test_a_tiny_price_keeps_its_margin(C):
    """All multipliers are C, so that w = C sum y_i x_i, far below the rounding of y - K beta."""
    X, y = clouds(40, 2, 1.0)
    solution = svm.smo(linear(X), y, C)
    np.testing.assert_array_equal(solution.alpha, C)
    assert solution.status == "optimal"
    assert solution.margin == pytest.approx(1 / np.linalg.norm(y @ X) / C, rel=1e-12)
    assert solution.primal_objective == pytest.approx(40 * C, rel=1e-6)


def test_optimal_means_a_small_gap_too():
    """At a loose tolerance every margin may be nearly right and the objective far off, at a high price."""
    X, y = clouds(60, 2, 2.5)
    K = linear(X)
    strict, loose = svm.smo(K, y, 1e4), svm.smo(K, y, 1e4, tol=1e-3)
    for solution in (strict, loose):
        assert solution.status == "optimal"
        assert solution.primal_objective >= strict.dual_objective * (1 - 1e-12)


def test_an_infinite_gap_is_not_optimal():
    """At tol = 3 the zero multipliers are close enough, and yet they separate nothing."""
    y = clouds(60, 2, 2.5)[1]
    with pytest.warns(RuntimeWarning, match="and a gap of inf"):
        assert svm.smo(np.eye(60), y, tol=3.0).status == "inaccurate"


def test_hard_margin_of_many_support_vectors():
    """Wolfe's corral took minutes here: with k points in it, each round solves k x k equations."""
    X, y = entangled(300)
    K = gaussian(X, gamma=0.2)
    solution = svm.smo(K, y, tol=1e-8)
    assert solution.status == "optimal"
    report = svm.kkt_report(K, y, solution.alpha, solution.b)
    assert report.violation < 1e-7
    assert report.gap <= 1e-6 * report.dual_objective
    assert np.count_nonzero(solution.alpha) > 64


def test_contradiction_among_many_support_vectors_is_found():
    X, y = entangled(300)
    X, y = np.vstack([X, X[:1]]), np.append(y, -y[0])
    K = gaussian(X, gamma=0.2)
    with pytest.raises(svm.NotSeparableError) as refusal:
        svm.smo(K, y)
    beta = refusal.value.ray * y
    assert refusal.value.ray.min() >= 0
    assert abs(beta.sum()) < 1e-12
    assert beta @ K @ beta < 1e-13
