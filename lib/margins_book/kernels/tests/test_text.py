"""What the chapter on kernels says of numbers: each test quotes it, and takes its names from the page."""

import math

import numpy as np

from margins import kernels, svm
from margins.kernels import gaussian, laplacian, linear
from margins_book.kernels.facts import is_separated
from margins_book.kernels.figures import (
    detour_points,
    evenly,
    fitted,
    moon_labels,
    moons,
    one_line,
    through,
    two_moons,
)
from margins_book.page.quotes import quotes, test_every_cell_runs, test_the_page_says_what_its_figures_expect  # noqa: F401


@quotes(
    "has more than a billion products of up to six factors",
    "there are more than a billion, and the kernel costs a hundred products and a power",
    r"The points $2$ and $3$ have the features $(1,\,2.83,\,4)$ and $(1,\,4.24,\,9)$",
    "with the inner product $1+12+36=49$.",
    r"But $49$ is also $(2\cdot3+1)^2$",
    story=(
        "more than a billion products of up to six factors",
        "their inner product is $1+12+36=49$",
        r"It is also $(2\cdot3+1)^2$",
    ),
)
def test_features_and_their_number():
    assert math.comb(100 + 6, 6) > 10**9
    of_two, of_three = kernels.polynomial_features(np.array([[2.0], [3.0]]), degree=2, coef0=1.0)
    assert sorted(of_two.round(2)) == [1, 2.83, 4] and sorted(of_three.round(2)) == [1, 4.24, 9]
    assert sorted((of_two * of_three).round(9)) == [1, 12, 36] and (2 * 3 + 1) ** 2 == 49


@quotes(
    "Unit vectors with cosine $0.9$ are 26° apart",
    "so 1 and 3 can be 52° apart at most, and the table says 90°",
    r"The sum is $3-2\cdot0.9-2\cdot0.9=-0.6$",
    "vectors 1 and 3 can be as far apart as 106°",
    r"The root of $0.6$ is $0.77$, and for this cosine 90° is out of reach again.",
    r"The border lies at $1/\sqrt2\approx0.71$",
)
def test_angles_of_three_vectors_and_a_witness(similar, chain):
    cosines = np.array([similar[0, 1], chain[0, 1], np.sqrt(chain)[0, 1], 0.5**0.5])
    assert cosines.round(2).tolist() == [0.9, 0.6, 0.77, 0.71] and similar[0, 2] == 0
    angles = np.degrees(np.arccos(cosines))
    assert angles.round()[0] == 26 and (2 * angles).round().tolist() == [52, 106, 78, 90]
    u = np.array([1, -1, 1])
    assert abs(u @ similar @ u + 0.6) < 1e-12


@quotes(
    "has sixty, on two moons, that no line separates.", "of $4000$ new points it gets about one in twenty"
)
def test_how_often_narrow_and_middle_kernels_miss():
    assert len(moons) == 60 and not is_separated(moons, moon_labels)
    new, labels = two_moons(4000, noise=0.2, seed=77)
    for gamma in (30.0, 0.970346):
        fit = fitted("Gaussian", gamma, 1.0)
        answers = (fit.alpha * moon_labels) @ gaussian(moons, new, gamma=gamma) + fit.b
        assert 0.04 < np.mean(answers * labels <= 0) < 0.06


@quotes(
    r"it is $e^{-4}\approx0.02$, the Gaussian $e^{-8}\approx0.0003$",
    r"have the inner product $e^{-1}\approx0.37$; so their sum has the squared norm $2+2\cdot0.37=2.74$, "
    r"their difference $2-2\cdot0.37=1.26$",
)
def test_values_of_kernels_and_norms_of_bumps():
    here, there = np.array([[0.0, 0.0]]), np.array([[2.0, 2.0]])
    assert [round(laplacian(here, there).item(), 2), round(gaussian(here, there).item(), 4)] == [0.02, 0.0003]
    K, signs = laplacian(np.array([[0.0], [1.0]])), np.array([[1, 1], [1, -1]])
    assert [round(K[0, 1], 2), *(round(kernels.rkhs_norm(u, K) ** 2, 2) for u in signs)] == [0.37, 2.74, 1.26]


