"""What holds the words of the chapter on attention as regression: each test quotes them."""

import numpy as np
from numpy.linalg import norm
from scipy.optimize import nnls

from margins import attention
from margins_book.experiments.trained_head.network import Sizes
from margins_book.experiments.trained_head.record import zen_pieces
from margins_book.nadaraya_watson import figures
from margins_book.page.quotes import quotes, test_every_cell_runs, test_the_page_says_what_its_figures_expect  # noqa: F401


def asked(weights):
    """How many keys are asked in effect."""
    return 1 / (weights**2).sum(axis=-1)


def significant(numbers, digits=1):
    """Numbers rounded to their first digits."""
    return [float(f"{number:.{digits}g}") for number in numbers]


@quotes(
    "For the query $1$ the three numbers are $0.61$, $1$ and $0.61$.",
    r"they are the weights $0.274$, $0.452$ and $0.274$, and the answer is "
    r"$0.274\cdot1+0.452\cdot2+0.274\cdot5\approx2.55$.",
    "In the example by hand it is $2.8$ of three.",
    "the numbers are $0.14$, $1$ and $0.14$, and the answer is $2.21$",
    story=("Then the three count 0.61, 1 and 0.61", r"0.274\cdot1+0.452\cdot2+0.274\cdot5\approx2.55"),
)
def test_three_keys_by_hand():
    places, values = np.arange(3.0), np.array([1.0, 2.0, 5.0])
    for h, counts, answer in ((1.0, [0.61, 1, 0.61], 2.55), (0.5, [0.14, 1, 0.14], 2.21)):
        assert np.exp(-((1 - places) ** 2) / (2 * h**2)).round(2).tolist() == counts
        assert round(attention.nadaraya_watson([1.0], places, values, h)[0], 2) == answer
    shares = attention.nadaraya_watson([1.0], places, np.eye(3), 1.0)[0]
    assert shares.round(3).tolist() == [0.274, 0.452, 0.274] and round(asked(shares), 1) == 2.8


def two_bandwidths(points, labels):
    narrow, wide = (attention.nadaraya_watson([[2.28, 0.0]], points, np.eye(12), h)[0] for h in (0.25, 2.8))
    assert narrow.argmax() == 2 and round(asked(wide)) == 10
    assert [round(float(weights @ labels), 2) for weights in (narrow, wide)] == [1.00, 0.39]


test_two_bandwidths = quotes(
    "and the answer is nearly its label",
    "the query asks ten of the twelve points in effect",
    "The answer falls to $0.39$, on its way",
)(two_bandwidths)


@quotes(
    r"For $d_k=64$ the scale is $\frac18$ and the bandwidth $\sqrt8\approx2.83$",
    story=("usually take the scale ⅛, hence the bandwidth 2.83",),
)
def test_the_bandwidth():
    assert 1 / np.sqrt(64) == 1 / 8 and np.sqrt(8).round(2) == 2.83 and np.isclose(np.sqrt(8), 64**0.25)


def a_longer_key_wins_beside_key_5(six_keys):
    beside, both = np.array([[0.36, 0.24]]), []
    for keys in (six_keys, six_keys - six_keys[0]):
        near, longer = np.exp(-((keys - beside) ** 2).sum(axis=1)), np.exp((keys**2).sum(axis=1))
        both.append([near[0] / near[5], longer[0] / longer[5]])
    weights = attention.attention_weights(beside, six_keys, scale=2.0)[0]
    assert weights.argmax() == 0 and round(weights[0] / weights[5], 1) == 3.3
    assert [round(both[0][0], 3), round(both[0][1])] == [0.068, 49]
    assert np.isclose(*np.prod(both, axis=1)) and both[1][0] > 2 * both[0][0]  # both factors change
    assert round(2 * norm(six_keys[0]) / norm(six_keys[5])) == 9


test_a_longer_key_wins = quotes(
    "has the largest weight, $3.3$ times that of key 5. In nearness key 0 has only $0.068$ of what",
    "it is four and a half times as long, and its bonus is larger by a factor of $49$.",
    "Move all keys by one vector, and both factors may change",
)(a_longer_key_wins_beside_key_5)


@quotes("the twelve points have labels that no line separates")
def test_no_line_separates_the_labels(points, mixed_labels):
    both = np.vstack([mixed_labels * points.T, mixed_labels > 0, mixed_labels < 0])
    shares = nnls(both, [0, 0, 1, 1])[0]  # of a point that lies in the hulls of both classes
    assert np.allclose([shares[mixed_labels == one].sum() for one in (1, -1)], 1)
    assert norm(mixed_labels * shares @ points) < 1e-9


@quotes(
    r"that is $0.18$ at $\beta=1$, $0.002$ at $4$ and $4\cdot10^{-11}$ at $16$",
    story=(r"The second has the weight 0.18 at the scale 1, 0.002 at 4 and $4\cdot10^{-11}$ at 16",),
)
def test_the_second_key():
    found = [attention.attention_weights([[1.0]], [[2.0], [0.5]], scale=scale)[0, 1] for scale in (1, 4, 16)]
    assert round(found[0], 2) == 0.18 and significant(found[1:]) == [0.002, 4e-11]


