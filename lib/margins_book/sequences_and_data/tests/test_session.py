"""What the plan of a session on sequences and data says: numbers, and mistakes where they show."""

import numpy as np

from margins import attention_svm as att
from margins_book.page.mistakes import mistake
from margins_book.page.quotes import quotes
from margins_book.sequences_and_data.figures import moved, pair_labels

PLANE, CIRCLE_AND_SQUARE, HEAD = np.eye(2), np.array([1.0, -1.0]), np.array([1.0, 2.0])


def gradient(X, Y, v, W):
    return att.loss_gradient(att.causal_data(X[None], Y[None], v), W)


def causal_mistake(title):
    return mistake("sd-causal-gradient", title)


@quotes("they are $0.6$, $0.2$ and $-0.2$")
def test_momentary_scores():
    assert np.allclose(np.array([[3, 1], [1, 5], [-1, 4]]) @ [0.2, 0], [0.6, 0.2, -0.2])


@quotes(
    "they say $3\\langle(-6,\\,3),\\,w\\rangle\\ge1$ and $2\\langle(4,\\,-2),\\,w\\rangle\\ge1$",
    "The queries are $(3,\\,0)$ and $(2,\\,0)$",
)
def test_opposite_demands():
    X = np.array([[[-3, 3], [3, 0], [-1, 1]], [[-2, 2], [2, 0], [3, 3.0]]])
    assert X[:, 1].tolist() == [[3, 0], [2, 0]]
    best = att.causal_data(X, [[-1, -1, -1], [-1, 1, 1]], [1, 0]).optimal_tokens.reshape(2, 3)[:, 1]
    assert [(X[i, k] - X[i, 1 - k]).tolist() for i, k in enumerate(best)] == [[-6, 3], [4, -2]]


@quotes(
    "position 1 then chooses token 2, which it cannot see",
    "so it chooses token 1; with the labels of the seen tokens it chooses itself",
    "the second one's best token is itself, and this code says token 1",
    "With $0$ the result depends on what I add",
)
def test_mistakes_with_prefixes():
    for title, values, labels, position, token in (
        ("hidden tokens have score 0", [-1, -2], [1, 1], 0, 1),
        ("the label of the token that is seen", [2, 1], [-1, 1], 1, 1),
        ("no mask", [2, 1], [-1, 1], 1, 0),  # the last position sees all tokens
        ("the token itself is hidden", [1, 2], [1, 1], 1, 0),
        ("no mask", [1, 2], [1, 1], 1, 1),
        ("hidden tokens have score 0", [1 + 3, 2 + 3], [1, 1], 0, 0),
        ("hidden tokens have score 0", [1 - 3, 2 - 3], [1, 1], 0, 1),
    ):
        assert mistake("sd-prefix-best", title)(np.array(values), np.array(labels))[position] == token


@quotes(
    "For two tokens the gradient becomes twice as long",
    "The sum in place of the mean is hidden in the same way",
)
def test_another_divisor():
    W = np.array([[1.0, 2.0], [0.0, 1.0]])
    right = gradient(PLANE, CIRCLE_AND_SQUARE, HEAD, W)
    for title in ("the mean over the positions that have a choice", "a sum instead of a mean"):
        assert np.allclose(causal_mistake(title)(PLANE, CIRCLE_AND_SQUARE, HEAD, W), 2 * right)


@quotes("A test with two tokens cannot show it", "the two columns of this gradient are equal")
def test_all_ask_with_the_last_token():
    wrong, W = causal_mistake("every position asks with the last token"), np.zeros((2, 2))
    right = gradient(PLANE, CIRCLE_AND_SQUARE, HEAD, W)
    assert np.allclose(wrong(PLANE, CIRCLE_AND_SQUARE, HEAD, W), right)
    three, labels = np.vstack([PLANE, [1, 1]]), np.array([1.0, -1, 1])
    assert np.ptp(wrong(three, labels, HEAD, W), axis=1).max() < 1e-12
    assert np.ptp(gradient(three, labels, HEAD, W), axis=1).max() > 0.01


@quotes("A test at $W=0$", "is $0.077$, and this code gives $0.084$")
def test_a_transposed_matrix():
    wrong = causal_mistake("W transposed in the logits")
    start, W = np.zeros((2, 2)), np.array([[1.0, 2.0], [0.0, 1.0]])
    there, here = ([f(PLANE, CIRCLE_AND_SQUARE, HEAD, V) for f in (gradient, wrong)] for V in (start, W))
    assert np.allclose(*there)
    assert [round(one[1, 1], 3) for one in here] == [0.077, 0.084]


@quotes(
    "They are token 2 of the circles and token 2 of the squares",
    "Without the circle's question there is a causal machine again, without the square's there is not",
    "the questions of both tokens 3 are needed for the contradiction",
)
def test_a_suspect_and_a_culprit():
    X = moved((0.9, 1.5))
    full, causal = (reduced(X, pair_labels, [1, 0]) for reduced in (att.sequence_data, att.causal_data))
    asks = causal.allowed.sum(axis=1) > 1
    assert np.flatnonzero(asks & (full.optimal_tokens != causal.optimal_tokens)).tolist() == [1, 4]
    assert att.frobenius_svm(full, full.optimal_tokens).feasible
    back = []
    for left_out in range(6):
        kept = np.arange(6) != left_out
        rest = att.TokenData(causal.X[kept], causal.Z[kept], causal.Y[kept], causal.v, causal.allowed[kept])
        back.append(att.frobenius_svm(rest, rest.optimal_tokens).feasible)
    assert back == [False, True, True, False, False, True]


@quotes("six times the new gradient less five times the old one is the new term")
def test_a_sixth_token():
    rng = np.random.default_rng(0)
    X, W, v = rng.normal(size=(6, 3)), rng.normal(size=(3, 3)), rng.normal(size=3)
    Y = rng.choice([-1.0, 1.0], 6)
    last = gradient(X, Y, v, W) * 6 - gradient(X[:5], Y[:5], v, W) * 5
    alone = att.TokenData(X[None], X[-1:], Y[-1:], v)
    assert np.allclose(last, att.loss_gradient(alone, W))
