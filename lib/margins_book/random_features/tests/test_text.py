"""What holds the words of the chapter on random features: each test quotes them, with names of the page."""

import itertools
import math
from statistics import NormalDist

import numpy as np

from margins import kernels
from margins import random_features as rf
from margins.attention import softmax_attention
from margins_book.page.quotes import quotes, test_every_cell_runs, test_the_page_says_what_its_figures_expect  # noqa: F401
from margins_book.random_features.figures import (
    advantage,
    angles,
    axis,
    distance,
    draws,
    equal,
    error_of_the_mean,
    estimator,
    k_cells,
    q_cells,
    relative_errors,
    spread,
    targets,
    tokens,
    widths,
)

PAYS = [n for n in range(1, 1000) if rf.linear_attention_flops(n, 64, 256) < rf.attention_flops(n, 64)]


def both_variances(q, k):
    """Variances of positive and of trigonometric features for numbers q and k."""
    points = np.asarray(q)[..., None], np.asarray(k)[..., None]
    return [rf.softmax_feature_variance(*points, 1, kind) for kind in ("positive", "trigonometric")]


def exact_answer(twelve, twelve_labels):
    """The answer to the query (3, 0.6) of the first figure."""
    query = np.array([[1.5, 0.3]])
    return softmax_attention(query, twelve / 2, twelve_labels[:, None], scale=1.0).item()


@quotes("is an estimate from $m$ random vectors, which are called *projections*")
def test_an_estimate_is_linear_attention(twelve, twelve_labels):
    on_both = [rf.softmax_features(X, draws()[0, :4]) for X in (np.array([[1.5, 0.3]]), twelve / 2)]
    first_dot = rf.linear_attention(*on_both, twelve_labels[:, None]).item()
    assert abs(first_dot - estimator(twelve, twelve_labels)(3.0)[0, widths.index(4)]) < 1e-12


@quotes(
    "the exact answer is $0.84$, since nearly all of the attention goes to circles",
    "the mean of two hundred of them, is at $0.41$",
)
def test_dots_scatter_and_their_mean_is_off(twelve, twelve_labels):
    with_four = estimator(twelve, twelve_labels)(3.0)[:, widths.index(4)]
    exact = exact_answer(twelve, twelve_labels)
    assert [round(exact, 2), round(with_four.mean(), 2)] == [0.84, 0.41]
    assert (1 + exact) / 2 > 0.9  # the share of the circles
    assert exact - with_four.mean() > 0.9 * with_four.std() > 0.27  # over 12 standard errors


@quotes(
    "the circles 2, 3 and 4 have more than two thirds of the attention between them",
    r"$\lVert q+k\rVert$ is between $2.6$ and $2.8$",
    "a projection gives too small a value nine times out of ten",
    "less attention than is due to them, $0.38$ instead of $0.69$",
)
def test_why_the_cross_is_off(twelve):
    query, keys = np.array([1.5, 0.3]), twelve / 2
    weights = np.exp(keys @ query) / np.exp(keys @ query).sum()
    apart = np.linalg.norm(query + keys, axis=1)
    assert weights[2:5].sum() > 2 / 3 and apart.argsort()[-3:].tolist() == [3, 2, 4]
    assert apart[2:5].min() > 2.6 and round(apart[2:5].max(), 1) == 2.8
    too_small = [NormalDist().cdf(distance / 2) for distance in apart[2:5]]  # exp(s g - s^2 / 2) below 1
    assert [round(10 * share) for share in too_small] == [9, 9, 9]
    shares = np.exp(draws()[:, :4] @ query)[..., None] * np.exp(
        draws()[:, :4] @ keys.T - (keys**2).sum(axis=1) / 2
    )
    attention = shares.sum(axis=1) / shares.sum(axis=(1, 2))[:, None]  # (200, 12)
    found = attention.mean(axis=0)[2:5].sum()
    assert [round(found, 2), round(weights[2:5].sum(), 2)] == [0.38, 0.69]


@quotes(
    "of a hundred draws only about two get there. Most draws, 84 in a hundred, give an estimate",
    "at the distance $3$ only one draw in 740 reaches",
)
def test_what_the_second_bell_misses():
    below = NormalDist().cdf
    assert [round(100 * below(-2), 1), round(100 * below(2 / 2)), round(1 / below(-3), -1)] == [2.3, 84, 740]


