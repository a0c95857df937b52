"""Parts of the solvers one by one: a solver that mends its own slips shows none of them in its answers."""

import numpy as np
import pytest
from scipy.optimize import brentq

from margins import kernels, svm
from margins.svm import box, lazy, levels, nearest, newton
from margins.svm.box import BoxPoint, bounds
from margins.svm.grams import GaussianGram, GivenGram
from margins.svm.hard_margin import separating_points, strictly_definite
from margins.svm.low_rank import balanced
from margins.svm.pairs import PairAscent


def clouds(n, d, apart, seed=0):
    rng = np.random.default_rng(seed)
    y = np.where(np.arange(n) % 2, 1.0, -1.0)
    return rng.normal(size=(n, d)) + apart * y[:, None], y


@pytest.mark.parametrize("offset", [0.0, 50.0, 1e9])
def test_balanced_systems_are_solved_beside_their_multiplier(offset):
    """[[K + lift I, 1], [1', 0]] (delta, mu) = (aim, total), whatever is added to all entries of K."""
    rng = np.random.default_rng(0)
    F = rng.normal(size=(6, 6))
    K, aim, total, lift = F @ F.T, rng.normal(size=6), 0.7, 0.3
    bordered = np.block([[K + lift * np.eye(6), np.ones((6, 1))], [np.ones((1, 6)), np.zeros((1, 1))]])
    expected = np.linalg.solve(bordered, [*aim, total])[:6]
    found = newton._balanced_solution(K + offset, aim, total, lift)
    np.testing.assert_allclose(found, expected, rtol=1e-10 + 1e-14 * offset)


@pytest.mark.parametrize(
    ("slope", "curvature", "length"), [(1.0, 4.0, 0.25), (1.0, 0.5, 1.0), (1.0, 0.0, 1.0), (-1.0, 2.0, 0.0)]
)
def test_newton_steps_end_where_the_dual_is_highest(slope, curvature, length):
    point = BoxPoint(None, np.zeros(1), np.array([slope]), np.zeros(1), np.ones(1))
    assert newton._length(point, np.ones(1), np.array([curvature])) == length


def test_the_nearest_point_of_an_affine_hull_is_as_far_from_every_difference():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(7, 5))
    pairs = [(0, 4), (1, 5), (2, 4), (3, 6)]
    weights = nearest._affine_minimum(X @ X.T, pairs)
    differences = np.array([X[i] - X[j] for i, j in pairs])
    products = differences @ (weights @ differences)
    assert weights.sum() == pytest.approx(1)
    np.testing.assert_allclose(products, products[0], rtol=1e-9)


def test_multipliers_are_balanced_by_points_with_room():
    """The free one has a room of .2 for an excess of .9, so all must give."""
    low, high = np.array([0.0, 0.0, -1.0]), np.array([1.0, 1.0, 0.0])
    beta = balanced(np.array([1.0, 0.7, -0.8]), low, high, np.array([False, False, True]))
    assert beta.sum() == pytest.approx(0, abs=1e-15)
    assert (beta >= low).all()
    assert (beta <= high).all()
    alone = balanced(np.array([0.5, 0.4, -0.8]), low, high, np.array([True, False, False]))
    np.testing.assert_allclose(alone, [0.4, 0.4, -0.8])


def test_an_interval_of_intercepts_moves_with_the_points():
    """Without free multipliers every b of an interval is optimal, wherever the origin lies."""
    X, y = np.array([[-1.0], [1.0]]) + 5, np.array([-1.0, 1.0])
    ours, reference = svm.linear_svm(X, y, 0.1), svm.smo(X @ X.T, y, 0.1)
    assert reference.b_interval[0] < reference.b_interval[1]
    np.testing.assert_allclose(ours.b_interval, reference.b_interval, atol=1e-9)
    assert ours.b == pytest.approx(reference.b)