def two_tokens_and_the_cube():
    def distances(start):
        return figures.two_tokens.function(start=start, layer=4)[2]["distances"]

    assert significant(distances(0.4)[1:4], 2) == [0.016, 1e-6, 2.7e-19]
    assert significant(distances(1.0)[1:4], 2) == [0.24, 0.0037, 1.2e-8]
    assert (
        round(distances(3.0)[4], 1) == 2.6 and (1 / 4) ** 0.5 * 3 == 1.5
    )  # all matrices and the scale are 1
    assert np.isclose(0.1 ** (3**3), 1e-27) and np.isclose(0.1**3 / 0.1, 0.01)


test_two_tokens = quotes(
    r"From $D=0.4$ it falls to $0.016$, then to $10^{-6}$, then to $3\cdot10^{-19}$.",
    "From $D=3$ four layers lead only to $2.6$",
    r"the bounds are $10^{-3}$, $10^{-9}$ and $10^{-27}$ after one, two and three layers",
    "with the residual connection a layer *takes* at most one per cent.",
    story=(
        r"From 1 it falls to 0.24, then to 0.0037, then to $1.2\cdot10^{-8}$",
        r"lead to $10^{-27}$ or below",
        "From the distance 3, where it is 1.5, our two tokens are still 2.6 apart after four layers",
        "With the residual connection a layer takes at most one per cent",
    ),
)(two_tokens_and_the_cube)


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
    "of 50 Gaussian keys at most 9 in the plane, at least 47 in 8 dimensions, and all 50 in 64 dimensions"
)
def test_how_many_keys_are_vertices(found):
    assert [max(found[2]), min(found[8]), min(found[64])] == [9, 47, 50]


@quotes("Sixteen times as many keys divide the error by about nine.")
def test_sixteen_times_as_many_keys(means):
    assert 8 < means[2] / means[4] < 10.5


@quotes(
    r"distances fall no faster than $1/\sqrt L$, and two tokens with $W_V=-1$ do fall like that",
    r"=\frac{2-x^2}{(1-x^2)^2}<3.2$ to $1/x^2$",
)
def test_how_fast_distances_fall_with_a_residual_connection():
    x, distance = np.linspace(0.01, 0.5, 50), 1.0
    assert 3.1 < ((2 - x**2) / (1 - x**2) ** 2).max() < 3.2
    for _ in range(10_000):
        distance *= 1 - np.tanh(distance**2 / 4)
    assert abs(distance * np.sqrt(10_000 / 2) - 1) < 0.01


@quotes("The spread *relative* to the size of the tokens may fall faster.")
def test_the_relative_spread_halves_in_a_layer(attend):
    tokens = np.array([1.0, 2.0]) + 1e-3 * np.random.default_rng(0).normal(size=(12, 2))
    spreads = [attention.token_spread(tokens)]
    for _ in range(4):
        tokens = tokens + attend(tokens, tokens, tokens, scale=1.0)
        spreads.append(attention.token_spread(tokens))
    assert np.allclose(spreads / spreads[0], 0.5 ** np.arange(5), rtol=1e-4, atol=0)


@quotes(r"come out at $D\bigl(1-2\tanh(\frac14D^2)\bigr)$, which is $0$ at $D=1.482$")
def test_two_tokens_meet_in_one_layer():
    assert np.sqrt(4 * np.arctanh(0.5)).round(3) == 1.482


@quotes(r"the distance becomes $D'=3D\tanh(\frac14D^2)$, from $D=2$ on more than twice what it was")
def test_two_tokens_with_larger_values():
    D = np.linspace(2, 9, 50)
    assert (3 * np.tanh(D**2 / 4)).min() > 2 and 3 * np.tanh(1.9**2 / 4) < 2.2


@quotes(
    "Head 1.3 is as good as hard: its median is $1.06$, and 32 of the 33 letters give one key more "
    "than $0.9$",
    "Head 1.1 averages: its median is $7.76$.",
    "The other six lie between, with medians from $1.93$ to $5.12$",
    story=(
        "one head of eight is nearly hard on a sample of text",
        "In the other seven the median letter asks 1.9 to 7.8 keys in effect",
    ),
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
    "carry most of the spread",
    story=("With it the spread falls from 1 to 0.77", "due to three tokens that stand apart"),
)
def test_tokens_with_a_residual_connection():
    history = figures.stacked(3, 6, 1.0, True)
    pairs = np.triu_indices(12, 1)
    before, after = (norm(X[:, None] - X, axis=-1)[pairs] for X in (history[0], history[6]))
    assert np.mean(after < before).round(1) == 0.8
    squares = np.sort(((history[6] - history[6].mean(axis=0)) ** 2).sum(axis=1))
    assert squares[-3:].sum() > 0.9 * squares.sum() and squares[-3] > 3 * squares[-4]
    spreads = figures.depth.function(layer=6, size=1.0, residual=True)[2]["spreads"]
    assert spreads[[0, 6]].round(2).tolist() == [1, 0.77]


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
