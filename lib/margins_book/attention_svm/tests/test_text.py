"""What holds the words of the chapter on attention and the SVM: each test quotes them."""

import numpy as np
from numpy.linalg import norm

from margins import attention_svm as att
from margins_book.attention_svm.drawings import column_angles
from margins_book.attention_svm.runs import trained_on
from margins_book.page.quotes import quotes, test_every_cell_runs, test_the_page_says_what_its_figures_expect  # noqa: F401


@quotes("To the dotted rays, and these were there before the training began.")
def test_arrows_turn_to_their_rays(data):
    rays = att.frobenius_svm(data, data.optimal_tokens).W @ data.Z.T
    off = np.array([column_angles(W @ data.Z.T, rays) for W in trained_on(data)["W"].W[1:]])
    assert (np.diff(off, axis=0) < 0).all()
    assert off[0].min() > 20
    assert off[-1].max() < 0.3


@quotes(
    "the loss is within two ten-millionths of the lowest value that it can ever approach.",
    "from here on ten times as many steps leave a tenth of the angle.",
    "By step $1300$ the loss agrees with its limit to all sixteen digits of the computer, and "
    "$W$ still has more than two degrees to go.",
)
def test_what_is_left_to_gain_and_to_turn(data):
    run = att.train(data, np.zeros((2, 2)), iterations=3000, record=[300, 1300, 3000])
    left = run.losses - att.LOGISTIC.value(data.scores.max(axis=1)).mean()
    limit = att.frobenius_svm(data, data.optimal_tokens).W
    turns = np.degrees([2 * np.arcsin(norm(W / norm(W) - limit / norm(limit)) / 2) for W in run.W])
    assert 1e-7 < left[0] < 2e-7
    assert abs(left[1]) < 1e-15
    assert 9 < turns[0] / turns[2] < 11
    assert 2 < turns[1] < 2.5


@quotes("Plain descent, whose steps become shorter as the gradient fades, would need exponentially many.")
def test_plain_descent_is_slow(data):
    run = att.train(
        data, np.zeros((2, 2)), iterations=30_000, step=0.1, normalised=False, record=[300, 3000, 30_000]
    )
    lengths = norm(run.W, axis=(1, 2))
    assert run.weights[0, 0, 3] < 0.25
    assert (np.diff(lengths) < 8).all()  # normalised steps go 270 and 2700 in the same time


@quotes(r"It is $0.474$ at $\mu=0$ and $0.347$ at $\mu=2$, and as $\mu$ grows it falls towards $0.313$.")
def test_two_tokens_by_hand():
    losses = np.log1p(np.exp(-1 / (1 + np.exp([0.0, -2.0, -50.0]))))
    assert losses.round(3).tolist() == [0.474, 0.347, 0.313]


@quotes(r"the output rises by weight times surplus, $\frac12\cdot\frac12=\frac14$ for each unit")
def test_pulls_by_hand():
    two = att.TokenData(np.eye(2)[None], [[1, 0]], [1], [1, 0])
    slopes = -att.loss_gradient(two, np.zeros((2, 2)))[:, 0]
    assert np.allclose(slopes * (1 + np.exp(0.5)), [0.25, -0.25])  # |l'(1/2)| = 1 / (1 + e^(1/2))


@quotes("Among the circles token 3 has the highest score, $5.1$.")
def test_token_3_has_the_highest_score(data):
    assert data.scores[0].max().round(1) == 5.1 and data.scores[0].argmax() == 3


@quotes(
    "the average always stays below $5.1$, and it can come near only if the attention to token 3 "
    "comes near $1$."
)
def test_the_average_of_the_circles_stays_below(data):
    weights = np.concatenate([run.weights[:, 0] for run in trained_on(data).values()])  # (38, 6)
    lost, ahead = 5.1 - weights @ data.scores[0], 5.1 - np.sort(data.scores[0])[-2]
    assert (lost >= ahead * (1 - weights[:, 3]) - 1e-12).all()
    assert ahead > 0.2


@quotes(
    "The shortest such $w$ is $(0,1)$. The second constraint holds with equality, so the third token is a "
    "support token; the first holds with $2$",
    "Whatever $W$ does off the query costs norm and gains nothing",
)
def test_the_machine_by_hand():
    three = att.TokenData([[[1, 1], [0, -1], [1, 0]]], [[1, 0]], [1], [1, 1])
    machine, first = att.frobenius_svm(three, np.array([0])), np.array([0])
    assert np.allclose(machine.W, [[0, 0], [1, 0]]) and np.allclose(machine.margins[0, 1:], [2, 1])
    off_query = np.add(machine.W, [[0, 0.3], [0, -0.2]])
    assert np.allclose(att.token_margins(three, first, off_query)[0, 1:], [2, 1]) and norm(off_query) > 1.05


