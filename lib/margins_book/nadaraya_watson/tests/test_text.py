"""What holds the words of the chapter on attention as regression: each test quotes them."""

import numpy as np
import pytest
from numpy.linalg import norm
from scipy.optimize import nnls

from margins import attention
from margins_book.experiments.trained_head.network import Sizes
from margins_book.experiments.trained_head.record import zen_pieces
from margins_book.nadaraya_watson import figures
from margins_book.page.quotes import quotes, test_every_cell_runs, test_the_page_says_what_its_figures_expect  # noqa: F401


def distances_of_two_tokens(start, layers):
    """The distances of two tokens on a line, before and after some layers of attention alone."""
    distances = [start]
    for _ in range(layers):
        distances.append(distances[-1] * np.tanh(distances[-1] ** 2 / 4))
    return distances


def keys_asked(Q, K, scales):
    """How many keys are asked in effect, a row for each scale."""
    weights = np.array([attention.attention_weights(Q, K, scale=scale) for scale in scales])
    return 1 / (weights**2).sum(axis=-1)


def significant(numbers, digits=1):
    """Numbers rounded to their first digits."""
    return [float(f"{number:.{digits}g}") for number in numbers]


@quotes("a lot if it was made near the query, next to nothing if it was made far away")
def test_near_measurements_count_more(few_keys, line):
    weights = attention.nadaraya_watson(line, few_keys, np.eye(20), 1.0)
    nearest_first = np.argsort(np.abs(line[:, None] - few_keys), axis=1)
    assert (np.diff(np.take_along_axis(weights, nearest_first, axis=1), axis=1) < 0).all()


@quotes(
    "For the query $1$ the three numbers are $0.61$, $1$ and $0.61$.",
    r"Divided by their sum they are the weights $0.274$, $0.452$ and $0.274$, and the answer is "
    r"$0.274\cdot1+0.452\cdot2+0.274\cdot5\approx2.55$.",
    "In the example by hand it is $2.8$ of three.",
)
def test_three_keys_by_hand(keys, values):
    numbers = np.exp(-((1 - keys) ** 2) / 2)
    shares = numbers / numbers.sum()
    assert numbers.round(2).tolist() == [0.61, 1, 0.61]
    assert shares.round(3).tolist() == [0.274, 0.452, 0.274]
    assert (shares @ values).round(2) == 2.55
    assert (1 / (shares @ shares)).round(1) == 2.8
    assert abs(attention.nadaraya_watson([1.0], keys, values, 1.0)[0] - shares @ values) < 1e-12


@quotes(
    r"With $e^{-r^2/2h^2}$ and the bandwidth $h=\frac12$ the numbers are $0.14$, $1$ and $0.14$, and the "
    "answer is $2.21$, closer to what was measured on the spot."
)
def test_a_narrower_bandwidth_by_hand(keys, values):
    numbers = np.exp(-((1 - keys) ** 2) / (2 * 0.5**2))
    answer = numbers @ values / numbers.sum()
    assert numbers.round(2).tolist() == [0.14, 1, 0.14]
    assert answer.round(2) == 2.21 and abs(answer - values[1]) < 2.55 - values[1]


@quotes("the nearest point has nearly all the weight, and the answer is nearly its label")
def test_the_nearest_point_has_nearly_all_the_weight(points, labels):
    weights = attention.nadaraya_watson([[2.28, 0.0]], points, np.eye(12), 0.25)[0]
    assert norm(points - [2.28, 0.0], axis=1).argmin() == 2 == weights.argmax()
    assert weights[2] > 0.999 and abs(weights @ labels - labels[2]) < 1e-3


@quotes(
    "the query asks ten of the twelve points in effect",
    "The answer falls to $0.39$, on its way to the mean of all labels, which is $0$.",
)
def test_a_wide_bandwidth_asks_far_points(points, labels):
    weights = attention.nadaraya_watson([[2.28, 0.0]], points, np.eye(12), 2.8)[0]
    assert round(1 / (weights @ weights)) == 10
    assert (weights @ labels).round(2) == 0.39 and weights.min() > 0.02 and labels.mean() == 0