@quotes(r"We divide queries and keys by $d_k^{1/4}$ from here on (for $d_k=64$: by $2.83$)")
def test_the_root_of_the_scale():
    assert round(64**0.25, 2) == 2.83


@quotes("$4096^2$ of them, nearly 17 million")
def test_number_of_weights():
    assert 16.7e6 < 4096**2 < 17e6


@quotes(
    r"The sum on the right is $(8,\,13\sqrt2,\,23)$",
    "For the query $1$ it gives $8+26+23=57$",
    "three numbers, computed once, serve every query",
)
def test_two_keys_by_hand():
    def features(x):
        return np.array([1, math.sqrt(2) * x, x**2])

    stored = 3 * features(1) + 5 * features(2)
    assert np.allclose(stored, [8, 13 * math.sqrt(2), 23]) and abs(features(1) @ stored - 57) < 1e-12
    for x in (-2, 0.5, 7):
        assert abs(features(x) @ stored - 3 * (1 + x) ** 2 - 5 * (1 + 2 * x) ** 2) < 1e-9


@quotes("with $d=64$ and 256 features from 517 tokens on", "which is above $500$ here")
def test_where_linear_attention_begins_to_pay():
    assert list(range(517, 1000)) == PAYS


@quotes(
    "Nothing: it takes more operations, and there is an error besides.",
    "Right: the brackets pay for sequences longer than about twice the number of features.",
)
def test_300_tokens_do_not_pay():
    assert 300 not in PAYS and abs(PAYS[0] / 256 - 2) < 0.05


@quotes("in all $4nD(2d+1)$ against $4n^2d$, with $d_v=d$")
def test_operations_with_projections(by_hand, d, D, n):
    assert by_hand == 4 * n * D * (2 * d + 1) and rf.attention_flops(n, d) == 4 * n**2 * d


@quotes(
    r"over all answers to 256 tokens in $\mathbb{R}^{64}$",
    r"The entries of queries and keys are normal, of standard deviation $\frac14$ before division",
)
def test_errors_of_the_figure_are_those_of_a_performer():
    blocks = rf.projections(256, 64, rng=0, orthogonal=True)
    on_both = [rf.softmax_features(X / 64**0.25, blocks) for X in tokens[:2]]
    exact = softmax_attention(*tokens)
    miss = np.linalg.norm(rf.linear_attention(*on_both, tokens[2]) - exact) / np.linalg.norm(exact)
    assert abs(miss - relative_errors(1, 256)[0]) < 1e-12
    assert all(X.shape == (256, 64) and abs(X.std() - 1 / 4) < 0.008 for X in tokens[:2])


@quotes("Over eight draws the errors' standard deviation is less than a sixth of them.")
def test_errors_vary_little_between_draws():
    assert all(deviation < mean / 6 for mean, deviation in spread().values())


@quotes("With 64 features a Performer loses to the dashed line, with 256 it wins, though not by much.")
def test_beside_the_dashed_line():
    share = {D: mean / error_of_the_mean(1) for D, (mean, _) in spread().items()}
    assert share[64] > 1.5 and 0.8 < share[256] < 0.95


@quotes(r"for $t=1$ the mean of $e^g$ is $e^{1/2}\approx1.65$")
def test_mean_of_an_exponential(nodes, weights):
    assert abs(weights @ np.exp(nodes) - math.exp(0.5)) < 1e-12 and round(math.exp(0.5), 2) == 1.65


@quotes(
    r"are the positive features of $\omega_r$ *and* $-\omega_r$",
    r"$\cosh2\approx3.76$ is about half of $e^2$",
)
def test_hyperbolic_features(pairs):
    omegas = rf.projections(3, 3, rng=0)
    both_signs = rf.softmax_features(pairs[0], np.vstack([omegas, -omegas]))  # 6 columns, over sqrt(2 * 3)
    assert np.allclose(rf.softmax_features(pairs[0], omegas, "hyperbolic"), both_signs, rtol=1e-12)
    assert round(math.cosh(2), 2) == 3.76 and 0 < math.cosh(2) / math.e**2 - 1 / 2 < 0.01


