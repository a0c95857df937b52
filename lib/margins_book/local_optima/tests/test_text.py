"""The numbers in the chapter on local optima and in its story: each test quotes the words."""

import numpy as np
from numpy.linalg import norm
from scipy.stats import fisher_exact

from margins import attention_svm as att
from margins_book.experiments.recorded import recorded
from margins_book.local_optima.counting import interval
from margins_book.local_optima.figures import dimensions, grams_of, outcome, sizes
from margins_book.local_optima.region import log_excess
from margins_book.page.quotes import quotes, test_every_cell_runs, test_the_page_says_what_its_figures_expect  # noqa: F401
from tests.margins_book.samples import TWELVE

A, D, E = 0, 3, 4


@quotes("(With the {term}`twelve points` in chapter 6 no wrong choice is like E")
def test_the_twelve_points_have_no_spurious_choice():
    assert all(c.verdict != "spurious" for c in att.all_choices(TWELVE))


@quotes(
    "Token A has $1.78$ and is the best; token E has $1.22$.",
    "After 300 steps it is less than four degrees off",
    "it stays beside the ray at a distance of $2.24$",
    "The loss comes down to $0.2587$",
    "With all attention on A it would be $0.1558$.",
    "start nearer, at length 3, in the same direction",
    "The start at norm 3 in the first figure lies above the level of E too",
    r"$0.56$ over E, more over the others",
    story=(
        "A has 1.78, the best, and E has 1.22",
        "There, after ten thousand steps, the loss was 0.2587, as with all attention on E",
        "With all attention on A it would be 0.1558",
        "Along A, as here, or along E from length 3, descent ended at A; along E from length 5, at E",
    ),
)
def test_where_descent_ends(one):
    scores, levels = one.scores[0], np.log1p(np.exp(-one.scores[0]))
    assert scores[[A, E]].round(2).tolist() == [1.78, 1.22]
    assert round(scores[A] - scores[E], 2) == round(scores[A] - np.sort(scores)[-2], 2) == 0.56
    assert levels[[E, A]].round(4).tolist() == [0.2587, 0.1558]
    rays = {token: (m := att.frobenius_svm(one, [token])).margin * m.W for token in (A, E)}
    runs = [
        att.train(one, length * rays[token], iterations=10_000, record=[300, 10_000])
        for length, token in ((5, E), (3, E), (5, A))
    ]
    assert [run.tokens.tolist() for run in runs] == [[E], [A], [A]]
    beside = [norm(W - np.vdot(W, rays[E]) * rays[E]) for W in runs[0].W]
    assert np.round(beside, 2).tolist() == [2.24, 2.24]
    assert np.degrees(np.arccos(att.correlation(runs[0].W[0], rays[E]))) < 4
    assert round(att.training_loss(one, runs[0].W[0]), 4) == 0.2587
    assert att.training_loss(one, 3 * rays[E]) > levels[E]


@quotes(
    "At $R=3$ the output is $0.0093$ below $1.2$, which is $0.186\\,e^{-3}$",
    "at $R=8$ it is $0.1999\\,e^{-8}$ below",
    "For $c=1.2$ the output is lowest at $R=1.71$.",
    "the loss is above its level from $R=1.10$ on",
    story=("lowest at $R=1.71$", r"\frac{-0.2\,e^{-R}+1.8\,e^{-3R}}{1+e^{-R}+e^{-3R}}"),
)
def test_three_tokens_on_a_line():
    def below(R):
        weights = np.exp([0, -R, -3 * R])
        told = (0.2 * weights[1] - 1.8 * weights[2]) / weights.sum()
        assert np.isclose(1.2 - weights @ [1.2, 1, 3] / weights.sum(), told)
        return told

    assert round(below(3), 4) == 0.0093
    assert round(below(3) * np.exp(3), 3) == 0.186
    assert round(below(8) * np.exp(8), 4) == 0.1999
    assert below(1.70) < below(1.71) > below(1.72)
    assert below(1.095) < 0 < below(1.105)


@quotes(
    r"D has $e^{-r}$ times the weight of E, and A only $e^{-1.56r}$ times",
    story=(
        "The tokens exactly 1 behind, B and D, at the distance 1.27 along it",
        "A is 1.56 times as far behind",
        "at length 5 it has 34 times as much attention, at length 3 only 8 times",
    ),
)
def test_who_is_next_behind_e(one):
    machine = att.frobenius_svm(one, [E])
    assert np.flatnonzero(machine.support[0]).tolist() == [1, D]
    assert [round(machine.margin, 2), round(machine.margins[0, A], 2)] == [1.27, 1.56]
    weights = [att.softmax_weights(one, length * machine.margin * machine.W)[0] for length in (5, 3)]
    assert [round(s[D] / s[A]) for s in weights] == [34, 8]


