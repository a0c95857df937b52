"""What the chapter on SVM duality says about numbers: each test quotes the words that it holds."""

import numpy as np
import pytest
from numpy.linalg import norm
from scipy.integrate import solve_ivp

from margins import svm
from margins.descent import hard_margin_direction
from margins.kernels import linear
from margins_book.page.quotes import quotes, test_every_cell_runs, test_the_page_says_what_its_figures_expect  # noqa: F401
from margins_book.svm_duality.figures import Xs, ys


def line_of(machine, points, labels):
    """The w and the b of a machine, and its f at the points."""
    w = (machine.alpha * labels) @ points
    return w, machine.b, points @ w + machine.b


def power(values, places):
    """The exponent of the power of the places as which values fall."""
    return np.polyfit(np.log(places), np.log(values), 1)[0]


@quotes("At the maximum (2, 0) the gradient points straight down")
def test_the_gradient_of_the_dual_of_three_points():
    second, third = np.meshgrid(np.linspace(1, 3, 41), np.linspace(-1, 1, 41))  # (2, 0) in the middle
    values = 2 * (second + third) - (second + 2 * third) ** 2 / 2
    up, across = np.gradient(values, 0.05)
    assert values[20:].argmax() == 20
    np.testing.assert_allclose([across[20, 20], up[20, 20]], [0, -2], atol=1e-9)


@quotes("The street runs from $1$ to $2$, so $w=2$, $b=-3$")
def test_the_street_of_three_points_is_that_of_two():
    points, labels = np.array([[1.0], [2], [3]]), np.array([-1.0, 1, 1])
    for n in (2, 3):
        w, b, _ = line_of(svm.smo(linear(points[:n]), labels[:n]), points[:n], labels[:n])
        np.testing.assert_allclose([*w, b], [2, -3])


@quotes(r"At $(0,\,1)$ this is $0$", r"At $(2,\,0)$ it is $2$, which *is* the cost")
def test_two_multipliers_of_three_points_and_their_bounds():
    points, labels = np.array([[1.0], [2], [3]]), np.array([-1.0, 1, 1])
    bounds = [
        svm.dual_objective(linear(points), labels, np.array(alpha)) for alpha in ([1.0, 0, 1], [2.0, 2, 0])
    ]
    np.testing.assert_allclose(bounds, [0, 2])


@quotes("At margin $0$ the logistic loss is $0.69$, at margin $3$ it is $0.05$")
def test_the_logistic_loss_at_two_margins():
    assert np.logaddexp(0, [0.0, -3]).round(2).tolist() == [0.69, 0.05]
    assert np.logaddexp(0, -3) / np.exp(-3) == pytest.approx(1, abs=0.03)


@quotes("Once the smallest margin is $1$, a margin that is larger by $5$ leaves a point with less than")
def test_the_pull_of_a_margin_that_is_larger_by_5():
    smallest = np.linspace(1, 30, 30)
    pulls = 1 / (1 + np.exp([smallest, smallest + 5]))
    assert (pulls[1] < pulls[0] / 100).all()


@quotes(r"and from the balance $\frac58$ for the square")
def test_the_street_for_three_points():
    points, labels = np.array([[0.0, 0], [4, 0], [0, 2]]), np.array([-1.0, 1, 1])
    machine = svm.smo(linear(points), labels)
    w, b, _ = line_of(machine, points, labels)
    np.testing.assert_allclose([*w, b], [1 / 2, 1, -1])
    np.testing.assert_allclose(machine.alpha, [5 / 8, 1 / 8, 1 / 2])
    assert 1 / norm(w) == pytest.approx(2 / 5**0.5)


@quotes(r"if and only if $\frac13\le C\le1$", r"Hence $\alpha_1=\alpha_4=\frac14$")
def test_the_table_to_fill_in():
    points, labels = np.array([[3], [1], [0.5], [-0.5], [-1], [-2]]), np.repeat([1.0, -1.0], 3)
    machine = svm.smo(linear(points), labels, 0.5)
    np.testing.assert_allclose(machine.alpha, [0, 1 / 4, 1 / 2, 1 / 2, 1 / 4, 0], atol=1e-7)
    assert svm.primal_objective(linear(points), labels, machine.alpha, 0.0, 0.5) == pytest.approx(1)
    same = [
        abs(line_of(svm.smo(linear(points), labels, C), points, labels)[0][0] - 1) < 1e-6
        for C in (0.33, 0.34, 1, 1.01)
    ]
    assert same == [False, True, True, False]