@quotes(
    r"ones are cosines and sines, times $e^{\lVert x\rVert^2/2}/\sqrt m$. They may make a weight negative",
)
def test_trigonometric_features(pairs, single_estimates):
    omegas = rf.projections(3, 3, rng=0)
    turned = pairs[0] @ omegas.T
    sizes = np.exp((pairs[0] ** 2).sum(axis=1, keepdims=True) / 2) / math.sqrt(3)
    by_hand = sizes * np.hstack([np.cos(turned), np.sin(turned)])
    assert np.allclose(rf.softmax_features(pairs[0], omegas, "trigonometric"), by_hand)
    assert single_estimates(np.array([1.0]), np.array([-1.0]))["trigonometric"].min() < 0


@quotes(
    r"For $q=k=1$ the kernel is $e\approx2.7$. Positive features estimate it by $e^{2g-1}$,"
    " which is below $1$ in most draws and huge in a few."
)
def test_most_estimates_are_small_and_few_are_huge(nodes, single_estimates):
    assert np.allclose(single_estimates(np.ones(1), np.ones(1))["positive"], np.exp(2 * nodes - 1))
    assert NormalDist().cdf(1 / 2) > 0.65  # the share of draws with 2g - 1 < 0
    assert 0.01 < 1 - NormalDist().cdf((math.log(10) + 2) / 2) < 0.02  # of those above 10 e


@quotes("Positive features give $e^{0-1}$", "anything between $-2.7$ and $2.7$ where $0.37$ would be right")
def test_opposite_numbers(nodes, single_estimates):
    opposite = single_estimates(np.array([1.0]), np.array([-1.0]))
    assert np.allclose(opposite["positive"], math.exp(-1), rtol=1e-12)
    assert np.allclose(opposite["trigonometric"], math.e * np.cos(2 * nodes), rtol=1e-12)
    assert [round(math.e, 1), round(math.exp(-1), 2)] == [2.7, 0.37]


@quotes(
    r"relative variance $e^4-1\approx54$",
    "A standard error of ten per cent takes $m$ with $54/m=0.01$: 5,400 projections.",
    "At length $2$ it takes 890 million.",
)
def test_projections_for_ten_per_cent():
    assert round(math.expm1(4)) == 54 and round(math.expm1(4) / 0.1**2, -2) == 5400
    assert round(math.expm1(16) / 0.1**2, -7) == 890e6


@quotes(r"but $2(\cosh a-1)=(e^a-1)(1-e^{-a})$ is less than $e^a-1$ unless $a=0$")
def test_hyperbolic_features_win_even_per_column(a, var):
    assert np.allclose(2 * var["hyperbolic"], -np.expm1(-a) * var["positive"], rtol=1e-9, atol=0)
    assert (2 * var["hyperbolic"] < var["positive"])[a < 30].all()  # both round to one number beyond


@quotes("Blue: positive features err less than trigonometric ones; vermilion: more; stronger")
def test_colours_of_the_map():
    of_positive, of_trigonometric = both_variances(q_cells, k_cells)
    assert np.array_equal(advantage < 0, of_positive < of_trigonometric)
    off = np.abs(np.abs(q_cells) - np.abs(k_cells)) > 1e-9  # the diagonals
    assert np.allclose(10 ** (2 * advantage[off]), of_positive[off] / of_trigonometric[off])


@quotes("On the solid curves both err alike.")
def test_curves_of_the_map():
    assert all(np.allclose(*both_variances(*branch.T)) and len(branch) > 50 for branch in equal)


@quotes("On the [falling diagonal]", "trigonometric ones make none: there a query equals its key")
def test_diagonals_of_the_map():
    assert (both_variances(axis, -axis)[0] == 0).all() and (both_variances(axis, axis)[1] == 0).all()
    beside, shifted = both_variances(axis, 0.1 - axis)[0], both_variances(axis, axis + 0.1)[1]
    assert np.allclose(beside, math.expm1(0.1**2) * np.exp(2 * axis * (0.1 - axis)))
    assert np.allclose(shifted, (math.cosh(0.1**2) - 1) * np.exp(2 * axis * (axis + 0.1)))


@quotes(
    "the kernel is $0.68$, and one projection has a standard error of $1.3$ times as much",
    "now the kernel is only $0.0025$, and one projection still errs by $1.3$ times as much",
    "What is true is that trigonometric features do worse at both places.",
)
def test_a_small_kernel_does_not_help():
    q, k = np.array([1.3, 3.0]), np.array([-0.3, -2.0])
    kernel, (positive, trigonometric) = np.exp(q * k), both_variances(q, k)
    assert [round(kernel[0], 2), round(kernel[1], 4)] == [0.68, 0.0025]
    assert (np.round(np.sqrt(positive) / kernel, 1) == 1.3).all() and (positive < trigonometric).all()


