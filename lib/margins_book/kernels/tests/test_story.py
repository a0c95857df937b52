"""What the story of the chapter on kernels says about numbers: each test quotes the words."""

import math

import numpy as np
from numpy.linalg import norm

from margins import kernels, svm
from margins.kernels import gaussian, laplacian, linear
from margins_book.kernels.facts import is_separated
from margins_book.kernels.figures import (
    detour_points,
    families,
    fitted,
    gammas,
    moon_labels,
    moons,
    one_line,
    penalties,
    plane,
    tables,
    through,
    twelve,
    waves,
)
from margins_book.page.quotes import quotes, test_a_story_is_as_long_as_it_may_be, test_every_cell_runs  # noqa: F401

WIDTH = min(gammas, key=lambda gamma: abs(gamma - 5.4))  # of the machine whose labels are shuffled


def ends_of_yes(answer):
    """Where the sign of a function on the line changes, to two digits."""
    places = np.linspace(-2.4, 2.4, 4801)
    return places[1:][np.diff(np.sign(answer(places))) != 0].round(2).tolist()


def on_parabola(x, sides):
    """The multipliers of the machine on the parabola, and its function on the line."""
    lifted = np.column_stack([x, x**2])
    best = svm.smo(linear(lifted), sides, tol=1e-9)
    w = (best.alpha * sides) @ lifted
    return best.alpha, lambda t: w[0] * t + w[1] * t**2 + best.b


@quotes("The circles in the middle are patients whom it helped", "the doses that eight patients got")
def test_the_answers_are_no_yes_no(line, sides):
    assert len(line) == 8
    assert min(line) < 0
    assert np.abs(line[sides > 0]).max() < np.abs(line[sides < 0]).min()
    assert not is_separated(line[:, None], sides)


@quotes(
    "with point 0 moved to 1.2, three points hold it",
    "the answer is *yes* from −1.43 to 1.45, the thick piece",
    "the squares at its two ends climb higher",
)
def test_the_street_on_the_parabola(line, sides):
    alpha, answer = on_parabola(np.r_[1.2, line[1:]], sides)
    assert np.flatnonzero(alpha > 1e-6 * alpha.max()).tolist() == [0, 5, 6]
    assert ends_of_yes(answer) == [-1.43, 1.45]


@quotes("been helped by the dose 2.4", "so now no street separates the classes", "We could add cubes")
def test_squares_are_not_enough(line, sides):
    x = np.r_[2.4, line[1:]]
    assert not is_separated(np.column_stack([x, x**2]), sides)
    assert is_separated(np.column_stack([x, x**2, x**3]), sides)


@quotes(
    "more than a billion products of up to six factors",
    "their inner product is $1+12+36=49$",
    r"It is also $(2\cdot3+1)^2$",
)
def test_features_and_their_number():
    assert math.comb(100 + 6, 6) - 1 > 10**9
    of_two, of_three = (np.array([1, math.sqrt(2) * x, x**2]) for x in (2, 3))
    assert (of_two * of_three).round(9).tolist() == [1, 12, 36]
    assert (2 * 3 + 1) ** 2 == 49


@quotes("points 0 and 4 have $2.3^2=5.29$", "Six features stand behind it")
def test_the_quadratic_table():
    assert abs(tables["quadratic"][0, 4] - 2.3**2) < 1e-12
    assert round(2.3**2, 2) == 5.29
    assert kernels.numerical_rank(tables["quadratic"]) == math.comb(2 + 2, 2) == 6


@quotes("A cosine of 0.9 means 26°, so 1 and 3 can be 52° apart at most", "But the 0 asks for 90°")
def test_three_angles():
    angles = np.degrees(np.arccos([0.9, 0.0])) * [2, 1]
    assert angles.round().tolist() == [52, 90]
    assert round(angles[0] / 2) == 26


@quotes("the weights 1, −1 and 1 give −0.6", "With 0.6 in the place of 0.9, as in the figure, there is none")
def test_a_witness():
    table = {c: np.array([[1, c, 0], [c, 1, c], [0, c, 1]]) for c in (0.9, 0.6)}
    u = np.array([1, -1, 1])
    assert abs(u @ table[0.9] @ u + 0.6) < 1e-12
    assert kernels.smallest_eigenvalue(table[0.6]) > 0.1


@quotes("differences may fail")
def test_a_difference_that_fails():
    assert kernels.smallest_eigenvalue(gaussian(moons) - gaussian(moons, gamma=0.1)) < -1


@quotes("here $\\gamma=1$", "To point 4 the most alike is point 2, with 0.27", "for every $n$; here it is 12")
def test_the_gaussian_table():
    K = gaussian(twelve, gamma=1.0)
    assert (tables["Gaussian"] == K).all()
    row = np.where(np.arange(12) == 4, 0, K[4])
    assert (row.argmax(), row.max().round(2), kernels.numerical_rank(K)) == (2, 0.27, 12)