@quotes(
    "has the norm $1.63$",
    "With five detours of height $0.2$ the norm is $6.05$",
    "are a function of norm $29.13$ that vanishes at the six points",
    r"$1.63^2+(0.2\cdot29.13)^2=6.05^2$",
)
def test_norms_with_and_without_detours(knots, heights):
    k, (places, of_detours) = one_line["Gaussian"], detour_points(knots, 5)
    a, direct = through(k, knots, heights, places)
    bent = direct + 0.2 * of_detours
    squares = [a @ heights, *(through(k, places, values, knots)[0] @ values for values in (bent, of_detours))]
    assert np.sqrt(squares).round(2).tolist() == [1.63, 6.05, 29.13]
    assert abs(1.63**2 + (0.2 * 29.13) ** 2 - 6.05**2) < 0.01


@quotes(
    "the shuffled labels cost about twice as much as the true ones, no longer ten times",
    r"every labelling with thirty points on either side costs nearly $\sqrt{60}\approx7.7$",
)
def test_what_shuffled_labels_cost(costs, costs_of_labels):
    times = [np.median(costs[gamma][1:]) / costs[gamma][0] for gamma in (5.0, 30.0)]
    assert moon_labels.sum() == 0 and 10 < times[0] < 20 and 1.8 < times[1] < 2.8
    assert round(60**0.5, 1) == 7.7 and np.abs(costs_of_labels(1000.0) / 60**0.5 - 1).max() < 0.01


@quotes(r"So it is nearly the *linear* machine with $2\gamma C$ in the place of $C$")
def test_a_wide_gaussian_is_nearly_the_linear_machine():
    K, lines = gaussian(moons, gamma=1e-4), linear(moons)
    stiff, straight = svm.smo(K, moon_labels, 500.0), svm.smo(lines, moon_labels, 2 * 1e-4 * 500)
    assert np.abs(stiff.decision_function(K) - straight.decision_function(lines)).max() < 1e-3


@quotes(
    "whose share is at least the error rate on the data",
    "of which a kernel with $D$ features in general position needs no more than $D+1$",
)
def test_how_many_vectors_are_bound_and_free(quadratic):
    for K, D in ((linear(moons), 2), (quadratic(moons), 6)):
        for C in (0.1, 1.0, 10.0):
            fit = svm.smo(K, moon_labels, C)
            at_bound, missed = fit.alpha >= C * (1 - 1e-9), moon_labels * fit.decision_function(K) <= 0
            assert 0 < missed.mean() <= at_bound.mean()
            assert np.count_nonzero(~at_bound) - np.count_nonzero(fit.alpha == 0) <= D + 1


@quotes(
    "where the error of replacing an integral by a sum falls to a quarter when $n$ doubles",
    behind="Laplacian, ten eigenvalues",
)
def test_the_error_of_a_sum_for_an_integral(off):
    assert abs(off[1] / off[0] - 1 / 4) < 0.001


@quotes("fall roughly like $1/k^2$.")
def test_how_fast_eigenvalues_fall():
    found = kernels.spectrum(laplacian(evenly, gamma=10))[7:25]
    assert abs(np.polyfit(np.log(np.arange(8, 26)), np.log(found), 1)[0] + 2) < 0.2


@quotes(
    "Every mean lies to the right of $1$, here by more than two standard errors",
    "In the experiment above its machine has *more* support vectors than the Gaussian's, on average",
    "all means lie between 1 and 3, and every bar stays to the right of 1",
)
def test_every_mean_is_right_of_one_and_some_draw_left(error, mean, ratios):
    assert (mean > 2 * error).all() and (mean < np.log(3)).all() and ratios.min() < 0


