"""What the chapter on local optima says of numbers: each test quotes it, with names of the page."""

import numpy as np
from numpy.linalg import norm
from scipy.stats import fisher_exact

from margins import attention_svm as att
from margins_book.experiments.recorded import recorded
from margins_book.local_optima.counting import gaussian_data, interval
from margins_book.local_optima.figures import dimensions, grams_of, outcome, sizes, walk
from margins_book.local_optima.region import log_excess
from margins_book.page.quotes import quotes, test_every_cell_runs, test_the_page_says_what_its_figures_expect  # noqa: F401


@quotes("(With the {term}`twelve points` in chapter 6 no wrong choice is like E")
def test_the_twelve_points_have_no_spurious_choice():
    twelve = np.array(
        [[0.5, 0.0], [1.2, -0.6], [2.3, 0.2], [1.9, 1.3], [2.6, -0.9], [0.6, 1.6],
         [-0.9, -0.3], [-0.4, -1.3], [-1.6, 0.9], [-2.2, -0.5], [-1.5, -1.4], [-2.6, 0.6]]
    )  # fmt: skip
    of_chapter_6 = att.all_choices(
        att.TokenData(twelve.reshape(2, 6, 2), [[1.0, 0.0], [-1.2, 1.6]], [1, -1], [2, 1])
    )
    assert len(of_chapter_6) == 36 and all(c.verdict != "spurious" for c in of_chapter_6)


@quotes(
    "After 300 steps it is less than four degrees off",
    "it stays beside the ray at a distance of $2.24$",
    "The loss comes down to $0.2587$",
    "With all attention on A it would be $0.1558$.",
)
def test_descent_stays_beside_the_ray_of_e(one):
    solution = att.frobenius_svm(one, [4])
    ray = solution.W * solution.margin
    run = att.train(one, 5 * ray, iterations=10_000, record=[300, 10_000])
    beside = [norm(W - np.vdot(W, ray) * ray) for W in run.W]
    assert np.round(beside, 2).tolist() == [2.24, 2.24] and run.tokens.tolist() == [4]
    assert np.degrees(np.arccos(att.correlation(run.W[0], solution.W))) < 4
    levels = np.log1p(np.exp(-one.scores[0, [4, 0]]))
    assert (
        levels.round(4).tolist() == [0.2587, 0.1558] and round(att.training_loss(one, run.W[0]), 4) == 0.2587
    )


@quotes(
    "Token A has $1.78$ and is the best; token E has $1.22$.",
    "So it is D that protects E, a token worse than both.",
)
def test_scores_of_the_six_tokens(one):
    of_A, _, _, of_D, of_E, _ = one.scores[0]
    assert [round(of_A, 2), round(of_E, 2)] == [1.78, 1.22] and of_A == one.scores.max() and of_D < of_E


@quotes(
    "start nearer, at length 3, in the same direction",
    "descent leaves, and ends at A",
    "The start at norm 3 in the first figure lies above the level of E too",
)
def test_from_length_3_descent_ends_at_the_best_token(one):
    solution = att.frobenius_svm(one, [4])
    start = 3 * solution.margin * solution.W
    assert att.train(one, start, iterations=3000, record=1).tokens.tolist() == [0]
    assert att.training_loss(one, start) > np.log1p(np.exp(-one.scores[0, 4]))


@quotes(
    "At $R=3$ the output is $0.0093$ below $1.2$, which is $0.186\\,e^{-3}$",
    "at $R=8$ it is $0.1999\\,e^{-8}$ below",
    "For $c=1.2$ the output is lowest at $R=1.71$.",
    "the loss is above its level from $R=1.10$ on",
)
def test_three_tokens_on_a_line():
    def below(R):
        weights = np.exp([0, -R, -3 * R])
        return 1.2 - weights @ [1.2, 1, 3] / weights.sum()

    assert round(below(3), 4) == 0.0093 and round(below(3) * np.exp(3), 3) == 0.186
    assert round(below(8) * np.exp(8), 4) == 0.1999
    assert below(1.70) < below(1.71) > below(1.72) and below(1.095) < 0 < below(1.105)


