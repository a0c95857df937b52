"""What the plan of a seminar on ten sentences says: numbers, and mistakes where they show."""

import numpy as np
import pytest

from margins_book.errata_and_open_questions.figures import slope_size
from margins_book.page.mistakes import mistake
from margins_book.page.quotes import quotes


def cosine(a, b):
    return a @ b / np.sqrt(a @ a * (b @ b))


@quotes("It does, from $0.33$ to $0.75$", "any other weights whose second number is not $0$")
def test_a_correction_helps_any_weights():
    formula, along = np.array([1.0, 0, 0]), np.array([0.0, 1, 0])

    for weights in ([1.0, 2, 2], [0.5, -1, 3]):
        before = cosine(np.array(weights), formula)
        after = cosine(np.array(weights), formula * weights[0] + along * weights[1])
        assert before < after
        assert weights[0] != 1 or (round(before, 2), round(after, 2)) == (0.33, 0.75)


@quotes(
    "Its determinant is $-1$, so it is no Gram matrix",
    "the mean earns $1$, and each token $0$",
    "the mean earns $3.375$, and the first token $8$",
)
def test_a_mask_and_two_heads():
    assert np.linalg.det([[1, 1, 0], [1, 1, 1], [0, 1, 1]]) == pytest.approx(-1)
    assert [1 - u**2 for u in (0, 1, -1)] == [1, 0, 0]
    assert [u**3 for u in (1.5, 2, 1)] == [3.375, 8, 1]


@quotes(
    "Attention answers $0.88$", "The feature of the query cancels", "is $\\frac12$, whatever the query is"
)
def test_one_random_feature():
    keys, values = np.array([1.0, -1.0]), np.array([1, 0])
    assert (np.exp(keys) @ values / np.exp(keys).sum()).round(2) == 0.88
    drawn, normal = np.polynomial.hermite_e.hermegauss(
        80
    )  # exact for polynomials, here of an odd function plus 1/2
    for q in (1.0, -3.0):
        features = np.exp(drawn[:, None] * keys - keys**2 / 2) * np.exp(drawn * q - q**2 / 2)[:, None]
        assert normal @ (features @ values / features.sum(axis=1)) / normal.sum() == pytest.approx(0.5)
        assert np.allclose((normal @ features / normal.sum()), np.exp(q * keys))  # each is unbiased


@quotes(
    "After a hundred steps of size $1$ the wrong token still has 99 %", "After five hundred the right one"
)
def test_a_run_that_comes_back():
    lead, share = -5.0, []
    for _ in range(500):
        lead += slope_size(lead)
        share.append(1 / (1 + np.exp(-lead)))
    assert round(1 - share[99], 2) == 0.99
    assert share[-1] > 0.9


@quotes(
    "A test with $\\lVert a_1\\rVert=\\lVert a_2\\rVert=1$ passes",
    "$\\frac38>\\frac14$. With the length $\\frac12$ in place of $\\frac14$ it is called safe",
)
def test_a_length_for_its_square():
    wrong = mistake("err-traps", "lengths instead of their squares")
    assert tuple(wrong(np.array([1.0, 0]), np.array([-0.6, 0.8]))) == (False, False)
    a1, a2 = np.array([1, -0.75]), np.array([0, 0.5])
    assert -a1 @ a2 == 3 / 8 > a2 @ a2 == 1 / 4
    assert tuple(wrong(a1, a2)) == (False, False)


@quotes("It is right if the longer token happens to come first", "the limit is $4$, and this code gives $-4$")
def test_a_difference_that_does_not_turn():
    wrong = mistake("err-fading", "the difference does not turn with the winner")
    short, long, query = np.array([1.0]), np.array([2.0]), np.array([1.0])
    assert wrong(long, short, query) == (1, 4)
    assert wrong(short, long, query) == (2, -4)


@quotes("the top of the hill, which lies at $-0.30$", "or the wrong one has at most $0.58$")
def test_the_top_of_the_hill():
    leads = np.linspace(-8, 8, 16_001)
    sizes = slope_size(leads)
    top = sizes.argmax()
    assert leads[top].round(2) == -0.3
    assert 0.57 < 1 / (1 + np.exp(leads[top])) < 0.58
