"""What holds the words of the chapter on random features: each test quotes them, with names of the page."""

import itertools
import math
from statistics import NormalDist

import numpy as np

from margins import random_features as rf
from margins.attention import softmax_attention
from margins_book.page.quotes import quotes, test_every_cell_runs, test_the_page_says_what_its_figures_expect  # noqa: F401
from margins_book.random_features import figures

below = NormalDist().cdf


def both_variances(q, k):
    """Variances of positive and of trigonometric features for numbers q and k."""
    points = np.asarray(q)[..., None], np.asarray(k)[..., None]
    return [rf.softmax_feature_variance(*points, 1, kind) for kind in ("positive", "trigonometric")]


def exact_answer(twelve, twelve_labels):
    """The answer to the query (3, 0.6) of the first figure."""
    query = np.array([[1.5, 0.3]])
    return softmax_attention(query, twelve / 2, twelve_labels[:, None], scale=1.0).item()


def the_riddle(twelve, twelve_labels):
    exact = exact_answer(twelve, twelve_labels)
    answers = figures.estimator(twelve, twelve_labels)(3.0)
    with_four, off = answers[:, figures.widths.index(4)], answers[:, figures.widths.index(1024)] - exact
    assert [round(exact, 2), round(with_four.mean(), 2), len(answers)] == [0.84, 0.41, 200]
    assert exact - with_four.mean() > 12 * with_four.std() / math.sqrt(200)
    assert [round(math.sqrt((off**2).mean()), 2), round(off.mean(), 2)] == [0.05, -0.02]


test_the_riddle = quotes(
    "the exact answer is $0.84$, since nearly all of the attention goes to circles",
    "the mean of two hundred of them, is at $0.41$",
    "are off by $0.05$ and the [cross]",
)(the_riddle)


def why_the_cross_is_off(twelve):
    query, keys = np.array([1.5, 0.3]), twelve / 2
    weights = np.exp(keys @ query) / np.exp(keys @ query).sum()
    apart = np.linalg.norm(query + keys, axis=1)
    assert apart.argsort()[-3:].tolist() == [3, 2, 4]
    assert apart[2:5].min() > 2.6 and round(apart[2:5].max(), 1) == 2.8
    too_small = [below(distance / 2) for distance in apart[2:5]]  # exp(s g - s^2 / 2) below 1
    assert [round(10 * share) for share in too_small] == [9, 9, 9]
    four = figures.draws()[:, :4]
    shares = np.exp(four @ query)[..., None] * np.exp(four @ keys.T - (keys**2).sum(axis=1) / 2)
    attention = shares.sum(axis=1) / shares.sum(axis=(1, 2))[:, None]  # (200, 12)
    assert [round(share[2:5].sum(), 2) for share in (attention.mean(axis=0), weights)] == [0.38, 0.69]


test_why_the_cross_is_off = quotes(
    "the circles 2, 3 and 4 have more than two thirds of the attention between them",
    r"$\lVert q+k\rVert$ is between $2.6$ and $2.8$",
    "a projection gives too small a value nine times out of ten",
    "less attention than is due to them, $0.38$ instead of $0.69$",
)(why_the_cross_is_off)


@quotes(
    "of a hundred draws only about two get there. Most draws, 84 in a hundred, give an estimate",
    "at the distance $3$ only one draw in 740 reaches",
    "anything between $-2.7$ and $2.7$ where $0.37$ would be right",
    story=(
        "where $e$, about 2.7, would be right",
        "In 84 of a hundred draws the estimate is too small",
        "of a hundred draws about two get there",
        "At the distance 3 only one draw in 740 gets there",
    ),
)
def test_what_the_second_bell_misses():
    assert [round(100 * below(-2)), round(100 * below(2 / 2)), round(1 / below(-3), -1)] == [2, 84, 740]
    assert [round(math.e, 1), round(math.exp(-1), 2)] == [2.7, 0.37]