@quotes("stayed at all 17 spurious choices that we tried, and left all 232 unstable ones")
def test_how_many_choices_were_tried(spurious):
    assert [spurious.sum(), (~spurious).sum()] == [17, 232]


@quotes("yet 37 of 60 random problems have a spurious choice")
def test_how_many_problems_have_a_spurious_choice(with_spurious):
    assert with_spurious(3, 3, 3) == 37


@quotes("With a lead of 37 or more the weight rounds to $1$")
def test_where_a_weight_rounds_to_one():
    assert 1 / (1 + np.exp(-37.0)) == 1 > 1 / (1 + np.exp(-36.0))


@quotes("descent from starts of norm 24 is caught in about one in five")
def test_how_many_starts_are_caught(caught_and_moving):
    assert 0.15 < caught_and_moving(3, 2, 2)[0] / 200 < 0.25


@quotes("From $W=0$ it seems to be rare")
def test_from_zero_few_are_caught(caught_and_moving):
    assert caught_and_moving(3, 2, 2, reach=0)[0] <= 2


@quotes(
    "At $d=4$ the multipliers of the optimal choice are all positive in one of 200 random problems",
    "at $d=20$ in 97, at $d=50$ in 188, and at $d=120$ in all of them",
    "At $d=400$ each single multiplier is within $0.15$ of $\\frac14$.",
)
def test_how_often_all_multipliers_are_positive():
    positive = [(grams_of(d)[1] >= 0).all(axis=1).sum() for d in (4, 20, 50, 120)]
    assert positive == [1, 97, 188, 200] and np.abs(grams_of(400)[1] - 0.25).max() < 0.15


@quotes(
    "In four dimensions about two thirds of the runs find all the best tokens, but nine tenths",
    "in 32 nearly all runs do",
)
def test_runs_and_single_tokens_in_four_dimensions(found_ends):
    whole, *_, single = found_ends[4]
    assert abs(whole / 100 - 2 / 3) < 0.05 and abs(single - 0.9) < 0.03 and found_ends[32][0] >= 95


@quotes(
    "all are optimal in 46 of 200 runs at $d=2$, and in 197 at $d=40$.",
    "With fifteen sequences no run in two dimensions gets all of them right, and at $d=40$ 185 do.",
)
def test_shares_of_the_recorded_run():
    assert [outcome(n, 5, d, "W")[0].sum() for n in (5, 15) for d in (2, 40)] == [46, 197, 0, 185]


@quotes("the exact intervals are about $0.68$ to $0.99$ and $0.51$ to $0.91$", "($0.68$ to $0.99$.)")
def test_intervals_of_twenty_runs(intervals):
    assert [*intervals[18], *intervals[15]] == [0.68, 0.99, 0.51, 0.91]


@quotes("$15$ of $20$ and $18$ of $20$ cannot be told apart", "Two hundred runs each would tell.")
def test_what_twenty_and_two_hundred_runs_tell():
    fifteen, eighteen = interval(15, 20), interval(18, 20)
    assert eighteen[0] < fifteen[0] + 0.25 < fifteen[1] < eighteen[1]
    assert interval(180, 200)[0] > interval(150, 200)[1]


@quotes(r"The half width of a 95 % interval from 20 runs is about $0.2$ in the middle.")
def test_the_half_width_in_the_middle():
    assert abs(np.diff(interval(10, 20)) / 2 - 0.2) < 0.03


@quotes("It takes $d\\ge T-1$ as well.")
def test_three_tokens_of_the_plane_are_feasible_and_four_not_always():
    shares = [
        np.mean([att.is_feasible(gaussian_data(1, T, 2, s), [t]) for s in range(60) for t in range(T)])
        for T in (3, 4)
    ]
    assert shares[0] == 1 > shares[1]


