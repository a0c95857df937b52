"""What the plan of a session on SVM duality says: numbers, and mistakes where they show."""

import numpy as np
import pytest

from margins import svm
from margins_book.page.mistakes import mistake
from margins_book.page.quotes import quotes


def column(*numbers):
    return np.array(numbers)[:, None]


def solved(X, y, C=np.inf):
    fit = svm.smo(X @ X.T, y, C)
    return fit, (fit.alpha * y) @ X


@quotes("such as $(2,\\,2,\\,0)$ and $(1,\\,0,\\,1)$")
def test_two_answers_balance_and_make_w():
    X, y = np.array([1.0, 2.0, 3.0]), np.array([-1, 1, 1])
    for alpha in ((2, 2, 0), (1, 0, 1)):
        assert np.dot(alpha, y) == 0
        assert (alpha * y) @ X == 2


@quotes("$w=(1,\\,0)$ has no second coordinate", "Its multiplier is $0$, and the other two have $\\frac12$")
def test_a_point_on_its_kerb():
    X, y = np.array([[-1.0, 0.0], [1.0, 0.0], [1.0, 2.0]]), np.array([-1.0, 1.0, 1.0])
    fit, w = solved(X, y)
    assert np.allclose(w, (1, 0))
    assert np.allclose(fit.alpha, (0.5, 0.5, 0))
    assert np.isclose(X[2] @ w + fit.b, 1)


@quotes(
    "each of them is classified correctly by the machine trained without it",
    "the circle at $1$ then counts as an error",
)
def test_support_vectors_that_are_no_errors():
    X, y = column(-0.5, 0.0, 1.0, 1.5), np.array([-1.0, -1.0, 1.0, 1.0])
    assert mistake("svm-leave-one-out", "the bound itself")(X, y)[1].tolist() == [1, 2]
    for i in (1, 2):
        fit, w = solved(np.delete(X, i, axis=0), np.delete(y, i))
        assert y[i] * (X[i] @ w + fit.b) > 0
    dropped = mistake("svm-leave-one-out", "its multiplier is dropped, but nothing is trained again")
    assert dropped(X, y)[1].tolist() == [2]
    fit, w = solved(X, y)
    assert np.isclose(X[2] @ w + fit.b, 1)
    assert np.isclose(fit.alpha[2] * X[2] @ X[2], 2)


@quotes(
    "the mean is $-0.24$",
    "a margin of $0.64$",
    "from $-1.08$ to $-0.6$ is right, and the middle is $-0.84$",
    "it is $0.6$, which puts both squares on the wrong side",
)
def test_the_intercept_of_a_soft_machine():
    X, y, C = column(-1.0, 1.0, 0.2), np.array([-1.0, 1.0, -1.0]), 0.5
    fit, w = solved(X, y, C)
    assert np.allclose(fit.alpha, (0, C, C))
    mean = mistake("svm-intercept", "the mean over all support vectors")(fit.alpha, X, y, C)
    first = mistake("svm-intercept", "the first support vector, even at the bound")(fit.alpha, X, y, C)
    assert (mean, first, fit.b) == pytest.approx((-0.24, 0.6, -0.84))
    assert y[0] * (X[0] @ w + mean) == pytest.approx(0.64)

    def cost(b):
        return np.maximum(0, 1 - y * (X @ w + b)).sum()

    assert cost(-1.08) == pytest.approx(cost(-0.6)) == pytest.approx(cost(-0.84))
    assert min(cost(-1.09), cost(-0.59)) > cost(-0.84) + 1e-3
    assert (y * (X @ w + first))[[0, 2]].max() < 0


@quotes("least squares finds $w=0.4$, where the smaller margin is $0.4$")
def test_margins_that_all_equal_one():
    Z = column(1.0, 3.0)
    assert mistake("svm-homogeneous", "least squares, all margins equal to one")(Z) == pytest.approx(0.4)


@quotes("$w=(\\frac25,\\,1)$, $b=-1$, and the multipliers of the circles become $\\frac2{25}$ and $\\frac12$")
def test_a_circle_moved_along_the_axis():
    y = np.array([-1.0, 1.0, 1.0])
    fit, w = solved(np.array([[0.0, 0.0], [5.0, 0.0], [0.0, 2.0]]), y)
    assert np.allclose(w, (0.4, 1))
    assert np.isclose(fit.b, -1)
    assert np.allclose(fit.alpha[1:], (2 / 25, 1 / 2))
    for right in (0.1, 1.0, 50.0):
        assert (solved(np.array([[0.0, 0.0], [right, 0.0], [0.0, 2.0]]), y)[0].alpha > 0).all()
