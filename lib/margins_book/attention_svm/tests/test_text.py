"""The numbers in the chapter on attention and the SVM and in its story: each test quotes the words."""

import numpy as np
import pytest
from numpy.linalg import norm

from margins import attention_svm as att
from margins_book.attention_svm import path_rate
from margins_book.page.quotes import quotes, test_every_cell_runs, test_the_page_says_what_its_figures_expect  # noqa: F401

FIRST = np.array([0])


def descent(data, *steps):
    """Normalised descent on W from zero, at these numbers of steps."""
    return att.train(data, np.zeros((2, 2)), iterations=max(steps), record=list(steps))


@quotes(
    "the loss is within two ten-millionths of the lowest value that it can ever approach.",
    "from here on ten times as many steps leave a tenth of the angle.",
    "By step $1300$ the loss agrees with its limit to all sixteen digits of the computer, and "
    "$W$ still has more than two degrees to go.",
    story=(
        "have more than 99.98 per cent, and next to nothing is left to gain",
        "from here, ten times the steps leave a tenth of the angle",
    ),
)
def test_what_is_left_to_gain_and_to_turn(data, mm):
    run = descent(data, 300, 1300, 3000)
    left = run.losses - att.LOGISTIC.value(data.scores.max(axis=1)).mean()
    turns = np.degrees([2 * np.arcsin(norm(W / norm(W) - mm.W * mm.margin) / 2) for W in run.W])
    assert run.weights[0].max(axis=1).min() > 0.9998
    assert 1e-7 < left[0] < 2e-7
    assert abs(left[1]) < 1e-15
    assert 9 < turns[0] / turns[2] < 11
    assert 2 < turns[1] < 2.5


@quotes(
    r"It is $0.474$ at $\mu=0$ and $0.347$ at $\mu=2$, and as $\mu$ grows it falls towards $0.313$.",
    r"the output rises by weight times surplus, $\frac12\cdot\frac12=\frac14$ for each unit",
    story="With a lead of 8 in logits the better one gets the share 0.9997",
)
def test_two_tokens_by_hand():
    losses = np.log1p(np.exp(-1 / (1 + np.exp([0.0, -2.0, -50.0]))))
    assert losses.round(3).tolist() == [0.474, 0.347, 0.313]
    assert round(1 / (1 + np.exp(-8)), 4) == 0.9997
    two = att.TokenData(np.eye(2)[None], [[1, 0]], [1], [1, 0])
    slopes = -att.loss_gradient(two, np.zeros((2, 2)))[:, 0]
    assert np.allclose(slopes * (1 + np.exp(0.5)), [0.25, -0.25])  # |l'(1/2)| = 1 / (1 + e^(1/2))


@quotes(
    "the average of the circles is $3.3$, and the tokens 2, 3 and 4, which score $4.8$, $5.1$ and $4.3$,",
    "After $30$ steps the average is $4.79$",
    "After $50$ steps it is $4.99$",
    story=(
        "4.8 against 5.1, the numbers in the figure",
        "this begins at 3.3. So 2, 3 and 4, which score 4.8, 5.1 and 4.3,",
        "After 30 steps it is 4.79, and token 2 with its 4.8",
        "After 50 it is 4.99",
    ),
)
def test_the_average_rises_past_the_scores(data):
    averages = (descent(data, 0, 30, 50).weights * data.scores).sum(axis=2)[:, 0]
    assert averages.round(2)[1:].tolist() == [4.79, 4.99]
    assert data.scores[0, 2:5].round(1).tolist() == [4.8, 5.1, 4.3]
    assert averages[0].round(1) == 3.3
    assert np.flatnonzero(data.scores[0] > 3.3).tolist() == [2, 3, 4]


@quotes(
    "The shortest such $w$ is $(0,1)$. The second constraint holds with equality, so the third token is a "
    "support token; the first holds with $2$",
)
def test_the_machine_by_hand():
    machine = att.frobenius_svm(att.TokenData([[[1, 1], [0, -1], [1, 0]]], [[1, 0]], [1], [1, 1]), FIRST)
    assert np.allclose(machine.W, [[0, 0], [1, 0]])
    assert np.allclose(machine.margins[0, 1:], [2, 1])