@quotes("is the line $40x_1+20x_2+11=0$")
def test_the_boundary_of_the_twelve(small, points, labels):
    w, b, _ = line_of(small, points, labels)
    np.testing.assert_allclose([*w, b], np.array([40, 20, 11]) / 31, atol=1e-9)


@quotes(r"so that the nearest points get $\pm1$", r"At circle 0, $(0.5,\,0)$, this is $1$")
def test_values_at_points(small, points, labels):
    _, _, f = line_of(small, points, labels)
    assert np.flatnonzero(np.abs(f) < 1 + 1e-9).tolist() == [0, 6, 7]
    np.testing.assert_allclose(f[[0, 6]], [1, -1], atol=1e-9)
    assert round(f[3], 1) == 3.6


@quotes(r"here $\lVert w\rVert\approx1.44$, so circle 0 is $1/1.44\approx0.69$ away")
def test_lengths_of_the_twelve(small, points, labels):
    w, _, _ = line_of(small, points, labels)
    assert [round(norm(w), 2), round(1 / norm(w), 2)] == [1.44, 0.69]


@quotes(r"Then the nearest point is at distance $1/\lVert w\rVert$")
def test_no_street_is_wider(small, points, labels):
    w, _, f = line_of(small, points, labels)
    assert abs(np.abs(f).min() / norm(w) - 1 / norm(w)) < 1e-9
    angles = np.linspace(0, 2 * np.pi, 3601)  # a tenth of a degree apart
    seen = points @ [np.cos(angles), np.sin(angles)]  # (12, 3601)
    widest = (seen[:6].min(axis=0) - seen[6:].max(axis=0)).max() / 2
    assert -1e-9 < 1 / norm(w) - widest < 1e-3


@quotes("circle 0 pushes with $1.04$")
def test_multipliers_of_the_twelve(small):
    assert small.alpha[[0, 6, 7]].round(2).tolist() == [1.04, 0.71, 0.33]


@quotes(
    "Circle 0 has a positive multiplier, so its margin is exactly $1$",
    "a margin above $1$, so the multiplier is exactly $0$",
    "The twelve points show neither",
)
def test_rows_of_the_report(small, points, labels):
    report = svm.kkt_report(linear(points), labels, small.alpha, small.b)
    support = np.isin(range(12), [0, 6, 7])
    np.testing.assert_allclose(report.margins[support], 1, atol=1e-9)
    assert (report.alpha[support] > 0.3).all()
    assert report.margins[~support].min() > 1.1
    assert (report.alpha[~support] == 0).all()
    assert np.linalg.matrix_rank(np.c_[points, np.ones(12)][support]) == 3  # so w and the balance tell alpha


@quotes("in fact from 0.94")
def test_from_where_on_circle_0_has_no_bar(points, labels):
    machines = [svm.smo(linear(np.vstack([[x, 0], points[1:]])), labels) for x in (0.93, 0.94)]
    assert machines[0].alpha[0] > 0.01
    assert machines[1].alpha[0] == 0


@quotes(r"how $\alpha_0$ and $\alpha_1$ share this half is left open")
def test_what_w_and_the_balance_say_of_four_multipliers(four, four_labels):
    asked = np.vstack([(four_labels[:, None] * four).T, four_labels])  # w = (1, 0), and the balance
    one = np.linalg.lstsq(asked, [1, 0, 0], rcond=None)[0]
    np.testing.assert_allclose([one[0] + one[1], one[3]], 0.5)
    assert np.linalg.matrix_rank(asked) == 3
    np.testing.assert_allclose(asked @ [1, -1, 0, 0], 0, atol=1e-12)


@quotes("So compare their costs and the values of $f$, which are unique, and not the multipliers.")
def test_three_ways_to_share_are_one_machine(four, four_labels):
    ways = np.array([[0.5, 0, 0, 0.5], [0, 0.5, 0, 0.5], [0.2, 0.3, 0, 0.5]])
    reached = [svm.dual_objective(linear(four), four_labels, way) for way in ways]
    np.testing.assert_allclose(reached, 0.5)
    np.testing.assert_allclose((ways * four_labels) @ linear(four), [four[:, 0]] * 3, atol=1e-12)
    assert np.ptp(ways, axis=0).max() == 0.5


@quotes("those with margin above 1 have multiplier 0, those with margin below 1")
def test_few_points_stand_on_the_riser(above, below, report):
    riser = ~above & ~below
    assert 0 < riser.sum() < 5
    np.testing.assert_allclose(report.margins[riser], 1, atol=1e-9)


