"""What the story of the chapter on the softmax kernel says about numbers: each test quotes the words."""

import math

import numpy as np

from margins import kernels, softmax_kernel
from margins.attention import attention_weights
from margins.kernels import exponential
from margins_book.page.quotes import quotes, test_a_story_is_as_long_as_it_may_be, test_every_cell_runs  # noqa: F401
from margins_book.softmax_kernel.figures import (
    W_goal,
    attended_by_temperature,
    eight,
    logits_of_draws,
    temperatures,
)
from margins_book.softmax_kernel.weights import softened


@quotes(
    "0 give or take 8, and $e^8$ is about 3000",
    "gets most of the attention, here 0.78, and eleven others",
    "as if eight of the twelve keys",
)
def test_random_keys_with_and_without_the_root():
    assert (64**0.5, round(math.exp(8), -3)) == (8, 3000)
    weights = softened(logits_of_draws(64), 1)[0]
    assert (round(weights.max(), 2), len(weights)) == (0.78, 12)
    root = np.abs(temperatures - 8).argmin()
    assert round(attended_by_temperature(64)[root].mean()) == 8


@quotes(
    "what the first four features achieve",
    "On this stretch of the line a dozen will do",
)
def test_numbers_of_features():
    line = np.linspace(-2, 2, 61)[:, None]
    four, twelve = (np.abs(softmax_kernel.truncation_error(line, [[1.0]], degree=p))[:, 0] for p in (3, 11))
    assert four[20:41].max() < 0.05 < 1 < four.max()
    assert twelve.max() < 1e-4


@quotes(
    "In the picture five words do, and the framed table has 25 cells",
    "With ten thousand words it has a hundred million",
    "the true table of any eleven different vectors has rank eleven, whatever positive factors its rows get",
)
def test_comparisons_and_ranks():
    assert (5**2, 10_000**2) == (25, 100 * 10**6)
    of_eleven = exponential(np.random.default_rng(0).normal(size=(11, 10)))
    assert kernels.smallest_eigenvalue(of_eleven) > 1e-3


@quotes("attention gives it four times as much as 10", "Under attention only 3, 4, 10 and 11 do")
def test_tokens_that_attend(twelve):
    weights = attention_weights(twelve, twelve, scale=1.0)
    assert round(weights[9, 11] / weights[9, 10]) == 4
    assert np.flatnonzero(weights.argmax(axis=1) == np.arange(12)).tolist() == [3, 4, 10, 11]


@quotes(
    "The heat map shows the exponents for eight words",
    "it still is one if $W_K=2W_Q$",
    "each of these words is more like its opposite $-x$ than like itself",
)
def test_equal_twice_and_opposite_matrices():
    assert len(eight) == 8
    verdicts = [softmax_kernel.token_verdict(W_goal, c * W_goal).positive_definite for c in (1, 2, -1)]
    assert verdicts == [True, True, False]
    likes = np.diag(eight @ softmax_kernel.token_metric(W_goal, -W_goal) @ eight.T)
    assert likes.max() < 0  # the exponents of a word with itself; with its opposite they are the negatives