@quotes(
    "$4096^2$ of them, nearly 17 million",
    "(for $d_k=64$: by $2.83$)",
    r"is $e^{1/2}\approx1.65$",
    r"$\cosh2\approx3.76$",
)
def test_numbers_of_a_calculator():
    assert round(4096**2 / 1e6, 1) == 16.8
    assert [round(64**0.25, 2), round(math.exp(0.5), 2), round(math.cosh(2), 2)] == [2.83, 1.65, 3.76]


def two_keys_by_hand():
    def features(x):
        return np.array([1, math.sqrt(2) * x, x**2])

    stored = 3 * features(1) + 5 * features(2)
    assert np.allclose(stored, [8, 13 * math.sqrt(2), 23])
    assert round(features(1) @ stored, 12) == 57 == 4 * 3 + 9 * 5


test_two_keys_by_hand = quotes(
    r"The sum on the right is $(8,\,13\sqrt2,\,23)$",
    "For the query $1$ it gives $8+26+23=57$",
    story=(r"$(8,13\sqrt2,23)$. From this the query 1 reads 57, the weighted sum $4\cdot3+9\cdot5$",),
)(two_keys_by_hand)


@quotes(
    "with $d=64$ and 256 features from 517 tokens on",
    "which is above $500$ here",
    "The 1,024 features take a quarter of the operations",
    story=("operations are saved from 517 words on",),
)
def test_where_it_pays():
    saves = [n for n in range(1, 1000) if rf.linear_attention_flops(n, 64, 256) < rf.attention_flops(n, 64)]
    assert saves == list(range(517, 1000))
    assert round(rf.linear_attention_flops(8192, 64, 1024) / rf.attention_flops(8192, 64), 2) == 0.25


@quotes("Over eight draws the errors' standard deviation is less than a sixth of them.")
def test_errors_vary_little_between_draws():
    assert all(deviation < mean / 6 for mean, deviation in figures.spread().values())


@quotes(
    r"relative variance $e^4-1\approx54$",
    "A standard error of ten per cent takes $m$ with $54/m=0.01$: 5,400 projections.",
    "At length $2$ it takes 890 million.",
    "172 projections are enough, because $e^{4r^2}-1$ is $1.7$ there and no longer $54$",
    "a third more operations than exact attention, and keep a third of the numbers",
    "they save no operations before 1.8 billion tokens",
    story=(
        "this takes 5,360 projections",
        "a third more operations than exact attention, and keep a third of the numbers",
        "At length one half, 172 projections are enough, for less than a twentieth of the operations",
        "At length 2 it takes 889 million, which save no operations before 1.8 billion words",
    ),
)
def test_the_bill():
    assert [round(math.expm1(4)), round(math.expm1(1), 1)] == [54, 1.7]
    assert round(math.expm1(4) / 0.1**2, -2) == 5400 and round(math.expm1(16) / 0.1**2, -7) == 890e6
    (m, (exact, linear), (cache, sums)), (half, (still, less), _), (long, *_) = (
        figures.bill_of(r, 0.1, 8192) for r in (1.0, 0.5, 2.0)
    )
    assert [m, half, round(long / 1e6)] == [5360, 172, 889]
    assert [round(linear / exact, 1), round(sums / cache, 2)] == [1.3, 0.33] and less / still < 1 / 20
    assert round(long * (2 + 1 / 64) / 1e9, 1) == 1.8


@quotes("Blue: positive features err less than trigonometric ones; vermilion: more; stronger")
def test_colours_and_curves_of_the_map():
    of_positive, of_trigonometric = both_variances(figures.q_cells, figures.k_cells)
    assert np.array_equal(figures.advantage < 0, of_positive < of_trigonometric)
    assert all(np.allclose(*both_variances(*branch.T)) for branch in figures.equal)