@quotes(
    "$W$ has to grow, to more than eight times its length.",
    "turns by nearly seven degrees, although no square has moved.",
    "these three are the only ones with a multiplier.",
    "But token 5, with a score of only $2.8$, is closer behind than token 4 with $4.3$.",
)
def test_what_token_2_does_to_the_squares(data, best):
    before = att.frobenius_svm(data, best)
    X = data.X.copy()
    X[0, 2] = 2.1, 1.2
    after = att.frobenius_svm(att.TokenData(X, data.Z, data.Y, data.v), best)
    assert 8 < norm(after.W) / norm(before.W) < 9
    ways = np.array([m.W @ data.Z[1] for m in (before, after)])
    turn = np.degrees(np.arccos(ways[0] @ ways[1] / norm(ways[0]) / norm(ways[1])))
    assert 6.5 < turn < 7
    assert np.count_nonzero(before.multipliers > 1e-9) == before.support.sum() == 3
    assert before.margins[0, 5] < before.margins[0, 4]
    assert data.scores[0, 4:].round(1).tolist() == [4.3, 2.8]


@quotes(
    "Token 5, the next in line, is then $24.5$ behind, so that its exponential is already ninety times "
    "smaller"
)
def test_token_5_is_next_in_line(mm):
    next_in_line = 20 * np.sort(mm.margins[~mm.support])[0]
    assert next_in_line.round(1) == 24.5 and mm.margins[0, 5] == next_in_line / 20
    assert 85 < np.exp(next_in_line - 20) < 95


@quotes(
    r"| $R\,\Gamma=10$ | $0.484$ | $-0.038$ | $-0.446$ |",
    r"| $R\,\Gamma=100$ | $0.718$ | $-0.150$ | $-0.568$ |",
    r"| $R\,\Gamma=1000$ | $0.728$ | $-0.154$ | $-0.573$ |",
    r"| $\log(c/\lambda)$ | $0.729$ | $-0.155$ | $-0.574$ |",
)
def test_the_margins_along_the_path(along_path, balance):
    table = [
        [0.484, -0.038, -0.446],
        [0.718, -0.150, -0.568],
        [0.728, -0.154, -0.573],
        [0.729, -0.155, -0.574],
    ]
    assert np.allclose(np.vstack([along_path, balance]), table, atol=1.1e-3)


@quotes("In {numref}`ex-regularised` it is a fortieth of a degree.", "settles at $1.19$.")
def test_the_angle_far_out(paths):
    (k,) = np.flatnonzero(np.isclose(paths["W"].radii * paths["W"].machine.margin, 1000))
    assert np.degrees(paths["W"].lags[k] / paths["W"].radii[k]).round(3) == 0.024
    assert paths["W"].lags[-1].round(2) == 1.19


@quotes("goes to another ray, four degrees lower.")
def test_the_ray_of_keys_and_queries(data, paths):
    rays = [paths[name].machine.W @ data.Z[0] for name in ("W", "K and Q")]
    turns = np.degrees(np.arctan2(*np.array(rays).T[::-1]))
    assert 3.5 < turns[0] - turns[1] < 4.5


@quotes(
    "| $30$ | $2.4$ | $1.6$ | $-0.24$ | $0.31$ | $-0.29$ |",
    "| $300$ | $28.9$ | $4.9$ | $0.91$ | $0.10$ | $-0.31$ |",
    "| $800$ | $78.9$ | $5.1$ | $0.98$ | $0.10$ | $-0.32$ |",
    "| $3000$ | $298.9$ | $5.1$ | $0.98$ | $0.10$ | $-0.32$ |",
    "| path | | $1.2$ | $0.98$ | $0.10$ | $-0.32$ |",
    "since no support token feels it, it is not given back.",
)
def test_descent_beside_the_ray(data, best, mm, paths, limit):
    u, run = (
        mm.W / norm(mm.W),
        att.train(data, np.zeros((2, 2)), iterations=3000, record=[30, 300, 800, 3000]),
    )
    ahead = np.array([(W * u).sum() for W in (*run.W, paths["W"].W[-1])])
    aside = np.array([*run.W, paths["W"].W[-1]]) - ahead[:, None, None] * u
    leads = [att.token_margins(data, best, W)[mm.support] for W in aside]
    assert np.allclose(ahead[:-1], [2.4, 28.9, 78.9, 298.9], atol=0.06)
    assert np.allclose(norm(aside, axis=(1, 2)), [1.6, 4.9, 5.1, 5.1, 1.2], atol=0.06)
    table = [[-0.24, 0.31, -0.29], [0.91, 0.10, -0.31], *3 * [[0.98, 0.10, -0.32]]]
    assert np.allclose(leads, table, atol=6e-3)
    added = aside[3] - limit.reshape(2, 2)
    assert abs(att.token_margins(data, best, added)[mm.support]).max() < 1e-3 < 4 < norm(added)