@quotes(
    "stayed at all 17 spurious choices that we tried, and left all 232 unstable ones",
    story="stayed at all 17 spurious choices of tokens that we tried and left all 232 unstable ones",
)
def test_how_many_choices_were_tried(spurious, stays):
    assert [spurious.sum(), (~spurious).sum(), stays[spurious].sum(), stays[~spurious].sum()] == [
        17,
        232,
        17,
        0,
    ]


@quotes("yet 37 of 60 random problems have a spurious choice")
def test_how_many_problems_have_a_spurious_choice(with_spurious):
    assert with_spurious(3, 3, 3) == 37


@quotes("With a lead of 37 or more the weight rounds to $1$", r"both are $\frac13$")
def test_numbers_by_hand():
    assert 1 / (1 + np.exp(-37.0)) == 1 > 1 / (1 + np.exp(-36.0))
    assert np.allclose(np.linalg.solve([[2, 1], [1, 2]], [1, 1]), 1 / 3)


@quotes(
    'Along the [blue ray](#ex-valleys "right ray") it falls to $0.47$, its infimum',
    'along the [vermilion ray](#ex-valleys "trap ray") to $0.58$',
    "At $w=(1.5,3)$ these leads are $-11.25$ and $3.75$.",
    "The weights of the best tokens are $0.000013$ and $0.977$",
    "$0.000013$ against $0.022$",
    r"$\langle a_1,a_2\rangle=\frac14-4<0$",
    "the choice (second, first) has the solution $w=(0.4,0.8)$",
    "in it the best token of sequence 1 is $3$ behind",
    story=(
        "Along the blue ray the loss falls towards 0.47, along this one towards 0.58",
        "the best token of sequence 1 is 13.7 behind, that of sequence 2 is 4.5 ahead",
        "Here this is 0.0000012 against 0.011",
        r"\langle a_1,a_2\rangle=\tfrac12\cdot\tfrac12-4\cdot1<0",
    ),
)
def test_the_trap(trap, wrong):
    rows = trap.X[:, 0] - trap.X[:, 1]
    told = {
        (1.5, 3): ([-11.25, 3.75], [0.000013, 0.977], [0.000013, 0.022]),
        tuple(4 * np.array([np.cos(np.radians(65)), np.sin(np.radians(65))])): (
            [-13.7, 4.5], [0.0000012, 0.989], [0.0000012, 0.011]),
    }  # fmt: skip
    for w, (leads, weights, pulls) in told.items():
        s = 1 / (1 + np.exp(-rows @ w))
        assert np.allclose(rows @ w, leads, atol=0.05)
        assert np.allclose([s, s * (1 - s)], [weights, pulls], rtol=0.05, atol=0)
    assert rows[0] @ rows[1] == 1 / 4 - 4
    assert np.allclose(wrong.solution.W, [[0.4, 0], [0.8, 0]])
    assert np.isclose(wrong.solution.margins[0, 0], 3)
    far = [att.training_loss(trap, 400 * np.outer(way, [1, 0])) for way in ([1, 0], [0.4, 0.8])]
    assert np.round(far, 2).tolist() == [0.47, 0.58]
    assert abs(far[0] - np.log1p(np.exp(-0.5))) < 1e-9


@quotes("descent from starts of norm 24 is caught in about one in five", "From $W=0$ it seems to be rare")
def test_how_many_starts_are_caught(caught_and_moving):
    assert 0.15 < caught_and_moving(3, 2, 2)[0] / 200 < 0.25
    assert caught_and_moving(3, 2, 2, reach=0)[0] <= 2


@quotes(
    'At $d=4$ the [multipliers](#ex-gram "multipliers") of the optimal choice are all positive in one of 200 '
    "random problems, at $d=20$ in 97, at $d=50$ in 188, and at $d=120$ in all of them",
    "At $d=400$ each single multiplier is within $0.15$ of $\\frac14$.",
    story="of 200 random problems in 1 at $d=4$, in 97 at $d=20$, in 188 at $d=50$",
)
def test_how_often_all_multipliers_are_positive():
    positive = [(grams_of(d)[1] >= 0).all(axis=1).sum() for d in (4, 20, 50, 120)]
    assert positive == [1, 97, 188, 200]
    assert np.abs(grams_of(400)[1] - 0.25).max() < 0.15


