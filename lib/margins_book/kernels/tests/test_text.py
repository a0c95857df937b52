"""What the chapter on kernels says of numbers: each test quotes it, and takes its names from the page."""

import math

import numpy as np
from numpy.linalg import norm

from margins import kernels, svm
from margins.kernels import gaussian, laplacian, linear
from margins_book.checking.bounds import bounded
from margins_book.kernels import drawings
from margins_book.kernels.facts import bars_over_dots, is_separated
from margins_book.kernels.figures import (
    detour_points,
    evenly,
    fitted,
    gammas,
    moon_labels,
    moons,
    of_twelve,
    one_line,
    plane,
    tables,
    through,
    twelve,
    two_moons,
)
from margins_book.page.quotes import quotes, test_every_cell_runs, test_the_page_says_what_its_figures_expect  # noqa: F401


@quotes(
    "has more than a billion products of up to six factors",
    "there are more than a billion, and the kernel costs a hundred products and a power",
)
def test_monomials_of_degree_six():
    assert math.comb(100 + 6, 6) > 10**9


@quotes(
    r"The points $2$ and $3$ have the features $(1,\,2.83,\,4)$ and $(1,\,4.24,\,9)$",
    "with the inner product $1+12+36=49$.",
    r"But $49$ is also $(2\cdot3+1)^2$",
)
def test_three_features_of_two_and_three():
    of_two, of_three = kernels.polynomial_features(np.array([[2.0], [3.0]]), degree=2, coef0=1.0)
    assert sorted(of_two.round(2)) == [1, 2.83, 4] and sorted(of_three.round(2)) == [1, 4.24, 9]
    assert sorted((of_two * of_three).round(9)) == [1, 12, 36] and (2 * 3 + 1) ** 2 == 49


@quotes("so it finds near points alike", "each of these points is like itself and hardly like any other")
def test_what_is_near_to_a_wide_and_to_a_narrow_gaussian():
    between = norm(twelve[:, None] - twelve, axis=2)
    assert (
        tables["wide Gaussian"][between < 1].min() > 0.9 and tables["wide Gaussian"][between > 3].max() < 0.45
    )
    assert np.abs(tables["narrow Gaussian"] - np.eye(12)).max() < 1e-3


@quotes(
    "Unit vectors with cosine $0.9$ are 26° apart",
    "so 1 and 3 can be 52° apart at most, and the table says 90°",
)
def test_three_angles(similar):
    assert np.degrees([np.arccos(0.9), 2 * np.arccos(0.9), np.arccos(similar[0, 2])]).round().tolist() == [
        26,
        52,
        90,
    ]


@quotes(r"The sum is $3-2\cdot0.9-2\cdot0.9=-0.6$")
def test_a_witness_by_hand(similar):
    u = np.array([1, -1, 1])
    assert abs(u @ similar @ u + 0.6) < 1e-12 and abs(3 - 4 * 0.9 + 0.6) < 1e-12


@quotes(
    "vectors 1 and 3 can be as far apart as 106°",
    r"The root of $0.6$ is $0.77$, and for this cosine 90° is out of reach again.",
)
def test_angles_of_the_chain_and_of_its_root(chain):
    cosines = np.array([chain[0, 1], np.sqrt(chain)[0, 1], 0.5**0.5])
    apart = 2 * np.degrees(np.arccos(cosines))
    assert cosines.round(2).tolist() == [0.6, 0.77, 0.71]
    assert apart.round().tolist() == [106, 78, 90] and apart[1] < 90


@quotes("of $4000$ new points it gets about one in twenty wrong")
def test_how_often_narrow_and_middle_kernels_miss():
    new, labels = two_moons(4000, noise=0.2, seed=77)
    for gamma in (30.0, 0.970346):
        fit = fitted("Gaussian", gamma, 1.0)
        answers = (fit.alpha * moon_labels) @ gaussian(moons, new, gamma=gamma) + fit.b
        assert 0.04 < np.mean(answers * labels <= 0) < 0.06


@quotes(r"it is $e^{-4}\approx0.02$, the Gaussian $e^{-8}\approx0.0003$")
def test_the_laplacian_has_longer_tails():
    here, there = np.array([[0.0, 0.0]]), np.array([[2.0, 2.0]])
    assert [round(laplacian(here, there).item(), 2), round(gaussian(here, there).item(), 4)] == [0.02, 0.0003]


