"""What the plan of a session on nonlinear heads says: numbers, and mistakes where they show."""

import numpy as np
import pytest

from margins.attention_svm import TokenData, correlation, generalised_svm, sparsemax
from margins_book.generalised_svm.descent import descend
from margins_book.page.mistakes import mistake
from margins_book.page.quotes import quotes

FIVE = np.array([1.0, 0.8, 0.45, 0.1, -0.3])
THREE = np.array([1.0, 0.4, 0.0])
PLANE = np.array(
    [[1.3, 0.8], [0.5, -0.6], [-1.0, 0.7], [-0.7, -1.1]]
)  # of the figure, the first two are kept
SHARES = np.array([0.75, 0.25, 0.0])


def shares_of(logits):
    return np.exp(logits) / np.exp(logits).sum()


def parts_of(X, p):
    """The generalised SVM of one sequence with the query e1; tokens without a share are left out."""
    data = TokenData([X], np.eye(len(X[0]))[:1], [1], np.eye(len(X[0]))[0])
    return generalised_svm(data, np.array([p]) > 0, np.array([p]))


@quotes("$W$ has the length $6.1$, then $7.3$")
def test_the_length_of_the_matrix():
    logits = np.log(descend(FIVE, 0.3, (1000, 3000)))
    lengths = np.linalg.norm(logits - logits.mean(axis=1, keepdims=True), axis=1)  # their sum stays zero
    assert lengths == pytest.approx((6.1, 7.3), abs=0.05)


@quotes(
    "earns $1.18$ with the first token and $1.03$ with half of each",
    "earns $0.9$ with the first token, and $0.85$ with half of each",
)
def test_heads_that_keep_one_token():
    first, half, v = np.array([1, 0]), np.array([0.5, 0.5]), np.array([1, 0.8])
    assert np.sinh([v @ first, v @ half]) == pytest.approx((1.18, 1.03), abs=5e-3)
    assert [v @ x - 0.1 * x @ x for x in (first, half)] == pytest.approx([0.9, 0.85])


@quotes("some token is left out for every $\\lambda$ up to $1.775$")
def test_all_tokens_share_late():
    assert sparsemax(FIVE / 3.55).min() == pytest.approx(0, abs=1e-12)
    assert sparsemax(FIVE / 3.56).min() > 0


@quotes("they let the second token in at $0.6$", "at $\\lambda=0.4$ it has the share $\\frac18$")
def test_the_factor_2():
    assert mistake("gs-curvatures", "the bounds of 2 lambda")(THREE, 2)[0] == pytest.approx(0.6)
    assert sparsemax(THREE / 0.6)[1] == pytest.approx(0)
    assert sparsemax(THREE / 0.8)[1] == pytest.approx(1 / 8)


@quotes("they let the third token in at $0.5$", "it comes in above $0.7$")
def test_the_gap_to_the_next_score():
    wrong = mistake("gs-curvatures", "the gap to the next score, not the sum of gaps")
    assert wrong(THREE, 2) == pytest.approx((0.3, 0.5))
    thirds = [sparsemax(THREE / (2 * lam))[2] for lam in (0.6, 0.7, 0.71)]
    assert thirds[:2] == pytest.approx([0, 0])
    assert thirds[2] > 0


@quotes("they find $(\\frac12,\\,0,\\,-\\frac12)$", "$3e^5$, about $445$")
def test_kept_tokens_that_do_not_stay_level():
    finite, direction = mistake("gs-parts", "the direction without the equations")(
        np.eye(3), SHARES > 0, SHARES
    )
    assert np.allclose(direction, (0.5, 0, -0.5))
    weights = np.exp(finite + 10 * direction)
    assert weights[0] / weights[1] == pytest.approx(445, abs=0.5)


@quotes("the difference is then $0.5$ and not $\\log3$, and the two tokens share as $0.62$ to $0.38$")
def test_shares_in_place_of_logarithms():
    finite, _ = mistake("gs-parts", "ratios instead of their logarithms")(np.eye(3), SHARES > 0, SHARES)
    assert finite[0] - finite[1] == pytest.approx(0.5)
    assert shares_of(finite[:2]) == pytest.approx((0.62, 0.38), abs=5e-3)


@quotes("The answer of least squares makes $0.38$, $0.33$ and $0.29$")
def test_a_finite_part_that_does_not_exist():
    X, p = np.array([[0.0, 0], [1, 0], [2, 0], [0, 1]]), np.array([0.4, 0.2, 0.4, 0])
    finite, _ = mistake("gs-parts", "shares that no vector has get the nearest ones")(X, p > 0, p)
    assert shares_of(X[:3] @ finite) == pytest.approx((0.38, 0.33, 0.29), abs=5e-3)
    assert parts_of(X, p).status == "inconsistent"


@quotes("The nearest $F+CM$ has $C=6$, but $F+3M$ has the direction of $G$")
def test_the_nearest_matrix():
    F, M = np.diag([1.0, 0.0]), np.diag([0.0, 1.0])
    G = 2 * F + 6 * M
    assert mistake("gs-coefficient", "the nearest matrix of the line")(F, M, G) == pytest.approx(6)
    assert correlation(F + 3 * M, G) == pytest.approx(1)


@quotes("the second doubles both ends", "After the third both ends are $0$")
def test_other_scores():
    def most_for_one(scores):
        """The largest lambda, of a fine grid, at which one token has all."""
        return max(lam for lam in np.arange(1, 200) / 100 if sparsemax(scores / (2 * lam)).max() > 1 - 1e-9)

    assert most_for_one(THREE) == most_for_one(THREE + 5) == 0.3
    assert most_for_one(2 * THREE) == 0.6
    assert sparsemax(np.append(THREE, 1) / 1e-6).max() == pytest.approx(0.5)


@quotes("token 3, which is $2.45$ behind, by $e^{2.45}\\approx11.6$", "the finite part turns round")
def test_the_figure_with_two_parts():
    parts, swapped = (parts_of(PLANE, p) for p in ([0.8, 0.2, 0, 0], [0.2, 0.8, 0, 0]))
    behind = (PLANE[0] - PLANE[2:]) @ parts.directional.W[:, 0]
    assert behind == pytest.approx((2.45, 1), abs=5e-3)
    assert np.exp(2.45) == pytest.approx(11.6, abs=0.05)
    assert np.allclose(swapped.finite, -parts.finite)
    assert np.allclose(swapped.directional.W, parts.directional.W)


@quotes("With the same share both parts stay", "the copy cannot be behind the token that it equals")
def test_a_copy_of_a_kept_token():
    X = np.vstack([PLANE, PLANE[0]])
    once = parts_of(PLANE, [0.6, 0.4, 0, 0])
    same, other, left_out = (parts_of(X, p) for p in ([3, 2, 0, 0, 3], [3, 2, 0, 0, 5], [6, 4, 0, 0, 0]))
    assert np.allclose(same.finite, once.finite)
    assert np.allclose(same.directional.W, once.directional.W)
    assert (other.status, left_out.status) == ("inconsistent", "infeasible")
