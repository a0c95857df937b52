"""Chapter 1, SVM duality: each claim, correction and counterexample, stated with its tolerance."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import linprog

from margins import svm
from margins.descent import hard_margin_direction, logistic_descent, logistic_loss
from margins.estimators import SVMClassifier
from margins.kernels import gaussian, linear

SQUARE = np.array([[1.0, 1], [-1, -1], [1, -1], [-1, 1]])
XOR = np.array([1.0, 1, -1, -1])
TWINS = np.array([[1.0, 0], [1, 0], [1, 5], [-1, 0]])  # two equal points, and all four on the margin
TWIN_LABELS = np.array([1.0, 1, 1, -1])
SEEDS = range(5)


def blobs(seed, n=40, separation=3.0):
    """Two Gaussian clouds in the plane, separable for `separation` = 3 and overlapping for 1."""
    rng = np.random.default_rng(seed)
    y = np.where(np.arange(n) % 2, 1.0, -1.0)
    centre = separation * np.array([1.0, 0.5]) / np.hypot(1.0, 0.5)
    return rng.normal(size=(n, 2)) + y[:, None] * centre, y


def weights(solution, X, y):
    return (solution.alpha * y) @ X


def decisions(solution, K, y):
    """The values f(x) for the rows of K = k(x, x_i)."""
    return K @ (solution.alpha * y) + solution.b


@pytest.mark.parametrize("seed", SEEDS)
def test_c1_01_no_direction_has_a_wider_street(seed):
    """Brute force: 3600 angles, then 3600 more around the best, never beat 1 / ||w|| and come close."""
    X, y = blobs(seed)

    def street(angles):
        heights = np.column_stack([np.cos(angles), np.sin(angles)]) @ X.T
        return (heights[:, y > 0].min(axis=1) - heights[:, y < 0].max(axis=1)) / 2

    angles = np.linspace(0, 2 * np.pi, 3600)
    best = angles[street(angles).argmax()]
    refined = street(np.linspace(best - 2e-3, best + 2e-3, 3601)).max()
    margin = svm.smo(linear(X), y).margin
    assert refined <= margin + 1e-12
    assert refined >= margin - 1e-5


@pytest.mark.parametrize("seed", SEEDS)
def test_c1_01_each_class_touches_its_kerb(seed):
    X, y = blobs(seed)
    program, solution = svm.primal_qp(X, y), svm.smo(linear(X), y)
    assert_allclose(weights(solution, X, y), program.w, atol=1e-6)
    assert abs(solution.b - program.b) < 1e-6
    margins = y * decisions(solution, linear(X), y)
    assert_allclose([margins[y == label].min() for label in (-1, 1)], 1, atol=1e-9)


def test_c1_02_margins_without_kernels_and_kernels_without_margins():
    """The linear machine needs no kernel; kernel ridge regression has a kernel but no idle points."""
    X, y = blobs(0, separation=1.0)
    machine, program = svm.smo(linear(X), y, 1.0), svm.primal_qp(X, y, 1.0)  # the latter never sees a kernel
    assert_allclose(weights(machine, X, y), program.w, atol=1e-5)
    K = gaussian(X, gamma=0.5)
    ridge = np.linalg.solve(K + 0.1 * np.eye(len(y)), y)
    assert np.abs(ridge).min() > 1e-6, "every point carries weight"
    average = K @ y / K.sum(axis=1)
    changes = [(K @ y - K[:, i] * y[i]) / (K.sum(axis=1) - K[:, i]) - average for i in range(len(y))]
    assert np.abs(changes).max(axis=1).min() > 1e-3, "without any one point it is another function"
    assert (svm.smo(K, y, 1.0).alpha == 0).any(), "some points carry none"


@pytest.mark.parametrize("seed", SEEDS)
def test_c1_03_dual_has_the_value_of_the_primal(seed):
    """Separable data: no gap, w = sum alpha_i y_i x_i, and sum alpha_i = ||w||^2."""
    X, y = blobs(seed)
    solution, primal, dual = svm.smo(linear(X), y), svm.primal_qp(X, y), svm.dual_qp(linear(X), y)
    w = weights(solution, X, y)
    assert abs(solution.gap) < 1e-8
    assert abs(solution.dual_objective - primal.objective) < 1e-7
    assert abs(solution.dual_objective - dual.objective) < 1e-7
    assert_allclose(w, primal.w, atol=1e-6)
    assert abs(solution.alpha.sum() - w @ w) < 1e-8


@pytest.mark.parametrize("seed", SEEDS)
def test_c1_03_unbounded_exactly_when_not_separable(seed):
    """Whether a line exists is decided by linear programming, whether the dual is bounded by the solver."""
    X, y = blobs(seed, n=16, separation=1.2)
    rows = -y[:, None] * np.column_stack([X, np.ones(len(y))])
    separable = linprog(np.zeros(3), A_ub=rows, b_ub=-np.ones(len(y)), bounds=(None, None)).status == 0
    try:
        assert np.isfinite(svm.smo(linear(X), y, tol=1e-8).dual_objective)
        bounded = True
    except svm.NotSeparableError:
        bounded = False
    assert bounded == separable


@pytest.mark.parametrize("C", [1.0, np.inf])
def test_c1_04_an_isometry_changes_neither_objective_nor_decisions(C):
    """Rotate the plane into 50 dimensions and move it: the dual objective and every f(x) stay."""
    rng = np.random.default_rng(0)
    X, y = blobs(0)
    fresh = rng.normal(size=(20, 2))
    frame, shift = np.linalg.qr(rng.normal(size=(50, 50)))[0][:2], rng.normal(size=50)
    here, there = svm.smo(linear(X), y, C), svm.smo(linear(X @ frame + shift), y, C)
    assert abs(here.dual_objective - there.dual_objective) < 1e-8
    there_scores = decisions(there, linear(fresh @ frame + shift, X @ frame + shift), y)
    assert_allclose(decisions(here, linear(fresh, X), y), there_scores, atol=1e-8)


@pytest.mark.parametrize("seed", SEEDS)
def test_c1_05_nonzero_multipliers_lie_on_the_margin(seed):
    """Complementary slackness: alpha_i > 0 puts x_i on the kerb, y_i f(x_i) = 1 (hard margin)."""
    X, y = blobs(seed)
    solution = svm.smo(linear(X), y)
    margins = y * decisions(solution, linear(X), y)
    assert_allclose(margins[solution.alpha > 0], 1, atol=1e-9)
    assert (solution.alpha[margins > 1 + 1e-6] == 0).all()
    assert np.count_nonzero(solution.alpha) <= 4 < len(y)


def test_c1_05_correction_margin_points_may_have_zero_multipliers():
    """(1,0), (1,0), (1,5) against (-1,0): all on the margin, two with alpha = 0, and alpha is not unique."""
    K = linear(TWINS)
    for alpha in ([0.5, 0, 0, 0.5], [0, 0.5, 0, 0.5], [0.2, 0.3, 0, 0.5]):
        report = svm.kkt_report(K, TWIN_LABELS, alpha, 0.0)
        assert report.violation < 1e-12
        assert abs(report.gap) < 1e-12
        assert_allclose(report.margins, 1, atol=1e-12)
        assert_allclose((np.array(alpha) * TWIN_LABELS) @ TWINS, [1, 0], atol=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_c1_05_perceptron_errs_at_most_radius_over_margin_squared_times(seed):
    """Through the points (x, 1) until all are right: 1 <= mistakes <= R^2 / gamma^2, whatever their order."""
    X, y = blobs(seed, n=24)
    Z = y[:, None] * np.column_stack([X, np.ones(len(y))])
    margin = (Z @ hard_margin_direction(y[:, None] * Z, y)).min()
    w, mistakes = np.zeros(3), 0
    while (Z @ w <= 0).any():
        for z in Z:
            if z @ w <= 0:
                w, mistakes = w + z, mistakes + 1
    assert 1 <= mistakes <= (np.linalg.norm(Z, axis=1).max() / margin) ** 2


def two_strips(rng, n):
    """n independent points of the strips 0.1 < |x_1| < 1 of a square, labelled by the sign of x_1."""
    y = rng.choice([-1.0, 1.0], n)
    return np.column_stack([y * rng.uniform(0.1, 1, n), rng.uniform(-1, 1, n)]), y


def trained(X, y):
    """The multipliers, w and b of the hard margin; after one class only, the answer is always that class."""
    if len(set(y)) == 1:
        return np.zeros(len(y)), np.zeros(2), y[0]
    solution = svm.smo(linear(X), y)
    return solution.alpha, weights(solution, X, y), solution.b


def test_c1_05_the_mean_error_is_at_most_the_mean_share_of_support_vectors():
    """Trained on n - 1 of n = 10 points: the error on new points, over 60 samples, against #SV / n."""
    rng = np.random.default_rng(0)
    fresh, fresh_y = two_strips(rng, 2000)
    errors, shares = [], []
    for _ in range(60):
        X, y = two_strips(rng, 10)
        shares.append(np.count_nonzero(trained(X, y)[0]) / 10)
        _, w, b = trained(X[1:], y[1:])
        errors.append((fresh_y * (fresh @ w + b) <= 0).mean())
    assert 0.01 < np.mean(errors) <= np.mean(shares)