@quotes(
    "$W$ has to grow, to more than eight times its length.",
    "turns, too, by nearly seven degrees",
    "only tokens 2, 10 and 11 have one that is not zero",
    "Token 5, with a score of only $2.8$, is closer behind than token 4 with $4.3$",
    story="2 for the circles, 10 and 11 for the squares",
)
def test_what_token_2_does_to_the_squares(data, best):
    before, X = att.frobenius_svm(data, best), data.X.copy()
    X[0, 2] = 2.1, 1.2
    after = att.frobenius_svm(att.TokenData(X, data.Z, data.Y, data.v), best)
    assert 8 < norm(after.W) / norm(before.W) < 9
    ways = np.array([m.W @ data.Z[1] for m in (before, after)])
    assert 6.5 < np.degrees(np.arccos(ways[0] @ ways[1] / norm(ways[0]) / norm(ways[1]))) < 7
    assert np.argwhere(before.support).tolist() == [[0, 2], [1, 4], [1, 5]]
    assert np.count_nonzero(before.multipliers > 1e-9) == 3
    assert before.margins[0, 5] < before.margins[0, 4]
    assert data.scores[0, 4:].round(1).tolist() == [4.3, 2.8]


@quotes(
    r"At $W=10\,W^{mm}$ each rival is behind by at least $10$, so it has at most $e^{-10}$, "
    "a twenty-thousandth",
    "Token 5, the next in line, is then $24.5$ behind, so that its exponential is already ninety times "
    "smaller",
    story="the exponential of the next, token 5, is ninety times smaller",
)
def test_who_is_next_in_line(data, mm):
    assert 2e4 < np.exp(10) < 2.3e4
    following = 20 * mm.margins[~mm.support].min()
    assert following.round(1) == 24.5
    assert mm.margins[0, 5] == following / 20
    assert round(np.exp(following - 20), -1) == 90


@quotes(
    r"$C_0$ is about $12$ for the twelve tokens, so that at $R\,\Gamma=1000$ the last bound still allows "
    "an angle of nine degrees.",
    "In {numref}`ex-regularised` it is a fortieth of a degree.",
    "settles at $1.19$.",
    "goes to another ray, four degrees lower.",
    story=("here about 1.19", "the circles' arrow goes to another ray, four degrees lower"),
)
def test_angles_of_the_path(data, paths, path_constants, limit):
    constant, path = np.log(np.divide(*path_constants(data))), paths["W"]
    assert round(constant) == 12
    assert round(np.degrees(2 * np.arcsin(np.sqrt(2 * constant / 1000) / 2))) == 9
    (k,) = np.flatnonzero(np.isclose(path.radii * path.machine.margin, 1000))
    assert np.degrees(path.lags[k] / path.radii[k]).round(3) == 0.024
    assert path.lags[-1].round(2) == norm(limit).round(2) == 1.19
    rays = np.array([paths[name].machine.W @ data.Z[0] for name in ("W", "K and Q")])
    assert 3.5 < -np.diff(np.degrees(np.arctan2(*rays.T[::-1])))[0] < 4.5


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


@quotes(
    "| $30$ steps | $2.4$ | $1.6$ | $-0.24$ | $0.31$ | $-0.29$ |",
    "| $300$ steps | $28.9$ | $4.9$ | $0.91$ | $0.10$ | $-0.31$ |",
    "| $800$ steps | $78.9$ | $5.1$ | $0.98$ | $0.10$ | $-0.32$ |",
    "| $3000$ steps | $298.9$ | $5.1$ | $0.98$ | $0.10$ | $-0.32$ |",
    "| path | | $1.2$ | $0.98$ | $0.10$ | $-0.32$ |",
    story=(
        "After 300 steps $W$ was 4.9 beside the ray.",
        "After 800 it was 5.1, and after 3,000 it still is",
        "The differences of their margins are those of the path, to within 0.01.",
    ),
)
def test_descent_beside_the_ray(data, best, mm, paths):
    found = np.array([*descent(data, 30, 300, 800, 3000).W, paths["W"].W[-1]])
    ahead = (found * mm.W).sum(axis=(1, 2)) * mm.margin
    aside = found - ahead[:, None, None] * mm.W * mm.margin
    leads = np.array([att.token_margins(data, best, W)[mm.support] for W in aside])
    assert np.allclose(ahead[:-1], [2.4, 28.9, 78.9, 298.9], atol=0.06)
    assert np.allclose(norm(aside, axis=(1, 2)), [1.6, 4.9, 5.1, 5.1, 1.2], atol=0.06)
    table = [[-0.24, 0.31, -0.29], [0.91, 0.10, -0.31], *3 * [[0.98, 0.10, -0.32]]]
    assert np.allclose(leads, table, atol=6e-3)
    assert abs(leads[2:4] - leads[4]).max() < 0.005


