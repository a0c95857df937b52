"""What the plan of a session beyond the equivalence says: numbers, and mistakes where they show."""

import numpy as np
import pytest

from margins.in_context import prompt_layers
from margins_book.beyond_the_equivalence.tests import test_text as chapter
from margins_book.page.mistakes import mistake
from margins_book.page.quotes import quotes

ONE, TWO, THREE = np.array([[1.0]]), np.array([2.0]), np.array([3.0])  # an example, its value, and the query
EXAMPLE = ONE, TWO, THREE, 0.5


def slots(X, y, x_q, eta, layers):
    """The slots of the examples and of the query, from answers of the library."""
    answers = prompt_layers(X, y, np.vstack([X, x_q]), np.full(layers, eta))[-1]
    return np.append(y, 0.0) - answers


def wrong_slots(title, layers, example=EXAMPLE):
    return mistake("by-slots", title)(*example, layers)


def risk(tasks, g_q, sigma, prior):
    """The least error of a linear learner, by its best coefficients."""
    second = (prior * tasks.T) @ tasks + sigma**2 * np.eye(tasks.shape[1])
    a = np.linalg.solve(second, tasks.T @ (prior * g_q))
    return prior @ (g_q - tasks @ a) ** 2 + sigma**2 * a @ a


test_weights_and_odds = quotes(
    "from $\\frac18$, $\\frac28$, $\\frac58$ to $\\frac14$, $\\frac24$, $\\frac14$"
)(chapter.odds_by_hand)


@quotes("with the slots $1$ and $-3$", "$\\frac12$ and $-\\frac92$", "which give $1$ and $\\frac32$")
def test_two_layers():
    assert np.allclose([slots(*EXAMPLE, layers) for layers in (1, 2)], [[1, -3], [0.5, -4.5]])
    assert [3 * w for w in (1, 1.5)] == [3, 4.5]


@quotes("two layers then give the slots $5$ and $9$")
def test_the_query_is_a_key():
    assert np.allclose(wrong_slots("the query hears itself", 1), slots(*EXAMPLE, 1))
    assert np.allclose(wrong_slots("the query hears itself", 2), [5, 9])


@quotes("The query's slot after one layer is $-\\frac32$, not $-3$")
def test_new_slots_are_read():
    wrong = wrong_slots("the examples write first, and the query reads what is new", 1)
    assert np.allclose(wrong, [1, -1.5])


@quotes("the weights are $\\frac27$, $\\frac17$ and $\\frac47$, and the answer is $\\frac{16}7$")
def test_lengths_left_out():
    said, answers, y = np.array([[1, 0], [0, 1], [1, 1]]), np.array([1, 6, 2]), np.array([1, 0.5])
    for lengths, expected in ((0, 16 / 7), (np.square(said).sum(axis=1), 12 / 5)):
        weights = 2 ** (2 * said @ y - lengths)
        assert weights @ answers / weights.sum() == pytest.approx(expected)


@quotes("Two layers of the example give $0$ and $-6$")
def test_values_in_each_layer():
    title = "always the values at first, never the residuals"
    assert np.allclose(wrong_slots(title, 1), slots(*EXAMPLE, 1))
    assert np.allclose(wrong_slots(title, 2), [0, -6])


@quotes("A test with one example cannot tell", "leaves the residuals $0$, and the mean leaves $1$")
def test_a_mean_for_a_sum():
    title = "the mean over the examples instead of the sum"
    assert np.allclose(wrong_slots(title, 3), slots(*EXAMPLE, 3))
    twice = np.ones((2, 1)), np.full(2, 2.0), THREE, 0.5
    assert np.allclose(slots(*twice, 1)[:2], 0)
    assert np.allclose(wrong_slots(title, 1, twice)[:2], 1)


@quotes("the error is said to be $0$. Without an intercept it is $\\frac12$")
def test_means_subtracted():
    wrong = mistake("by-linear-risk", "means subtracted, as with an intercept")
    opposite = np.array([[1.0], [-1.0]]), np.array([1.0, -1.0]), 0.7, np.full(2, 0.5)
    assert wrong(*opposite) == pytest.approx(risk(*opposite))
    alike = np.ones((2, 1)), np.ones(2), 1.0, np.full(2, 0.5)
    assert (wrong(*alike), risk(*alike)) == pytest.approx((0, 0.5))


@quotes("it comes to $\\frac14$. By {eq}`by-linear` it is $\\frac12$")
def test_noise_in_the_answer():
    title = "the coefficients are right, but the noise in the answer is forgotten"
    opposite = np.array([[1.0], [-1.0]]), np.array([1.0, -1.0]), 1.0, np.full(2, 0.5)
    assert (mistake("by-linear-risk", title)(*opposite), risk(*opposite)) == pytest.approx((0.25, 0.5))


@quotes("where $S$ grows by a hundred and $c$ by ten", "a `sigma` that is not squared would show")
def test_other_units():
    rng = np.random.default_rng(1)
    tasks, g_q, prior = rng.normal(size=(3, 2)), rng.normal(size=3), np.array([0.5, 0.3, 0.2])
    assert risk(10 * tasks, g_q, 10 * 0.7, prior) == pytest.approx(risk(tasks, g_q, 0.7, prior))
    wrong = mistake("by-linear-risk", "the noise is not squared")
    assert abs(wrong(10 * tasks, g_q, 7.0, prior) / wrong(tasks, g_q, 0.7, prior) - 1) > 0.05