def test_points_far_apart_are_climbed_in_double_precision():
    near, far = clouds(20, 2, 1.0)[0], 1e5 * clouds(20, 2, 1.0)[0]
    assert GaussianGram(near, 0.5).dtype == np.float32
    gram = GaussianGram(np.vstack([far, far + 0.3]), 0.5)
    assert gram.dtype == np.float64
    everything = np.arange(40)
    expected = kernels.gaussian(gram.X, gamma=0.5)
    np.testing.assert_allclose(gram.block(everything, everything), expected, atol=1e-9)


def test_a_violation_is_measured_in_double_precision():
    """At a loose tolerance the climb ends in float32, and its gradient has lost half of its digits."""
    X, y = clouds(60, 2, 0.5)
    solution = svm.gaussian_svm(X, y, 1.0, tol=1e-3)
    beta = solution.alpha * y
    point = BoxPoint(None, beta, y - kernels.gaussian(X) @ beta, *bounds(y, 1.0))
    assert 1e-6 < point.violation <= 1e-3
    assert solution.violation == pytest.approx(point.violation, rel=1e-9)


def test_a_failed_attempt_is_followed_by_a_finer_one(monkeypatch):
    """Newton steps from everywhere: the first attempts end far from the optimum."""
    monkeypatch.setattr("margins.svm.box.COARSE", 1e4)
    X, y = clouds(120, 2, 0.3, seed=1)
    solution = svm.smo(kernels.gaussian(X), y, 100.0)
    assert solution.status == "optimal"
    assert solution.violation <= 1e-10


def test_gradients_at_a_start_are_those_of_the_kernel():
    X, y = clouds(10, 2, 0.5)
    K, beta = X @ X.T, 0.1 * y
    point = BoxPoint(GivenGram(K), beta, y - K @ beta, *bounds(y, 1.0))
    np.testing.assert_allclose(point.scores, K @ beta)
    part = point.restricted(np.array([1, 4]))
    np.testing.assert_array_equal(part.gradient, point.gradient[[1, 4]])
    np.testing.assert_array_equal(part.gram.K, K[np.ix_([1, 4], [1, 4])])


def test_a_refusal_says_what_is_wrong():
    with pytest.raises(svm.NotSeparableError) as refusal:
        svm.smo(np.ones((2, 2)), [1.0, -1.0])
    assert str(refusal.value).startswith("C = inf asks for a hard margin")


def test_hulls_that_stayed_apart_by_little_are_no_verdict(monkeypatch):
    X, y = clouds(10, 2, 1.0)
    K = X @ X.T
    size = np.trace(K) / 10 - K.mean()
    close = nearest.NearestPoints(y / 5, 1e-8 * size, -1.0)
    monkeypatch.setattr("margins.svm.hard_margin.nearest_points", lambda K, y: close)
    with pytest.raises(ValueError, match="rounding hides") as refusal:
        separating_points(K, y)
    assert not isinstance(refusal.value, svm.NotSeparableError)


@pytest.mark.parametrize("alpha", [[0.0, 0.0, 0.2, 0.2], [0.1, 0.0, 0.0, 0.1]])
def test_complementarity_counts_both_kinds_of_products(alpha):
    """alpha (m - 1 + slack) where a point has room, (C - alpha) slack where it has slack."""
    x, y, alpha = np.array([-2.0, -1, 1, 3]), np.array([-1.0, -1, 1, 1]), np.array(alpha)
    report = svm.kkt_report(np.outer(x, x), y, alpha, 0.1, C=0.5)
    margins = y * (x * ((alpha * y) @ x) + 0.1)
    slack = np.maximum(0, 1 - margins)
    products = [np.abs(alpha * (margins - 1 + slack)), np.abs((0.5 - alpha) * slack)]
    assert report.complementarity == pytest.approx(np.max(products))
    np.testing.assert_allclose(report.slack, slack)


