"""What the story of the chapter on the softmax kernel says about numbers: each test quotes the words."""

import math

import numpy as np
from numpy.linalg import norm

from margins import kernels, softmax_kernel
from margins.attention import attention_weights
from margins.data import head_measures
from margins.kernels import exponential
from margins_book.page.quotes import quotes, test_a_story_is_as_long_as_it_may_be, test_every_cell_runs  # noqa: F401
from margins_book.softmax_kernel.figures import (
    W_goal,
    attended_by_temperature,
    eight,
    logits_of_draws,
    temperatures,
    to_goal,
)
from margins_book.softmax_kernel.weights import gaussian_weights, softened


@quotes(
    r"with each of these three keys: $0$, $\log2$ and $2\log2$",
    r"Exponentials turn them into 1, 2 and 4",
    r"\tfrac17\cdot0+\tfrac27\cdot7+\tfrac47\cdot14=10",
)
def test_attention_by_hand():
    exponentials = np.exp([0, math.log(2), 2 * math.log(2)])
    assert np.allclose(exponentials, [1, 2, 4])
    assert round(exponentials / exponentials.sum() @ [0, 7, 14], 12) == 10


@quotes(
    "prefers key 0, as it must, because no key can be nearer", "gives key 1 more than three times as much"
)
def test_key_1_beats_the_nearer_key_0(seven):
    for query in (seven[:1], np.array([[0.825, 0.28125]])):
        soft, near = attention_weights(query, seven, scale=1.0)[0], gaussian_weights(query, seven)[0]
        assert (soft.argmax(), near.argmax()) == (1, 0)
        assert soft[1] > 3 * soft[0]


@quotes(
    "0 give or take 8, and $e^8$ is about 3000",
    "gets most of the attention, here 0.78",
    "as if eight of the twelve keys",
)
def test_random_keys_with_and_without_the_root():
    assert (64**0.5, round(math.exp(8), -2)) == (8, 3000)
    weights = softened(logits_of_draws(64), 1)[0]
    assert (round(weights.max(), 2), len(weights)) == (0.78, 12)
    root = np.abs(temperatures - 8).argmin()
    assert round(attended_by_temperature(64)[root].mean()) == 8


@quotes("Multiply the exponentials 1, 2 and 4 by ten", "what they hide is one number for each query")
def test_a_factor_of_the_query_cancels():
    assert np.allclose(np.array([10, 20, 40]) / 70, np.array([1, 2, 4]) / 7)


@quotes("With the query at the origin you can see that they are")
def test_at_the_origin_only_the_gaussian_tells_keys_apart(seven):
    origin = np.zeros((1, 2))
    assert np.ptp(attention_weights(origin, seven, scale=1.0)) < 1e-15
    assert np.ptp(gaussian_weights(origin, seven)) > 0.1


@quotes("they fit near the origin and miss at the ends", "On this stretch of the line a dozen will do")
def test_four_and_twelve_features_on_the_line():
    line = np.linspace(-2, 2, 61)[:, None]
    errors = [
        np.abs(softmax_kernel.truncation_error(line, [[1.0]], degree=degree))[:, 0] for degree in (3, 11)
    ]
    assert errors[0][20:41].max() < 0.05 < 1 < errors[0].max()
    assert errors[1].max() < 1e-4


@quotes(r"need $5\cdot10^{15}$ features for an error of one per cent")
def test_features_for_one_per_cent_in_64_dimensions():
    products = np.linspace(-4, 4, 201)  # of two vectors of length 2
    relative = [
        np.abs(softmax_kernel.series_remainder(products, degree=p) / np.exp(products)).max()
        for p in range(20)
    ]
    degree = next(p for p, error in enumerate(relative) if error < 0.01)
    assert 5.0e15 < math.comb(64 + degree, degree) < 5.5e15


@quotes(
    "In a text of ten thousand words each word looks at all of them",
    "four times as many if the text is twice as long",
)
def test_comparisons():
    assert (10_000**2, (2 * 10_000) ** 2 / 10_000**2) == (100_000_000, 4)


@quotes(
    "the true table of any eleven different vectors has rank eleven, whatever positive factors its rows get",
    "the rows of the table below",
)
def test_ranks():
    table = exponential(np.array([[0.0], [1.0]]))
    assert np.linalg.matrix_rank(table) == 2
    of_eleven = exponential(np.random.default_rng(0).normal(size=(11, 10)))
    assert kernels.smallest_eigenvalue(of_eleven) > 1e-3
    factors = np.random.default_rng(1).uniform(0.1, 10, size=(11, 1))
    assert np.linalg.matrix_rank(factors * of_eleven) == 11


@quotes("cut off after degree 5, as here, the features give a negative value at the left end")
def test_a_negative_value():
    assert softmax_kernel.exponential_series(-2 * 1.5, 5) < 0


@quotes("attention gives it four times as much as 10", "Tokens 10 and 11 are almost equally far from it")
def test_token_9(twelve):
    soft, near = (
        attention_weights(twelve[[9]], twelve, scale=1.0)[0],
        gaussian_weights(twelve[[9]], twelve)[0],
    )
    assert round(soft[11] / soft[10]) == 4
    assert 0.8 < near[11] / near[10] < 1.25
    assert norm(twelve[11]) > norm(twelve[10])


@quotes("Under the Gaussian each attends most to itself", "Under attention only 3, 4, 10 and 11 do")
def test_who_attends_to_itself(twelve):
    every = np.arange(len(twelve))
    assert (gaussian_weights(twelve, twelve).argmax(axis=1) == every).all()
    winners = attention_weights(twelve, twelve, scale=1.0).argmax(axis=1)
    assert every[winners == every].tolist() == [3, 4, 10, 11]


@quotes(
    "0.32 times as much for nearness and 10.5 times as much for length, together 3.4 times",
    "shift all keys, not the query, until key 1 is the origin: no weight changes",
    "the two factors change places",
)
def test_nearness_and_length_of_key_1(seven):
    def factors(keys):
        near = (norm(seven[0] - keys[0]) ** 2 - norm(seven[0] - keys[1]) ** 2) / 2
        return np.exp([near, (keys[1] @ keys[1] - keys[0] @ keys[0]) / 2])

    assert factors(seven).round(2).tolist() == [0.32, 10.54]
    assert round(factors(seven).prod(), 1) == round(factors(seven - seven[1]).prod(), 1) == 3.4
    assert factors(seven - seven[1])[::-1].round(2).tolist() == [0.32, 10.54]


@quotes("the nearest key won far more often than the longest")
def test_trained_heads():
    training, heads = head_measures()
    after = heads[heads["steps"] == training["plan"]["steps"]]
    assert after["nearest"].mean() > 10 * after["longest"].mean()


@quotes("The heat map shows the exponents for eight words and two random matrices")
def test_it_is_far_from_symmetric():
    _, asymmetry = to_goal("W_Q")
    assert len(eight) == 8
    assert asymmetry[0] > 2


@quotes(
    "it still is one if $W_K=2W_Q$", "each of these words is more like its opposite $-x$ than like itself"
)
def test_equal_twice_and_opposite_matrices():
    found = {c: softmax_kernel.token_verdict(W_goal, c * W_goal).positive_definite for c in (1, 2, -1)}
    assert found == {1: True, 2: True, -1: False}
    likes = np.diag(eight @ softmax_kernel.token_metric(W_goal, -W_goal) @ eight.T)
    assert likes.max() < 0  # the exponents of a word with itself; with its opposite they are the negatives