@quotes("Its Gram matrix is no sparser either")
def test_which_entries_are_smaller_depends_on_units(many):
    pairs = np.triu_indices(200, 1)
    smaller = [
        np.mean(gaussian(points)[pairs] < laplacian(points)[pairs]) for points in (many / 10, many * 10)
    ]
    assert smaller[0] < 0.1 and smaller[1] > 0.9


@quotes(r"at $0,r,2r$ its smallest eigenvalue is $1-\sqrt2$")
def test_the_smallest_eigenvalue_of_a_band():
    three = np.arange(3.0)
    of_band = (np.abs(np.subtract.outer(three, three)) <= 1).astype(float)
    assert abs(kernels.smallest_eigenvalue(of_band) - (1 - np.sqrt(2))) < 1e-12


@quotes(
    r"If a sample has no repetitions, which for $N\gg n^2$ is nearly certain",
    r"its gap is $(1-\frac nN)\frac{B\kappa}{\sqrt n}$: up to the bracket, half of the middle term",
    r"that serves every kernel, loss and $n$ has $c\ge1$, half of our $2$.",
)
def test_the_gap_of_a_function_that_memorises(B, N, f, kappa, middle, n):
    unit = B * kappa / np.sqrt(n)
    assert np.prod(1 - np.arange(n) / (100 * n**2)) > 0.995 and abs(unit / middle - 1 / 2) < 1e-9
    for M in (2 * unit, 3 * unit):
        loss = np.clip(M / 2 + f, 0, M)
        assert np.isclose(loss.mean() - loss[:n].mean(), (1 - n / N) * unit)


@quotes(
    "the measured gaps fall along a straight line of slope minus one half, just below the line",
    "the dots follow the line that was computed, and the bound runs parallel above them",
    "the bound runs parallel to it, several times higher",
)
def test_the_gaps_fall_like_a_root(bound, exact, gaps, slope):
    assert abs(slope + 0.5) < 0.02 and 0.95 < (gaps.mean(axis=1) / exact).mean() < 1
    assert np.ptp(bound / exact) < 1e-9 and 4 < (bound / exact)[0] < 7


@quotes("In the plane it charges for the mixed derivative too, so a kink may run along an axis")
def test_what_a_kink_costs_in_the_plane():
    """The squared norms of the shortest functions through a kink's values, on finer and finer grids."""
    found = []
    for n in (9, 17, 33):
        grid = np.stack(np.meshgrid(*[np.linspace(-1, 1, n)] * 2), axis=-1).reshape(-1, 2)
        kinks = np.abs(grid @ [[1, 1], [-1, 0]])  # along the diagonal, along an axis
        found.append((kinks * np.linalg.solve(laplacian(grid), kinks)).sum(axis=0))
    diagonal, along_axis = np.diff(found, axis=0).T
    assert diagonal[1] > 1.8 * diagonal[0] > 12 and np.abs(along_axis).max() < 0.1


@quotes(
    "leaves at least half of the digits",
    r"an eigenvalue that should be $0$ comes out as about $\pm10^{-16}$ times the largest",
    "allows for about $2n$ times as much before it calls a matrix indefinite",
)
def test_floating_point(X, quadratic):
    far_off = np.array([[-1e6, 0.3], [-1e6, 1.3], [1e6, 0.3]])  # a product of matrices, then differences
    assert abs(gaussian(far_off)[0, 1] * math.e - 1) < np.finfo(float).eps ** 0.5
    for K, rank in ((linear(X), 2), (quadratic(X), 6)):
        shares = np.linalg.eigvalsh(K)[: 60 - rank] / np.linalg.eigvalsh(K)[-1]
        assert 1e-17 < max(shares) < 1e-15 and -1e-15 < min(shares) < -1e-17
    judged = [kernels.is_psd(np.diag([*np.ones(59), -60 * share])) for share in (2e-16, 2.5e-16)]
    assert judged == [True, False]
