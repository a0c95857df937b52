"""What the story of the chapter on random features says about numbers: each test quotes the words."""

import math
from statistics import NormalDist

import numpy as np

from margins import random_features as rf
from margins.attention import softmax_attention
from margins_book.page.quotes import quotes, test_a_story_is_as_long_as_it_may_be, test_every_cell_runs  # noqa: F401
from margins_book.random_features.figures import (
    advantage,
    bill_of,
    draws,
    error_of_the_mean,
    estimator,
    k_cells,
    q_cells,
    relative_errors,
    tokens,
    widths,
)

below = NormalDist().cdf


def exact_answer(points, labels, q_x):
    """The answer of softmax attention to the query (q_x, 0.6), query and points divided by two."""
    return softmax_attention(np.array([[q_x / 2, 0.3]]), points / 2, labels[:, None], scale=1.0).item()


def relative_variance(q, k):
    """Of one positive projection, for numbers q and k."""
    return rf.softmax_feature_variance(np.array([q]), np.array([k]), 1) / math.exp(2 * q * k)


@quotes("For a text of 65,536 words that is the orange table, with more than four billion entries")
def test_entries_of_the_table():
    assert 4.2e9 < 65_536**2 < 4.3e9


@quotes(
    r"(1+qk)^2=1\cdot1+\sqrt2q\cdot\sqrt2k+q^2\cdot k^2",
    r"$(8,13\sqrt2,23)$. From this the query 1 reads 57, the weighted sum $4\cdot3+9\cdot5$",
    "A million keys would leave three numbers too",
)
def test_two_keys_by_hand():
    def features(x):
        return np.array([1, math.sqrt(2) * x, x**2])

    assert all(abs(features(q) @ features(k) - (1 + q * k) ** 2) < 1e-12 for q in (-1.5, 1) for k in (0.3, 2))
    stored = 3 * features(1) + 5 * features(2)
    assert np.allclose(stored, [8, 13 * math.sqrt(2), 23])
    assert [(1 + 1 * k) ** 2 for k in (1, 2)] == [4, 9]
    assert round(features(1) @ stored, 12) == 57 == 4 * 3 + 9 * 5


@quotes("With 256 features of the kind we are going to make", "operations are saved from 517 words on")
def test_where_linear_attention_begins_to_pay():
    saves = [n for n in range(1, 1000) if rf.linear_attention_flops(n, 64, 256) < rf.attention_flops(n, 64)]
    assert saves == list(range(517, 1000))


@quotes(r"\mathbb{E}\bigl[e^{gq-q^2/2}\cdot e^{gk-k^2/2}\bigr]=e^{qk}", "its mean is exactly the kernel")
def test_the_kernel_is_a_mean_of_products():
    nodes, weights = np.polynomial.hermite_e.hermegauss(80)
    for q, k in ((1, 1), (0.7, -1.2), (-0.4, 0.9)):
        products = np.exp(nodes * q - q**2 / 2) * np.exp(nodes * k - k**2 / 2)
        assert abs(weights @ products / weights.sum() - math.exp(q * k)) < 1e-12


@quotes(
    "so the exact answer, the diamond, is 0.84",
    "the mean of two hundred such answers, is at 0.41, about half of what it should be",
    "That is no accident of the draw",
)
def test_the_riddle(twelve, twelve_labels):
    answers = estimator(twelve, twelve_labels)(3.0)[:, widths.index(4)]
    exact = exact_answer(twelve, twelve_labels, 3)
    assert (len(answers), round(exact, 2), round(answers.mean(), 2)) == (200, 0.84, 0.41)
    assert (1 + exact) / 2 > 0.9  # the share of the circles
    assert exact - answers.mean() > 10 * answers.std() / math.sqrt(200)


