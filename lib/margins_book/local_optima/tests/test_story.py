"""What the story of the chapter on local optima says about numbers: each test quotes the words."""

import numpy as np
from numpy.linalg import norm
from scipy.spatial import ConvexHull

from margins import attention_svm as att
from margins_book.local_optima.figures import grams_of, outcome
from margins_book.local_optima.region import log_excess, region_of
from margins_book.page.quotes import quotes, test_a_story_is_as_long_as_it_may_be, test_every_cell_runs  # noqa: F401

A, B, D, E = 0, 1, 3, 4


def along_ray(data, length, token=E):
    """The W of this length along the ray of a token."""
    machine = att.frobenius_svm(data, [token])
    return length * machine.margin * machine.W


def with_D_at(data, *place):
    """The six tokens with D moved."""
    X = data.X.copy()
    X[0, D] = place
    return att.TokenData(X, data.Z, data.Y, data.v)


@quotes("A has 1.78, the best, and E has 1.22", "a token worse than both", "They score less than E")
def test_scores_of_the_six_tokens(one):
    scores = one.scores[0]
    assert scores[[A, E]].round(2).tolist() == [1.78, 1.22]
    assert scores.argmax() == A and max(scores[[B, D]]) < scores[E]


@quotes(
    "at the length 5, and let gradient descent run, in steps of one length. It keeps to the dashed ray of E",
    "After ten thousand steps the loss was 0.2587, as with all attention on E",
    "With all attention on A it would be 0.1558",
    "Along A, as here, or along E from length 3, descent ended at A; along E from length 5, at E",
)
def test_where_descent_ends(one):
    ends = [
        att.train(one, along_ray(one, length, token), iterations=10_000, record=1)
        for length, token in ((5, E), (3, E), (5, A))
    ]
    assert [run.tokens.tolist() for run in ends] == [[E], [A], [A]]
    levels = np.log1p(np.exp(-one.scores[0, [E, A]])).round(4)
    assert levels.tolist() == [0.2587, 0.1558]
    assert [round(att.training_loss(one, run.W[-1]), 4) for run in ends[:2]] == levels.tolist()
    assert att.correlation(ends[0].W[-1], along_ray(one, 1)) > 0.9999


@quotes(
    "with the scores 1.2, 1 and 3",
    "lowest at $R=1.71$",
    r"\frac{-0.2\,e^{-R}+1.8\,e^{-3R}}{1+e^{-R}+e^{-3R}}",
)
def test_three_tokens_on_a_line():
    def above(R):
        weights = np.exp([0, -R, -3 * R])
        told = (-0.2 * weights[1] + 1.8 * weights[2]) / weights.sum()
        assert np.isclose(weights @ [1.2, 1, 3] / weights.sum() - 1.2, told)
        return told

    assert above(1.70) > above(1.71) < above(1.72)
    beyond = [above(R) for R in np.arange(1.75, 12, 0.25)]
    assert (np.diff(beyond) > 0).all() and max(beyond) < 0


@quotes(
    "The tokens exactly 1 behind, B and D, are the *neighbours* of E",
    "A is 1.56 times as far behind",
    "at length 5 it has 34 times as much attention, at length 3 only 8 times",
)
def test_who_is_next_behind_e(one):
    machine = att.frobenius_svm(one, [E])
    assert np.flatnonzero(machine.support[0]).tolist() == [B, D]
    assert round(machine.margins[0, A], 2) == 1.56
    weights = [att.softmax_weights(one, along_ray(one, length))[0] for length in (5, 3)]
    assert [round(s[D] / s[A]) for s in weights] == [34, 8]


@quotes("if the arrow turns, one of them comes nearer")
def test_whatever_turns_brings_a_neighbour_nearer(one):
    turned = [[np.cos(a), np.sin(a)] for a in np.radians(range(360))]
    leads = np.array([att.token_margins(one, [E], np.outer(w, [1, 0]))[0, [B, D]] for w in turned])
    assert leads.min(axis=1).max() < att.frobenius_svm(one, [E]).margin + 1e-9


@quotes(
    "Now A is exactly 1 behind, a neighbour that scores more",
    "descent from the start that led to E goes to A",
    "From length 40 it does so too, only later",
    "E, once spurious, is now unstable",
)
def test_without_its_shield(one):
    bare = with_D_at(one, 0.5, 0)
    verdicts = [att.judged_choice(data, np.array([E])) for data in (one, bare)]
    assert [c.verdict for c in verdicts] == ["spurious", "unstable"]
    assert verdicts[1].solution.support[0, A]
    for start in (along_ray(one, 5), along_ray(one, 40), along_ray(bare, 40)):
        assert att.train(bare, start, iterations=1000, record=1).tokens.tolist() == [A]
    early = [att.train(bare, along_ray(one, length), iterations=300, record=1).tokens[0] for length in (5, 40)]
    assert early == [A, E]


@quotes("for E our proof needs length 2663")
def test_where_the_region_of_e_begins(one):
    region = region_of(one, np.array([E]))
    assert [region.contains(r, 0) for r in (2662, 2663)] == [False, True]


@quotes(r"\mathcal L(r\,w_{\mathrm E})-\mathcal L_{\mathrm E}\;\approx\;C\,e^{-r},\qquad C>0")
def test_the_loss_along_the_ray_of_e(one):
    region, machine = region_of(one, np.array([E])), att.frobenius_svm(one, [E])
    constants = [np.exp(log_excess(region, r * machine.W.ravel()[region_axes(region, machine)]) + r) for r in (20, 40)]
    assert np.isclose(*constants, rtol=1e-3) and constants[0] > 0