@quotes("| range | can exceed all coefficients | hull of the values |")
def test_sums_exceed_all_coefficients(sums, threes):
    assert sums.max() > threes.max()


@quotes(
    "A small scale makes the weights more equal, as a wide bandwidth does, and a large one gives nearly all "
    "the weight to one key, if no other ties with it."
)
def test_the_scale_decides_how_many_keys_are_asked(six_keys):
    query = np.array([[1.2, -0.72]])
    assert (np.diff(keys_asked(query, six_keys, (16, 2, 0.5)), axis=0) > 0).all()
    assert attention.attention_weights(query, six_keys, scale=16).max() > 0.999


@quotes(r"For $d_k=64$ the scale is $\frac18$ and the bandwidth $\sqrt8\approx2.83$")
def test_the_bandwidth_for_64_dimensions():
    assert 1 / np.sqrt(64) == 1 / 8 and np.sqrt(8).round(2) == 2.83 and pytest.approx(np.sqrt(8)) == 64**0.25


@quotes(
    "has the largest weight, $3.3$ times that of key 5. In nearness key 0 has only $0.068$ of what key 5 "
    "has. But it is four and a half times as long, and its bonus is larger by a factor of $49$."
)
def test_a_longer_key_wins_beside_key_5(six_keys):
    beside = np.array([[0.36, 0.24]])
    weights = attention.attention_weights(beside, six_keys, scale=2.0)[0]
    near, lengths = np.exp(-((six_keys - beside) ** 2).sum(axis=1)), norm(six_keys, axis=1)
    assert (weights[0] / weights[5]).round(1) == 3.3 and (near[0] / near[5]).round(3) == 0.068
    assert round(2 * lengths[0] / lengths[5]) == 9 and np.exp(lengths[0] ** 2 - lengths[5] ** 2).round() == 49
    assert norm(six_keys - beside, axis=1).argmin() == 5 and norm(six_keys[0]) > norm(six_keys[5])
    assert attention.attention_weights(beside, six_keys, scale=2).argmax() == 0


@quotes(
    r"Half way between the keys the answer climbs with the slope $\beta$; far out, where one key has nearly "
    "all the weight, it is nearly flat."
)
def test_how_fast_the_answer_changes(attend):
    ends = np.array([[-1.0], [1.0]])
    sides = [np.array([[x - 1e-6], [x + 1e-6]]) for x in (0.0, 1.0)]
    at_zero, at_one = (np.ptp(attend(side, ends, ends, scale=16.0)) / 2e-6 for side in sides)
    assert at_zero.round(3) == 16 and at_one < 1e-6


@quotes("the twelve points have labels that no line separates")
def test_no_line_separates_the_labels(points, mixed_labels):
    both = np.vstack([mixed_labels * points.T, mixed_labels > 0, mixed_labels < 0])
    shares = nnls(both, [0, 0, 1, 1])[0]  # of a point that lies in the hulls of both classes
    assert np.allclose([shares[mixed_labels == one].sum() for one in (1, -1)], 1)
    assert norm(mixed_labels * shares @ points) < 1e-9


@quotes(
    r"the second has the weight $1/(1+e^{1.5\beta})$, that is $0.18$ at $\beta=1$, $0.002$ at $4$ and "
    r"$4\cdot10^{-11}$ at $16$"
)
def test_the_weight_of_the_second_of_two_keys():
    weights = 1 / (1 + np.exp(1.5 * np.array([1.0, 4.0, 16.0])))
    assert weights[0].round(2) == 0.18 and significant(weights[1:]) == [0.002, 4e-11]


@quotes(r"From $D=0.4$ it falls to $0.016$, then to $10^{-6}$, then to $3\cdot10^{-19}$.")
def test_two_close_tokens():
    distances = distances_of_two_tokens(0.4, 3)
    assert distances[1].round(3) == 0.016 and significant(distances[2:]) == [1e-6, 3e-19]


