"""What the story of the chapter on attention as regression says about numbers: each test quotes the words."""

import numpy as np
from numpy.linalg import norm

from margins import attention
from margins.data import trained_heads
from margins_book.nadaraya_watson import figures
from margins_book.page.quotes import quotes, test_a_story_is_as_long_as_it_may_be, test_every_cell_runs  # noqa: F401


def facts(figure, **values):
    """What a figure knows of the state that the story shows."""
    copy = figure.at(**values)
    return copy.function(**copy.default)[2]


def gaussian_weights(query, keys, bandwidth):
    """The weights of the keys at one query."""
    return attention.nadaraya_watson(query[None], keys, np.eye(len(keys)), bandwidth)[0]


def asked(weights):
    """How many keys are asked in effect."""
    return 1 / (weights**2).sum(axis=-1)


@quotes("Somebody has measured a quantity at twenty places along a line")
def test_twenty_places(few_keys, few_values):
    assert few_keys.shape == few_values.shape == (20,)


@quotes(
    "At the places 0, 1 and 2 the values 1, 2 and 5 were measured",
    "Then the three count 0.61, 1 and 0.61",
    r"0.274\cdot1+0.452\cdot2+0.274\cdot5\approx2.55",
    "Then the mean is the cheapest answer",
)
def test_three_keys_by_hand():
    counts, values = np.exp(-((1 - np.arange(3)) ** 2) / 2), np.array([1, 2, 5])
    weights = counts / counts.sum()
    assert counts.round(2).tolist() == [0.61, 1, 0.61]
    assert weights.round(3).tolist() == [0.274, 0.452, 0.274]
    assert (weights @ values).round(2) == 2.55
    heights = np.linspace(0, 6, 601)
    assert round(heights[(counts @ (values[:, None] - heights) ** 2).argmin()], 2) == 2.55


@quotes(
    "the plus, beside circle 2, asks this point and hardly any other, and the answer is 1.00",
    "asks ten of the twelve *in effect*: one over the sum of the squared weights, which counts "
    "equal weights, is 10. The answer is 0.39",
)
def test_two_bandwidths(points, labels):
    plus = np.array([2.28, 0.0])
    narrow, wide = (gaussian_weights(plus, points, h) for h in (0.25, 2.8))
    assert narrow.argmax() == 2
    assert narrow[2] > 0.99
    assert (round(asked(wide)), len(wide)) == (10, 12)
    assert [round(float(w @ labels), 2) for w in (narrow, wide)] == [1.00, 0.39]


@quotes("The answer is so close to the value of key 2 that you see no difference, but still inside")
def test_the_answer_stays_inside(inside_the_hull, six_values):
    found = facts(inside_the_hull, query_x=-2.4, query_y=1.68, scale=16)
    assert norm(found["answer"] - six_values[2]) < 1e-6
    assert found["weights"].argmax() == 2
    assert found["weights"].min() > 0


@quotes(
    "For keys of 64 numbers Transformers usually take the scale ⅛, hence the bandwidth 2.83",
    "Among our twenty measurements that is wide: the curve is nearly flat",
)
def test_the_bandwidth_of_64_coordinates(few_keys, few_values):
    assert (1 / 64**0.5, round(8**0.5, 2)) == (1 / 8, 2.83)
    line = np.linspace(-3, 3, 61)
    curves = [attention.nadaraya_watson(line, few_keys, few_values, h) for h in (0.3, 2.83)]
    assert np.ptp(curves[1]) < np.ptp(curves[0]) / 4


@quotes(
    "attention *is* the average of 1964 with a Gaussian",
    "attention computes the Gaussian average for any keys",
)
def test_attention_is_a_gaussian_average(six_keys, six_values):
    queries, h = np.random.default_rng(0).normal(size=(20, 2)), 0.7
    circle = six_keys / norm(six_keys, axis=1, keepdims=True)
    on_circle = attention.softmax_attention(queries, circle, six_values, scale=h**-2)
    assert np.allclose(on_circle, attention.nadaraya_watson(queries, circle, six_values, h))
    lifted = attention.gaussian_lift(queries, six_keys, bandwidth=h)
    assert lifted[1].shape == (6, 2 + 1)
    of_head = attention.softmax_attention(*lifted, six_values, scale=1.0)
    assert np.allclose(of_head, attention.nadaraya_watson(queries, six_keys, six_values, h))


@quotes(
    "key 0 has the largest weight, 3.3 times that of key 5. For nearness it gets only 0.068 times as much. "
    "But it is four and a half times as long, and its bonus is larger by a factor of 49",
    "move all keys by one vector, and both factors can change, while the 3.3 stays",
)
def test_a_long_key_beats_a_nearer_one(six_keys):
    query, beta = np.array([0.36, 0.24]), 2

    def factors(keys):
        near = np.exp(-beta * ((query - keys) ** 2).sum(axis=1) / 2)
        longer = np.exp(beta * (keys**2).sum(axis=1) / 2)
        return near[0] / near[5], longer[0] / longer[5]

    weights = attention.attention_weights(query[None], six_keys, scale=beta)[0]
    assert (weights.argmax(), round(weights[0] / weights[5], 1)) == (0, 3.3)
    near, longer = factors(six_keys)
    assert (round(near, 3), round(longer)) == (0.068, 49)
    assert round(norm(six_keys[0]) / norm(six_keys[5]) * 2) == 9
    moved = factors(six_keys - six_keys[0])
    assert np.isclose(np.prod(moved), near * longer)
    assert moved[0] > 2 * near
    assert moved[1] < longer / 2