@quotes(
    r"The mean of $1/Z$ is $\frac12(1+\frac13)=\frac23$, not $\frac12$",
    r"$\frac14(1+\frac12+\frac12+\frac13)=\frac7{12}$",
    r"This mean is too large by $\frac16$ with one coin, by $\frac1{12}$ with two",
)
def test_two_coins():
    tosses = [list(itertools.product((1, 3), repeat=count)) for count in (1, 2)]
    inverse = [np.mean([1 / np.mean(coins) for coins in every]) for every in tosses]
    assert np.allclose(inverse, [2 / 3, 7 / 12]) and np.allclose(inverse, [1 / 2 + 1 / 6, 1 / 2 + 1 / 12])


@quotes(
    r"shorter than the twelve points, 32 of them in $\mathbb{R}^8$",
    "at $m=1024$ it says $c_1/m=-0.11$, while the bias is only $-0.02$",
    "the dots are off by $0.05$ and the cross by $0.02$",
)
def test_bias_of_the_twelve_points(K8, twelve, twelve_labels):
    lengths = [np.linalg.norm(keys, axis=1) for keys in (K8, twelve / 2)]
    assert K8.shape == (32, 8) and lengths[0].max() < lengths[1].mean()
    assert round(rf.attention_bias_coefficient([1.5, 0.3], twelve / 2, twelve_labels) / 1024, 2) == -0.11
    answers = estimator(twelve, twelve_labels)(3.0)[:, widths.index(1024)]
    exact = exact_answer(twelve, twelve_labels)
    assert round(answers.mean() - exact, 2) == -0.02
    assert round(np.sqrt(((answers - exact) ** 2).mean()), 2) == 0.05


@quotes("Instead of $X/Z$ the cells average", "which has the same mean and scatters less")
def test_the_quieter_average(K8, Z8, f8, q8, quieter, sums_of_projections, v8):
    on_top, below = (part.mean(axis=1) for part in sums_of_projections(q8, K8, v8, 64, 6000, seed=1))
    plain, quiet = on_top / below - f8, quieter(on_top, below, f8, Z8)[0]
    assert np.allclose(plain - quiet, (on_top - f8 * below) / Z8, rtol=0, atol=1e-12)  # X / Z, of mean 0
    assert quiet.std() < plain.std() / 5


@quotes("Points with error bars over m = 16 to 256 lie near the dashed line at 1, the first below it.")
def test_places_of_the_measured_bias(counts8, drawn, limit):
    assert (counts8[0], counts8[-1]) == (16, 256)
    assert (abs(drawn / limit - 1) < 0.16).all() and drawn[0] / limit < 1


@quotes(
    r"The bias falls as $1/m$ and the standard deviation as $1/\sqrt m$",
    "so with many features the noise hides the bias",
)
def test_noise_hides_the_bias(K8, drawn, f8, limit, q8, sums_of_projections, twelve, twelve_labels, v8):
    assert abs(drawn / limit - 1).max() < 0.16  # m times the bias
    scaled = []
    for m in (16, 64, 256):
        on_top, below = (part.mean(axis=1) for part in sums_of_projections(q8, K8, v8, m, 6000, seed=1))
        scaled.append(math.sqrt(m) * (on_top / below - f8).std())
    assert np.ptp(scaled) < 0.15 * scaled[0]
    answers = estimator(twelve, twelve_labels)(3.0) - exact_answer(twelve, twelve_labels)
    noise = answers.std(axis=0) / abs(answers.mean(axis=0))
    assert noise[widths.index(64)] < 1.45 < noise[widths.index(1024)]


@quotes(r"because $e^{4r^2}-1$ is $1.7$ there and no longer $54$")
def test_half_the_length():
    assert [round(math.expm1(4 * 0.5**2), 1), round(math.expm1(4))] == [1.7, 54]