@quotes("From $D=3$ four layers lead only to $2.6$, because each token gives nearly all its weight to itself")
def test_two_far_tokens():
    distances = np.array(distances_of_two_tokens(3.0, 4))
    assert distances[4].round(1) == 2.6
    assert (1 / (1 + np.exp(-(distances[:4] ** 2) / 2))).min() > 0.97


@quotes(
    r"Compare the two at $\sqrt c\,D=0.1$. Attention alone *leaves* at most one per cent of the distance; "
    "with the residual connection a layer *takes* at most one per cent."
)
def test_one_per_cent():
    assert pytest.approx(0.01) == 0.1**2 and pytest.approx(0.01) == 0.1**3 / 0.1


@quotes("And every number between is reached: on a line")
def test_every_number_between_is_reached():
    values, keys = np.array([1.0, 0.3, -0.6, -1.0]), np.array([1.0, 0.0, 0.0, -1.0])
    queries = np.linspace(-25, 25, 5001)[:, None]
    answers = attention.softmax_attention(queries, keys[:, None], values[:, None], scale=1.0)[:, 0]
    assert np.abs(answers[[0, -1]] - [-1, 1]).max() < 1e-9 and np.abs(np.diff(answers)).max() < 0.01


@quotes("No: a larger scale makes the weights more uneven, so fewer keys are asked.")
def test_a_larger_scale_asks_fewer_keys(K, Q):
    assert (np.diff(keys_asked(Q, K, (0.1, 0.5, 1.0, 3.0)), axis=0) < 0).all()


@quotes(r"With $\theta$ at $1$ every key does win", "But the box asks for more, that the winner at")
def test_every_lifted_key_wins_and_not_as_the_nearest():
    keys = np.random.default_rng(3).normal(size=(12, 2))
    squares = (keys**2).sum(axis=1)
    lifted = np.c_[keys, np.sqrt(squares.max() - squares)]
    queries = keys / (lifted[:, -1:] + 1e-6)  # the lifted keys up to a factor, their last coordinate raised
    winners = (np.c_[queries, np.ones(12)] @ lifted.T).argmax(axis=1)
    nearest = ((queries[:, None] - keys) ** 2).sum(axis=2).argmin(axis=1)
    assert np.array_equal(winners, range(12)) and (winners != nearest).any()


@quotes(
    "On logarithmic axes the error falls with the",
    "The points lie on the line, a little above it for few keys",
)
def test_the_errors_lie_on_the_line(means, ratios):
    assert (np.diff(means) < 0).all() and ratios[0] > 1
    assert np.abs(ratios - 1).max() < 0.15 and np.abs(ratios[1:] - 1).max() < 0.1
    assert 8 < means[2] / means[4] < 10.5


@quotes("where the keys are denser on one side, that side is asked more, and a slope becomes a bias")
def test_the_denser_side_is_asked_more(density, q, u):
    asked = np.exp(-(u**2) / 2) * density(q + 0.05 * u)
    assert asked[u > 0].sum() > asked[u < 0].sum()
    assert abs(0.05 * (asked @ u) / asked.sum() / (0.05**2 / 16 / density(q)) - 1) < 1e-3


@quotes("*At the edge* of the keys there are neighbours on one side only")
def test_the_bias_at_the_edge(at_edge, limit):
    assert np.abs(np.array(at_edge) / limit - 1).max() < 0.02


@quotes(
    "In the ratio of the two weights the squares of $q$ cancel",
    r"a logistic curve, which is $\frac12$ half way between the keys and is the steeper the narrower "
    r"the bandwidth",
)
def test_two_keys_share_by_a_logistic_curve(line, smooth):
    keys, second = np.array([0.3, 1.1]), np.array([0.0, 1.0])
    for h, slope in ((0.5, 0.8), (0.25, 3.2)):
        shares = smooth(line, keys, second, h)
        assert np.allclose(shares, 1 / (1 + np.exp(-0.8 * (line - 0.7) / h**2)), rtol=0, atol=1e-12)
        middle = smooth([0.7, 0.7 + 1e-6], keys, second, h)
        assert abs(middle[0] - 0.5) < 1e-12 and (np.diff(middle)[0] / 1e-6).round(2) == slope


