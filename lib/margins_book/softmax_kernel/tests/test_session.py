"""What the plan of a session on the softmax kernel says: numbers, and mistakes where they show."""

import numpy as np

from margins.attention import attention_weights
from margins_book.page.mistakes import mistake
from margins_book.page.quotes import quotes

PLANE, ONE = np.eye(2), np.ones((1, 1))


def table(tokens, M):
    """The table of two tokens, without the root."""
    return np.exp(tokens @ M @ tokens.T)


@quotes("with the query on key 0, key 1 gets more than three times the weight of key 0", "The bars stay")
def test_the_nearest_key_and_a_shift_of_the_keys():
    keys = np.array([[0.8, 0.3], [2.0, 1.2]])  # the ratio of two weights does not depend on other keys
    near, far = attention_weights(keys[:1], keys, scale=1.0)[0]
    assert far > 3 * near
    assert np.allclose(attention_weights(keys[:1], keys + np.ones(2), scale=1.0), [near, far])


@quotes(
    "the outputs are $1.47$, $0.59$ and $0.94$",
    "the second token then gives all of its weight to the first, instead of a half",
)
def test_mistaken_weights_of_three_tokens():
    outputs = mistake("softmax-three-tokens", "shared out column by column")(np.ones(3))
    assert outputs.round(2).tolist() == [1.47, 0.59, 0.94]
    wrong = mistake("softmax-three-tokens", "a negative logit counted as nothing")
    assert np.array([wrong(one) for one in np.eye(3)])[:, 1].tolist() == [1, 0, 0]


@quotes(
    "the inner product is $0$, so the kernel is $1$",
    "without $x_1x_2$ the features up to degree $2$ make $2$",
    "At $x=y=1$ the inner product comes to $1$ instead of $e$",
)
def test_mistaken_features():
    mixed, prefactor = (
        mistake("softmax-features", title) for title in ("no mixed monomials", "the printed prefactor")
    )
    x, y = np.array([[1.0, 1.0]]), np.array([[1.0, -1.0]])
    assert np.allclose(mixed(x, 2, 1) @ mixed(y, 2, 1).T, 2)
    for features, product in ((mixed, np.e), (prefactor, 1)):  # in one dimension the first goes well
        assert np.allclose(features(ONE, 20, 1) @ features(ONE, 20, 1).T, product)


@quotes("give back exactly the weights that they were shown", "they find $-1.80$, $-0.80$ and $0.20$")
def test_the_logarithm_of_a_weight():
    Q, keys = np.array([[1.0], [-1.0], [2.0]]), np.log(2) * np.array([[-1.0], [0.0], [1.0]])
    A = attention_weights(Q, keys, scale=1.0)
    found = mistake("softmax-reveal", "the normaliser stays in")(Q, A)
    assert (found[:, 0] / np.log(2)).round(2).tolist() == [-1.8, -0.8, 0.2]
    assert np.allclose(attention_weights(Q, found, scale=1.0), A)


@quotes(
    "these have a table that a kernel may well have",
    "$W_K=-W_Q$ passes",
    "they are both $1$, while the logits of the two unit vectors differ in sign",
    "A threshold that is a fixed number, such as $10^{-6}$, then sees no difference from a kernel",
)
def test_mistaken_witnesses():
    def found(title, W_K):
        return mistake("softmax-witnesses", title)(PLANE, W_K)

    assert found("asks for equal matrices", 2 * PLANE) is not None
    assert found("symmetry alone", -PLANE) is None
    assert np.linalg.det(table(np.array([[1.0, 0.0], [-1.0, 0.0]]), -PLANE)) < 0
    M = np.array([[1.0, 1.0], [-1.0, 1.0]])
    assert found("the eigenvalues of the symmetric part alone", M.T) is None
    assert np.linalg.eigvalsh((M + M.T) / 2).tolist() == [1, 1]
    M = np.array([[0.0, 1.0], [-1.0, -1.0]])  # neither symmetric nor without negative eigenvalues
    sizeless = "a threshold that does not know the size of the matrix"
    assert found(sizeless, M.T) is not None
    assert found(sizeless, 1e-9 * M.T) is None
