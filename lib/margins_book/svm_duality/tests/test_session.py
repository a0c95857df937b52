"""What the plan of a session on SVM duality says: numbers, and mistakes where they show."""

import numpy as np
import pytest

from margins import svm
from margins_book.page.mistakes import mistake
from margins_book.page.quotes import quotes
from margins_book.svm_duality.clouds import left_out


def column(*numbers):
    return np.array(numbers)[:, None]


@quotes(
    "such as $(2,\\,2,\\,0)$ and $(1,\\,0,\\,1)$",
    "$w=(1,\\,0)$ has no second coordinate",
    "Its multiplier is $0$, and the other two have $\\frac12$",
    "$w=(\\frac25,\\,1)$, $b=-1$, and the multipliers of the circles become $\\frac2{25}$ and $\\frac12$",
)
def test_streets_of_three_points():
    y = np.array([-1.0, 1.0, 1.0])
    for alpha in ((2, 2, 0), (1, 0, 1)):
        assert (np.dot(alpha, y), np.dot(alpha * y, [1, 2, 3])) == (0, 2)
    alpha, w, b = left_out(np.array([[-1.0, 0.0], [1.0, 0.0], [1.0, 2.0]]), y, -1)
    assert np.allclose([*w, b, *alpha], [1, 0, 0, 0.5, 0.5, 0])
    alpha, w, b = left_out(np.array([[0.0, 0.0], [5.0, 0.0], [0.0, 2.0]]), y, -1)
    assert np.allclose([*w, b, *alpha[1:]], [0.4, 1, -1, 2 / 25, 1 / 2])


@quotes(
    "each of them is classified correctly by the machine trained without it",
    "the circle at $1$ then counts as an error",
)
def test_support_vectors_that_are_no_errors():
    X, y = column(-0.5, 0.0, 1.0, 1.5), np.array([-1.0, -1.0, 1.0, 1.0])
    assert mistake("svm-leave-one-out", "the bound itself")(X, y)[1].tolist() == [1, 2]
    for i in (1, 2):
        _, w, b = left_out(X, y, i)
        assert y[i] * (X[i] @ w + b) > 0
    dropped = mistake("svm-leave-one-out", "its multiplier is dropped, but nothing is trained again")
    assert dropped(X, y)[1].tolist() == [2]


@quotes(
    "the mean is $-0.24$",
    "a margin of $0.64$",
    "from $-1.08$ to $-0.6$ is right, and the middle is $-0.84$",
    "it is $0.6$, which puts both squares on the wrong side",
)
def test_the_intercept_of_a_soft_machine():
    X, y, C = column(-1.0, 1.0, 0.2), np.array([-1.0, 1.0, -1.0]), 0.5
    fit = svm.smo(X @ X.T, y, C)
    w = (fit.alpha * y) @ X
    mean = mistake("svm-intercept", "the mean over all support vectors")(fit.alpha, X, y, C)
    first = mistake("svm-intercept", "the first support vector, even at the bound")(fit.alpha, X, y, C)
    assert (mean, first, *fit.b_interval, fit.b) == pytest.approx((-0.24, 0.6, -1.08, -0.6, -0.84))
    assert y[0] * (X[0] @ w + mean) == pytest.approx(0.64)
    assert (y * (X @ w + first))[[0, 2]].max() < 0


@quotes("least squares finds $w=0.4$, where the smaller margin is $0.4$")
def test_margins_that_all_equal_one():
    least_squares = mistake("svm-homogeneous", "least squares, all margins equal to one")
    assert least_squares(column(1.0, 3.0)) == pytest.approx(0.4)