@quotes(
    "A draw $g$ gives the estimate $e^{2g-1}$, where $e$, about 2.7, would be right",
    "In 84 of a hundred draws the estimate is too small",
    "Half of the mean comes from draws beyond 2",
    "of a hundred draws about two get there",
    "At the distance 3 only one draw in 740 gets there",
)
def test_what_the_mean_is_made_of():
    assert (round(math.e, 1), round(100 * below(1))) == (2.7, 84)  # 2g - 1 < 1
    g = np.linspace(-8, 12, 20_001)
    of_the_mean = np.exp(-(g**2) / 2 + 2 * g - 1) * (g[1] - g[0]) / math.sqrt(2 * math.pi)
    assert abs(of_the_mean.sum() - math.e) < 1e-9
    assert abs(of_the_mean[g > 2].sum() / math.e - 0.5) < 1e-3
    assert (round(100 * below(-2)), round(1 / below(-3), -1)) == (2, 740)


@quotes(
    "At $q=1.3$, $k=-0.3$, the point in the map, the kernel is 0.68, and the standard error of one projection"
    " is 1.3 times that",
    "At $q=3$, $k=-2$ the kernel is 0.0025, and the error is again 1.3 times that",
    r"\frac{e^{\lVert q+k\rVert^2}-1}{m}",
)
def test_small_kernels_are_not_easy():
    assert [round(math.exp(1.3 * -0.3), 2), round(math.exp(3 * -2), 4)] == [0.68, 0.0025]
    for q, k in ((1.3, -0.3), (3.0, -2.0)):
        assert abs(relative_variance(q, k) / math.expm1((q + k) ** 2) - 1) < 1e-9
        assert round(math.sqrt(relative_variance(q, k)), 1) == 1.3


@quotes("Features made of cosines err less where the map is vermilion")
def test_colours_of_the_map():
    cells = q_cells[..., None], k_cells[..., None]
    of_positive, of_cosines = (
        rf.softmax_feature_variance(*cells, 1, kind) for kind in ("positive", "trigonometric")
    )
    assert np.array_equal(advantage < 0, of_positive < of_cosines)


@quotes("their weights can be negative and sum to zero")
def test_weights_of_cosines_sum_to_zero():
    def weights(k):  # of the query 0 and the keys 1 and k, with the projection 2
        ks = np.array([1.0, k])
        return np.exp(ks**2 / 2) * np.cos(2 * ks)

    assert weights(0.0).sum() > 0 > weights(1.2).sum()  # so it is 0 between
    assert weights(0.0)[0] < 0


@quotes(
    r"\tfrac12\bigl(1+\tfrac13\bigr)=\tfrac23=\tfrac12+\tfrac16",
    "the quotient is too large by a twelfth on average, no longer by a sixth",
)
def test_coins():
    one, two = np.mean([1, 1 / 3]), np.mean([2 / (a + b) for a in (1, 3) for b in (1, 3)])
    assert np.allclose([one - 1 / 2, two - 1 / 2], [1 / 6, 1 / 12])
    assert 1 / (2 - 1) - 1 / 2 > 1 / 2 - 1 / (2 + 1)


@quotes(
    "the exact answer is −0.80. The cross is near 0",
    "the diamond moves, and the dots stand still",
)
def test_one_projection(twelve, twelve_labels):
    left, right = (estimator(twelve, twelve_labels)(q_x)[:, 0] for q_x in (-3.0, 3.0))
    assert np.allclose(left, right, rtol=0, atol=1e-12)
    assert abs(left.mean()) < 0.01
    exact = [round(exact_answer(twelve, twelve_labels, q_x), 2) for q_x in (-3, 3)]
    assert exact == [-0.8, 0.84]