@quotes("never wins alone, not even for a query beside it: there key 0 wins")
def test_key_5_never_wins(six_keys):
    assert not attention.winning_keys(six_keys)[5] and (six_keys @ [0.36, 0.24]).argmax() == 0


@quotes("of 50 Gaussian keys at most 14 in the plane, and all 50 in 64 dimensions, in the draws below")
def test_how_many_keys_are_vertices(found):
    assert min(found[2]) >= 3 and max(found[2]) <= 14 and found[64] == [50, 50, 50]


@quotes("For the Gaussian keys of {ref}`nw-nearest` it mostly is another key.")
def test_the_winner_mostly_is_another_key(draws):
    assert min(shares[:, 1].min() for shares in draws.values()) > 0.5


@quotes("After an attention layer it depends on the other tokens as well")
def test_a_pair_depends_on_its_context(alike):
    assert np.ptp(np.log(alike)) > 1


@quotes(
    r"distances fall no faster than $1/\sqrt L$, and two tokens with $W_V=-1$ do fall like that",
    r"adds at most $\frac1{x^2(1-x^2)^2}-\frac1{x^2}=\frac{2-x^2}{(1-x^2)^2}<3.2$ to $1/x^2$",
)
def test_how_fast_distances_fall_with_a_residual_connection(attend, diameter):
    x = np.linspace(0.01, 0.5, 50)
    added = (2 - x**2) / (1 - x**2) ** 2
    assert np.allclose(added, 1 / (x**2 * (1 - x**2) ** 2) - 1 / x**2) and 3.1 < added.max() < 3.2
    two = np.array([[-0.3], [0.3]])
    assert abs(diameter(two + attend(two, two, -two, scale=1.0)) - 0.6 * (1 - np.tanh(0.6**2 / 4))) < 1e-12
    distance = 1.0
    for _ in range(10_000):
        distance *= 1 - np.tanh(distance**2 / 4)
    assert abs(distance * np.sqrt(10_000 / 2) - 1) < 0.01


@quotes(
    "The spread *relative* to the size of the tokens may fall faster.",
    "With $W_V=I$ the outputs of close tokens are all nearly their mean, so $X+Y$ keeps the differences and "
    "doubles the mean.",
)
def test_the_relative_spread_halves_in_a_layer(attend, diameter):
    tokens = np.array([1.0, 2.0]) + 1e-3 * np.random.default_rng(0).normal(size=(12, 2))
    answers = attend(tokens, tokens, tokens, scale=1.0)
    assert 1e-4 < norm(answers - tokens.mean(axis=0), axis=1).max() / diameter(tokens) < 1e-3
    spreads = [attention.token_spread(tokens)]
    for _ in range(4):
        tokens = tokens + attend(tokens, tokens, tokens, scale=1.0)
        spreads.append(attention.token_spread(tokens))
    assert np.allclose(spreads / spreads[0], 0.5 ** np.arange(5), rtol=1e-4, atol=0)


@quotes(r"come out at $D\bigl(1-2\tanh(\frac14D^2)\bigr)$, which is $0$ at $D=1.482$")
def test_two_tokens_meet_in_one_layer():
    assert np.sqrt(4 * np.arctanh(0.5)).round(3) == 1.482


@quotes(
    "Values three times as large keep the tokens outside the hypothesis for longer: in most stacks the "
    "collapse is delayed, in some it has not come after six layers."
)
def test_larger_values_delay_the_collapse(runs):
    def first_below(spreads, bound):  # 7: never
        return np.argmax(np.c_[spreads < bound, np.ones(40)], axis=1)

    both = [runs[name] for name in ("attention alone", "values 3 times larger")]
    gone, gone_later = (first_below(found[:, 0], 1e-3) for found in both)
    within, within_later = (first_below(found[:, 1], 1) for found in both)
    assert (within_later >= within).all() and np.mean(within_later > within) > 0.9
    assert np.mean(gone_later > gone) > 0.5 and gone_later.max() == 7


