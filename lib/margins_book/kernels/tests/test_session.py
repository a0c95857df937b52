"""What the plan of a session on kernels says: numbers, and mistakes where they show."""

from fractions import Fraction

import numpy as np

from margins_book.page.mistakes import mistake
from margins_book.page.quotes import quotes

TEXTS = np.array([[1.0, 0.9, 0.0], [0.9, 1.0, 0.9], [0.0, 0.9, 1.0]])


def form(u, K):
    return np.asarray(u) @ K @ np.asarray(u)


def texts(cosine):
    return np.array([[1, cosine, 0], [cosine, 1, cosine], [0, cosine, 1]])


@quotes("a squared length of $-0.6$", "the product of these features is not the table")
def test_a_table_without_negative_entries():
    assert np.isclose(form([1, -1, 1], TEXTS), -0.6)
    made = mistake("ker-features", "a nonnegative table passes for a Gram matrix")(TEXTS)
    assert np.abs(made @ made.T - TEXTS).max() > 0.05


@quotes("The table of the three texts passes both tests, for each text and each pair")
def test_two_points_do_not_tell():
    for i, j in ((0, 1), (0, 2), (1, 2)):
        assert TEXTS[i, j] ** 2 <= TEXTS[i, i] * TEXTS[j, j]


@quotes("features whose Gram matrix has $1.5$ everywhere")
def test_negative_eigenvalues_cut_off():
    made = mistake("ker-features", "negative eigenvalues are dropped in silence")(
        np.array([[1.0, 2.0], [2.0, 1.0]])
    )
    assert np.allclose(made @ made.T, 1.5)


@quotes("Cholesky's factorisation refuses it")
def test_cholesky():
    assert mistake("ker-features", "Cholesky, which needs full rank")(np.ones((2, 2))) is None


@quotes("an eigenvalue of $10^{-6}$ is thrown away as if it were zero")
def test_a_fixed_threshold():
    made = mistake("ker-features", "a fixed threshold, whatever the size of the entries")(1e-6 * np.eye(2))
    assert made.shape == (2, 0)


@quotes("The new point $0.5$ is nearer to the square", "$1$ against $0$")
def test_the_lengths_of_the_means():
    x, y, new = np.array([1.0, 3.0, 0.0]), np.array([1.0, 1.0, -1.0]), np.array([0.5])
    K, K_new = np.outer(x, x), np.outer(x, new)
    assert abs(new - x[:2].mean()) > abs(new - x[2])
    assert K_new[:2].mean() == 1
    assert mistake("ker-nearest-mean", "the lengths of the means are forgotten")(K, y, K_new) == 1


@quotes("the circles are charged $9$ in place of $0$")
def test_the_mean_of_the_squared_lengths():
    x, y, new = np.array([-3.0, 3.0, 1.0]), np.array([1.0, 1.0, -1.0]), np.array([0.0])
    title = "the mean of the squared lengths, not the squared length of the mean"
    assert mistake("ker-nearest-mean", title)(np.outer(x, x), y, np.outer(x, new)) == -1
    assert (x[:2] ** 2).mean() == 9


@quotes("ridge regression answers $\\frac12$", "it answers $\\frac{100}{101}$")
def test_the_size_of_a_kernel():
    answers = [Fraction(k, k + 1) for k in (1, 100)]
    assert answers == [Fraction(1, 2), Fraction(100, 101)]


@quotes("give $3-4\\cdot0.8=-0.2$", "the whole numbers $5$, $-7$ and $5$ do as well")
def test_witnesses_must_be_looked_for():
    assert np.isclose(form([1, -1, 1], texts(0.8)), -0.2)
    assert form([1, -1, 1], texts(0.72)) > 0
    assert -0.1 < form([1, -np.sqrt(2), 1], texts(0.72)) < 0
    assert form([5, -7, 5], texts(0.72)) < 0


@quotes("None: the number $5$ is one more feature")
def test_a_constant_added():
    rng = np.random.default_rng(0)
    points, new, y = rng.normal(size=(8, 2)), rng.normal(size=(30, 2)), np.repeat([1.0, -1.0], 4)

    def labels(constant):
        scores = []
        for label in (1, -1):
            of = points[y == label]
            scores.append((of @ new.T + constant).mean(axis=0) - (of @ of.T + constant).mean() / 2)
        return scores[0] >= scores[1]

    assert (labels(0) == labels(5)).all()