@quotes(
    "whose sign is the machine's everywhere. The boundaries, broad and dashed, coincide. "
    "The machine uses nine points, so this attention has ten keys"
)
def test_a_machine_is_a_head(compiled):
    found = facts(compiled, gamma=0.5, scale="1")
    assert (found["share"], found["keys"]) == (1, 9 + 1)
    assert found["off"] < 1e-9


@quotes(
    "here ½ because keys have four coordinates, "
    "the same keys give the machine's label at 94 per cent of the places drawn"
)
def test_the_customary_scale_spoils_it(compiled):
    assert round(facts(compiled, gamma=0.5, scale="1/√d")["share"], 2) == 0.94


@quotes("Doubling the keys mends this")
def test_doubled_keys_mend_it(points):
    head = attention.svm_to_attention(points, np.arange(-6.0, 6), 0.3, kernel="gaussian", gamma=0.5)
    queries = head.queries(points + 0.4)
    assert queries.shape[1] == 4  # so that the customary scale is one half
    mended = attention.softmax_attention(queries, 2 * head.keys, head.values, scale=0.5)
    assert np.allclose(mended[:, 0], head(points + 0.4))


@quotes(
    "inner products with the query are 2 and ½",
    r"The second has the weight 0.18 at the scale 1, 0.002 at 4 and $4\cdot10^{-11}$ at 16",
)
def test_the_second_of_two_keys():
    scales = [1, 4, 16]
    weights = [attention.attention_weights([[1.0]], [[2.0], [0.5]], scale=scale)[0, 1] for scale in scales]
    assert [f"{weight:.1g}" for weight in weights[1:]] == ["0.002", "4e-11"]
    assert round(weights[0], 2) == 0.18


@quotes(
    "one head of eight is nearly hard on a sample of text",
    "In the other seven the median letter asks 1.9 to 7.8 keys in effect",
)
def test_trained_heads():
    heads, medians = trained_heads(), []
    for tokens, of_query, of_key in zip(heads.tokens, heads.W_Q, heads.W_K, strict=False):
        for W_Q, W_K in zip(of_query, of_key, strict=True):
            weights = attention.attention_weights(tokens @ W_Q, tokens @ W_K, causal=True)
            medians.append(np.median(asked(weights)[31:64]))  # the letters of the second line
    nearly_hard, *others = sorted(medians)
    assert (round(nearly_hard, 1), len(others)) == (1.1, 7)
    assert (round(others[0], 1), round(others[-1], 1)) == (1.9, 7.8)


@quotes(
    r"at $-\frac12D$ and $\frac12D$",
    "a layer leaves about a quarter of the cube of their distance",
    r"From 1 it falls to 0.24, then to 0.0037, then to $1.2\cdot10^{-8}$",
    r"D\;\mapsto\;D\tanh\bigl(\tfrac14D^2\bigr)",
)
def test_two_close_tokens():
    found, tokens = [], np.array([[-0.5], [0.5]])
    for _ in range(2):
        tokens = attention.softmax_attention(tokens, tokens, tokens, scale=1.0)
        found.append(float(np.ptp(tokens)))
    found.append(facts(figures.two_tokens, start=1, layer=3)["distances"][3])  # to all digits
    assert [f"{distance:.2g}" for distance in found] == ["0.24", "0.0037", "1.2e-08"]
    assert np.isclose(found[2], found[1] ** 3 / 4, rtol=1e-3)


@quotes(
    r"From $\sqrt c\,D=0.1$ three such layers, with the same $c$, lead to $10^{-27}$ or below",
    "From the distance 3, where it is 1.5, our two tokens are still 2.6 apart after four layers",
    "each listens almost only to itself",
)
def test_the_cube_and_two_far_tokens():
    assert np.isclose(((0.1**3) ** 3) ** 3, 1e-27)
    assert (1 / 4) ** 0.5 * 3 == 1.5  # c is a quarter: all matrices and the scale are 1
    distances = np.array(facts(figures.two_tokens, start=3, layer=4)["distances"])
    assert round(distances[4], 1) == 2.6
    assert (1 / (1 + np.exp(-(distances[:4] ** 2) / 2))).min() > 0.97  # its own weight


@quotes(
    "Twelve random tokens go through six random layers of attention",
    "falls below $10^{-12}$. With it the spread falls from 1 to 0.77",
    "most of what is left is due to three tokens that stand apart",
)
def test_spread_with_and_without_the_residual_connection():
    with_it, without = (facts(figures.depth, layer=6, size=1, residual=on)["spreads"] for on in (True, False))
    assert without[6] < 1e-12
    assert (round(with_it[0], 2), round(with_it[6], 2)) == (1, 0.77)
    last = figures.stacked(3, 6, 1.0, True)[6]
    squares = np.sort(((last - last.mean(axis=0)) ** 2).sum(axis=1))
    assert len(squares) == 12
    assert squares[-3:].sum() > 0.9 * squares.sum()


@quotes(
    "attention alone leaves at most one per cent",
    "With the residual connection a layer takes at most one per cent",
)
def test_one_per_cent():
    assert np.isclose(0.1**3 / 0.1, 0.01)  # c D^3 over D, both times the root of c
