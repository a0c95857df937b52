"""What the plan of a session on Nadaraya-Watson regression says: numbers, and mistakes where they show."""

import numpy as np
import pytest

from margins.attention import attention_weights
from margins_book.nadaraya_watson.tests import test_text as chapter
from margins_book.page.mistakes import mistake
from margins_book.page.quotes import quotes


def left_out(keys, values, h):
    """The mean squared error of the Gaussian estimate from the other keys."""
    logits = -((keys[:, None] - keys) ** 2) / (2 * h**2)
    np.fill_diagonal(logits, -np.inf)
    weights = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.mean((values - weights @ values / weights.sum(axis=1)) ** 2)


@quotes("it falls to $3e^{-2}\\approx0.41$ at distance $2$", "the answer falls from $0$ to $-\\frac12$")
def test_by_hand():
    assert round(3 * np.exp(-(2.0**2) / 2), 2) == 0.41
    assert 0.5 * 1 + 0.5 * -2 == -0.5


test_two_tokens = quotes("from distance $1$ three layers leave about $10^{-8}$")(
    chapter.two_tokens_and_the_cube
)


@quotes("count $e^{-2}$ in place of $e^{-1/2}$ for a $\\beta$ that was $1$")
def test_the_scale_is_one_over_the_square_of_the_bandwidth():
    angle = 2 * np.arcsin(0.5)  # of two unit vectors at distance 1
    keys = np.array([[1.0, 0.0], [np.cos(angle), np.sin(angle)]])
    assert np.linalg.norm(keys[0] - keys[1]) == pytest.approx(1)
    for beta, count in ((1.0, np.exp(-0.5)), (4.0, np.exp(-2))):
        near, far = attention_weights(keys[:1], keys, scale=beta)[0]
        assert far / near == pytest.approx(count)


@quotes("the training error is below $10^{-40}$, and left out, the mean squared error is $1$")
def test_the_training_error():
    keys, values = np.array([0.0, 1.0, 2.0]), np.array([0.0, 1.0, 0.0])
    assert mistake("nw-leave-one-out", "the training error")(keys, values, [0.1])[0] < 1e-40
    assert left_out(keys, values, 0.1) == pytest.approx(1)


@quotes("Their answer is smaller, and the error is not $0$")
def test_a_forgotten_denominator():
    wrong = mistake("nw-leave-one-out", "the key's own weight left in the denominator")
    assert wrong(np.array([0.0, 1.0, 2.0]), np.ones(3), [1.0])[0] > 0.1


@quotes("this head answers $\\frac12$ everywhere")
def test_an_intercept_in_every_value():
    wrong = mistake("nw-compile", "b added to every value")
    S, gamma = np.array([[0.3, -0.2]]), 1.5
    keys, values = wrong(S, np.array([1.0]), -0.5, gamma)
    points = np.random.default_rng(0).normal(size=(9, 2))
    queries = np.column_stack([points, (points**2).sum(axis=1), np.ones(9)])
    assert np.allclose(attention_weights(queries, keys) @ values, 0.5)
    machine = np.exp(-gamma * ((points - S) ** 2).sum(axis=1)) - 0.5
    assert machine.min() < 0


@quotes("in the plane, where $d_k=4$, half of the $\\gamma$")
def test_the_customary_scale():
    keys, _ = mistake("nw-compile", "keys for the scale 1")(
        np.array([[0.3, -0.2]]), np.array([1.0]), 0.0, 2.0
    )
    points = np.random.default_rng(0).normal(size=(9, 2))
    queries = np.column_stack([points, (points**2).sum(axis=1), np.ones(9)])
    weights = attention_weights(queries, keys)
    squares = ((points - [0.3, -0.2]) ** 2).sum(axis=1)
    assert np.allclose(weights[:, 0] / weights[:, 1], np.exp(-1.0 * squares))
