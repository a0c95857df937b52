"""What the plan of a seminar on ten sentences says: numbers, and mistakes where they show."""

import numpy as np
import pytest

from margins.attention import attention_weights
from margins_book.errata_and_open_questions.figures import slope_size
from margins_book.page.mistakes import mistake
from margins_book.page.quotes import quotes
from margins_book.softmax_kernel.weights import gaussian_weights


def cosine(a, b):
    return a @ b / np.sqrt(a @ a * (b @ b))


@quotes("It does, from $0.33$ to $0.75$", "any other weights whose second number is not $0$")
def test_a_correction_helps_any_weights():
    formula, along = np.array([1.0, 0, 0]), np.array([0.0, 1, 0])

    def both(weights):
        return cosine(weights, formula), cosine(weights, formula * weights[0] + along * weights[1])

    assert np.round(both(np.array([1.0, 2, 2])), 2).tolist() == [0.33, 0.75]
    for weights in np.random.default_rng(0).normal(size=(20, 3)):
        before, after = both(weights)
        assert after > before


@quotes("they cancel in pairs")
def test_the_four_terms():
    K, Q, G = np.random.default_rng(1).normal(size=(3, 4, 4))
    moved_K, moved_Q = -G @ Q, -G.T @ K
    terms = K.T @ moved_K, moved_K.T @ K, -Q.T @ moved_Q, -moved_Q.T @ Q
    assert np.allclose(terms[0], -terms[3])
    assert np.allclose(terms[1], -terms[2])


@quotes("Its determinant is $-1$, so it is no Gram matrix")
def test_a_mask_is_no_kernel():
    window = np.abs(np.subtract.outer(range(3), range(3))) <= 1
    assert window.tolist() == [[1, 1, 0], [1, 1, 1], [0, 1, 1]]
    assert np.linalg.det(window.astype(float)) == pytest.approx(-1)


@quotes("the mean earns $1$, and each token $0$", "the mean earns $3.375$, and the first token $8$")
def test_heads_that_mix_and_that_do_not():
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
    for angle in np.radians([30, 100, 179]):
        rows = np.array([[1.0, 0.0], [np.cos(angle), np.sin(angle)]])
        assert tuple(wrong(*rows)) == (False, False)  # minus the inner product is below 1
    a1, a2 = np.array([1, -0.75]), np.array([0, 0.5])
    assert -a1 @ a2 == 3 / 8 > a2 @ a2 == 1 / 4
    assert tuple(wrong(a1, a2)) == (False, False)


@quotes("It is right if the longer token happens to come first", "the limit is $4$, and this code gives $-4$")
def test_a_difference_that_does_not_turn():
    wrong = mistake("err-fading", "the difference does not turn with the winner")
    short, long, query = np.array([1.0]), np.array([2.0]), np.array([1.0])
    assert wrong(long, short, query) == (1, 4)
    assert wrong(short, long, query) == (2, -4)


@quotes("The bars stay", "The diamonds follow the distances", "So the test fails")
def test_keys_that_are_moved_together():
    query, keys = np.array([[1.0, 0.4]]), np.array([[0.0, -1.0], [-0.6, 0.8], [0.8, 0.6]])
    bars, diamonds = (
        [rule(query, moved) for moved in (keys, keys + np.array([0, 1]))]
        for rule in (lambda q, k: attention_weights(q, k, scale=1.0), gaussian_weights)
    )
    assert np.allclose(*bars)
    assert np.allclose(bars[0], diamonds[0])
    assert np.abs(bars[1] - diamonds[1]).max() > 0.2


@quotes("the top of the hill, which lies at $-0.30$", "or the wrong one has at most $0.58$")
def test_the_top_of_the_hill():
    leads = np.linspace(-8, 8, 16_001)
    sizes = slope_size(leads)
    top = sizes.argmax()
    assert leads[top].round(2) == -0.3
    assert 0.57 < 1 / (1 + np.exp(leads[top])) < 0.58
    assert (np.diff(sizes[: top + 1]) > 0).all()
    assert (np.diff(sizes[top:]) < 0).all()