@quotes(
    r"entries of standard deviation $\frac14$ (a quarter of the length), $\frac12$ and $1$"
    " (full length, about $2.8$)",
)
def test_lengths_in_the_bill(bill_sizes):
    lengths = np.array([np.linalg.norm(size * tokens[0] / 64**0.25, axis=1).mean() for size in bill_sizes])
    assert np.allclose(lengths / lengths[2], [1 / 4, 1 / 2, 1]) and abs(lengths[2] - 2.8) < 0.05
    assert abs(bill_sizes[2] * tokens[0].std() - 1) < 0.01


@quotes(
    "At a quarter of the length 256 features beat this mean and 64 do not, as we saw;"
    " at the larger lengths neither does.",
    "At half the length they err about as much as the mean, at full length farther",
    "but a Performer with $D=d$ errs more than the mean of all values",
)
def test_errors_beside_that_of_the_mean_of_all_values(bill_blind, bill_found):
    share = {key: np.mean(errors) / bill_blind[key[0]] for key, errors in bill_found.items()}
    assert share[1, 64] > 1.5
    assert share[1, 256] < 1 and min(share[size, D] for size in (2, 4) for D in (64, 256)) > 1.3
    assert 0.3 < share[1, 1024] < 0.5 and abs(share[2, 1024] - 1) < 0.15 and 2 < share[4, 1024] < 4


@quotes("farther from the truth than the answer $0$", "a thousand features answer worse than zero would")
def test_worse_than_zero(bill_found):
    assert np.mean(bill_found[4, 1024]) > 2


@quotes("The 1,024 features take a quarter of the operations")
def test_a_quarter_of_the_operations():
    assert abs(rf.linear_attention_flops(8192, 64, 1024) / rf.attention_flops(8192, 64) - 1 / 4) < 0.01


@quotes(
    "At a quarter of the length the standard deviation of the weights is six per cent of their mean; 256"
    " features err by five per cent, but the plain mean of all values only by six.",
    "but there even the mean of all values errs by only six per cent",
)
def test_six_and_five_per_cent(bill_found):
    weights = np.exp(tokens[0] @ tokens[1].T / 8)
    weights /= weights.sum(axis=1, keepdims=True)
    assert round(weights.std() / weights.mean(), 2) == 0.06
    assert abs(np.mean(bill_found[1, 256]) - 0.05) < 0.015 and round(error_of_the_mean(1), 2) == 0.06


@quotes(r"the first sum is $2\,(1,0)+3\,(1,1)=(5,3)$; a query with the features $(1,0)$ reads $5$")
def test_two_tokens_by_hand():
    (W,) = list(rf.fast_weights(np.array([[1.0, 0], [1, 1]]), np.array([[2.0], [3.0]])))[-1]
    assert W.tolist() == [5, 3] and W @ [1, 0] == 5


@quotes("the sum adds up what is stored twice at one key. After $1$ and later $-0.5$ at key A")
def test_the_sum_adds_up_what_is_stored_twice(slots):
    twice = list(rf.fast_weights(slots[[0, 0]], [[1.0], [-0.5]]))[-1][0]
    assert abs(slots[0] @ twice - (1.0 - 0.5)) < 1e-12


@quotes("The cure is to look before writing.")
def test_the_delta_rule_is_better(slots, tape):
    places = np.array(["ABCD".index(name) for name, _ in tape])
    values = np.array([value for _, value in tape])

    def largest_error(rate, t):
        (W,) = list(rf.fast_weights(slots[places[:t]], values[:t, None], rate=rate))[-1]
        last = dict(zip(places[:t].tolist(), values[:t], strict=True))
        return max(abs(slots[at] @ W - value) for at, value in last.items())

    assert all(largest_error(1.0, t) < largest_error(None, t) for t in range(3, 9))


@quotes("it goes wrong above the rate $2$, where errors grow")
def test_above_the_rate_2_errors_grow(slots):
    def errors(rate):
        return [abs(slots[0] @ W[0] - 1) for W in rf.fast_weights(slots[[0] * 6], np.ones((6, 1)), rate=rate)]

    assert (np.diff(errors(2.1)) > 0).all() and (np.diff(errors(1.9)) < 0).all()


@quotes(r"$m$ is proportional to $e^a-1$, $a$ becomes $4a$, and $\frac{e^{4a}-1}{e^a-1}$ is about $e^{3a}$")
def test_twice_the_length_in_the_quiz():
    needed = [both_variances(length, length)[0] / np.exp(2 * length**2) for length in (2.0, 4.0)]
    assert abs(needed[1] / needed[0] / np.exp(3 * (2 + 2) ** 2) - 1) < 1e-6