@pytest.mark.parametrize("seed", SEEDS)
def test_c1_06_decision_function_is_a_sum_over_support_vectors(seed):
    """sum_SV alpha_i y_i <x_i, x> + b = <w, x> + b; b = y_s - sum_i alpha_i y_i <x_i, x_s> at any free s."""
    X, y = blobs(seed, separation=1.0)
    fresh = np.random.default_rng(seed).normal(size=(30, 2))
    machine = SVMClassifier(C=1.0).fit(X, y)
    w = (machine.alpha_ * y) @ X
    assert_allclose(machine.decision_function(fresh), fresh @ w + machine.intercept_, atol=1e-10)
    assert (machine.predict(fresh) == np.sign(fresh @ w + machine.intercept_)).all()
    free = (machine.alpha_ > 0) & (machine.alpha_ < 1.0)
    assert_allclose(y[free] - X[free] @ w, machine.intercept_[0], atol=1e-9)
    sparse = linear(fresh, X[machine.support_]) @ machine.dual_coef_[0] + machine.intercept_
    assert_allclose(sparse, machine.decision_function(fresh), atol=1e-12)


def test_c1_07_soft_margin_has_a_solution_for_any_data():
    """Data that no line separates (not "nonlinearly separable" data): XOR costs w = 0 and slack 1 a point."""
    program = svm.primal_qp(SQUARE, XOR, 2.0)
    assert_allclose(program.w, 0, atol=1e-6)
    assert program.objective == pytest.approx(8.0, abs=1e-6)
    X, y = blobs(0, separation=1.0)
    program, solution = svm.primal_qp(X, y, 1.0), svm.smo(linear(X), y, 1.0)
    assert abs(program.objective - solution.dual_objective) < 1e-7
    assert (y * (X @ program.w + program.b) >= 1 - program.slack - 1e-7).all()
    assert program.slack.min() >= -1e-9