@quotes("A line separates the twelve points;", "has sixty, on two moons, that no line separates.")
def test_which_points_a_line_separates():
    assert len(moons) == 60 and is_separated(twelve, of_twelve) and not is_separated(moons, moon_labels)


@quotes("All sixty points look alike to the kernel", "is nearly straight")
def test_a_small_gamma_makes_points_alike():
    stiff = (fitted("Gaussian", 0.01, 1.0).alpha * moon_labels) @ gaussian(moons, plane, gamma=0.01)
    in_plane = np.c_[plane, np.ones(len(plane))]
    bent = stiff - in_plane @ np.linalg.lstsq(in_plane, stiff)[0]  # what no straight boundary explains
    assert gaussian(moons, gamma=0.01).min() > 0.85 and bent.var() / stiff.var() < 1e-3


@quotes(
    r"have the inner product $e^{-1}\approx0.37$; so their sum has the squared norm $2+2\cdot0.37=2.74$, "
    r"their difference $2-2\cdot0.37=1.26$"
)
def test_norms_of_two_bumps():
    K, signs = laplacian(np.array([[0.0], [1.0]])), np.array([[1, 1], [1, -1]])
    assert round(K[0, 1], 2) == 0.37
    assert [round(kernels.rkhs_norm(u, K) ** 2, 2) for u in signs] == [2.74, 1.26]


@quotes(
    "has the norm $1.63$",
    "With five detours of height $0.2$ the norm is $6.05$",
    "are a function of norm $29.13$ that vanishes at the six points",
    r"$1.63^2+(0.2\cdot29.13)^2=6.05^2$",
)
def test_norms_with_and_without_detours(knots, heights):
    k = one_line["Gaussian"]
    a, of_detours_places = through(k, knots, heights, detour_points(knots, 5)[0])
    places, of_detours = detour_points(knots, 5)
    with_detours = of_detours_places + 0.2 * of_detours
    b, c = (through(k, places, values, knots) for values in (with_detours, of_detours))
    norms = [np.sqrt(a @ heights), np.sqrt(b[0] @ with_detours), np.sqrt(c[0] @ of_detours)]
    assert np.round(norms, 2).tolist() == [1.63, 6.05, 29.13]
    assert np.allclose(b[1], heights, atol=1e-9) and np.abs(c[1]).max() < 1e-9
    assert abs(1.63**2 + (0.2 * 29.13) ** 2 - 6.05**2) < 0.01


@quotes(
    "passes through all six points, the [dashed one]", "is proportional to its distance from the dashed curve"
)
def test_the_dashed_curve_leaves_point_3_out(knots, heights):
    five = np.arange(6) != 3
    for k in one_line.values():
        dashed, per_distance = (
            through(k, knots[five], heights[five], knots)[1],
            np.linalg.inv(k(knots[:, None]))[3, 3],
        )
        for raised in (1.25, -1.25):
            six_heights = np.r_[heights[:3], raised, heights[4:]]
            a, solid = through(k, knots, six_heights, knots)
            assert np.allclose(solid, six_heights) and np.array_equal(np.isclose(dashed, six_heights), five)
            assert np.isclose(a[3], per_distance * (raised - dashed[3]), rtol=1e-9)


@quotes(
    "can be had for a small norm, because near points mostly have the same label.",
    "the shuffled labels cost about twice as much as the true ones, no longer ten times",
    r"every labelling with thirty points on either side costs nearly $\sqrt{60}\approx7.7$",
)
def test_what_shuffled_labels_cost(costs, costs_of_labels):
    nearest = (norm(moons[:, None] - moons, axis=2) + 9 * np.eye(60)).argmin(axis=1)
    shuffler = np.random.default_rng(16)
    shuffled = [shuffler.permutation(moon_labels) for _ in range(20)]
    same = [np.mean(labels == labels[nearest]) for labels in (moon_labels, *shuffled)]
    times = [np.median(costs[gamma][1:]) / costs[gamma][0] for gamma in (5.0, 30.0)]
    assert same[0] > 0.9 > 0.75 > max(same[1:]) and moon_labels.sum() == 0
    assert 10 < times[0] < 20 and 1.8 < times[1] < 2.8
    assert np.abs(costs_of_labels(1000.0) / 60**0.5 - 1).max() < 0.01


@quotes("With a small penalty the [fit]")
def test_a_small_penalty_follows_the_noise(W, wave_x, wave_y):
    K = laplacian(W)
    noise_in_fit = K @ kernels.kernel_ridge(K, wave_y, penalty=1e-4) - np.sin(2 * wave_x)
    assert norm(noise_in_fit - (wave_y - np.sin(2 * wave_x))) < 0.05 * norm(wave_y - np.sin(2 * wave_x))