@quotes(
    "about a third of the runs end at the machine of tokens that are *not* all the best.",
    "only one or two of the six sequences go astray, altogether 7 per cent of the sequences.",
    "It starts with about an equal share of the attention, in the median, and in two thirds of them it even "
    "pulls harder, at first,",
    "But after forty steps, with attention still spread, it is behind in nearly all of them",
    "and after a hundred steps its share is down to a fortieth, in the median.",
    story=(
        "about a third of the runs end at the SVM of tokens that are not all the best",
        "7 per cent of the reviews go astray.",
    ),
)
def test_the_best_token_is_overtaken(hundred, initial, optimal):
    run, best = att.train(hundred, initial[0], record=[0, 40, 100, 2000]), hundred.optimal_tokens
    astray = run.tokens != best
    chosen = np.array([best, run.tokens])[:, None, ..., None]  # (2, 1, 100, 6, 1): the best, the winner
    share, winner = np.take_along_axis(run.weights[None], chosen, -1)[..., 0][..., astray]
    average = (run.weights * hundred.scores).sum(axis=-1)[:, astray]
    score = np.take_along_axis(hundred.scores[None], chosen[:, 0], -1)[..., 0][:, astray]
    pull, pull_of_winner = [share[0], winner[0]] * (score - average[0])
    assert abs(1 - np.mean(list(optimal.values())) - 1 / 3) < 0.14  # three standard errors of a hundred runs
    assert astray.sum(axis=1).max() <= 2
    assert round(100 * astray.mean()) == 7
    assert (hundred.scores.max(axis=-1)[astray] > average).all()
    assert abs(np.median(share[0]) - 1 / 8) < 0.02
    assert abs((pull > pull_of_winner).mean() - 2 / 3) < 0.03
    assert (share[1] < winner[1]).mean() > 0.9
    assert np.median(winner[1]) < 0.3
    assert abs(np.median(share[2]) - 1 / 40) < 0.005


@quotes(r"whose price is $\frac12(5+5)=5=4+1$, while the squared Frobenius norm of $W$ is $4^2+1^2$.")
def test_factors_by_hand():
    W, K = np.diag([4.0, 1.0]), np.diag([2.0, 1.0])
    assert np.array_equal(K @ K.T, W)
    assert np.allclose([norm(K) ** 2, norm(W, "nuc"), norm(W) ** 2], [5, 5, 17])


@quotes("In nearly all of the hundred runs of each kind")
def test_each_form_comes_near_its_own_machine(aligned, forms):
    for form in forms:
        own, other = ("Frobenius", "nuclear") if form == "W" else ("nuclear", "Frobenius")
        assert (aligned[form][own][-1] > aligned[form][other][-1]).mean() > 0.9


@quotes("the gradient of the loss stays at about $10^{-15}$, where its pull on $K$ is about as large")
def test_the_ridge_pulls_as_much_as_the_loss(ended, hundred):
    ridged = ended["KQ ridge"]
    for W, K, Q in list(zip(ridged.W, ridged.K, ridged.Q, strict=True))[-2:]:  # 400 and 1000 steps
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
    "The Frobenius rank is about 10 from dimension 10 on. The certified nuclear rank stays between 3 and 5.",
    "Counted above ten to the minus seven, the first-order solver's rank rises to about 10.",
)
def test_the_ranks_of_the_machines(ranks_of, fine):
    means = {name: counts.mean(axis=1) for name, counts in ranks_of.items()}
    assert (abs(means["Frobenius"][1:] - 10) < 0.2).all()
    assert 3 < means["nuclear"].min() <= means["nuclear"].max() < 5
    assert fine[0].mean() < fine[1].mean() < 9 < fine[2:].mean() < 11


@quotes(
    "We know no problem at which its third step is an equality; its fourth is one for the slower path",
    behind="parts = np.array([proof_of_rate(",
)
def test_which_step_of_the_proof_is_an_equality(parts):
    assert (parts[:, 1, 0] < 0.99 * parts[:, 1, 1]).all()
    assert np.allclose(parts[:2, 2, 0], parts[:2, 2, 1], rtol=1e-6)