@quotes(
    "so the margin of A over a token is the difference of their scores", "$0.56$ over E, more over the others"
)
def test_margins_of_a_under_rank_one(one):
    ahead_by = att.token_margins(one, np.array([0]), np.outer([1, 0.4], [1, 0]))[0]
    assert np.allclose(ahead_by[1:], one.scores[0, 0] - one.scores[0, 1:])
    assert round(ahead_by[4], 2) == 0.56 == round(ahead_by[1:].min(), 2)


@quotes("The identity at random $W$, near and far out.")
def test_far_out_most_weights_are_rounded(hidden):
    assert hidden > 0.5


@quotes(
    'Along the [blue ray](#ex-valleys "right ray") it falls to $0.47$, its infimum',
    'along the [vermilion ray](#ex-valleys "trap ray") to $0.58$',
)
def test_the_loss_along_both_rays(trap):
    far_right, far_wrong = (
        att.training_loss(trap, 400 * np.outer(way, [1, 0])) for way in ([1, 0], [0.4, 0.8])
    )
    assert round(far_right, 2) == 0.47 and abs(far_right - np.log1p(np.exp(-0.5))) < 1e-9
    assert round(far_wrong, 2) == 0.58 and abs(far_wrong - (np.log1p(np.exp(-0.5)) + np.log(2)) / 2) < 1e-9


@quotes("From the origin descent finds the best tokens.")
def test_descent_from_the_origin(trap):
    assert att.train(trap, iterations=1000, record=1).tokens.tolist() == [0, 0]


@quotes(
    "At $w=(1.5,3)$ these leads are $-11.25$ and $3.75$.",
    "The weights of the best tokens are $0.000013$ and $0.977$",
    "$0.000013$ against $0.022$",
    r"$\langle a_1,a_2\rangle=\frac14-4<0$: the lead of sequence 1 falls further",
)
def test_leads_weights_and_pulls(trap):
    rows = trap.X[:, 0] - trap.X[:, 1]
    leads = rows @ [1.5, 3]
    weights = 1 / (1 + np.exp(-leads))
    assert leads.tolist() == [-11.25, 3.75] and rows[0] @ rows[1] == 1 / 4 - 4
    assert [round(weights[0], 6), round(weights[1], 3)] == [0.000013, 0.977]
    pulls = weights * (1 - weights)
    assert [round(pulls[0], 6), round(pulls[1], 3)] == [0.000013, 0.022]


@quotes(
    "the choice (second, first) has the solution $w=(0.4,0.8)$",
    "in it the best token of sequence 1 is $3$ behind",
)
def test_the_machine_of_the_trap(wrong):
    assert np.allclose(wrong.solution.W, [[0.4, 0], [0.8, 0]]) and np.isclose(wrong.solution.margins[0, 0], 3)


@quotes("Its token may score less than any other of the sequence.")
def test_a_sequence_of_the_trap_has_no_neighbour(wrong, trap):
    assert not wrong.solution.support[0].any() and trap.scores[0, 1] < trap.scores[0, 0]


@quotes(r"both are $\frac13$")
def test_multipliers_by_hand():
    assert np.allclose(np.linalg.solve([[2, 1], [1, 2]], [1, 1]), 1 / 3)


@quotes("In two dimensions most runs have not converged after 2000 steps.")
def test_how_many_runs_have_not_converged(found_ends):
    unfinished = [counts[2] for counts in found_ends.values()]
    assert unfinished[0] > 60 and max(unfinished[1:]) < 8


@quotes("More dimensions help, and most single tokens are right long before all of them are.")
def test_how_many_runs_and_tokens_are_right(found_ends):
    whole, single = ([counts[place] for counts in found_ends.values()] for place in (0, 3))
    assert (np.diff(whole) >= 0).all() and interval(whole[-1], 100)[0] > 0.85
    assert all(s > max(0.6, w / 100) or w == 100 for w, s in zip(whole, single, strict=True))


@quotes("The recorded run of 200 problems for each of 25 sizes")
def test_the_sizes_of_the_recorded_run():
    assert len(sizes) * len(dimensions) == 25
    for n, T in sizes:
        for d in dimensions:
            assert [len(outcome(n, T, d, form)[0]) for form in ("W", "KQ")] == [200, 200]