@quotes(
    "only one or two of the six sequences go astray, altogether 7 per cent of the sequences.",
    "In each of these sequences the best token lies above the average to the end. It starts with about an "
    "equal share of the attention, in the median, and in two thirds of them it even pulls harder, at first,",
    "But after forty steps, with attention still spread, it is behind in nearly all of them",
    "and after a hundred steps its share is down to a fortieth, in the median.",
)
def test_the_best_token_is_overtaken(hundred, initial):
    run, best = att.train(hundred, initial[0], record=[0, 40, 100, 2000]), hundred.optimal_tokens
    astray = run.tokens != best
    chosen = np.array([best, run.tokens])[:, None, ..., None]  # (2, 1, 100, 6, 1): the best, the winner
    share, winner = np.take_along_axis(run.weights[None], chosen, -1)[..., 0][..., astray]
    average = (run.weights * hundred.scores).sum(axis=-1)[:, astray]
    score = np.take_along_axis(hundred.scores[None], chosen[:, 0], -1)[..., 0][:, astray]
    pull, pull_of_winner = [share[0], winner[0]] * (score - average[0])
    assert astray.sum(axis=1).max() <= 2
    assert round(100 * astray.mean()) == 7
    assert (hundred.scores.max(axis=-1)[astray] > average).all()
    assert abs(np.median(share[0]) - 1 / 8) < 0.02
    assert abs((pull > pull_of_winner).mean() - 2 / 3) < 0.03
    assert (share[1] < winner[1]).mean() > 0.9 and np.median(winner[1]) < 0.3
    assert abs(np.median(share[2]) - 1 / 40) < 0.005


@quotes(
    r"At $W=10\,W^{mm}$ each rival is behind by at least $10$, so it has at most $e^{-10}$, "
    "a twenty-thousandth"
)
def test_ten_times_the_machine(best, data, mm):
    weights = att.softmax_weights(data, 10 * mm.W)  # (2, 6)
    behind = np.log(weights / weights[[0, 1], best][:, None])
    assert np.allclose(np.sort(behind)[:, -2], -10) and (behind[[0, 1], best] == 0).all()
    assert 2e4 < np.exp(10) < 2.3e4


@quotes("For one sequence of two tokens the answer is immediate.")
def test_the_path_of_two_tokens_lies_on_the_ray():
    two, radii = att.TokenData([[[1, 1], [0, -1]]], [[1, 0.5]], [1], [1, 0]), np.array([0.1, 1, 10, 100])
    path = att.regularisation_path(two, radii, rng=np.random.default_rng(0), starts=2).W
    assert np.allclose(path / radii[:, None, None], np.outer([1, 2], [1, 0.5]) / 2.5, atol=1e-9)


@quotes("With more tokens it need not be.")
def test_the_path_of_the_twelve_tokens_does_not(data, paths):
    rays = paths["W"].machine.W @ data.Z.T
    first, last = (column_angles(W @ data.Z.T, rays)[0] for W in paths["W"].W[[0, -1]])
    assert first > 10 and last < 0.01


@quotes(
    r"$C_0$ is about $12$ for the twelve tokens, so that at $R\,\Gamma=1000$ the last bound still allows "
    "an angle of nine degrees."
)
def test_the_constant_of_the_twelve_tokens(data, path_constants):
    constant = np.log(np.divide(*path_constants(data)))
    assert round(constant) == 12
    assert round(np.degrees(2 * np.arcsin(np.sqrt(2 * constant / 1000) / 2))) == 9


@quotes(r"So the distance falls like $1/R$, where the theorem has only $1/\sqrt R$.")
def test_the_distance_falls_like_one_over_the_radius(off, reach):
    assert abs(np.polyfit(np.log(reach[4:7]), np.log(off[4:7]), 1)[0] + 1) < 0.05


@quotes(r"whose price is $\frac12(5+5)=5=4+1$, while the squared Frobenius norm of $W$ is $4^2+1^2$.")
def test_factors_by_hand():
    W, K = np.diag([4.0, 1.0]), np.diag([2.0, 1.0])
    assert np.array_equal(K @ K.T, W)
    assert np.allclose([norm(K) ** 2, norm(W, "nuc")], 5)
    assert np.isclose(norm(W), np.sqrt(17))


