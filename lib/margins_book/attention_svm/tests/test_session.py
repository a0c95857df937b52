"""What the plan of a session on the attention SVM says: numbers, and mistakes where they show."""

import numpy as np
import pytest

from margins import attention_svm as att
from margins_book.page.mistakes import mistake
from margins_book.page.quotes import quotes
from tests.margins_book.samples import TWELVE

PLANE, ONE = np.eye(2), np.ones(1)
ZERO = np.zeros((2, 2))
FIRST = np.array([0])

BEST = TWELVE.optimal_tokens


def machine_of(X=TWELVE.X, Z=TWELVE.Z):
    return att.frobenius_svm(att.TokenData(X, Z, TWELVE.Y, TWELVE.v), BEST)


@quotes(
    "by step $1300$ the loss agrees with its limit",
    "more than two degrees to go",
    "After $13$ steps token 2 is ahead of token 3, and 11 is ahead of 9",
)
def test_the_riddle_and_the_first_steps():
    run = att.train(TWELVE, iterations=1300, record=[13, 1300])
    infimum = att.LOGISTIC.value(TWELVE.scores.max(axis=1)).mean()
    assert run.losses[1] == pytest.approx(infimum, abs=1e-15)
    assert np.degrees(np.arccos(att.correlation(run.W[1], machine_of().W))) > 2
    assert run.weights[0].argmax(axis=1).tolist() == [2, 5]


@quotes("Without the average its entries are $-0.27$ and $-0.13$")
def test_the_average_left_out():
    X, v = np.array([[[1.0, 0.0], [1.0, 1.0]]]), np.array([1.0, 0.0])
    found = mistake("att-slopes", "the average not subtracted")(X, PLANE[:1], ONE, v, ZERO)
    assert found[:, 0].round(2).tolist() == [-0.27, -0.13]
    assert np.allclose(att.loss_gradient(att.TokenData(X, PLANE[:1], ONE, v), ZERO), 0)


@quotes("they then pull equally, by $0.125$", "pulls with $0.0037$ and the first with $0.047$")
def test_the_slope_left_out():
    X, Y, v = np.array([[[0.0, 0], [1, 0]], [[3, 0], [4, 0]]]), np.ones(2), PLANE[0]
    found = mistake("att-slopes", "the slope of the loss left out")(X, PLANE, Y, v, ZERO)
    assert found[0].tolist() == [-0.125, -0.125]
    right = att.loss_gradient(att.TokenData(X, PLANE, Y, v), ZERO)
    assert right[0] == pytest.approx((-0.047, -0.0037), rel=0.02)


@quotes("They find $w=(1,\\,1)$, but $(1,\\,\\frac13)$ is enough")
def test_differences_that_are_normalised():
    X = np.array([[[0.0, 0], [-1, 0], [0, -3]]])
    found = mistake("att-machine", "some W with positive margins, not the shortest")(X, PLANE[:1], FIRST)
    assert np.allclose(found[:, 0], (1, 1))
    assert np.allclose(
        att.frobenius_svm(att.TokenData(X, PLANE[:1], ONE, PLANE[0]), FIRST).W[:, 0], (1, 1 / 3)
    )


@quotes("The answer is $0$, and every margin is $0$")
def test_a_matrix_where_there_is_none():
    X, Z, tokens = np.array([[[1.0], [-1.0]]] * 2), np.ones((2, 1)), np.array([0, 1])
    assert np.allclose(mistake("att-machine", "infeasible problems get an answer, too")(X, Z, tokens), 0)
    assert not att.is_feasible(att.TokenData(X, Z, [1, -1], [1]), tokens)


@quotes("the lower bound is $1$ and the upper one $2$", "both are $2$")
def test_the_norm_below_the_fraction_line():
    X, multipliers = np.array([[[1.0, 0], [0, 0]], [[0, 1], [0, 0]]]), np.array([[0.0, 1.0], [0.0, 1.0]])
    wrong = mistake("att-bounds", "the nuclear norm below the fraction line")
    assert np.allclose(wrong(X, PLANE, np.array([0, 0]), PLANE, multipliers, "nuclear"), (1, 2))
    machine = att.nuclear_svm(att.TokenData(X, PLANE, [1, 1], [1, 1]), np.array([0, 0]))
    assert np.linalg.norm(machine.W, "nuc") == pytest.approx(2)


@quotes("With the logits $0$ and $-800$ the second weight is rounded to $0$")
def test_pulls_scaled_up_afterwards():
    wrong = mistake("att-stable", "the textbook, scaled up afterwards")
    assert not wrong(np.array([0.0, -800.0]), np.array([1.0, 0.0]))[0].any()


@quotes("half of $W^{mm}$ does the same", "each multiplier becomes a quarter")
def test_doubled_queries():
    once, twice = machine_of(), machine_of(Z=2 * TWELVE.Z)
    assert np.allclose(twice.W, once.W / 2)
    assert np.allclose(twice.multipliers, once.multipliers / 4)


@quotes("for the rivals whose margin at the present $W$ is below $2$", "Done for all, it doubles $W$")
def test_midpoints():
    once, X = machine_of(), TWELVE.X
    middles = (X + X[[0, 1], BEST][:, None]) / 2
    for t in (0, 1, 2, 4, 5):  # of the circles; the squares get a copy of a rival
        longer = machine_of(np.stack([np.vstack([X[0], middles[0, t]]), np.vstack([X[1], X[1, 0]])]))
        assert np.allclose(longer.W, once.W) == (once.margins[0, t] >= 2)
    others = [np.vstack([X[i], np.delete(middles[i], BEST[i], axis=0)]) for i in (0, 1)]
    assert np.allclose(machine_of(np.stack(others)).W, 2 * once.W)
