"""What the plan of a session on local optima says: numbers, and mistakes where they show."""

import numpy as np
import pytest
from scipy.stats import binomtest

from margins import attention_svm as att
from margins_book.page.mistakes import mistake
from margins_book.page.quotes import quotes
from tests.margins_book.samples import SIX, TRAP

ONE = np.array([[1.0, 0.0]])
TOKENS = att.TokenData([SIX], ONE, [1], [1, 0.4])  # A to F
LINE = att.TokenData([[[0.0], [1.0], [3.0]]], [[1.0]], [1], [1.0])
BY_HAND = att.TokenData([[[0, 0], [1, 1], [-3, 1]]], ONE, [1], [-1, 2])  # the tokens O, M and B
E, O, M = (np.array([k]) for k in (4, 0, 1))
WRONG = np.array([1, 0])


def told(label, data, tokens, scores=None):
    """What a wrong answer says of a choice, given its solution."""
    W = att.frobenius_svm(data, tokens).W
    scores = data.scores if scores is None else scores
    return mistake("lo-locally-optimal", label)(data.X, data.Z, scores, tokens, W)


def lowest(third):
    """The R at which the output on the line is lowest, for c = 1.2."""
    R = np.linspace(0, 6, 60_001)
    far = (third - 1.2) * np.exp(-3 * R)
    return R[((far - 0.2 * np.exp(-R)) / (1 + np.exp(-R) + np.exp(-3 * R))).argmin()]


@quotes("At $R=3$ it is $0.186\\,e^{-3}$ below")
def test_the_output_on_the_line():
    near, far = np.exp(-3), np.exp(-9)
    output = (1.2 + near + 3 * far) / (1 + near + far)
    assert (1.2 - output) / near == pytest.approx(0.186, abs=5e-4)


@quotes(
    "the leads are $-11.25$ and $3.75$",
    "descent from $(1.5,\\,3)$ ends with sequence 1 at its wrong token",
)
def test_the_trap():
    assert (TRAP.X[:, 0] @ [1.5, 3]).tolist() == [-11.25, 3.75]
    assert att.query_separator(TRAP) is not None
    run = att.train(TRAP, np.array([[1.5, 0], [3, 0]]), iterations=1000, record=1)
    assert run.tokens.tolist() == WRONG.tolist()


@quotes("Its neighbours are B and D, and E scores more than both", "is $1.56$ behind")
def test_a_token_that_does_not_beat_all_others():
    assert not told("better than all other tokens", TOKENS, E)
    judged = att.judged_choice(TOKENS, E)
    assert judged.verdict == "spurious"
    assert np.flatnonzero(judged.solution.support[0]).tolist() == [1, 3]
    assert judged.solution.margins[0, 0] == pytest.approx(1.56, abs=5e-3)


@quotes("the best token of sequence 1 is $3$ behind", "the choice is spurious; they call it unstable")
def test_a_nearest_token_that_is_no_neighbour():
    assert not told("the nearest token of every sequence counts as a neighbour", TRAP, WRONG)
    judged = att.judged_choice(TRAP, WRONG)
    assert judged.verdict == "spurious"
    assert judged.solution.margins[0, 0] == pytest.approx(3)


@quotes("List them as $0$, $3$ and $1$, with the scores $1.2$, $3$ and $1$")
def test_the_tokens_beside_it_in_the_text():
    label, scores = "better than the tokens at the next positions", np.array([[1.2, 1.0, 3.0]])
    assert told(label, LINE, O, scores)
    turned = [0, 2, 1]
    listed = att.TokenData(LINE.X[:, turned], LINE.Z, LINE.Y, LINE.v)
    assert not told(label, listed, O, scores[:, turned])
    assert np.flatnonzero(att.frobenius_svm(listed, O).support[0]).tolist() == [2]


