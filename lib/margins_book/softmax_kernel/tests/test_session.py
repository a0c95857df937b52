"""What the plan of a session on the softmax kernel says: mistakes are made where they show."""

import numpy as np

from margins.attention import attention_weights
from margins_book.page.mistakes import mistake
from margins_book.page.quotes import quotes
from margins_book.softmax_kernel.weights import gaussian_weights

LOG2 = np.log(2)
PLANE = np.eye(2)


def table(tokens, M):
    """The table of two tokens, without the root."""
    return np.exp(tokens @ M @ tokens.T)


@quotes("with the query on key 0, key 1 gets more than three times the weight of key 0")
def test_the_nearest_key():
    keys = np.array([[0.8, 0.3], [2.0, 1.2]])  # the ratio of two weights does not depend on other keys
    soft, near = attention_weights(keys[:1], keys, scale=1.0)[0], gaussian_weights(keys[:1], keys)[0]
    assert soft[1] > 3 * soft[0]
    assert near[0] > near[1]


@quotes("the outputs are $1.47$, $0.59$ and $0.94$")
def test_columns():
    outputs = mistake("softmax-three-tokens", "shared out column by column")(np.ones(3))
    assert outputs.round(2).tolist() == [1.47, 0.59, 0.94]


@quotes("the second token then gives all of its weight to the first, instead of a half")
def test_a_negative_logit():
    wrong = mistake("softmax-three-tokens", "a negative logit counted as nothing")
    assert np.array([wrong(one) for one in np.eye(3)])[:, 1].tolist() == [1, 0, 0]


@quotes(
    "the inner product is $0$, so the kernel is $1$",
    "without $x_1x_2$ the features up to degree $2$ make $2$",
)
def test_mixed_monomials():
    features = mistake("softmax-features", "no mixed monomials")
    x, y = np.array([[1.0, 1.0]]), np.array([[1.0, -1.0]])
    assert np.allclose(features(x, 2, 1) @ features(y, 2, 1).T, 2)
    one = np.ones((1, 1))
    assert np.allclose(features(one, 20, 1) @ features(one, 20, 1).T, np.e)  # in one dimension all is well


@quotes("At $x=y=1$ the inner product comes to $1$ instead of $e$")
def test_the_prefactor():
    features, one = mistake("softmax-features", "the printed prefactor"), np.ones((1, 1))
    assert np.allclose(features(one, 20, 1) @ features(one, 20, 1).T, 1)


@quotes("give back exactly the weights that they were shown", "they find $-1.80$, $-0.80$ and $0.20$")
def test_the_logarithm_of_a_weight():
    Q, keys = np.array([[1.0], [-1.0], [2.0]]), LOG2 * np.array([[-1.0], [0.0], [1.0]])
    A = attention_weights(Q, keys, scale=1.0)
    found = mistake("softmax-reveal", "the normaliser stays in")(Q, A)
    assert (found[:, 0] / LOG2).round(2).tolist() == [-1.8, -0.8, 0.2]
    assert np.allclose(attention_weights(Q, found, scale=1.0), A)


@quotes("these have a table that a kernel may well have")
def test_equal_matrices():
    tokens = mistake("softmax-witnesses", "asks for equal matrices")(PLANE, 2 * PLANE)
    kernel = table(tokens, 2 * PLANE)
    assert np.allclose(kernel, kernel.T)
    assert np.linalg.eigvalsh(kernel)[0] > 0


@quotes("$W_K=-W_Q$ passes", "they are both $1$, while the logits of the two unit vectors differ in sign")
def test_one_half_of_the_condition():
    assert mistake("softmax-witnesses", "symmetry alone")(PLANE, -PLANE) is None
    assert np.linalg.det(table(np.array([[1.0, 0.0], [-1.0, 0.0]]), -PLANE)) < 0
    M = np.array([[1.0, 1.0], [-1.0, 1.0]])
    assert mistake("softmax-witnesses", "the eigenvalues of the symmetric part alone")(PLANE, M.T) is None
    assert np.linalg.eigvalsh((M + M.T) / 2).tolist() == [1, 1]
    assert M[0, 1] * M[1, 0] < 0


@quotes("I multiply one row of* `A` *by 3", "the keys stay the same")
def test_a_factor_of_a_row():
    rng = np.random.default_rng(0)
    Q, keys = rng.normal(size=(5, 2)), rng.normal(size=(4, 2))
    A = attention_weights(Q, keys - keys.mean(axis=0))
    A[1] *= 3
    logits = np.log(A) - np.log(A).mean(axis=1, keepdims=True)  # as the solution has it
    assert np.allclose(np.sqrt(2) * np.linalg.lstsq(Q, logits)[0].T, keys - keys.mean(axis=0))


@quotes("The bars stay", "The strokes change")
def test_a_shift_of_the_keys():
    keys = np.array([[0.8, 0.3], [2.0, 1.2], [-0.5, 1.4]])
    moved = keys + np.array([1, 0])
    assert np.allclose(*(attention_weights(keys[:1], k, scale=1.0) for k in (keys, moved)))
    assert not np.allclose(gaussian_weights(keys[:1], keys), gaussian_weights(keys[:1], moved))


@quotes("A threshold that is a fixed number, such as $10^{-6}$, then sees no difference from a kernel")
def test_a_threshold():
    wrong = mistake("softmax-witnesses", "a threshold that does not know the size of the matrix")
    M = np.array([[0.0, 1.0], [-1.0, -1.0]])  # neither symmetric nor without negative eigenvalues
    assert wrong(PLANE, M.T) is not None
    assert wrong(PLANE, 1e-9 * M.T) is None