@quotes("Averaging over *all* support vectors uses points at the bound", behind="above, below =")
def test_most_points_at_the_bound_are_off_their_kerb(C, fit, report):
    assert np.mean(np.abs(report.margins[fit.alpha == C] - 1) > 1e-3) > 0.5


@quotes("Cutting the two results one by one with `np.clip` loses")
def test_clipping_loses_the_balance():
    labels, moved = np.array([1.0, -1, -1]), np.array([0.5, 0.3, 0.2])
    assert abs(labels @ moved) < 1e-12
    assert abs(labels @ np.clip(moved, 0, 0.4)) > 0.09


@quotes("along the *path* the margin error falls like $1/s$")
def test_margin_and_direction_error_along_the_path(s, road, margin_error, u_star):
    far, ways = s[1:] > 100, road[1:] / norm(road[1:], axis=1, keepdims=True)
    for error in (margin_error, norm(ways - u_star, axis=1)):
        assert power(error[far], s[1:][far]) == pytest.approx(-1, abs=0.01)


@quotes(r"at most $2\log2/14<0.1$ once")
def test_the_bound_of_two_points():
    assert 0.09 < 2 * np.log(2) / 14 < 0.1


@quotes("so $2t=e^w+w-1$: a time of 600,000")
def test_the_time_of_two_equal_points():
    run = solve_ivp(lambda w, t: (1 + np.exp(w)) / 2, (0, 14), [0.0], rtol=1e-11, atol=1e-11)
    assert 2 * run.y[0, -1] == pytest.approx(np.exp(14) + 13, rel=1e-8)
    assert run.y[0, -1].round(-5) == 600_000


@quotes(r"*Plain* descent follows $-\nabla L$, which shrinks with the loss")
def test_the_gradient_shrinks_with_the_loss(plain, points, labels):
    signed = labels[:, None] * points
    margins = plain.weights @ signed.T
    loss = np.logaddexp(0, -margins).sum(axis=1)
    gradient = norm(np.exp(-np.logaddexp(0, margins)) @ signed, axis=1)
    assert (np.diff(loss) < 0).all()
    assert (np.diff(gradient) < 0).all()
    assert loss[0] / loss[-1] > 20_000
    assert (gradient / loss).max() / (gradient / loss).min() < 2.5


@quotes("but in the *time* $t$ we come only about")
def test_the_logarithm_of_the_time(road, s, Z, gamma):
    pace = -np.log(norm(np.exp(-np.logaddexp(0, road @ Z.T)) @ Z, axis=1))  # log of the time a unit of length
    added = np.diff(pace)
    spent = np.log(np.diff(s)) + pace[1:] + np.log(-np.expm1(-added) / added)  # as if exponential between
    assert np.logaddexp.reduce(spent) == pytest.approx(gamma * s[-1], rel=0.01)


def perceptron(Z):
    """The w at which the run ends, and the indices of the points added."""
    w, added = np.zeros(Z.shape[1]), set()
    while (Z @ w <= 0).any():
        for i, z in enumerate(Z):
            if w @ z <= 0:
                w, added = w + z, added | {i}
    return w, added


@quotes("A point that the run never adds may be left out without changing it.")
def test_the_perceptron_without_a_point(draws):
    for X, y in draws[:5]:
        Z = y[:, None] * np.c_[X, np.ones(12)]
        w, added = perceptron(Z)
        stays = [i for i in range(12) if (perceptron(np.delete(Z, i, axis=0))[0] == w).all()]
        assert {*range(12)} - added <= {*stays}
        assert 0 < len(added) < 12
        assert len(stays) < 12


@quotes("label diagonally opposite ones alike: the XOR problem")
def test_opposite_corners_are_labelled_alike(square, xor):
    assert (square[[0, 2]] == -square[[1, 3]]).all()
    assert xor.tolist() == [1, 1, -1, -1]


@quotes("for XOR labels the dual objective grows linearly")
def test_the_dual_of_xor_grows_linearly(along_ray):
    steps = np.diff(along_ray["XOR"])
    assert np.ptp(steps) < 1e-12
    assert steps.min() > 0


@quotes("For separable labels the quadratic term wins in the end")
def test_the_dual_of_separable_labels_turns_once(along_ray):
    steps = np.diff(along_ray["separable labels"])
    assert steps[0] > 0 > steps[-1]
    assert np.count_nonzero(np.diff(np.sign(steps))) == 1


