"""What the story of the chapter on local optima says about numbers: each test quotes the words."""

import numpy as np
from numpy.linalg import norm
from scipy.spatial import ConvexHull

from margins import attention_svm as att
from margins_book.local_optima.figures import dimensions, grams_of, outcome, signed_queries
from margins_book.local_optima.region import log_excess, region_of
from margins_book.page.quotes import quotes, test_a_story_is_as_long_as_it_may_be, test_every_cell_runs  # noqa: F401

A, B, D, E = 0, 1, 3, 4


def along_ray(data, length, token=E):
    """The W of this length along the ray of a token."""
    machine = att.frobenius_svm(data, [token])
    return length * machine.margin * machine.W


def with_moved_shield(data, *place):
    """The six tokens with D moved."""
    X = data.X.copy()
    X[0, D] = place
    return att.TokenData(X, data.Z, data.Y, data.v)


@quotes("A has 1.78, the best, and E has 1.22", "a token worse than both", "They score less than E")
def test_scores_of_the_six_tokens(one):
    scores = one.scores[0]
    assert scores[[A, E]].round(2).tolist() == [1.78, 1.22]
    assert scores.argmax() == A
    assert max(scores[[B, D]]) < scores[E]


@quotes(
    "give it the length 5, and let gradient descent run, in steps of one length",
    "It runs off beside the dashed ray of E",
    "There, after ten thousand steps, the loss was 0.2587, as with all attention on E",
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
    assert (np.diff(beyond) > 0).all()
    assert max(beyond) < 0


@quotes(
    "The tokens exactly 1 behind, B and D, at the distance 1.27 along it, are the *neighbours* of E",
    "A is 1.56 times as far behind",
    "at length 5 it has 34 times as much attention, at length 3 only 8 times",
)
def test_who_is_next_behind_e(one):
    machine = att.frobenius_svm(one, [E])
    assert np.flatnonzero(machine.support[0]).tolist() == [B, D]
    assert round(machine.margin, 2) == 1.27
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
    bare = with_moved_shield(one, 0.5, 0)
    verdicts = [att.judged_choice(data, np.array([E])) for data in (one, bare)]
    assert [c.verdict for c in verdicts] == ["spurious", "unstable"]
    assert verdicts[1].solution.support[0, A]
    for start in (along_ray(one, 5), along_ray(one, 40), along_ray(bare, 40)):
        assert att.train(bare, start, iterations=1000, record=1).tokens.tolist() == [A]
    early = [
        att.train(bare, along_ray(one, length), iterations=300, record=1).tokens[0] for length in (5, 40)
    ]
    assert early == [A, E]


@quotes("for E our proof needs length 2663")
def test_where_the_region_of_e_begins(one):
    region = region_of(one, np.array([E]))
    assert [region.contains(r, 0) for r in (2662, 2663)] == [False, True]


@quotes(r"\mathcal L(r\,w_{\mathrm E})-\mathcal L_{\mathrm E}\;\approx\;C\,e^{-r},\qquad C>0")
def test_the_loss_along_the_ray_of_e(one):
    region = region_of(one, np.array([E]))
    constants = [np.exp(log_excess(region, r / region.margin * region.direction) + r) for r in (20, 40)]
    assert np.isclose(*constants, rtol=1e-3)
    assert constants[0] > 0


def far_choices():
    """Feasible choices of random problems that are not optimal, whose other tokens have died out far away."""
    for seed in range(60):
        data = att.random_token_data(2, 3, 3, rng=np.random.default_rng(seed))
        for c in att.all_choices(data):
            others = c.solution.margins[np.isfinite(c.solution.margins) & ~c.solution.support]
            if c.solution.feasible and c.verdict != "optimal" and others.min(initial=np.inf) > 1.5:
                yield data, c


@quotes("3000 steps stayed at all 17 spurious choices of tokens that we tried and left all 232 unstable ones")
def test_who_stays_far_out():
    rng, chosen, problems, starts = np.random.default_rng(7), [], [], []
    for data, c in far_choices():
        aside = rng.normal(size=(3, 3))
        starts.append(40 * (c.solution.W * c.solution.margin + 0.01 * aside / norm(aside)))
        problems.append((data.X, data.Z / c.solution.margin, data.Y, data.v))
        chosen.append(c)
    run = att.train(
        att.TokenData(*map(np.stack, zip(*problems, strict=True))),
        np.array(starts),
        iterations=3000,
        record=1,
    )
    stays = (run.tokens == [c.tokens for c in chosen]).all(axis=1)
    spurious = np.array([c.verdict == "spurious" for c in chosen])
    assert [spurious.sum(), (~spurious).sum()] == [17, 232]
    assert stays[spurious].all()
    assert not stays[~spurious].any()


@quotes("Here each of the five corners can", "Not D. It lies inside the hull of the others")
def test_which_of_six_tokens_can_be_selected(one):
    feasible = [token for token in range(6) if att.is_feasible(one, [token])]
    assert feasible == sorted(ConvexHull(one.X[0]).vertices) == [0, 1, 2, 4, 5]


@quotes("In the picture, all queries times their labels lie on its side")
def test_the_picture_of_separable_queries():
    assert signed_queries(angle=40, label=-1)[2]["least"] > 0


@quotes(
    r"\langle x_{\mathrm{best}}-x_t,\,Wz\rangle\;=\;Y\langle u,z\rangle\,(\gamma_{\mathrm{best}}-\gamma_t)"
)
def test_the_lead_under_a_matrix_of_rank_one():
    data = att.random_token_data(3, 6, 4, rng=np.random.default_rng(0))
    u, best = att.query_separator(data), data.optimal_tokens
    gaps = data.scores[range(3), best][:, None] - data.scores
    told = (data.Y * (data.Z @ u))[:, None] * gaps
    found = att.token_margins(data, best, np.outer(data.v, u))
    others = np.arange(6) != best[:, None]
    assert np.allclose(found[others], told[others])
    assert told[others].min() > 0


def start_of(angle):
    """W with the arrow of length 4 at this angle, for the query (1, 0)."""
    return 4 * np.outer([np.cos(np.radians(angle)), np.sin(np.radians(angle))], [1, 0])


@quotes(
    "A step to the right lowers the loss, wherever you are",
    "Each of these sequences has a token that scores ½ and one that scores 0",
)
def test_a_step_to_the_right_lowers_the_loss(trap):
    assert trap.scores.tolist() == [[0.5, 0], [0.5, 0]]
    assert trap.Y.tolist() == [1, 1]
    places = np.random.default_rng(0).uniform(-12, 12, size=(200, 2))
    slopes = [att.loss_gradient(trap, np.outer(w, [1, 0]))[0, 0] for w in places]
    assert max(slopes) < 0


@quotes(
    "From this start descent runs along the blue ray to the best tokens",
    "from this start descent runs off beside the vermilion ray, with sequence 1 at its wrong token",
    "Along the blue ray the loss falls towards 0.47, along this one towards 0.58",
)
def test_where_the_trap_leads(trap):
    runs = [att.train(trap, start_of(angle), iterations=1000, record=1) for angle in (0, 175, 65)]
    assert [run.tokens.tolist() for run in runs] == [[0, 0], [1, 0], [1, 0]]
    for run, level in zip(runs, (0.47, 0.58, 0.58), strict=True):
        assert att.correlation(run.W[-1], att.frobenius_svm(trap, run.tokens).W) > 0.99
        far = att.training_loss(trap, 4 * run.W[-1])
        assert round(far, 2) == level
        assert abs(far - att.training_loss(trap, run.W[-1])) < 1e-9


@quotes(
    "the best token of sequence 1 is 13.7 behind, that of sequence 2 is 4.5 ahead",
    "Here this is 0.0000012 against 0.011",
    r"along $a_2=(\tfrac12,1)$",
    r"that difference is $a_1=(\tfrac12,-4)$",
    r"\langle a_1,a_2\rangle=\tfrac12\cdot\tfrac12-4\cdot1<0",
)
def test_who_pulls_in_the_trap(trap):
    rows = trap.X[:, 0] - trap.X[:, 1]
    leads = rows @ start_of(65)[:, 0]
    shares = 1 / (1 + np.exp(-leads))
    pulls = shares * (1 - shares)
    assert leads.round(1).tolist() == [-13.7, 4.5]
    assert rows.tolist() == [[0.5, -4], [0.5, 1]]
    assert [round(pulls[0], 7), round(pulls[1], 3)] == [0.0000012, 0.011]
    assert rows[0] @ rows[1] < 0


@quotes("of 200 random problems in 1 at $d=4$, in 97 at $d=20$, in 188 at $d=50$")
def test_how_often_all_others_are_neighbours():
    assert [(grams_of(d)[1] >= 0).all(axis=1).sum() for d in (4, 20, 50)] == [1, 97, 188]
    assert len(grams_of(50)[1]) == 200


@quotes(
    "we trained 200 random problems of each size",
    "in 46 runs in two dimensions and in 197 in forty; with fifteen sequences, in none and in 185",
    "In ten dimensions 93 % of these were right, but all fifteen at once, as drawn, in only 69 runs",
)
def test_shares_of_the_recorded_run():
    counts = [outcome(n, 5, d, "W")[0].sum() for n in (5, 15) for d in (2, 40)]
    whole, single = outcome(15, 5, 10, "W")
    assert counts == [46, 197, 0, 185]
    assert (len(whole), whole.sum(), round(single, 2)) == (200, 69, 0.93)


@quotes("Here more dimensions helped, more sequences hurt")
def test_dimensions_and_sequences():
    shares = np.array([[outcome(n, 5, d, "W")[0].mean() for d in dimensions] for n in (5, 10, 15)])
    assert (np.diff(shares, axis=1) > 0).all()
    assert (np.diff(shares, axis=0) < 0).all()