@quotes(
    "No line separates these sixty points",
    "no point is on the wrong side, and 55 of the 60 are support vectors",
)
def test_learnt_by_heart():
    assert not is_separated(moons, moon_labels)
    fit, K = fitted("Gaussian", 30.0, 1.0), gaussian(moons, gamma=30.0)
    assert (moon_labels * fit.decision_function(K) > 0).all()
    assert np.count_nonzero(fit.alpha) == 55
    assert kernels.smallest_eigenvalue(K) > 0.01  # so it could learn any labels


@quotes("the boundary is nearly straight, and eleven points lie on the wrong side")
def test_a_wide_gaussian_is_nearly_straight():
    fit = fitted("Gaussian", 0.01, 1.0)
    assert np.count_nonzero(moon_labels * fit.decision_function(gaussian(moons, gamma=0.01)) <= 0) == 11
    values = (fit.alpha * moon_labels) @ gaussian(moons, plane, gamma=0.01)
    in_plane = np.c_[plane, np.ones(len(plane))]
    rest = values - in_plane @ np.linalg.lstsq(in_plane, values)[0]
    assert rest.var() < 1e-3 * values.var()


@quotes("must have the inner product $K(0,1)=0.37$")
def test_two_bumps():
    assert round(laplacian(np.array([[0.0], [1.0]]))[0, 1], 2) == 0.37


@quotes("with norm 1.63", "makes small detours, and its norm is 6.05", "charges less for these detours")
def test_detours(knots, heights):
    def norms(k):
        places, of_detours = detour_points(knots, 5)
        a, direct = through(k, knots, heights, places)
        values = direct + 0.2 * of_detours
        return np.sqrt([a @ heights, through(k, places, values, places)[0] @ values])

    found = {name: norms(k) for name, k in one_line.items()}
    assert found["Gaussian"].round(2).tolist() == [1.63, 6.05]
    assert np.diff(found["Laplacian"]) < np.diff(found["Gaussian"]) / 10


@quotes(
    "its norm is about 5",
    "Twenty times all labels were learnt",
    "had to get answers 2 or more apart",
    "more than seven times as large",
    "a norm of at least 13",
)
def test_shuffled_labels():
    def longest(labels):
        """The norm that the closest pair with opposite labels needs, whose answers are 2 apart."""
        return 2 / apart[labels[:, None] != labels].min()

    K, shuffler = gaussian(moons, gamma=WIDTH), np.random.default_rng(16)
    apart = np.sqrt(2 - 2 * K)
    labellings = [moon_labels, *(shuffler.permutation(moon_labels) for _ in range(20))]
    fits = [svm.smo(K, labels, tol=1e-6) for labels in labellings]
    lengths = [kernels.rkhs_norm(fit.alpha * labels, K) for fit, labels in zip(fits, labellings, strict=True)]
    assert all(
        (y * fit.decision_function(K) > 1 - 1e-5).all() for fit, y in zip(fits, labellings, strict=True)
    )
    assert round(lengths[0]) == 5
    assert min(lengths[1:]) > 7 * lengths[0]
    assert fitted("Gaussian", WIDTH, 100.0).alpha.max() < 99  # the figure's bound does not bind
    assert min(longest(labels) for labels in labellings[1:]) > 13 > 4 * longest(moon_labels)


@quotes("is proportional to its distance from the dashed curve, where the five others expect it")
def test_a_coefficient_measures_surprise(knots, heights):
    k, five = one_line["Gaussian"], np.arange(6) != 3
    expected = through(k, knots[five], heights[five], knots[[3]])[1][0]
    per_distance = [
        through(k, knots, np.where(five, heights, y), knots)[0][3] / (y - expected) for y in (-1, 1.25, 2)
    ]
    assert np.ptp(per_distance) < 1e-9


@quotes(
    "it falls as $\\lambda$ falls", "A formula gives all thirty errors", r"is smallest near $\lambda=0.1$"
)
def test_errors_over_the_penalty(wave_x, wave_y):
    K = waves["Gaussian"](wave_x[:, None])
    training = [norm(p * kernels.kernel_ridge(K, wave_y, penalty=p)) for p in penalties]
    left_out = [norm(kernels.leave_one_out_residuals(K, wave_y, penalty=p)) for p in penalties]
    assert len(wave_x) == 30
    assert (np.diff(training) > 0).all()
    assert 0.08 < penalties[np.argmin(left_out)] < 0.12


@quotes("is *yes* from −1.33 to 1.35", "and $\\gamma=1$ the machine says *yes* from −1.26 to 1.30")
def test_the_doses_by_a_gaussian(line, sides):
    fit = svm.smo(families["Gaussian"](line[:, None], gamma=1.0), sides, tol=1e-9)

    def by_gaussian(t):
        return (fit.alpha * sides) @ gaussian(line[:, None], t[:, None], gamma=1.0) + fit.b

    assert ends_of_yes(on_parabola(line, sides)[1]) == [-1.33, 1.35]
    assert ends_of_yes(by_gaussian) == [-1.26, 1.3]