@quotes(
    r"the distance becomes $D'=3D\tanh(\frac14D^2)$, from $D=2$ on more than twice what it was",
    "each token asks itself, and hardly any average is taken",
    behind="two = attend(two, two, 3 * two",
)
def test_two_tokens_with_larger_values(attend, diameter, two):
    ends = np.array([[-1.0], [1.0]])
    for D in (2.0, 4.0, 8.0):
        after = diameter(attend(D / 2 * ends, D / 2 * ends, 1.5 * D * ends, scale=1.0))
        assert abs(after - 3 * D * np.tanh(D**2 / 4)) < 1e-12 and after / D > 2
    assert attention.attention_weights(two, two, scale=1.0).diagonal().min() > 0.999


@quotes(
    "With the residual connection most of the spread is left after six layers.",
    "Carried on, the stacks lose it after all, in the relative measure",
)
def test_the_spread_with_a_residual_connection(deep, kept):
    assert kept[6] / kept[0] > 0.5 and deep[0, 30] / deep[0, 0] < 0.05 and deep[1, 30] / deep[1, 0] > 5


@quotes("the tokens come together far more slowly")
def test_the_causal_mask_slows_the_collapse(alone, causal, runs):
    assert causal[6] > 0.02 and alone[4] < 1e-12
    assert np.mean(runs["causal mask"][:, 0, 3:] > runs["attention alone"][:, 0, 3:]) > 0.9


@quotes(
    "Head 1.3 is as good as hard: its median is $1.06$, and 32 of the 33 letters give one key more "
    "than $0.9$",
    "Head 1.1 averages: its median is $7.76$.",
    "The other six lie between, with medians from $1.93$ to $5.12$",
)
def test_how_many_keys_trained_heads_ask(certain, keys_asked, median_asked):
    others = sorted(number for name, number in median_asked.items() if name not in ("1.1", "1.3"))
    assert (median_asked["1.3"], certain["1.3"], len(keys_asked["1.3"])) == (1.06, 32, 33)
    assert median_asked["1.1"] == 7.76 == max(median_asked.values())
    assert (others[0], others[-1], len(others)) == (1.93, 5.12, 6)


@quotes(
    "In head 1.3 it is, for 32 of the 33 letters; in head 1.4 for 10.",
    "between $69$ % and $84$ % of their variance lies there, and 9 to 13 of the 64 keys are corners",
    "In their eight dimensions 61 to 64 are",
    "For some letter of the text, 31 to 63 of the 64. Geometry excludes 3 keys at most",
)
def test_which_keys_of_trained_heads_win(of_keys):
    nearest, shares, corners_in_plane, corners, winners = (
        list(column) for column in zip(*of_keys.values(), strict=True)
    )
    assert (of_keys["1.3"][0], of_keys["1.4"][0]) == (32, 10) == (max(nearest), min(nearest))
    assert (min(shares), max(shares)) == (0.69, 0.84) and (min(corners_in_plane), max(corners_in_plane)) == (
        9,
        13,
    )
    assert (min(corners), max(corners)) == (61, 64) and 64 - min(corners) == 3
    assert (min(winners), max(winners)) == (31, 63)


@quotes(
    "The record has the same numbers of 40 heads, from five seeds, on twelve pieces of text.",
    "In the middle half of the heads a letter asks between $2.72$ and $4.95$ keys; one head asks $46$ and "
    "one $1.1$; before training it was 18 to 29.",
    "Each head has at least $0.92$ of its keys at corners, and the middle half let between $0.53$ and "
    "$0.64$ of them win.",
)
def test_five_trained_networks(learnt, quartiles, training, unlearnt):
    assert len(learnt) == 40 and training["seeds"] == [0, 1, 2, 3, 4]
    assert len(zen_pieces(Sizes(**training["sizes"]))) == 12
    fewest, low, _, high, most = quartiles["asked"]
    assert (round(fewest, 1), low, high, round(most)) == (1.1, 2.72, 4.95, 46)
    assert (round(unlearnt["asked"].min()), round(unlearnt["asked"].max())) == (18, 29)
    assert (quartiles["can_win"][0], quartiles["win"][1], quartiles["win"][3]) == (0.92, 0.53, 0.64)