@quotes(r"Twice the excess is about $e^{-3\mu_1}+3e^{-\mu_2}$")
def test_the_excess_of_a_loss_that_is_flat_at_a_best_score(excesses):
    excess = excesses["-u^3"][0](*1 / (1 + np.exp(np.array([7.0, 20.0]))))
    assert abs(excess / (np.exp(-21) + 3 * np.exp(-20)) - 1) < 0.01


@quotes(r"Plain descent has $b\sim1/t$, and no run reaches")
def test_the_bad_mass_of_plain_descent(walks):
    bad_mass = (1 - walks["plain"].weights.max(axis=-1)).max(axis=-1)  # (61, 6)
    times_steps = bad_mass * walks["plain"].iterations[:, None]
    assert abs(np.median(times_steps[-1] / times_steps[-6]) - 1) < 0.05  # from 4600 to 10,000 steps


@quotes(
    r"every $w$ gives one of the others a logit of at least $\lVert w\rVert/\sqrt2$",
    r"and $\phi$ of the one is at least a third of $\phi$ of the other.",
)
def test_softplus_leaves_a_third(soft):
    lengths = np.geomspace(1e-3, 1e3, 400)
    assert 1 / 3 < np.exp(soft.log(lengths / np.sqrt(2)) - soft.log(2 * lengths)).min() < 0.36


@quotes("The second run ends at the attention SVM of *other* tokens, at a loss above the infimum, and stays")
def test_the_second_run_ends_at_other_tokens(forgetful, run):
    assert att.correlation(run.W[-1], att.frobenius_svm(forgetful, run.tokens).W) > 0.999
    assert run.losses[-1] > 0.1 + att.LOGISTIC.value(forgetful.scores.max(axis=1)).mean()
    assert att.judged_choice(forgetful, run.tokens).verdict == "spurious"


@quotes(
    "Of the thirty runs all but one have come to the balance within 8,000 steps, to three digits",
    story="Of thirty runs on small random problems 29 came to such a balance within 8,000 steps",
)
def test_the_balance_of_descent(tilt, many, straight):
    assert (tilt[1] < 1e-3).sum() == 29
    assert tilt[1].max() < 0.05
    assert (straight.tokens != many.optimal_tokens).any(axis=1).sum() == 1


@quotes(
    r"so the shortest is $w=(\frac12,\frac12)$",
    r"has $1/(1+3e^{-5})\approx0.98$ of the attention.",
    r"at $t=\frac14\log3\approx0.27$, and the distance is $\sqrt2\,t\approx0.39$.",
)
def test_the_exercise_by_hand():
    data = att.TokenData([[[2, 2], [1, 1], [2, 0], [0, 2]]], [[0, 1]], [1], [3, 1])
    machine = att.frobenius_svm(data, FIRST)
    assert np.allclose(machine.W, [[0, 0.5], [0, 0.5]])
    assert np.allclose(machine.margins[0, 1:], 1)
    assert np.isclose(att.softmax_weights(data, 5 * machine.W)[0, 0], 1 / (1 + 3 * np.exp(-5)))
    aside = path_rate.offset(path_rate.rows_of(data)).reshape(2, 2)[:, 1]
    assert np.allclose(aside, [np.log(3) / 4, -np.log(3) / 4])
    assert [aside[0].round(2), norm(aside).round(2)] == [0.27, 0.39]


@quotes("the matrix at time $t$ is $e^{-4rt}$ times that at the start")
def test_a_ridge_balances_the_factors():
    data, r, step = att.random_token_data(3, 4, 3, rng=np.random.default_rng(2)), 0.02, 0.005
    begin = tuple(0.3 * np.random.default_rng(0).normal(size=(2, 3, 3)))
    run = att.train(data, begin, iterations=2000, step=step, normalised=False, record=5, ridge=r)
    gaps = run.K.mT @ run.K - run.Q.mT @ run.Q
    assert np.allclose(gaps, np.exp(-4 * r * step * run.iterations)[:, None, None] * gaps[0], atol=1e-3)


@quotes(
    r"the choice of $(2,0)$ alone has $w=(\frac12,0)$ and the margin $2$; to put both ahead takes "
    r"$w=(\frac12,1)$, margin $2/\sqrt5$."
)
def test_the_example_of_tied_tokens():
    either, both = (att.least_distance(np.array(rows)).point for rows in ([[2.0, 0]], [[2.0, 0], [0, 1]]))
    assert np.allclose([*either, *both], [0.5, 0, 0.5, 1])
    assert [1 / norm(either), 1 / norm(both)] == pytest.approx([2, 2 / np.sqrt(5)])