@quotes("In nearly all of the hundred runs of each kind")
def test_each_form_comes_near_its_own_machine(aligned, forms):
    own = {form: aligned[form]["Frobenius" if form == "W" else "nuclear"][-1] for form in forms}
    other = {form: aligned[form]["nuclear" if form == "W" else "Frobenius"][-1] for form in forms}
    assert min((own[form] > other[form]).mean() for form in forms) > 0.9
    assert own["W"].mean() > 0.99 < own["KQ ridge"].mean()
    assert 0.95 < own["KQ"].mean() < 0.99


@quotes("about a third of the runs end at the machine of tokens that are *not* all the best.")
def test_how_many_runs_end_at_the_best_tokens(optimal):
    assert abs(1 - np.mean(list(optimal.values())) - 1 / 3) < 0.14  # three standard errors of a hundred runs


@quotes(
    "With it the gradient of the loss stays at about $10^{-15}$, where its pull on $K$ is about as "
    "large as the ridge's, so that in the end we watch a regularisation path.",
)
def test_the_ridge_pulls_as_much_as_the_loss(ended, hundred):
    ridged = ended["KQ ridge"]
    for W, K, Q in list(zip(ridged.W, ridged.K, ridged.Q, strict=True))[-3:]:  # 400, 1000 and 2000 steps
        G = att.loss_gradient(hundred, W)
        assert 0.8e-15 < np.median(norm(G, axis=(1, 2))) < 1.2e-15
        pulls = norm(G @ Q, axis=(1, 2)) / (2 * 2.2e-16 * norm(K, axis=(1, 2)))
        assert 1 < np.median(pulls) < 1.2


@quotes(
    "the paper's setting: $n=6$, $T=8$, $d=10$, everything on the unit sphere, normalised steps of length "
    "$0.1$, a hundred problems."
)
def test_the_setting_of_the_paper(hundred, initial):
    assert hundred.X.shape == (100, 6, 8, 10)
    assert all(np.allclose(norm(each, axis=-1), 1) for each in (hundred.X, hundred.Z, hundred.v))
    step = att.train(hundred, initial[0], iterations=1, record=2).W[-1] - initial[0]
    assert np.allclose(norm(step, axis=(1, 2)), 0.1)


@quotes(
    "The Frobenius rank is about 10 from dimension 10 on. The certified nuclear rank stays between 3 and 5."
)
def test_the_ranks_of_the_machines(ranks_of):
    assert (ranks_of["Frobenius"][1:].mean(axis=1) > 9.8).all() and ranks_of["Frobenius"].max() == 10
    nuclear = ranks_of["nuclear"].mean(axis=1)
    assert nuclear.min() > 3 and nuclear.max() < 5


@quotes("Counted above ten to the minus seven, the first-order solver's rank rises to about 10.")
def test_the_rank_that_a_first_order_solver_seems_to_have(fine):
    assert fine[0].mean() < fine[1].mean() < fine[2:].mean()
    assert 9 < fine[2:].mean() < 11


@quotes("Below it one counts noise, in most of the directions that the queries allow.")
def test_noise_fills_most_directions(dimensions, fine):
    allowed = np.minimum(10, dimensions)[:, None]  # min(n, d)
    counted = (fine / allowed).mean(axis=1)
    assert counted.min() > 0.7 and counted.max() < 1.05


@quotes(
    "We know no problem at which its third step is an equality; its fourth is one for the slower path",
    behind="parts = np.array([proof_of_rate(",
)
def test_which_step_of_the_proof_is_an_equality(parts):
    assert (parts[:, 1, 0] < 0.99 * parts[:, 1, 1]).all()
    assert np.allclose(parts[:2, 2, 0], parts[:2, 2, 1], rtol=1e-6)


@quotes(r"Why so slow? A number $\eta=W_{33}$ of the order $1$ lowers the loss")
def test_what_lowers_the_loss_on_the_slower_path(five_path, long):
    eta = np.log(6) / 8
    least, at_zero = 2 * np.sqrt(2 * np.exp(-6 * eta) + np.exp(2 * eta)), 2 * np.sqrt(3)  # of Phi, over nu
    assert (least / at_zero).round(2) == 0.83
    assert abs(five_path.W[:, 2, 2] - eta).max() < 0.05
    assert (five_path.W[:, 2, 0] > np.sqrt(long * eta / 2)).all()


@quotes(r"Twice the excess is about $e^{-3\mu_1}+3e^{-\mu_2}$")
def test_the_excess_of_a_loss_that_is_flat_at_a_best_score(excesses):
    excess = excesses["-u^3"][0](*1 / (1 + np.exp(np.array([7.0, 20.0]))))
    assert abs(excess / (np.exp(-21) + 3 * np.exp(-20)) - 1) < 0.01