@quotes(
    "the kernel is $0.68$, and one projection has a standard error of $1.3$ times as much",
    "now the kernel is only $0.0025$, and one projection still errs by $1.3$ times as much",
    "What is true is that trigonometric features do worse at both places.",
    story=(
        "the point in the map, the kernel is 0.68, and the standard error of one projection is "
        "1.3 times that",
        "At $q=3$, $k=-2$ the kernel is 0.0025, and the error is again 1.3 times that",
    ),
)
def test_a_small_kernel():
    q, k = np.array([1.3, 3.0]), np.array([-0.3, -2.0])
    kernel, (positive, trigonometric) = np.exp(q * k), both_variances(q, k)
    assert [round(kernel[0], 2), round(kernel[1], 4)] == [0.68, 0.0025]
    assert (np.round(np.sqrt(positive) / kernel, 1) == 1.3).all() and (positive < trigonometric).all()


def two_coins():
    tosses = [list(itertools.product((1, 3), repeat=count)) for count in (1, 2)]
    inverse = [np.mean([1 / np.mean(coins) for coins in every]) for every in tosses]
    assert np.allclose(inverse, [2 / 3, 7 / 12]) and np.allclose(inverse, [1 / 2 + 1 / 6, 1 / 2 + 1 / 12])


test_two_coins = quotes(
    r"The mean of $1/Z$ is $\frac12(1+\frac13)=\frac23$, not $\frac12$",
    r"$\frac14(1+\frac12+\frac12+\frac13)=\frac7{12}$",
    r"This mean is too large by $\frac16$ with one coin, by $\frac1{12}$ with two",
    story=(
        r"\tfrac12\bigl(1+\tfrac13\bigr)=\tfrac23=\tfrac12+\tfrac16",
        "the quotient is too large by a twelfth on average, no longer by a sixth",
    ),
)(two_coins)


@quotes(r"32 of them in $\mathbb{R}^8$", "at $m=1024$ it says $c_1/m=-0.11$")
def test_bias_of_the_twelve_points(K8, twelve, twelve_labels):
    assert K8.shape == (32, 8)
    assert round(rf.attention_bias_coefficient([1.5, 0.3], twelve / 2, twelve_labels) / 1024, 2) == -0.11


@quotes(
    "At a quarter of the length 256 features beat this mean and 64 do not, as we saw;"
    " at the larger lengths neither does.",
    "At half the length they err about as much as the mean, at full length farther",
    "but a Performer with $D=d$ errs more than the mean of all values",
)
def test_errors_beside_that_of_the_mean_of_all_values(bill_blind, bill_found):
    share = {key: np.mean(errors) / bill_blind[key[0]] for key, errors in bill_found.items()}
    assert (
        share[1, 256] < 1 < share[1, 64] and min(share[size, D] for size in (2, 4) for D in (64, 256)) > 1.3
    )
    assert abs(share[2, 1024] - 1) < 0.15 < 2 < share[4, 1024]


@quotes(
    "a thousand features answer worse than zero would",
    "(full length, about $2.8$)",
    "At a quarter of the length the standard deviation of the weights is six per cent of their mean; 256"
    " features err by five per cent, but the plain mean of all values only by six.",
    "but there even the mean of all values errs by only six per cent",
    story=(
        "We measured them on 256 random words",
        "have a length of about 2.8",
        "1,024 features erred more than twice as much as the answer zero would",
        "256 features err by five per cent",
        "the plain mean of all values errs by six",
    ),
)
def test_errors_of_answers():
    assert figures.tokens[0].shape == (256, 64) and round(math.sqrt(64) / 64**0.25, 1) == 2.8
    assert min(figures.relative_errors(4, 1024)) > 2  # the answer 0 has the relative error 1
    assert [round(np.mean(figures.relative_errors(1, 256)), 2), round(figures.error_of_the_mean(1), 2)] == [
        0.05,
        0.06,
    ]
    weights = np.exp(figures.tokens[0] @ figures.tokens[1].T / 8)
    weights /= weights.sum(axis=1, keepdims=True)
    assert round(weights.std() / weights.mean(), 2) == 0.06