@quotes(
    "there are $1+64+2080=2145$ features, more than eight times as many",
    r"$2145\cdot65/(256\cdot129)\approx4.2$ times as many operations",
)
def test_cost_of_taylor_features():
    features = 1 + 64 + len(np.triu_indices(64)[0])
    assert features == 2145 > 8 * 256
    products_alone = 4 * 300 * features * (64 + 1)
    assert round(products_alone / rf.linear_attention_flops(300, 64, 256), 1) == 4.2


@quotes("$139{,}425$ against $16{,}640$", "from $1{,}090$ tokens on for the Taylor kernel, and from $131$ on")
def test_states_smaller_than_the_cache():
    states = [2145 * 65, 256 * 65]
    assert states == [139_425, 16_640] and [numbers // 128 + 1 for numbers in states] == [1090, 131]


@quotes(
    "the Taylor kernel is $2.5$ instead of $e$: eight per cent too small",
    r"the relative standard error $\sqrt{(e^4-1)/256}\approx0.46$",
    "it is $0.5$ instead of $e^{-1}$: 36 per cent too large",
)
def test_errors_of_taylor_features():
    same, opposite = (1 + t + t**2 / 2 for t in (1, -1))
    assert (same, opposite) == (2.5, 0.5)
    assert [round(100 * (same / math.e - 1)), round(100 * (opposite * math.e - 1))] == [-8, 36]
    error = math.sqrt(rf.softmax_feature_variance(np.ones(1), np.ones(1), 256)) / math.e
    assert round(error, 2) == 0.46


@quotes("At their worst place three of them miss the Gaussian kernel by about a half, in the mean over draws")
def test_three_cosines():
    estimates = [np.cos(rf.projections(3, 1, rng=seed) * distance).mean(axis=0) for seed in range(200)]
    misses = np.abs(estimates - targets["Gaussian"])  # (200, 81)
    assert misses[:, 0].max() < 1e-12 and abs(misses.max(axis=1).mean() - 0.53) < 0.07


@quotes("Far out, where they have to cancel, their standard error is largest, and three are too few")
def test_cosines_err_most_far_out():
    at_twice = {"Gaussian": targets["Gaussian"] ** 4, "Laplacian": targets["Laplacian"] ** 2}
    of_one = {name: (1 + at_twice[name]) / 2 - targets[name] ** 2 for name in targets}
    by_library = rf.fourier_feature_variance(distance[:, None], np.zeros((81, 1)), 1)
    assert np.allclose(of_one["Gaussian"], by_library)
    assert all((np.diff(variance) > 0).all() for variance in of_one.values())


@quotes("The next cell compares them at 64 columns on points of the plane")
def test_all_maps_have_64_columns(clouds, makers):
    assert {make(0).fit_transform(X).shape for make in makers.values() for X in clouds.values()} == {
        (300, 64)
    }


@quotes("wins here, in the plane by far: there the eigenvalues of the Gram matrix fall faster")
def test_nystroem_wins(clouds, gram_errors):
    gains, beyond = [], []
    for X in clouds.values():
        gains.append(gram_errors("orthogonal", X, 8).mean() / gram_errors("Nystroem", X, 8).mean())
        spectrum = kernels.spectrum(kernels.gaussian(X, gamma=0.5))
        beyond.append(spectrum[64:].sum() / spectrum.sum())
    assert gains[0] > 100 and 2 < gains[1] < 4
    assert beyond[0] < 1e-6 and beyond[1] > 0.1


@quotes(
    r"allows $\kappa$ as close to $1$ as one likes, and for large $b$ it asks for a $\kappa$ below a number"
    " close to $2^{-1/4}$",
)
def test_both_constants_are_the_best():
    b = np.geomspace(1e-3, 12, 400)
    at_equality = (np.cosh(b) * np.exp(-b)) ** 0.25  # kappa where e^a = cosh b
    assert (np.diff(at_equality) < 0).all() and abs(at_equality[0] - 1) < 1e-3
    assert abs(at_equality[-1] - 2**-0.25) < 1e-10


@quotes(
    "Positive and hyperbolic stay below 1 and tend to 1; trigonometric in dimension 8 starts at three tenths",
    "For hyperbolic and trigonometric features orthogonality helps most where the variance was small",
)
def test_curves_of_orthogonality(line, variance_ratio):
    positive, hyperbolic, in_eight = (
        variance_ratio(kind, 8) for kind in ("positive", "hyperbolic", "trigonometric")
    )
    assert (np.maximum(positive, hyperbolic) < 1).all() and np.minimum(positive, hyperbolic)[-1] > 0.999
    above, in_sixty_four = line[in_eight > 1], variance_ratio("trigonometric", 64)
    assert np.allclose([above[0], above[-1]], [3, 4], atol=0.05) and 1 < in_eight.max() < 1.01
    assert abs(in_eight[0] - 0.3) < 0.01 and in_sixty_four[0] < 0.05
    assert all(line[curve.argmin()] < 1 for curve in (hyperbolic, in_eight, in_sixty_four))


@quotes("the variance is larger, by up to 1.5 per cent")
def test_where_orthogonality_hurts(line, ratios):
    assert 1.014 < ratios.max() < 1.015 and abs(line[ratios.argmax()] - 3.47) < 0.05


@quotes(r"rows of fixed length $\sqrt d$ make all three estimates biased")
def test_fixed_lengths_bias_all_three(circle, pair, wanted):
    on_circle = [np.prod(rf.softmax_features(pair, circle, kind), axis=0).sum() for kind in rf.KINDS]
    assert np.round(np.array(on_circle) / wanted, 3).tolist() == [0.842, 0.996, 0.842]


@quotes(
    "a standard error of a tenth takes about 118 projections",
    r"with a relative standard error of a tenth takes $(e-1)/0.01\approx172$",
)
def test_projections_for_a_tenth():
    assert round(rf.attention_variance_coefficient([0.0], [[1.0], [-1.0]], [1.0, -1.0]) / 0.01) == 118
    assert round((math.e - 1) / 0.01) == 172


@quotes("if all keys are equal, every weight of every estimate is")
def test_equal_keys(K8, q8, v8):
    omegas, alike = rf.projections(3, 8, rng=0), np.tile(K8[:1], (5, 1))
    on_both = [rf.softmax_features(X, omegas) for X in (q8[None], alike)]
    assert np.allclose(rf.linear_attention(*on_both, np.eye(5)), 1 / 5)
    assert abs(rf.attention_variance_coefficient(q8, alike, v8[:5])) < 1e-12


@quotes("Take 64 orthogonal keys of length $3$, the first of them as query", "$s^2$ is above $10^{11}$")
def test_error_of_long_orthogonal_keys():
    assert 1e11 < rf.attention_variance_coefficient(3 * np.eye(64)[0], 3 * np.eye(64), np.eye(64)[0]) < 1e12


@quotes("dips below zero, long sequences of equal tokens have a negative eigenvalue")
def test_a_negative_transform_gives_a_negative_eigenvalue():
    def mixed(apart, hardness):
        """A window of width 2 between the triangle and the box."""
        return hardness * (np.abs(apart) <= 2) + (1 - hardness) * np.maximum(0, 1 - np.abs(apart) / 3)

    around, apart = np.arange(-8, 9), np.subtract.outer(np.arange(200), np.arange(200))
    for hardness, lowest in ((1.0, -1.25), (0.1, -0.1062), (0.02, -0.0203)):
        deepest = (np.cos(np.outer(angles, around)) @ mixed(around, hardness)).min()
        in_long = kernels.smallest_eigenvalue(mixed(apart, hardness))
        assert abs(deepest - lowest) < 0.0005 and abs(in_long / deepest - 1) < 0.05


@quotes("And how often random tokens do it; the share depends on the scale.")
def test_how_often_random_tokens_do_it(indefinite_share):
    without_scale = [indefinite_share(w, 1.0) for w in (1, 2, 4)]
    assert without_scale == sorted(without_scale) and without_scale[0] < 0.35
    assert [indefinite_share(w, 8**-0.5) for w in (1, 2, 4)] == [1, 1, 1]


@quotes("One layer then sees $w$ tokens to either side, $L$ layers $Lw$.")
def test_how_far_layers_see(reached):
    assert [(r.min(), r.max()) for r in reached] == [(18, 22), (16, 24), (14, 26)]


@quotes("The standard error of one entry is a million times the entry, and yet nearly all keys are found")
def test_keys_are_found_although_entries_err(entry, right):
    assert 0.9e6 < entry < 1.1e6 and np.mean(right) > 0.95


@quotes("find fewer: about 85 in a hundred with 4,096 projections, and all with exact attention")
def test_queries_near_their_keys(near, near_keys, retrieval_keys, right):
    assert np.mean(near) < np.mean(right) - 0.05 and abs(np.mean(near) - 0.85) < 0.05
    assert ((near_keys @ retrieval_keys.T).argmax(axis=1) == np.arange(64)).all()


@quotes("the right key has less than nine tenths of the estimated weight instead of 99 in a hundred")
def test_estimated_weight_of_the_right_key(estimated, own, retrieval_keys):
    weights = softmax_attention(retrieval_keys, retrieval_keys, np.eye(64), scale=1.0)
    assert estimated < 0.9 and round(own, 2) == 0.99 and np.allclose(np.diag(weights), own, rtol=1e-12)


@quotes("for given keys 64 features are exact, and 4,096 features save operations only from 8,257 tokens on")
def test_the_comparison_is_unfair(near_keys, retrieval_keys):
    saves = [rf.linear_attention_flops(n, 64, 4096) < rf.attention_flops(n, 64) for n in (8256, 8257)]
    assert saves == [False, True]
    on_given = np.exp(near_keys @ retrieval_keys.T)  # of the queries; those of the keys are unit vectors
    exact = softmax_attention(near_keys, retrieval_keys, np.eye(64), scale=1.0)
    assert np.allclose(rf.linear_attention(on_given, np.eye(64), np.eye(64)), exact, rtol=0, atol=1e-12)


@quotes(
    r"=\frac1{1+e^{-2}}\approx0.88$",
    r"the bias is $\frac12-f\approx-0.38$",
    r"so $c_1=-(1-f)\,f^2(e^4-1)\approx-4.96$",
    "For $m=5{,}000$ it says $-0.001$, and that is right to about a fifth",
)
def test_the_bias_with_two_keys(nodes, weights):
    keys, values, f = np.array([[1.0], [-1.0]]), np.array([1.0, 0.0]), 1 / (1 + math.exp(-2))
    assert round(f, 2) == 0.88 and round(0.5 - f, 2) == -0.38
    assert abs(weights @ (1 / (1 + np.exp(-2 * nodes))) - 0.5) < 1e-12  # of one projection
    c_1 = rf.attention_bias_coefficient([1.0], keys, values)
    assert round(c_1, 2) == -4.96 and abs(c_1 + (1 - f) * f**2 * math.expm1(4)) < 1e-9
    rng, mean, runs = np.random.default_rng(0), math.e + math.exp(-1), []
    for _ in range(40):
        T = np.exp(2 * rng.normal(size=(100, 5000)) - 1).mean(axis=1)
        Z = T + math.exp(-1)
        runs.extend(-(T - f * Z) * (Z - mean) / (mean * Z))  # of the mean of N/Z - f
    assert abs(5000 * np.mean(runs) / c_1 - 0.8) < 0.1


@quotes(
    "which answers $11$ at A and $13$ at B",
    r"$W=(9.2,\,5.6)$ answers $10$ at B, as it should, and $9.2$ at A",
    r"the only matrix that answers both correctly, $(5,\,8.75)$",
)
def test_a_memory_by_hand():
    keys, values = np.array([[1.0, 0], [0.6, 0.8]]), np.array([[5.0], [10]])
    summed, corrected = (list(rf.fast_weights(keys, values, rate=rate))[-1][0] for rate in (None, 1.0))
    assert np.allclose([keys @ summed, corrected, keys @ corrected], [[11, 13], [9.2, 5.6], [9.2, 10]])
    errors = [5 - W[0, 0] for W in rf.fast_weights(np.tile(keys, (5, 1)), np.tile(values, (5, 1)), rate=1.0)]
    assert np.allclose(np.divide(errors[3::2], errors[1:-1:2]), 0.36)  # after B has been written
    assert np.allclose(keys @ [5, 8.75], values[:, 0])


@quotes("It is $1$, then $\\frac12\\cdot1+2=2.5$, then $\\frac12\\cdot2.5+4=5.25$")
def test_a_state_that_is_halved():
    state = 0.0
    for value in (1, 2, 4):
        state = state / 2 + value
    assert state == 5.25 == 1 / 4 + 2 / 2 + 4