@quotes(r"Along $W^{mm}$ the excess falls like $e^{-\Gamma\lVert W\rVert}$, and so does the gradient")
def test_excess_and_gradient_along_the_machine(data, mm):
    far = [
        (att.log_excess(data, c * mm.W), np.log(norm(att.loss_gradient(data, c * mm.W)))) for c in (20, 40)
    ]
    assert np.allclose(np.diff(far, axis=0), -20, atol=0.05)  # c is Gamma times the norm


@quotes("With the largest pull gone wrong, the bad tokens are still pushed, and the best is no longer pulled")
def test_saturated_pulls(both_ways, pulls, six):
    stable = both_ways["stable"]
    won = [b for b in range(6) if (stable.tokens[b] == six[b].optimal_tokens).all()]
    assert won
    for b in won:
        bad_mass = np.sort(stable.weights[:, b], axis=-1)[..., :-1].sum(axis=-1).max(axis=-1)
        found = pulls(six[b], stable.W[(bad_mass < 1e-17).argmax(), b])  # (3, 4)
        of_best = np.ravel_multi_index((range(3), six[b].optimal_tokens), (3, 4))
        assert (np.abs(found.ravel()[of_best]) < 1e-17).all() and (np.delete(found, of_best) < 0).all()


@quotes(r"Plain descent has $b\sim1/t$, and no run reaches")
def test_the_bad_mass_of_plain_descent(walks):
    bad_mass = (1 - walks["plain"].weights.max(axis=-1)).max(axis=-1)  # (5, 6), after 1250, 2500, ... steps
    assert abs(np.median(bad_mass[-2] / bad_mass[-1]) - 2) < 0.1


@quotes(
    r"every $w$ gives one of the others a logit of at least $\lVert w\rVert/\sqrt2$",
    r"and $\phi$ of the one is at least a third of $\phi$ of the other.",
)
def test_softplus_leaves_a_third(soft):
    turns, lengths = np.linspace(0, 2 * np.pi, 721), np.geomspace(1e-3, 1e3, 400)
    assert np.isclose(abs(np.array([np.cos(turns), np.sin(turns)])).max(axis=0).min(), 1 / np.sqrt(2))
    share = np.exp(soft.log(lengths / np.sqrt(2)) - soft.log(2 * lengths))
    assert 1 / 3 < share.min() < 0.36


@quotes(
    r"The first token is the better one in both, by $\frac12$, and $W$ can separate.",
    "a point that is far on the wrong side hardly pulls, and descent may *forget* it.",
)
def test_a_point_that_is_forgotten(forgetful, run, target):
    assert np.allclose(forgetful.scores, [0.5, 0]) and target.feasible and run.tokens[0] == 1
    weights = att.softmax_weights(forgetful, np.outer([1.5, 3], [1, 0])).prod(axis=1)  # times 1/2, the pulls
    assert 5e-4 < weights[0] / weights[1] < 6e-4


@quotes("The second run ends at the attention SVM of *other* tokens, at a loss above the infimum, and stays")
def test_the_second_run_ends_at_other_tokens(forgetful, run):
    assert run.tokens.tolist() != forgetful.optimal_tokens.tolist()
    assert att.correlation(run.W[-1], att.frobenius_svm(forgetful, run.tokens).W) > 0.999
    assert run.losses[-1] > 0.1 + att.LOGISTIC.value(forgetful.scores.max(axis=1)).mean()
    assert att.judged_choice(forgetful, run.tokens).verdict == "spurious"


@quotes(r"so the shortest is $w=(\frac12,\frac12)$", r"has $1/(1+3e^{-5})\approx0.98$ of the attention.")
def test_the_exercise_by_hand():
    data = att.TokenData([[[2, 2], [1, 1], [2, 0], [0, 2]]], [[0, 1]], [1], [1, 1])
    machine = att.frobenius_svm(data, np.array([0]))
    assert np.allclose(machine.W, [[0, 0.5], [0, 0.5]]) and np.allclose(machine.margins[0, 1:], 1)
    assert np.isclose(att.softmax_weights(data, 5 * machine.W)[0, 0], 1 / (1 + 3 * np.exp(-5)))


@quotes("Of the thirty runs all but one have come to the balance within 8,000 steps, to three digits")
def test_the_balance_of_descent(tilt, many, straight):
    assert (tilt[1] < 1e-3).sum() == 29 and tilt[1].max() < 0.05
    assert (straight.tokens != many.optimal_tokens).any(axis=1).sum() == 1
