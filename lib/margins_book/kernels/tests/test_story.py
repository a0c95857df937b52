"""What the story of the chapter on kernels says about numbers: each test quotes the words."""

import math

import numpy as np
from numpy.linalg import norm

from margins import kernels, svm
from margins.kernels import gaussian, laplacian, linear
from margins_book.kernels.figures import (
    detour_points,
    fitted,
    gammas,
    moon_labels,
    moons,
    one_line,
    penalties,
    tables,
    through,
    waves,
)
from margins_book.page.quotes import quotes, test_a_story_is_as_long_as_it_may_be, test_every_cell_runs  # noqa: F401

WIDTH = min(gammas, key=lambda gamma: abs(gamma - 5.4))  # of the machine whose labels are shuffled


def ends_of_yes(K, K_line, sides):
    """Where the answer of a machine on the line changes, to two digits."""
    fit = svm.smo(K, sides, tol=1e-9)
    answers, places = (fit.alpha * sides) @ K_line + fit.b, np.linspace(-2.4, 2.4, 4801)
    return places[1:][np.diff(np.sign(answers)) != 0].round(2).tolist()


@quotes(
    "the doses that eight patients got",
    "the answer is *yes* from −1.43 to 1.45, the thick piece",
    "is *yes* from −1.33 to 1.35",
    "and $\\gamma=1$ the machine says *yes* from −1.26 to 1.30",
)
def test_from_where_to_where_the_answer_is_yes(line, sides):
    places, moved = np.linspace(-2.4, 2.4, 4801)[:, None], np.r_[1.2, line[1:]]
    for doses, ends in ((moved, [-1.43, 1.45]), (line, [-1.33, 1.35])):
        lifted = np.column_stack([doses, doses**2])
        assert ends_of_yes(linear(lifted), linear(lifted, np.hstack([places, places**2])), sides) == ends
    x = line[:, None]
    assert ends_of_yes(gaussian(x, gamma=1.0), gaussian(x, places, gamma=1.0), sides) == [-1.26, 1.3]
    assert len(line) == 8


@quotes(
    "points 0 and 4 have $2.3^2=5.29$",
    "Six features stand behind it",
    "A cosine of 0.9 means 26°, so 1 and 3 can be 52° apart at most",
    "the weights 1, −1 and 1 give −0.6",
    "With 0.6 in the place of 0.9, as in the figure, there is none",
)
def test_features_and_angles():
    assert round(tables["quadratic"][0, 4], 9) == round(2.3**2, 9) == 5.29
    assert kernels.numerical_rank(tables["quadratic"]) == 6
    assert np.degrees(np.arccos(0.9) * np.array([1, 2])).round().tolist() == [26, 52]
    assert round(3 - 4 * 0.9, 9) == -0.6
    assert 0.6 * math.sqrt(2) < 1  # the smallest eigenvalue is one less this


@quotes(
    "To point 4 the most alike is point 2, with 0.27",
    "for every $n$; here it is 12",
    "must have the inner product $K(0,1)=0.37$",
    "no point is on the wrong side, and 55 of the 60 are support vectors",
    "with $\\gamma=0.01$",
    "the boundary is nearly straight, and eleven points lie on the wrong side",
)
def test_tables_and_machines_of_gaussians():
    row = np.where(np.arange(12) == 4, 0, tables["Gaussian"][4])
    assert (row.argmax(), row.max().round(2), kernels.numerical_rank(tables["Gaussian"])) == (2, 0.27, 12)
    assert round(laplacian(np.array([[0.0], [1.0]]))[0, 1], 2) == 0.37
    narrow, wide = (fitted("Gaussian", gamma, 1.0) for gamma in (30.0, 0.01))
    assert (moon_labels * narrow.decision_function(gaussian(moons, gamma=30.0)) > 0).all()
    assert np.count_nonzero(narrow.alpha) == 55
    assert np.count_nonzero(moon_labels * wide.decision_function(gaussian(moons, gamma=0.01)) <= 0) == 11


@quotes("with norm 1.63", "makes small detours, and its norm is 6.05")
def test_detours(knots, heights):
    k, (places, of_detours) = one_line["Gaussian"], detour_points(knots, 5)
    a, direct = through(k, knots, heights, places)
    bent = direct + 0.2 * of_detours
    norms = np.sqrt([a @ heights, through(k, places, bent, places)[0] @ bent])
    assert norms.round(2).tolist() == [1.63, 6.05]


@quotes(
    "its norm is about 5",
    "Twenty times all labels were learnt",
    "more than seven times as large",
    "had to get answers 2 or more apart",
    "a norm of at least 13",
)
def test_shuffled_labels():
    K, shuffler = gaussian(moons, gamma=WIDTH), np.random.default_rng(16)
    labellings = [moon_labels, *(shuffler.permutation(moon_labels) for _ in range(20))]
    fits = [svm.smo(K, labels, tol=1e-6) for labels in labellings]
    lengths = [kernels.rkhs_norm(fit.alpha * labels, K) for fit, labels in zip(fits, labellings, strict=True)]
    learnt = [y * fit.decision_function(K) > 1 - 1e-5 for fit, y in zip(fits, labellings, strict=True)]
    assert np.all(learnt)
    assert round(lengths[0]) == 5
    assert min(lengths[1:]) > 7 * lengths[0]
    assert fitted("Gaussian", WIDTH, 100.0).alpha.max() < 99  # the figure's bound does not bind
    apart = np.sqrt(2 - 2 * K)  # of features; the closest pair with opposite labels needs 2 / apart
    assert min(2 / apart[y[:, None] != y].min() for y in labellings[1:]) > 13


@quotes("A formula gives all thirty errors", r"is smallest near $\lambda=0.1$")
def test_errors_over_the_penalty(wave_x, wave_y):
    K = waves["Gaussian"](wave_x[:, None])
    left_out = [norm(kernels.leave_one_out_residuals(K, wave_y, penalty=p)) for p in penalties]
    assert len(wave_x) == 30
    assert 0.08 < penalties[np.argmin(left_out)] < 0.12