def test_a_free_point_may_not_exceed_its_margin():
    """At w = 1.2 the free points -1 and 1 are .2 too far from the line."""
    x, y = np.array([-1.0, 1.0]), np.array([-1.0, 1.0])
    report = svm.kkt_report(np.outer(x, x), y, [0.6, 0.6], 0.0, C=1.0)
    assert report.group.tolist() == ["free", "free"]
    assert report.violation == pytest.approx(0.2)


def test_no_multiplier_at_all_is_none_at_its_bound():
    report = svm.kkt_report(np.eye(2), [1.0, -1.0], [0.0, 0.0], 0.0, C=1.0)
    assert report.group.tolist() == ["alpha = 0", "alpha = 0"]


def test_multipliers_of_one_have_a_margin():
    x, y = np.array([-0.5, 0.5]), np.array([-1.0, 1.0])
    assert svm.smo(np.outer(x, x), y, 1.0).margin == pytest.approx(1.0)


def test_slack_that_is_paid_for_is_complementary():
    """Both multipliers are at C, so that neither product is left, however large the slack."""
    x, y = np.array([-0.1, 0.1]), np.array([-1.0, 1.0])
    report = svm.kkt_report(np.outer(x, x), y, [0.5, 0.5], 0.0, C=0.5)
    np.testing.assert_allclose(report.slack, 0.99)
    assert report.complementarity < 1e-15


def test_a_climb_begins_from_the_gradient_and_the_bounds_of_its_start(monkeypatch):
    """From a wrong gradient it would end as well: it is computed anew there, and the climb begun again."""
    X, y = clouds(12, 2, 0.5)
    K, beta = kernels.gaussian(X), 0.1 * y
    for module in (box, lazy):
        monkeypatch.setattr(module, "refine", lambda *arguments: None)
    monkeypatch.setattr(lazy, "risen_optimum", lambda at_price, *arguments: at_price(0.3, beta))
    for point in (box.box_optimum(K, y, 0.3, beta, 1e-10), lazy.gaussian_optimum(X, y, 0.3, 1.0, 1e-10)):
        np.testing.assert_allclose(point.gradient, y - K @ beta, atol=1e-6)
        np.testing.assert_allclose([point.low, point.high], [0.15 * (y - 1), 0.15 * (y + 1)])


def test_a_climb_on_the_stored_matrix_begins_from_a_gradient_of_its_precision(monkeypatch):
    """That of a matrix in single precision would be wrong by a hundredth at multipliers of 1e5."""
    X, y = clouds(40, 2, 0.5)
    beta = 1e5 * y
    monkeypatch.setattr(lazy, "refine", lambda *arguments: None)
    monkeypatch.setattr(lazy, "risen_optimum", lambda at_price, *arguments: at_price(2e5, beta))
    point = lazy.gaussian_optimum(X, y, 2e5, 1.0, 1e-10)
    np.testing.assert_allclose(point.gradient, y - kernels.gaussian(X) @ beta, atol=1e-7)


def test_newton_steps_wait_until_as_much_time_has_gone_into_pair_steps(monkeypatch):
    waited, step = [], box.newton_step

    def noted(point, free, *, caution):
        if caution > 0.01:  # in the climb; the last polish does not wait
            waited.append(point.since_newton >= np.count_nonzero(free) ** 3)
        step(point, free, caution=caution)

    monkeypatch.setattr(box, "newton_step", noted)
    monkeypatch.setattr(box, "PRICE", 1.0)
    X, y = clouds(60, 8, 0.1)
    assert svm.smo(X @ X.T, y, 1.0).status == "optimal"
    assert waited
    assert all(waited)


def test_partners_are_those_with_whom_the_dual_gains_most():
    """(v_i - v_j)^2 / ||x_i - x_j||^2 from the second meeting on; at the first the lowest gradient counts."""
    X, y = clouds(30, 2, 0.3)
    ascent = PairAscent(GivenGram(X @ X.T), *bounds(y, 1.0))
    gradient = np.random.default_rng(1).normal(size=30)
    gradient[4] = 3.0
    ascent.start(0.5 * y, gradient)
    meetings = [ascent._partner(4, 3.0, np.empty(30)) for _ in range(2)]
    distances = np.square(X - X[4]).sum(axis=1)
    distances[4] = np.inf
    assert meetings == [gradient.argmin(), (np.square(3.0 - gradient) / distances).argmax()]
    assert meetings[0] != meetings[1]