@quotes("Sixty points of the plane under the linear kernel would be a case of two dimensions.")
def test_dimensions_under_the_linear_kernel():
    assert kernels.numerical_rank(linear(moons)) == 2 < kernels.numerical_rank(gaussian(moons))


@quotes(
    "that holds if the penalty is multiplied as well",
    "Alone, the larger kernel makes norms smaller and so the penalty weaker",
    "its coefficients are smaller",
)
def test_a_larger_kernel_weakens_the_penalty(W, wave_y):
    small = gaussian(W)
    a, multiplied, alone = (
        kernels.kernel_ridge(M, wave_y, penalty=p)
        for M, p in ((small, 1.0), (100 * small, 100.0), (100 * small, 1.0))
    )
    assert np.allclose(100 * small @ multiplied, small @ a, atol=1e-12)
    assert abs(kernels.rkhs_norm(multiplied, 100 * small) / kernels.rkhs_norm(a, small) - 0.1) < 1e-12
    assert norm(wave_y - 100 * small @ alone) < norm(wave_y - small @ a)
    assert norm(alone) < norm(a) and norm(small @ alone) < norm(small @ a)


@quotes("if you forget it, you favour the class whose mean lies further from the origin")
def test_whom_a_forgotten_length_favours(X, elsewhere, lifted, lifted_new, quadratic, y):
    K, K_new, of_class = quadratic(X), quadratic(X, elsewhere), [y == label for label in (1, -1)]
    away = [((lifted_new - lifted[own].mean(axis=0)) ** 2).sum(axis=1) for own in of_class]
    lengths = [K[np.ix_(own, own)].mean() for own in of_class]
    forgotten = [-2 * K_new[own].mean(axis=0) for own in of_class]  # the first and the last term are missing
    assert np.allclose(away[0] - away[1], forgotten[0] + lengths[0] - forgotten[1] - lengths[1], atol=1e-9)
    wrong = (forgotten[0] < forgotten[1]) != (away[0] < away[1])
    favoured = np.where(forgotten[0] < forgotten[1], 1, -1)[wrong]
    assert np.array_equal(np.unique(favoured), [np.sign(lengths[0] - lengths[1])])


@quotes(
    "So the machine exists, makes no training error and is at most as long",
    "A training error of zero says nothing, since random labels get it, too.",
    r"So a radius $B$ that holds such an $f$ typically makes $B\kappa/\sqrt n$ about $1$ at least",
)
def test_machines_for_random_labels():
    K, rng = gaussian(moons, gamma=30.0), np.random.default_rng(15)
    coins = rng.choice([-1.0, 1.0], size=(200, 60))
    machines = [svm.smo(K, labels, tol=1e-6) for labels in coins[:5]]
    margins = [labels * fit.decision_function(K) for labels, fit in zip(coins[:5], machines, strict=True)]
    lengths = np.array(
        [kernels.rkhs_norm(fit.alpha * labels, K) for labels, fit in zip(coins[:5], machines, strict=True)]
    )
    assert np.abs(np.min(margins, axis=1) - 1).max() < 1e-4
    assert np.allclose(lengths**2, [fit.alpha.sum() for fit in machines], rtol=1e-4)
    reached = np.sqrt(np.einsum("li,ij,lj->l", coins, np.linalg.inv(K), coins))
    bounded(lengths, reached[:5], slack=1.4, what="length")
    assert (np.array(margins) > 0).all()
    means = np.sqrt(np.einsum("li,ij,lj->l", coins, K, coins)) / 60  # a radius is at least one over it
    assert np.median(1 / means) / np.sqrt(60) > 0.9 and (reached * means >= 1 - 1e-9).all()


@quotes(
    r"So it is nearly the *linear* machine with $2\gamma C$ in the place of $C$",
    "and no line separates the moons",
)
def test_a_wide_gaussian_is_nearly_the_linear_machine():
    def stiff_and_straight(gamma, C):
        """What the Gaussian machine says of the moons, and what the linear one with the price 2 gamma C."""
        K, lines = gaussian(moons, gamma=gamma), linear(moons)
        stiff, straight = svm.smo(K, moon_labels, C), svm.smo(lines, moon_labels, 2 * gamma * C)
        return stiff.decision_function(K), straight.decision_function(lines)

    for gamma in (g for g in gammas if 0.03 < g < 0.09):
        stiff, straight = stiff_and_straight(gamma, 100.0)
        assert np.mean((stiff > 0) == (straight > 0)) > 0.8 and np.corrcoef(stiff, straight)[0, 1] > 0.9
    stiff, straight = stiff_and_straight(1e-4, 500.0)
    assert np.abs(stiff - straight).max() < 1e-3
    assert not is_separated(moons, moon_labels)