@pytest.mark.parametrize("seed", SEEDS)
def test_c1_08_slack_and_hinge_are_one_problem(seed):
    """At the optimum xi_i = max(0, 1 - y_i f(x_i)); subgradient steps on the hinge reach the same value."""
    X, y = blobs(seed, separation=1.0)
    C, Z = 1.0, np.column_stack([X, np.ones(len(y))])
    program = svm.primal_qp(X, y, C)
    margins = y * (X @ program.w + program.b)
    assert_allclose(program.slack, np.maximum(0, 1 - margins), atol=1e-6)
    point, best = np.zeros(3), np.inf
    for step in range(1, 6001):
        inside = y * (Z @ point) < 1
        hinge = point[:2] @ point[:2] / 2 + C * np.maximum(0, 1 - y * (Z @ point)).sum()
        best = min(best, hinge)
        slope = point * [1, 1, 0] - C * (y * inside) @ Z
        point = point - slope / (np.linalg.norm(slope) * np.sqrt(step))
    assert program.objective - 1e-6 < best < program.objective * (1 + 2e-3)


@pytest.mark.parametrize("C", [0.1, 1.0, 10.0])
def test_c1_08_correction_what_a_margin_says_about_its_multiplier(C):
    """Margin > 1 forces alpha = 0, < 1 forces alpha = C, 0 < alpha < C forces margin = 1."""
    X, y = blobs(2, n=80, separation=1.0)
    solution = svm.smo(gaussian(X, gamma=0.5), y, C)
    report = svm.kkt_report(gaussian(X, gamma=0.5), y, solution.alpha, solution.b, C)
    alpha, margins = solution.alpha, report.margins
    assert alpha.min() >= 0
    assert alpha.max() <= C
    assert abs(solution.gap) < 1e-7
    assert (alpha[margins > 1 + 1e-8] == 0).all()
    assert (alpha[margins < 1 - 1e-8] == C).all()
    assert_allclose(margins[(alpha > 0) & (alpha < C)], 1, atol=1e-9)