@quotes(
    "the circles 2, 3 and 4 are due 0.69 of the attention",
    "too small nine times out of ten",
    "With four projections these circles got 0.38 on average",
    "the answers are off by 0.05, and their mean by 0.02",
)
def test_the_riddle_solved(twelve, twelve_labels):
    query, keys = np.array([1.5, 0.3]), twelve / 2
    weights = np.exp(keys @ query) / np.exp(keys @ query).sum()
    apart = np.linalg.norm(query + keys, axis=1)
    assert round(weights[2:5].sum(), 2) == 0.69
    assert set(apart.argsort()[-3:]) == {2, 3, 4}
    assert [round(10 * below(distance / 2)) for distance in apart[2:5]] == [9, 9, 9]
    four = draws()[:, :4]
    shares = np.exp(four @ query)[..., None] * np.exp(four @ keys.T - (keys**2).sum(axis=1) / 2)
    attention = shares.sum(axis=1) / shares.sum(axis=(1, 2))[:, None]  # (200, 12)
    assert round(attention[:, 2:5].sum(axis=1).mean(), 2) == 0.38
    answers = estimator(twelve, twelve_labels)(3.0)[:, widths.index(1024)]
    off = answers - exact_answer(twelve, twelve_labels, 3)
    assert (round(math.sqrt((off**2).mean()), 2), round(-off.mean(), 2)) == (0.05, 0.02)


@quotes(
    "this takes 5,360 projections",
    "a third more operations than exact attention, and keep a third of the numbers",
    "At length one half, 172 projections are enough, for less than a twentieth of the operations",
    "At length 2 it takes 889 million, which save no operations before 1.8 billion words",
)
def test_the_bill():
    m, (exact, linear), (cache, sums) = bill_of(1.0, 0.1, 8192)
    assert (m, round(linear / exact, 1), round(sums / cache, 2)) == (5360, 1.3, 0.33)
    m, (exact, linear), _ = bill_of(0.5, 0.1, 8192)
    assert m == 172
    assert linear / exact < 1 / 20
    m, *_ = bill_of(2.0, 0.1, 8192)
    assert (round(m / 1e6), round(m * (2 + 1 / 64) / 1e9, 1)) == (889, 1.8)
    assert rf.linear_attention_flops(1_700_000_000, 64, m) > rf.attention_flops(1_700_000_000, 64)


@quotes(
    "We measured them on 256 random words",
    "have a length of about 2.8",
    "1,024 features erred more than twice as much as the answer zero would",
    "256 features err by five per cent",
    "the plain mean of all values errs by six",
)
def test_errors_of_answers():
    assert tokens[0].shape == (256, 64)
    assert round(math.sqrt(64) / 64**0.25, 1) == 2.8
    assert min(relative_errors(4, 1024)) > 2  # the answer 0 has the relative error 1
    assert (round(np.mean(relative_errors(1, 256)), 2), round(error_of_the_mean(1), 2)) == (0.05, 0.06)


@quotes(
    "store 1 at key A and later −0.5, and A reads their total, and a share of what others stored",
    "A then reads −0.5, as it should",
    "But D, where 1 was stored, now reads 0.02",
)
def test_sum_and_delta_rule(slots, tape):
    places = ["ABCD".index(name) for name, _ in tape[:5]]
    values = np.array([[value] for _, value in tape[:5]])
    (of_sum,), (of_delta,) = (
        list(rf.fast_weights(slots[places], values, rate=rate))[-1] for rate in (None, 1.0)
    )
    others = sum(value * slots[0] @ slots["ABCD".index(name)] for name, value in tape[1:4])
    assert abs(slots[0] @ of_sum - (1 - 0.5) - others) < 1e-12 < abs(others)
    assert abs(slots[0] @ of_delta + 0.5) < 1e-12
    assert tape[3] == ("D", 1.0)
    assert round(slots[3] @ of_delta, 2) == 0.02
    assert slots[3] @ slots[0] > 0.5


@quotes("the first counts a sixteenth after the fifth")
def test_what_fades(slots, tape):
    assert tape[0][0] == "A"
    assert abs(slots[0] @ slots[0] * 0.5**4 - 1 / 16) < 1e-12