@quotes(
    "whose share is at least the error rate on the data",
    "of which a kernel with $D$ features in general position needs no more than $D+1$",
)
def test_how_many_vectors_are_bound_and_free(quadratic):
    twins = np.ones((2, 2)), np.array([1.0, -1.0]), 1  # K, the labels, and how many features
    for K, of_point, D in ((linear(moons), moon_labels, 2), (quadratic(moons), moon_labels, 6), twins):
        for C in (0.1, 1.0, 10.0):
            fit = svm.smo(K, of_point, C)
            at_bound, missed = fit.alpha >= C * (1 - 1e-9), of_point * fit.decision_function(K) <= 0
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
    ranks = np.arange(1, 26)
    of_gaussian, of_laplacian = (kernels.spectrum(k(evenly, gamma=10))[:25] for k in (gaussian, laplacian))
    assert (np.diff(np.log(of_gaussian[of_gaussian > 1e-8]), 2) < 0).all()
    assert abs(np.polyfit(np.log(ranks[7:]), np.log(of_laplacian[7:]), 1)[0] + 2) < 0.2


@quotes(
    "Every mean lies to the right of $1$, here by more than two standard errors",
    "In the experiment above its machine has *more* support vectors than the Gaussian's, on average",
)
def test_every_mean_is_right_of_one_and_some_draw_left(error, mean, ratios):
    assert (mean > 2 * error).all() and ratios.min() < 0


@quotes("all means lie between 1 and 3, and every bar stays to the right of 1")
def test_where_the_means_and_bars_lie(error, mean):
    assert (mean > 2 * error).all() and (mean < np.log(3)).all()


@quotes("Its Gram matrix is no sparser either")
def test_which_entries_are_smaller_depends_on_units(many):
    pairs = np.triu_indices(200, 1)
    in_units = [(gaussian(points)[pairs], laplacian(points)[pairs]) for points in (many / 10, many * 10)]
    assert [np.mean(smooth < rough) > 0.9 for smooth, rough in in_units] == [False, True]
    assert np.mean(in_units[0][1] < in_units[0][0]) > 0.9 and min(rough.min() for _, rough in in_units) > 0


@quotes(r"at $0,r,2r$ its smallest eigenvalue is $1-\sqrt2$")
def test_the_smallest_eigenvalue_of_a_band():
    for r in (0.7, 3.0):
        three = np.array([0, r, 2 * r])
        of_band = (np.abs(np.subtract.outer(three, three)) <= r).astype(float)
        assert abs(kernels.smallest_eigenvalue(of_band) - (1 - np.sqrt(2))) < 1e-12


@quotes(
    r"If a sample has no repetitions, which for $N\gg n^2$ is nearly certain",
    r"its gap is $(1-\frac nN)\frac{B\kappa}{\sqrt n}$: up to the bracket, half of the middle term",
    r"that serves every kernel, loss and $n$ has $c\ge1$, half of our $2$.",
)
def test_the_gap_of_a_function_that_memorises(B, N, a, f, kappa, middle, n):
    many_points = 100 * n**2
    assert 0.995 < np.prod(1 - np.arange(n) / many_points) < 0.996
    assert (
        abs(np.sqrt(a @ f) - B) < 1e-9 and np.allclose(f[:n], -B * kappa / np.sqrt(n)) and (f[n:] == 0).all()
    )
    unit = B * kappa / np.sqrt(n)
    cut_losses = [np.clip(M / 2 + f, 0, M) for M in (unit, 2 * unit, 3 * unit)]
    on_data, risks = (
        [part.mean() / unit for part in parts] for parts in ([c[:n] for c in cut_losses], cut_losses)
    )
    assert np.allclose(on_data, [0, 0, 0.5]) and np.allclose(
        np.subtract(risks, on_data) / (1 - n / N), [0.5, 1, 1]
    )
    assert abs(unit / middle - 1 / 2) < 1e-9