@quotes(r"$m$ is proportional to $e^a-1$, $a$ becomes $4a$, and $\frac{e^{4a}-1}{e^a-1}$ is about $e^{3a}$")
def test_twice_the_length_in_the_quiz():
    needed = [both_variances(length, length)[0] / np.exp(2 * length**2) for length in (2.0, 4.0)]
    assert abs(needed[1] / needed[0] / np.exp(3 * (2 + 2) ** 2) - 1) < 1e-6


@quotes(
    "there are $1+64+2080=2145$ features, more than eight times as many",
    r"$2145\cdot65/(256\cdot129)\approx4.2$ times as many operations",
    "$139{,}425$ against $16{,}640$",
    "from $1{,}090$ tokens on for the Taylor kernel, and from $131$ on",
    "the Taylor kernel is $2.5$ instead of $e$: eight per cent too small",
    r"the relative standard error $\sqrt{(e^4-1)/256}\approx0.46$",
    "it is $0.5$ instead of $e^{-1}$: 36 per cent too large",
)
def test_taylor_features():
    features = 1 + 64 + len(np.triu_indices(64)[0])
    assert features == 2145 > 8 * 256
    assert round(4 * 300 * features * (64 + 1) / rf.linear_attention_flops(300, 64, 256), 1) == 4.2
    states = [features * 65, 256 * 65]
    assert states == [139_425, 16_640] and [numbers // 128 + 1 for numbers in states] == [1090, 131]
    errors = [(1 + t + t**2 / 2) / math.exp(t) - 1 for t in (1, -1)]
    assert [round(100 * error) for error in errors] == [-8, 36]
    assert round(math.sqrt(math.expm1(4) / 256), 2) == 0.46


@quotes("At their worst place three of them miss the Gaussian kernel by about a half, in the mean over draws")
def test_three_cosines():
    estimates = [
        np.cos(rf.projections(3, 1, rng=seed) * figures.distance).mean(axis=0) for seed in range(200)
    ]
    misses = np.abs(estimates - figures.targets["Gaussian"])  # (200, 81)
    assert misses[:, 0].max() < 1e-12 and abs(misses.max(axis=1).mean() - 0.53) < 0.07


@quotes(
    r"allows $\kappa$ as close to $1$ as one likes, and for large $b$ it asks for a $\kappa$ below a number"
    " close to $2^{-1/4}$",
)
def test_both_constants_are_the_best():
    b = np.geomspace(1e-3, 12, 400)
    at_equality = (np.cosh(b) * np.exp(-b)) ** 0.25  # kappa where e^a = cosh b
    assert (np.diff(at_equality) < 0).all() and abs(at_equality[0] - 1) < 1e-3
    assert abs(at_equality[-1] - 2**-0.25) < 1e-10


@quotes("trigonometric in dimension 8 starts at three tenths")
def test_curves_of_orthogonality(line, variance_ratio):
    in_eight = variance_ratio("trigonometric", 8)
    above = line[in_eight > 1]
    assert np.allclose([above[0], above[-1]], [3, 4], atol=0.05) and abs(in_eight[0] - 0.3) < 0.01


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


@quotes("Take 64 orthogonal keys of length $3$, the first of them as query", "$s^2$ is above $10^{11}$")
def test_error_of_long_orthogonal_keys():
    assert 1e11 < rf.attention_variance_coefficient(3 * np.eye(64)[0], 3 * np.eye(64), np.eye(64)[0]) < 1e12


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


@quotes(
    r"the first sum is $2\,(1,0)+3\,(1,1)=(5,3)$; a query with the features $(1,0)$ reads $5$",
    "It is $1$, then $\\frac12\\cdot1+2=2.5$, then $\\frac12\\cdot2.5+4=5.25$",
)
def test_states_by_hand():
    (W,) = list(rf.fast_weights(np.array([[1.0, 0], [1, 1]]), np.array([[2.0], [3.0]])))[-1]
    assert W.tolist() == [5, 3] and W @ [1, 0] == 5
    assert (1 / 2 + 2) / 2 + 4 == 5.25