@quotes("no margin is at most $1$, so there are no neighbours, and the unstable token passes")
def test_margins_compared_exactly():
    W = att.frobenius_svm(BY_HAND, O).W * (1 + 1e-10)
    exact = mistake("lo-locally-optimal", "margins compared exactly")
    assert exact(BY_HAND.X, BY_HAND.Z, BY_HAND.scores, O, W)
    assert att.judged_choice(BY_HAND, O).verdict == "unstable"


@quotes(
    "it has a negative multiplier",
    "The shortest $w$ leaves $B$ behind by $2$",
)
def test_the_signs_of_the_multipliers():
    wrong = mistake("lo-all-support", "all margins can be 1, whatever the signs of the multipliers")
    assert wrong(BY_HAND.X, BY_HAND.Z, M)
    to_O, to_B = BY_HAND.X[0, 1] - BY_HAND.X[0, [0, 2]]
    gram = np.array([[to_O @ to_O, to_O @ to_B], [to_O @ to_B, to_B @ to_B]])
    assert np.linalg.solve(gram, np.ones(2)).min() < 0
    assert att.frobenius_svm(BY_HAND, M).margins[0, 2] == pytest.approx(2)


@quotes("Together they share one $W$, and the second has the margin $3$")
def test_each_sequence_alone():
    X, Z, tokens = np.array([[[1.0, 0], [0, 0]]] * 2), np.array([[1.0, 0], [3, 0]]), np.array([0, 0])
    assert mistake("lo-all-support", "every sequence judged alone")(X, Z, tokens)
    margins = att.frobenius_svm(att.TokenData(X, Z, [1, 1], [1, 0]), tokens).margins
    assert margins[:, 1] == pytest.approx((1, 3))


@quotes(
    "At $10$ of $20$ the normal approximation differs from the exact interval by $0.01$ at each end",
    "At $20$ of $20$ its width is zero",
    "The exact interval begins at $0.83$",
)
def test_twenty_of_twenty():
    exact = binomtest(10, 20).proportion_ci(0.95)
    half = mistake("lo-interval", "the normal approximation")(10, 20, 0.95)
    assert (half[0] - exact.low, exact.high - half[1]) == pytest.approx((0.01, 0.01), abs=2e-3)
    assert mistake("lo-interval", "the normal approximation")(20, 20, 0.95) == (1, 1)
    p = 0.83  # 20 hits in 20 have the probability p ** 20
    assert (p - 0.005) ** 20 < 0.025 < (p + 0.005) ** 20


@quotes("For every choice it returns `True`")
def test_twice_the_solution():
    for judged in att.all_choices(TOKENS):
        if judged.solution.feasible:
            margins = att.token_margins(TOKENS, judged.tokens, 2 * judged.solution.W)
            assert np.delete(margins[0], judged.tokens).min() > 1.9


@quotes("with $30$ in place of $3$, from $R=1.71$ to $3.05$")
def test_a_higher_score_farther_behind():
    assert (lowest(3), lowest(30)) == pytest.approx((1.71, 3.05), abs=5e-3)


@quotes("both are $1$; append $(0.99,\\,5)$, and the bound is $0.01$ and the margin $0.98$")
def test_a_token_just_below_the_best():
    v = np.array([1.0, 0.0])

    def bound_and_margin(tokens, head=v):
        data = att.TokenData([tokens], ONE, [1], head)
        gap = np.diff(np.sort(data.scores[0])[-2:])[0] / np.linalg.norm(head)  # the query has length 1
        return gap, 1 / np.linalg.norm(att.frobenius_svm(data, data.optimal_tokens).W)

    two = [[1.0, 0.0], [0.0, 0.0]]
    assert bound_and_margin(two) == pytest.approx((1, 1))
    three = [*two, [0.99, 5.0]]
    assert bound_and_margin(three) == pytest.approx((0.01, 0.98), abs=2e-3)
    assert bound_and_margin(three, 10 * v) == pytest.approx(bound_and_margin(three))