@quotes("In the end they meet at $b$.")
def test_slopes_meet_at_b():
    machine = svm.smo(linear(Xs), ys, 1.0)
    v = ys - linear(Xs) @ (machine.alpha * ys)
    may_grow = np.where(ys > 0, machine.alpha < 1, machine.alpha > 0)
    may_shrink = np.where(ys > 0, machine.alpha > 0, machine.alpha < 1)
    np.testing.assert_allclose([v[may_grow].max(), v[may_shrink].min()], machine.b, atol=1e-6)


@quotes("They bend several times and become exactly constant")
def test_the_path_is_straight_between_bends(shares, w_path):
    one = np.append(True, np.diff(shares) > 1e-12)  # C* stands there twice
    slopes = np.diff(w_path[one], axis=0) / np.diff(shares[one])[:, None]  # equal where C passes no bend
    turns = norm(np.diff(slopes, axis=0), axis=1)[shares[one][2:] < 1.01]
    straight = turns < 1e-5 * norm(slopes[: len(turns)], axis=1)
    assert min(straight.sum(), (~straight).sum()) > 2


@quotes("if every point is given twice, each can carry half")
def test_twins_can_carry_half(small, points, labels):
    X, y = np.tile(points, (2, 1)), np.tile(labels, 2)
    for alpha in (np.tile(small.alpha / 2, 2), np.append(small.alpha, np.zeros(12))):
        report = svm.kkt_report(linear(X), y, alpha, small.b)
        assert max(report.violation, abs(report.gap)) < 1e-9


@quotes(
    "The rate of our racer, the logistic loss with its gradient divided by",
    "that would be a rate of $1/k$, which *normalised* descent shows",
)
def test_normalised_descent_falls_like_one_over_k(unit, points, labels):
    angles = unit.angles(hard_margin_direction(points, labels))
    assert power(angles[-12:], unit.steps[-12:]) == pytest.approx(-1, abs=0.02)


@quotes(
    "the loss falls like $1/k$ and says nothing about the angle",
    "The direction goes on turning as long as you let it",
)
def test_the_loss_falls_and_the_direction_turns(slow, Z, u_star):
    loss = np.logaddexp(0, -slow.weights @ Z.T).sum(axis=1)
    assert power(loss[-12:], slow.steps[-12:]) == pytest.approx(-1, abs=0.02)
    assert (np.diff(slow.angles(u_star)[1:]) < 0).all()


@quotes("for the eight points and for one point given twice, where they come close to equality")
def test_inequalities_are_nearly_equalities_for_twins(walks, Z):
    _, loss, pull, h, eta, R = walks[0][2]
    fall, rise, loss, pull = -np.diff(loss), np.diff(h), loss[:-1], pull[:-1]
    error = eta * R**2 * loss
    smaller_over_larger = [
        fall / (error * loss),
        (1 - fall / (eta * pull**2)) / (error / 2),
        5 * eta * pull * (1 - error) / rise,
        5 * (1 - np.exp(-loss)) / pull,
    ]
    assert all(0.999 < ratio[-1] < 1 for ratio in smaller_over_larger)
    assert (1 - smaller_over_larger[2][-1]) / error[-1] == pytest.approx(9 / 8, abs=1e-3)
    assert len(Z) == 8


@quotes("Data that no line through the origin separates can still have such a $u$")
def test_data_that_contradict_each_other_in_part(torn, torn_labels):
    signed = torn_labels[:, None] * torn
    assert signed.tolist() == [[1, 0], [0, 1], [0, 1], [0, -1]]
    assert (signed @ [1, 0]).tolist() == [1, 0, 0, 0]


@quotes(
    "On the twelve points circle 0 has the share $0.86$, square 7 has $0.08$, and the ten others have $0.05$",
    "are $3.91$ for circle 0 and $0.12$ for square 7, in shares $0.97$ and $0.03$",
    "The next step is $8.2$ degrees away from the widest street, and $w$ is $13.4$",
)
def test_who_pulls_after_a_thousand_steps(points, labels, pulls):
    Z, widest = labels[:, None] * points, hard_margin_direction(points, labels)
    (w, shares), two = pulls(Z, 1000), [0, 7]
    alpha = np.linalg.solve(Z[two].T, widest / (Z @ widest).min())
    assert [*shares[two].round(2), round(1 - shares[two].sum(), 2)] == [0.86, 0.08, 0.05]
    assert [*alpha.round(2), *(alpha / alpha.sum()).round(2)] == [3.91, 0.12, 0.97, 0.03]
    off = [np.degrees(np.arccos(v @ widest / norm(v))).round(1) for v in (shares @ Z, w)]
    assert off == [8.2, 13.4]
