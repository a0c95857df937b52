"""What the plan of a session on kernels says: numbers, and mistakes where they show."""

import numpy as np

from margins_book.page.mistakes import mistake
from margins_book.page.quotes import quotes


def texts(cosine):
    return np.array([[1, cosine, 0], [cosine, 1, cosine], [0, cosine, 1]])


def form(u, K):
    return np.asarray(u) @ K @ np.asarray(u)


@quotes(
    "a squared length of $-0.6$",
    "The table of the three texts passes both tests, for each text and each pair",
    "give $3-4\\cdot0.8=-0.2$",
    "the whole numbers $5$, $-7$ and $5$ do as well",
)
def test_witnesses():
    K = texts(0.9)
    assert (np.outer(np.diag(K), np.diag(K)) >= K**2).all()
    assert np.allclose([form([1, -1, 1], K), form([1, -1, 1], texts(0.8))], [-0.6, -0.2])
    assert form([1, -1, 1], texts(0.72)) > 0
    assert max(form(u, texts(0.72)) for u in ([1, -np.sqrt(2), 1], [5, -7, 5])) < 0


@quotes(
    "the product of these features is not the table",
    "features whose Gram matrix has $1.5$ everywhere",
    "Cholesky's factorisation refuses it",
    "an eigenvalue of $10^{-6}$ is thrown away as if it were zero",
)
def test_mistaken_features():
    def made(title, K):
        return mistake("ker-features", title)(K)

    passed = made("a nonnegative table passes for a Gram matrix", texts(0.9))
    assert np.abs(passed @ passed.T - texts(0.9)).max() > 0.05
    cut = made("negative eigenvalues are dropped in silence", np.array([[1.0, 2.0], [2.0, 1.0]]))
    assert np.allclose(cut @ cut.T, 1.5)
    assert made("Cholesky, which needs full rank", np.ones((2, 2))) is None
    assert made("a fixed threshold, whatever the size of the entries", 1e-6 * np.eye(2)).shape == (2, 0)


@quotes(
    "The new point $0.5$ is nearer to the square",
    "$1$ against $0$",
    "the circles are charged $9$ in place of $0$",
)
def test_mistaken_means():
    y = np.array([1.0, 1.0, -1.0])

    def label(title, x, new):
        return mistake("ker-nearest-mean", title)(np.outer(x, x), y, np.outer(x, [new]))

    x = np.array([1.0, 3.0, 0.0])
    assert abs(0.5 - x[:2].mean()) > abs(0.5 - x[2])
    assert (x[:2].mean() * 0.5, x[2] * 0.5) == (1, 0)
    assert label("the lengths of the means are forgotten", x, 0.5) == 1
    x = np.array([-3.0, 3.0, 1.0])
    assert ((x[:2] ** 2).mean(), x[:2].mean()) == (9, 0)
    assert label("the mean of the squared lengths, not the squared length of the mean", x, 0.0) == -1


@quotes("ridge regression answers $\\frac12$", "it answers $\\frac{100}{101}$")
def test_the_size_of_a_kernel():
    assert np.allclose([k / (k + 1) for k in (1, 100)], [1 / 2, 100 / 101])