@quotes(
    "With the bandwidth $1$ the weights are $0.57$, $0.35$ and $0.08$, and the answer is $0.50$ instead of",
    r"The mean of the keys under these weights is $\bar k=0.50$",
)
def test_an_average_answers_for_the_mean_key():
    keys = np.arange(3.0)
    weights = attention.nadaraya_watson([0.0], keys, np.eye(3), 1.0)[0]
    assert weights.round(2).tolist() == [0.57, 0.35, 0.08] and (weights @ keys).round(2) == 0.5


@quotes(r"so the weights are $\frac8{25}$, $\frac{16}{25}$ and $\frac1{25}$", r"=\frac{58}{25}=2.32$")
def test_three_keys_with_powers_of_two():
    weights = attention.nadaraya_watson([1.0], np.array([0.0, 1, 3]), np.eye(3), np.sqrt(0.5 / np.log(2)))[0]
    assert np.allclose(25 * weights, [8, 16, 1]) and abs(weights @ [4, 1, 10] - 2.32) < 1e-12


@quotes(
    r"$\sqrt c\,D$ is $2.4$, $0.80$ and $0.10$ before the first three layers",
    r"$\sqrt c\,D$ is above $2$ before every layer, where the cube promises nothing",
)
def test_when_the_theorem_of_collapse_applies(cubic, diameter):
    reach = {}
    for residual in (False, True):
        rng = np.random.default_rng(3)  # draws what the figure draws
        rng.normal(size=(12, 2))
        heads = [rng.normal(size=(3, 2, 2)) / np.sqrt(2) for _ in range(6)]
        history = figures.stacked(3, 6, 1.0, residual)
        reach[residual] = [
            np.sqrt(cubic(*head)) * diameter(X) for head, X in zip(heads, history, strict=False)
        ]
    assert np.round(reach[False][:3], 2).tolist() == [2.39, 0.8, 0.1] and min(reach[True]) > 2


@quotes(
    "four in five pairs of them are closer than they were at the start, and three tokens that stand apart "
    "carry most of the spread"
)
def test_most_tokens_draw_together_with_a_residual_connection():
    history = figures.stacked(3, 6, 1.0, True)
    pairs = np.triu_indices(12, 1)
    before, after = (norm(X[:, None] - X, axis=-1)[pairs] for X in (history[0], history[6]))
    assert np.mean(after < before).round(1) == 0.8
    squares = np.sort(((history[6] - history[6].mean(axis=0)) ** 2).sum(axis=1))
    assert squares[-3:].sum() > 0.9 * squares.sum() and squares[-3] > 3 * squares[-4]


@quotes(
    "$-0.28$ would be right, the constant says $-0.95$ and the line $-1.35$",
    "with $0.56$ against $0.80$ where $0.28$ would be right",
)
def test_the_line_beyond_both_ends(few_keys, few_values):
    ends = np.array([3.0, -3.0])
    assert few_keys.max() < 3 and few_keys.min() > -3 and 2 * np.cos(6) > 0  # sin(2k) rises at 3
    s, w, _ = figures.local_lines(ends, few_keys, few_values, 0.5)
    found = np.c_[np.sin(2 * ends), s @ few_values, w @ few_values].round(2)
    assert found.tolist() == [[-0.28, -0.95, -1.35], [0.28, 0.8, 0.56]]


@quotes("So some $w_j$ is negative if $q$ is not in the convex hull of the keys (and may be if it is).")
def test_weights_of_the_line_may_be_negative_inside(few_keys, few_values):
    inside = np.linspace(few_keys.min(), few_keys.max(), 101)
    weights = figures.local_lines(inside, few_keys, few_values, 0.5)[1]
    assert 0.1 < np.mean(weights.min(axis=1) < -1e-3) < 0.5