def test_c1_08_correction_the_converses_hold_only_weakly():
    """alpha = 0 and alpha = C are both compatible with a margin of exactly 1."""
    idle = svm.kkt_report(linear(TWINS), TWIN_LABELS, [0.5, 0, 0, 0.5], 0.0)
    assert idle.group[2] == "alpha = 0"
    assert idle.margins[2] == pytest.approx(1, abs=1e-12)
    K, y = np.array([[1.0, -1], [-1, 1]]), np.array([1.0, -1])
    full = svm.kkt_report(K, y, svm.smo(K, y, 0.5).alpha, 0.0, C=0.5)
    assert full.group.tolist() == ["alpha = C", "alpha = C"]
    assert_allclose(full.margins, 1, atol=1e-12)


@pytest.mark.parametrize("C", [0.1, 1.0, 10.0])
def test_c1_08_multipliers_of_a_class_weigh_the_nearest_points_of_reduced_hulls(C):
    """No other weights up to C / A, A the sum in a class, have a smaller <p, .>, p the vector between."""
    X, y = blobs(2, n=80, separation=1.0)
    solution = svm.smo(linear(X), y, C)
    total = solution.alpha.sum() / 2
    scores = X @ weights(solution, X, y) / total  # <p, x_i>
    shares = np.clip(1 - C / total * np.arange(40), 0, C / total)
    least = sum(np.sort(label * scores[y == label]) @ shares for label in (1, -1))
    assert least == pytest.approx((solution.alpha * y) @ scores / total, rel=1e-8)


@pytest.mark.parametrize("C", [0.1, 1.0, 10.0])
def test_c1_08_squared_slack_makes_the_multiplier_the_slack(C):
    """The hard margin with 1 / C on the diagonal, for any labels: alpha_i = C max(0, 1 - y_i f(x_i))."""
    X, y = blobs(1, separation=1.0)
    solution = svm.smo(linear(X) + np.eye(len(y)) / C, y)
    margins = y * decisions(solution, linear(X), y)
    assert_allclose(solution.alpha, C * np.maximum(0, 1 - margins), atol=1e-7 * C)
    assert (solution.alpha == 0).any()


def critical_price(X, y, w):
    """The least largest multiplier among all dual optima of the hard margin, by linear programming.

    The dual optima are the alpha >= 0 with y'alpha = 0, sum alpha_i y_i x_i = w and sum alpha_i = ||w||^2.
    """
    n = len(y)
    equations = np.vstack([y, (y[:, None] * X).T, np.ones(n)])
    equations = np.column_stack([equations, np.zeros(len(equations))])  # the last unknown is the bound
    below = np.column_stack([np.eye(n), -np.ones(n)])
    answer = linprog(
        np.append(np.zeros(n), 1.0), A_ub=below, b_ub=np.zeros(n), A_eq=equations, b_eq=[0, *w, w @ w]
    )
    return answer.fun


@pytest.mark.parametrize("seed", SEEDS)
def test_c1_09_soft_becomes_hard_exactly_at_the_critical_c(seed):
    """w(C) = w_hard iff C >= C*, the smallest largest multiplier over all dual optima."""
    X, y = blobs(seed)
    hard = weights(svm.smo(linear(X), y), X, y)
    critical = critical_price(X, y, svm.primal_qp(X, y).w)
    for factor in (1.0001, 2.0, 100.0):
        soft = weights(svm.smo(linear(X), y, factor * critical), X, y)
        assert_allclose(soft, hard, atol=1e-5 * np.linalg.norm(hard))
    for factor in (0.999, 0.99, 0.5):
        soft = weights(svm.smo(linear(X), y, factor * critical), X, y)
        assert np.linalg.norm(soft - hard) > 1e-5 * np.linalg.norm(hard)