@quotes(
    "The largest gap over the unit ball: means of four hundred samples, with two standard errors",
    "the measured gaps fall along a straight line of slope minus one half, just below the line",
)
def test_the_gaps_fall_like_a_root(bound, exact, gaps, sizes, slope):
    drawn = drawings.largest_gap_figure(sizes, gaps.mean(axis=1), gaps.std(axis=1) / 20, exact, bound)
    bounded(bars_over_dots(drawn), 1, slack=4, what="bars over dots")
    assert abs(slope + 0.5) < 0.02 and 0.95 < (gaps.mean(axis=1) / exact).mean() < 1


@quotes("the bound runs parallel to it, several times higher")
def test_how_far_the_bound_is_above(bound, exact):
    higher = bound / exact
    assert np.allclose(higher, higher[0], rtol=1e-12) and 4 < higher[0] < 7


@quotes("the dots follow the line that was computed, and the bound runs parallel above them")
def test_the_dots_follow_the_line(bound, exact, gaps):
    assert np.abs(gaps.mean(axis=1) / exact - 1).max() < 0.08 and (bound / gaps.mean(axis=1)).min() > 4


@quotes("In the plane it charges for the mixed derivative too, so a kink may run along an axis")
def test_what_a_kink_costs_in_the_plane():
    def squared_norms(kink):
        """Those of the shortest functions through a kink's values on ever finer grids of the square."""
        found = []
        for n in (9, 17, 33):
            grid = np.stack(np.meshgrid(*[np.linspace(-1, 1, n)] * 2), axis=-1).reshape(-1, 2)
            values = kink(grid)
            found.append(values @ np.linalg.solve(laplacian(grid), values))
        return np.array(found)

    diagonal, along_axis = (
        squared_norms(lambda x: np.abs(x[:, 0] - x[:, 1])),
        squared_norms(lambda x: np.abs(x[:, 0])),
    )
    assert (np.diff(diagonal) > 7).all() and np.diff(diagonal)[1] > 1.8 * np.diff(diagonal)[
        0
    ]  # doubles with n
    assert np.abs(np.diff(along_axis)).max() < 0.1


@quotes("So under a sum of a wide and a narrow kernel the slow part of $f$ may go into the wide one")
def test_who_takes_the_slow_and_the_fast_part():
    row_of_nine = np.arange(-4.0, 5)[:, None]
    wide, narrow = gaussian(row_of_nine, gamma=0.3), gaussian(row_of_nine, gamma=5.0)
    slow, fast = row_of_nine[:, 0] / 4, 0.3 * (-1.0) ** np.arange(9)
    price = {
        name: [values @ np.linalg.solve(M, values) for M in (wide, narrow, wide + narrow)]
        for name, values in (("slow", slow), ("fast", fast), ("both", slow + fast))
    }
    assert price["slow"][0] < price["slow"][1] and price["fast"][1] < price["fast"][0]
    assert price["both"][2] <= price["slow"][0] + price["fast"][1] < min(price["both"][:2])


@quotes(r"those of far points stand nearly at right angles, and $\gamma$ says what is far")
def test_angles_of_far_points(spaced):
    for k in (gaussian, laplacian):
        far, near = k(spaced, gamma=5.0), k(spaced, gamma=0.001)
        assert (np.diagonal(far) == 1).all() and (far - np.eye(12)).max() < 1e-3 and near.min() > 0.7


@quotes("leaves at least half of the digits")
def test_digits_left_by_cancellation():
    for R in (3e3, 1e6):  # a product of matrices, then differences
        far_off = np.array([[-R, 0.3], [-R, 1.3], [R, 0.3]])
        assert abs(gaussian(far_off)[0, 1] * math.e - 1) < np.finfo(float).eps ** 0.5


@quotes("In floating point an eigenvalue that should be $0$ comes out as about")
def test_zero_eigenvalues_in_floating_point(X, quadratic):
    for K, rank in ((linear(X), 2), (quadratic(X), 6)):
        shares = np.linalg.eigvalsh(K)[: 60 - rank] / np.linalg.eigvalsh(K)[-1]
        assert 1e-17 < max(shares) < 1e-15 and -1e-15 < min(shares) < -1e-17


@quotes("allows for about $2n$ times as much before it calls a matrix indefinite")
def test_what_is_psd_allows_for():
    judged = [kernels.is_psd(np.diag([*np.ones(59), -60 * share])) for share in (2e-16, 2.5e-16)]
    assert judged == [True, False]