@quotes(
    "In four dimensions about two thirds of the runs find all the best tokens, but nine tenths",
    "in 32 nearly all runs do",
    "In two dimensions most runs have not converged after 2000 steps.",
)
def test_how_many_runs_find_the_best_tokens(found_ends):
    whole, *_, single = found_ends[4]
    assert abs(whole / 100 - 2 / 3) < 0.05
    assert abs(single - 0.9) < 0.03
    assert found_ends[32][0] >= 95
    assert found_ends[2][2] > 60


@quotes(
    "The recorded run of 200 problems for each of 25 sizes",
    "all are optimal in 46 of 200 runs at $d=2$, and in 197 at $d=40$.",
    "With fifteen sequences no run in two dimensions gets all of them right, and at $d=40$ 185 do.",
    story=(
        "we trained 200 random problems of each size",
        "in 46 runs in two dimensions and in 197 in forty; with fifteen sequences, in none and in 185",
        "In ten dimensions 93 % of these were right, but all fifteen at once, as drawn, in only 69 runs",
    ),
)
def test_shares_of_the_recorded_run():
    assert len(sizes) * len(dimensions) == 25
    runs = {len(outcome(*size, d, form)[0]) for size in sizes for d in dimensions for form in ("W", "KQ")}
    assert runs == {200}
    assert [outcome(n, 5, d, "W")[0].sum() for n in (5, 15) for d in (2, 40)] == [46, 197, 0, 185]
    whole, single = outcome(15, 5, 10, "W")
    assert (whole.sum(), round(single, 2)) == (69, 0.93)


@quotes(
    "the exact intervals are about $0.68$ to $0.99$ and $0.51$ to $0.91$",
    "($0.68$ to $0.99$.)",
    r"The half width of a 95 % interval from 20 runs is about $0.2$ in the middle.",
    "Two hundred runs each would tell.",
)
def test_intervals_of_twenty_runs(intervals):
    assert [*intervals[18], *intervals[15]] == [0.68, 0.99, 0.51, 0.91]
    assert abs(np.diff(intervals[10]) / 2 - 0.2) < 0.03
    assert interval(180, 200)[0] > interval(150, 200)[1]


@quotes("The recorded run of the paper's experiment on feasibility, with 100 Gaussian problems for each size")
def test_the_sizes_of_the_run_on_feasibility():
    known = recorded("feasibility")
    places = np.column_stack([known[name] for name in ("n", "T", "d")])[known["tokens"] == "normal"]
    for size in ((n, T, d) for n, T in ((10, 5), (5, 10), (2, 20)) for d in (2, 3, 4, 5, 7, 10)):
        assert (places == size).all(axis=1).sum() == 100


@quotes(
    "In {numref}`ex-cones` descent that starts along E's direction stays from norm 5 and leaves from norm 3."
)
def test_where_the_cone_of_e_begins(by_running):
    assert 3 < by_running[1.1, 0.0] <= 5


@quotes(
    "it begins at $r=2663$ on the ray",
    "where the excess of the loss has some fifteen hundred zeros behind the point",
    story="for E our proof needs length 2663",
)
def test_where_the_region_of_e_begins(shield_region):
    assert [shield_region.contains(r, 0) for r in (2662, 2663)] == [False, True]
    assert 1400 < -log_excess(shield_region, 2663 * shield_region.direction) / np.log(10) < 1600


@quotes("The condition is rare in few dimensions and far from necessary, as the second row shows.")
def test_the_table_of_first_gradients(cells):
    assert sum(map(sum, cells)) == 800
    assert fisher_exact(cells).pvalue < 1e-6
    assert 80 < sum(cells[0]) < cells[1][0]
    assert cells[0][1] <= sum(cells[0]) / 50


@quotes("The best scores lead by three quarters of their range and more")
def test_the_exception_to_first_gradients(exception, lead):
    first_step = -att.loss_gradient(exception, np.zeros((2, 2)))
    least = att.token_margins(exception, exception.optimal_tokens, first_step).min()
    assert abs(least / att.first_gradient_margin(exception) - 1) < 1e-9
    assert least > 0.015
    assert lead.round(9).min() == 0.75