@quotes("The recorded run of the paper's experiment on feasibility, with 100 Gaussian problems for each size")
def test_the_sizes_of_the_run_on_feasibility():
    known = recorded("feasibility")
    normal = known["tokens"] == "normal"
    for n, T in ((10, 5), (5, 10), (2, 20)):
        for d in (2, 3, 4, 5, 7, 10):
            assert np.count_nonzero(normal & (known["n"] == n) & (known["T"] == T) & (known["d"] == d)) == 100


@quotes(
    "In {numref}`ex-cones` descent that starts along E's direction stays from norm 5 and leaves from norm 3."
)
def test_where_the_cone_of_e_begins(by_running):
    assert 3 < by_running[1.1, 0.0] <= 5


@quotes(
    "it begins at $r=2663$ on the ray",
    "where the excess of the loss has some fifteen hundred zeros behind the point",
)
def test_where_the_region_of_e_begins(shield_region):
    assert [shield_region.contains(r, 0) for r in (2662, 2663)] == [False, True]
    assert 1400 < -log_excess(shield_region, 2663 * shield_region.direction) / np.log(10) < 1600


@quotes("the flow soon keeps its distance from the ray, so the angle falls like one over the length")
def test_the_flow_keeps_its_distance(distances):
    assert all(np.ptp(off[20:]) < 1e-3 * off[20] for off in distances.values())


@quotes("the infimum lies upwards, a little to the left, at infinity")
def test_where_the_infimum_lies(opposed, infimum):
    far = att.frobenius_svm(opposed, opposed.optimal_tokens).W
    assert far[0, 0] < 0 < far[1, 0] and abs(att.training_loss(opposed, 100 * far) - infimum) < 1e-9


@quotes(
    "There is a way down from everywhere, of a slope that fades exponentially",
    "follows the valley that it is in",
)
def test_slopes_fade_and_descent_stays():
    data, start, W1, _, uphill = walk()
    slopes = [-np.vdot(att.loss_gradient(data, r * start.solution.W), uphill) for r in (20, 30, 40)]
    run = att.train(data, W1, iterations=5000, record=1)
    assert min(slopes) > 0 and np.abs(np.diff(np.log(slopes)) / 10 + 1).max() < 1e-3
    assert (
        run.tokens.tolist() == start.tokens.tolist() and att.correlation(run.W[-1], start.solution.W) > 0.999
    )


@quotes(
    "The condition is rare in few dimensions and far from necessary, as the second row shows.",
    "Nor is it sufficient by itself, though exceptions are rare",
)
def test_the_table_of_first_gradients(cells):
    assert sum(map(sum, cells)) == 800 and fisher_exact(cells).pvalue < 1e-6
    assert 80 < sum(cells[0]) < cells[1][0]
    assert interval(cells[0][1], sum(cells[0]))[1] < 0.07 < interval(cells[1][1], sum(cells[1]))[0]


@quotes("Nor is it sufficient by itself", "The best scores lead by three quarters of their range and more")
def test_the_exception_to_first_gradients(exception, lead):
    first_step = -att.loss_gradient(exception, np.zeros((2, 2)))
    least = att.token_margins(exception, exception.optimal_tokens, first_step).min()
    assert abs(least / att.first_gradient_margin(exception) - 1) < 1e-9 and least > 0.015
    assert lead.round(9).min() == 0.75


@quotes("tokens cost more than sequences")
def test_tokens_cost_more_than_sequences(counted):
    assert interval(counted[5, 10, 80], 30)[1] < 0.2 and interval(counted[20, 2, 40], 30)[0] > 0.8


@quotes("mostly have both signs")
def test_few_support_at_the_threshold(counted):
    assert counted[5, 5, 5] == counted[5, 5, 10] == 0 and counted[5, 5, 160] > 24 and counted[5, 10, 640] > 15


@quotes("Both learn noise by heart", "attention as much as its fixed tokens allow")
def test_how_much_noise_is_learned(means):
    assert means["machine"] == 1 and means["possible"] - means["attention"] < 0.02
