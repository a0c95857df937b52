"""What the plan of a session on random features says: numbers, and mistakes where they show."""

import numpy as np
import pytest

from margins_book.page.mistakes import mistake
from margins_book.page.quotes import quotes
from margins_book.random_features.tests import test_text as chapter

UNIT = np.array([1.0])


def needed(q, k, error):
    a, b = ((q + k) ** 2).sum(), ((q - k) ** 2).sum()
    return np.ceil(np.maximum(1, np.array([np.exp(a) - 1, np.cosh(a) - 1, np.cosh(b) - 1]) / error**2))


def causal(state, phi_k, V):
    """The answers to queries with the feature 1."""
    sums = state + np.cumsum(phi_k[:, None] * np.column_stack([V, np.ones(len(V))]), axis=0)
    return sums[:, 0] / sums[:, 1]


test_the_brackets = quotes("Half of the class sums over keys, half over features, and both find $57$")(
    chapter.two_keys_by_hand
)
test_a_quotient_is_not_linear = quotes(
    "the mean of $1/Z$ is $\\frac23$, but one over the mean of $Z$ is $\\frac12$"
)(chapter.two_coins)


@quotes("the kernel is $e^{-9}$", "$e^9-1\\approx8100$")
def test_small_kernels():
    q, k = np.array([3.0, 0.0]), np.array([-3.0, 3.0])
    assert q @ k == -9
    assert round(np.expm1(((q + k) ** 2).sum()), -2) == 8100


@quotes(
    "asks for a single positive projection, where 5,360 are needed",
    "they take 536 projections and err by about a third",
)
def test_projections_needed():
    assert needed(UNIT, UNIT, 0.1)[0] == 5360
    assert mistake("rf-projections-needed", "sum and difference exchanged")(UNIT, UNIT, 0.1)[0] == 1
    taken = mistake("rf-projections-needed", "the error not squared")(UNIT, UNIT, 0.1)[0]
    assert taken == 536
    assert np.sqrt(np.expm1(4) / taken) == pytest.approx(1 / 3, rel=0.06)


@quotes("it takes $1.72$ times the operations of exact attention")
def test_short_texts():
    n, d, D = 300, 64, 256
    assert round(4 * n * D * (2 * d + 1) / (4 * n**2 * d), 2) == 1.72


@quotes("the quotient of the sums is $\\frac14$, and the mean of the quotients $\\frac12$")
def test_the_mean_of_the_quotients():
    N, Z = np.array([[1.0], [0.0]]), np.array([1.0, 3.0])
    assert N.sum() / Z.sum() == 1 / 4
    assert mistake("rf-jackknife", "the mean of the quotients")(N, Z) == [1 / 2]


@quotes("the causal answers are $2$ and $3$; theirs are $3$ and $3$")
def test_the_whole_sequence():
    ones, V = np.ones((2, 1)), np.array([[2.0], [4.0]])
    assert causal(np.zeros(2), ones[:, 0], V).tolist() == [2, 3]
    wrong = mistake("rf-go-on", "every token sees the whole sequence")
    assert wrong(np.zeros((1, 2)), ones, ones, V)[0][:, 0].tolist() == [3, 3]


@quotes("the answer is $0/0$")
def test_underflow():
    thirty, one = np.array([[30.0]]), np.array([[1.0]])
    assert np.isnan(mistake("rf-no-overflow", "plain features")(thirty, thirty, one, one)).all()


@quotes("the hyperbolic and the trigonometric number do too", "which was none of the three")
def test_the_other_sign():
    q, k = np.array([0.3, 0.5]), np.array([0.9, -0.2])
    before, after = needed(q, k, 0.01), needed(-q, k, 0.01)
    assert after[1:].tolist() == before[:0:-1].tolist()
    assert after[0] not in before