def test_c1_09_critical_c_is_not_the_largest_multiplier_of_any_one_solution():
    """Twins may share their weight: [.5, 0, 0, .5] and [.25, .25, 0, .5] are optima, and C* = .5 for both.

    With the lone point doubled too, C* falls to .25, though an optimum with largest multiplier .5 remains.
    """
    X, y = np.vstack([TWINS, [[-1.0, 0]]]), np.append(TWIN_LABELS, -1.0)
    assert critical_price(TWINS, TWIN_LABELS, np.array([1.0, 0])) == pytest.approx(0.5)
    assert critical_price(X, y, np.array([1.0, 0])) == pytest.approx(0.25)
    lopsided = svm.kkt_report(linear(X), y, [0.5, 0, 0, 0.5, 0], 0.0)
    assert lopsided.violation < 1e-12
    assert_allclose(weights(svm.smo(linear(X), y, 0.26), X, y), [1, 0], atol=1e-9)


def test_c1_09_correction_the_direction_may_be_final_long_before():
    """x = +-1: w(C) = min(2 C, 1), so the direction never moves though w does until C* = 1/2."""
    X, y = np.array([[1.0], [-1]]), np.array([1.0, -1])
    for C in (0.01, 0.2, 0.49, 0.5, 3.0):
        assert_allclose(weights(svm.smo(linear(X), y, C), X, y), min(2 * C, 1), rtol=1e-9)
    early = 0
    for seed in range(20):
        X, y = blobs(seed)
        hard = weights(svm.smo(linear(X), y), X, y)
        soft = weights(svm.smo(linear(X), y, 0.9 * critical_price(X, y, svm.primal_qp(X, y).w)), X, y)
        early += soft @ hard > (1 - 1e-12) * np.linalg.norm(soft) * np.linalg.norm(hard)
    assert early >= 5, "in many draws the direction is final at .9 C*"


def through_the_origin(seed):
    """Points that a line through the origin separates with a moderate margin."""
    rng = np.random.default_rng(seed)
    y = np.where(np.arange(40) % 2, 1.0, -1.0)
    X = y[:, None] * (np.array([1.5, 0.8]) + 0.6 * rng.uniform(-1, 1, size=(40, 2)))
    return X, y


def test_c1_10_descent_turns_to_the_hard_margin_direction():
    """Margin error O(1 / log t), and ||w|| grows like log t / margin: its slope in log t is 1 / margin.

    In one of six sets of points the margin error grows for a while, so it is the mean over six that falls.
    """
    slopes, quotients, shortfalls = [], [], []
    for seed in range(6):
        X, y = through_the_origin(seed)
        unit = hard_margin_direction(X, y)
        margin = (y * (X @ unit)).min()
        run = logistic_descent(X, y, 30_000, record=[100, 1_000, 10_000, 30_000])
        shortfall = margin - (y * (run.directions @ X.T)).min(axis=1)
        assert (shortfall >= -1e-12).all()
        # the constant of the proof is another test's; sixty sets of points need .1 of margin log n at most
        assert (shortfall * np.log(run.steps) <= margin * np.log(len(y)) / 6).all()
        slopes.append(margin * np.diff(run.norms[-2:])[0] / np.diff(np.log(run.steps[-2:]))[0])
        quotients.append(margin * run.norms[-1] / np.log(run.steps[-1]))
        shortfalls.append(shortfall)
    assert (np.diff(np.mean(shortfalls, axis=0)) < 0).all()
    assert 0.75 < min(slopes) <= max(slopes) < 1, "between .80 and .92 in sixty sets of points"
    assert np.mean(slopes) > np.mean(quotients), "the slope settles before the quotient"


@pytest.mark.parametrize("seed", range(40))
def test_c1_10_correction_the_loss_has_a_minimum_unless_some_direction_only_gains(seed):
    """Attained iff no u has all <u, z_i> >= 0 and one > 0: linear programming against minimisation."""
    Z = np.random.default_rng(seed).integers(-1, 2, size=(5, 2)).astype(float)
    gains = linprog(-Z.sum(axis=0), A_ub=-Z, b_ub=np.zeros(5), bounds=(-1, 1))
    labels = np.array([1.0, -1, 1, -1, 1])
    X = labels[:, None] * Z
    run = logistic_descent(X, labels, 4_000, record=[2_000, 4_000])
    moved = np.linalg.norm(run.weights[1] - run.weights[0])
    if -gains.fun > 1e-9:
        assert moved > 0.1, "w grows like log t"
        assert logistic_loss(X, labels, run.weights[1] + gains.x) < logistic_loss(X, labels, run.weights[1])
    else:
        assert moved < 1e-9
