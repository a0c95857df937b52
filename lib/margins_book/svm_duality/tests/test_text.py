"""What the chapter on SVM duality says about numbers: each test quotes the words that it holds."""

import numpy as np
import pytest
from numpy.linalg import norm
from scipy.integrate import solve_ivp

from margins import svm
from margins.descent import hard_margin_direction
from margins.kernels import linear
from margins_book.page.quotes import quotes, test_every_cell_runs, test_the_page_says_what_its_figures_expect  # noqa: F401
from margins_book.svm_duality.clouds import left_out


@quotes(
    "The street runs from $1$ to $2$, so $w=2$, $b=-3$",
    r"At $(0,\,1)$ this is $0$",
    r"At $(2,\,0)$ it is $2$, which *is* the cost",
    r"$2-2(\alpha_2+2\alpha_3)=-2$",
)
def test_three_points_on_a_line():
    points, labels = np.array([[1.0], [2], [3]]), np.array([-1.0, 1, 1])

    def bound(second, third):
        return svm.dual_objective(linear(points), labels, np.array([second + third, second, third]))

    alpha, w, b = left_out(points, labels, -1)
    np.testing.assert_allclose([*alpha, *w, b], [2, 2, 0, 2, -3], atol=1e-9)
    np.testing.assert_allclose([bound(0, 1), bound(2, 0)], [0, 2])
    slopes = [bound(2.01, 0) - bound(1.99, 0), bound(2, 0.01) - bound(2, -0.01)]
    np.testing.assert_allclose(np.divide(slopes, 0.02), [0, -2], atol=1e-9)


@quotes(
    "At margin $0$ the logistic loss is $0.69$, at margin $3$ it is $0.05$",
    "Once the smallest margin is $1$, a margin that is larger by $5$ leaves a point with less than",
)
def test_losses_and_forces_at_margins():
    assert np.logaddexp(0, [0.0, -3]).round(2).tolist() == [0.69, 0.05]
    smallest = np.linspace(1, 30, 30)
    forces = 1 / (1 + np.exp([smallest, smallest + 5]))
    assert (forces[1] < forces[0] / 100).all()


@quotes(
    r"so $w=(\frac12,\,1)$",
    r"we get the multipliers $\frac18$ and $\frac12$ of the circles",
    r"and from the balance $\frac58$ for the square",
    r"its half width is $1/\lVert w\rVert=2/\sqrt5\approx0.89$",
)
def test_the_street_for_three_points():
    alpha, w, b = left_out(np.array([[0.0, 0], [4, 0], [0, 2]]), np.array([-1.0, 1, 1]), -1)
    np.testing.assert_allclose([*w, b, *alpha], [1 / 2, 1, -1, 5 / 8, 1 / 8, 1 / 2])
    assert 1 / norm(w) == pytest.approx(2 / 5**0.5) == pytest.approx(0.89, abs=0.005)


@quotes(r"if and only if $\frac13\le C\le1$", r"Hence $\alpha_1=\alpha_4=\frac14$")
def test_the_table_to_fill_in():
    points, labels = np.array([[3], [1], [0.5], [-0.5], [-1], [-2]]), np.repeat([1.0, -1.0], 3)
    alpha = svm.smo(linear(points), labels, 0.5).alpha
    np.testing.assert_allclose(alpha, [0, 1 / 4, 1 / 2, 1 / 2, 1 / 4, 0], atol=1e-7)
    assert svm.primal_objective(linear(points), labels, alpha, 0.0, 0.5) == pytest.approx(1)
    slopes = [
        (svm.smo(linear(points), labels, C).alpha * labels) @ points[:, 0] for C in (0.33, 0.34, 1, 1.01)
    ]
    assert np.isclose(slopes, 1, atol=1e-6).tolist() == [False, True, True, False]


@quotes(
    "is the line $40x_1+20x_2+11=0$",
    r"so that the nearest points get $\pm1$",
    "At circle 0, $(0.5,\\,0)$, this is $1$; at square 6, $(-0.9,\\,-0.3)$, it is $-1$; at circle 3",
    r"here $\lVert w\rVert\approx1.44$, so circle 0 is $1/1.44\approx0.69$ away",
    "circle 0 pushes with $1.04$",
    "there the squares push with $0.71$ and $0.33$",
)
def test_the_street_of_the_twelve(points, labels):
    alpha, w, b = left_out(points, labels, -1)
    np.testing.assert_allclose([*w, b], np.array([40, 20, 11]) / 31, atol=1e-9)
    f = points @ w + b
    assert np.flatnonzero(np.abs(f) < 1 + 1e-9).tolist() == [0, 6, 7]
    assert f[[0, 6, 3]].round(1).tolist() == [1, -1, 3.6]
    assert [round(norm(w), 2), round(1 / norm(w), 2)] == [1.44, 0.69]
    assert alpha[[0, 6, 7]].round(2).tolist() == [1.04, 0.71, 0.33]


@quotes("in fact from 0.94")
def test_from_where_on_circle_0_has_no_bar(points, labels):
    bars = [left_out(np.vstack([[x, 0], points[1:]]), labels, -1)[0][0] for x in (0.93, 0.94)]
    assert bars[0] > 0.01
    assert bars[1] == 0


@quotes(r"at most $2\log2/14<0.1$ once", "so $2t=e^w+w-1$: a time of 600,000")
def test_the_flow_of_two_equal_points():
    assert 0.09 < 2 * np.log(2) / 14 < 0.1
    run = solve_ivp(lambda w, t: (1 + np.exp(w)) / 2, (0, 14), [0.0], rtol=1e-11, atol=1e-11)
    assert 2 * run.y[0, -1] == pytest.approx(np.exp(14) + 13, rel=1e-8)
    assert run.y[0, -1].round(-5) == 600_000


@quotes(
    "for XOR labels the dual objective grows linearly", "for separable labels of the same points it rises"
)
def test_the_dual_along_a_ray(along_ray):
    straight, bent = (np.diff(along_ray[name]) for name in ("XOR", "separable labels"))
    assert straight.min() > 0
    assert np.ptp(straight) < 1e-12
    assert bent[0] > 0 > bent[-1]


@quotes(
    "The rate of our racer, the logistic loss with its gradient divided by",
    "that would be a rate of $1/k$, which *normalised* descent shows",
    "the loss falls like $1/k$ and says nothing about the angle",
    "The direction goes on turning as long as you let it",
)
def test_what_falls_like_one_over_k(unit, points, labels, slow, Z, u_star):
    turning = unit.angles(hard_margin_direction(points, labels))
    loss = np.logaddexp(0, -slow.weights @ Z.T).sum(axis=1)
    for values, steps in ((turning, unit.steps), (loss, slow.steps)):
        assert np.polyfit(np.log(steps[-12:]), np.log(values[-12:]), 1)[0] == pytest.approx(-1, abs=0.02)
    assert (np.diff(slow.angles(u_star)[1:]) < 0).all()


@quotes("Data that no line through the origin separates can still have such a $u$")
def test_data_that_contradict_each_other_in_part(torn, torn_labels):
    assert (torn_labels[:, None] * torn @ [1, 0]).tolist() == [1, 0, 0, 0]


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