def test_a_soft_threshold_is_where_the_multipliers_balance():
    """The root by Brent's method; beyond the soft zone multipliers lie exactly on their bounds."""
    rng = np.random.default_rng(0)
    y = np.where(rng.random(200) < 0.3, 1.0, -1.0)
    scores = y + rng.normal(size=200)

    def multipliers(t):
        return 0.7 * y * np.interp(y * (scores + t), [1 - levels.WIDTH, 1 + levels.WIDTH], [1, 0])

    t = brentq(lambda t: multipliers(t).sum(), -9, 9, xtol=1e-15)
    found = levels.thresholded(scores, y, 0.7)
    np.testing.assert_allclose(found, multipliers(t), atol=1e-9)
    sure = np.abs(y * (scores + t) - 1) > levels.WIDTH + 1e-9
    np.testing.assert_array_equal(found[sure], multipliers(t)[sure])


def test_a_corral_retreats_towards_the_origin():
    """Only who reaches weight 0 first has to leave: without the others the nearest point may be further."""
    for seed in range(70, 80):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(10, 4))
        pairs, weights = [(i, 5 + i) for i in range(5)], rng.dirichlet(np.ones(5))
        before, after = (
            nearest._signed_weights(*corral, 10) @ X
            for corral in ((pairs, weights), nearest._retreat(X @ X.T, pairs, weights))
        )
        assert np.linalg.norm(after) <= np.linalg.norm(before)


def test_definite_on_zero_sums_needs_no_definite_matrix():
    X, _ = clouds(12, 2, 0.5)
    distances = np.sqrt(np.square(X[:, None] - X).sum(axis=-1))
    assert strictly_definite(-distances)
    assert not strictly_definite(distances)
    assert not strictly_definite(X @ X.T)


def test_a_solution_decides_other_points_too():
    """Between -1 and 3 it is f(x) = (x - 1) / 2."""
    x = np.array([-1.0, 3.0])
    solution = svm.smo(np.outer(x, x), [-1.0, 1.0])
    np.testing.assert_allclose(solution.decision_function(np.outer([7.0, -3.0], x)), [3.0, -2.0])
    with pytest.raises(ValueError, match=r"K must have 2 columns, one a multiplier, but it is \(1, 3\)"):
        solution.decision_function(np.ones((1, 3)))
    with pytest.raises(ValueError, match="K must have 2 axes"):
        solution.decision_function(np.ones(2))


def test_one_free_multiplier_settles_the_intercept():
    X, y = clouds(60, 2, 0.5)
    solution = svm.smo(X @ X.T, y, 1.0)
    assert 0 < ((solution.alpha > 0) & (solution.alpha < 1)).sum() < 60
    assert solution.b_interval == (solution.b, solution.b)


def test_a_climb_that_used_up_its_rounds_is_the_last_attempt(monkeypatch):
    """Seven finer attempts would each use up theirs; the status says that the optimum was not reached."""
    climbed, climb = [], box.climb_all
    monkeypatch.setattr(box, "ROUNDS", 2)
    monkeypatch.setattr(box.refine, "__defaults__", (lambda *a: climbed.append(a[1]) or climb(*a),))
    X, y = clouds(200, 2, 0.1)
    for K, attempts in ((kernels.gaussian(X), 1), (kernels.gaussian(X.astype(np.float32)), 2)):
        with pytest.warns(RuntimeWarning, match="the solver stopped at a violation"):
            assert svm.smo(K, y, 1e3).status == "inaccurate"
        assert len(climbed) == attempts
        climbed.clear()
