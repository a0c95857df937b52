"""What holds the words of the chapter on attention and the SVM: each test quotes them."""

import numpy as np
from numpy.linalg import norm

from margins import attention_svm as att
from margins_book.attention_svm.drawings import column_angles
from margins_book.attention_svm.figures import trained_on
from margins_book.page.quotes import quotes, test_every_cell_runs, test_the_page_says_what_its_figures_expect  # noqa: F401


@quotes("turn to their rays, and the rays come from a program that knows of no training.")
def test_arrows_turn_to_their_rays(data):
    rays = att.frobenius_svm(data, data.optimal_tokens).W @ data.Z.T
    off = np.array([column_angles(W @ data.Z.T, rays) for W in trained_on(data)["W"].W[1:]])
    assert (np.diff(off, axis=0) < 0).all()
    assert off[0].min() > 20
    assert off[-1].max() < 0.3


@quotes(r"the loss is $0.474$ at $\mu=0$ and $0.347$ at $\mu=2$; it falls to $0.313$ as $\mu\to\infty$")
def test_two_tokens_by_hand():
    losses = np.log1p(np.exp(-1 / (1 + np.exp([0.0, -2.0, -50.0]))))
    assert losses.round(3).tolist() == [0.474, 0.347, 0.313]


@quotes(r"Their pulls on their logits are $\frac14$ and $-\frac14$, times the slope of the loss.")
def test_pulls_by_hand():
    two = att.TokenData(np.eye(2)[None], [[1, 0]], [1], [1, 0])
    slopes = -att.loss_gradient(two, np.zeros((2, 2)))[:, 0]
    assert np.allclose(slopes * (1 + np.exp(0.5)), [0.25, -0.25])  # |l'(1/2)| = 1 / (1 + e^(1/2))


@quotes("In the figure token 3 scores $5.1$, the highest of the circles.")
def test_token_3_has_the_highest_score(data):
    assert data.scores[0].max().round(1) == 5.1 and data.scores[0].argmax() == 3


@quotes("Their average stays below $5.1$, and tends to it only if the attention to token 3 tends to $1$.")
def test_the_average_of_the_circles_stays_below(data):
    weights = np.concatenate([run.weights[:, 0] for run in trained_on(data).values()])  # (38, 6)
    lost, ahead = 5.1 - weights @ data.scores[0], 5.1 - np.sort(data.scores[0])[-2]
    assert (lost >= ahead * (1 - weights[:, 3]) - 1e-12).all()
    assert ahead > 0.2


@quotes(
    "The shortest $w$ is $(0,1)$, where the second holds with equality, the first with $2$: the third token "
    "supports.",
    "since whatever $W$ does off $z$ costs norm and gains nothing.",
)
def test_the_machine_by_hand():
    three = att.TokenData([[[1, 1], [0, -1], [1, 0]]], [[1, 0]], [1], [1, 1])
    machine, first = att.frobenius_svm(three, np.array([0])), np.array([0])
    assert np.allclose(machine.W, [[0, 0], [1, 0]]) and np.allclose(machine.margins[0, 1:], [2, 1])
    off_query = np.add(machine.W, [[0, 0.3], [0, -0.2]])
    assert np.allclose(att.token_margins(three, first, off_query)[0, 1:], [2, 1]) and norm(off_query) > 1.05


@quotes(r"If $W=10\,W^{mm}$, each other token has at most $e^{-10}$ times the attention of the chosen one.")
def test_ten_times_the_machine(best, data, mm):
    weights = att.softmax_weights(data, 10 * mm.W)  # (2, 6)
    behind = np.log(weights / weights[[0, 1], best][:, None])
    assert np.allclose(np.sort(behind)[:, -2], -10) and (behind[[0, 1], best] == 0).all()


@quotes("One sequence with $T=2$: the loss falls with")
def test_the_path_of_two_tokens_lies_on_the_ray():
    two, radii = att.TokenData([[[1, 1], [0, -1]]], [[1, 0.5]], [1], [1, 0]), np.array([0.1, 1, 10, 100])
    path = att.regularisation_path(two, radii, rng=np.random.default_rng(0), starts=2).W
    assert np.allclose(path / radii[:, None, None], np.outer([1, 2], [1, 0.5]) / 2.5, atol=1e-9)


@quotes("With more tokens or sequences it need not be, as the")
def test_the_path_of_the_twelve_tokens_does_not(data, paths):
    rays = paths["W"].machine.W @ data.Z.T
    first, last = (column_angles(W @ data.Z.T, rays)[0] for W in paths["W"].W[[0, -1]])
    assert first > 10 and last < 0.01


@quotes(
    r"has $C_0=\log(2+2e)\approx2.0$ for the logistic loss. At $R\,\Gamma=20$ the last bound of the theorem "
    "allows an angle of $26°$"
)
def test_the_constant_by_hand():
    constant = np.log(1 * 2 * 1 * 1 * (1 + np.e))  # n T (T - 1) C Delta / (c delta)
    assert constant.round(1) == 2.0 and np.isclose(constant, np.log(2 + 2 * np.e))
    assert round(np.degrees(2 * np.arcsin(np.sqrt(2 * constant / 20) / 2))) == 26


@quotes("How fast does the direction converge? Here its distance falls like $1/R$.")
def test_the_distance_falls_like_one_over_the_radius(off, reach):
    assert abs(np.polyfit(np.log(reach[4:7]), np.log(off[4:7]), 1)[0] + 1) < 0.05


@quotes(
    r"have $\frac12(\lVert K\rVert_F^2+\lVert Q\rVert_F^2)=5$, the sum of the singular values of $W$; "
    r"its Frobenius norm is $\sqrt{17}$."
)
def test_factors_by_hand():
    W, K = np.diag([4.0, 1.0]), np.diag([2.0, 1.0])
    assert np.array_equal(K @ K.T, W)
    assert np.allclose([norm(K) ** 2, norm(W, "nuc")], 5)
    assert np.isclose(norm(W), np.sqrt(17))


@quotes(
    "In nearly all of a hundred runs of each kind in the paper's setting",
    "That descent comes near the nuclear SVM is measured.",
)
def test_each_form_comes_near_its_own_machine(aligned, forms):
    own = {form: aligned[form]["Frobenius" if form == "W" else "nuclear"][-1] for form in forms}
    other = {form: aligned[form]["nuclear" if form == "W" else "Frobenius"][-1] for form in forms}
    assert min((own[form] > other[form]).mean() for form in forms) > 0.9
    assert own["W"].mean() > 0.99 < own["KQ ridge"].mean()
    assert 0.95 < own["KQ"].mean() < 0.99


@quotes("About a third of the runs end at tokens that are not all the best.")
def test_how_many_runs_end_at_the_best_tokens(optimal):
    assert abs(1 - np.mean(list(optimal.values())) - 1 / 3) < 0.14  # three standard errors of a hundred runs


@quotes(
    "With the ridge the gradient of the loss stays at about $10^{-15}$, where its pull on $K$ is about as "
    "large as the ridge's.",
    "whose pull is in the end about as large as that of the loss, so that one watches",
)
def test_the_ridge_pulls_as_much_as_the_loss(ended, hundred):
    ridged = ended["KQ ridge"]
    for W, K, Q in list(zip(ridged.W, ridged.K, ridged.Q, strict=True))[-3:]:  # 400, 1000 and 2000 steps
        G = att.loss_gradient(hundred, W)
        assert 0.8e-15 < np.median(norm(G, axis=(1, 2))) < 1.2e-15
        pulls = norm(G @ Q, axis=(1, 2)) / (2 * 2.2e-16 * norm(K, axis=(1, 2)))
        assert 1 < np.median(pulls) < 1.2


@quotes(
    "The paper's setting: $n=6$, $T=8$, $d=10$, everything on the unit sphere, normalised steps of length "
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


@quotes(
    "Counted above ten to the minus seven, the first-order solver's rank rises to about 10.",
    "counted above $10^{-7}$, an inaccurate solution hides it.",
)
def test_the_rank_that_a_first_order_solver_seems_to_have(fine):
    assert fine[0].mean() < fine[1].mean() < fine[2:].mean()
    assert 9 < fine[2:].mean() < 11


@quotes("Below it one counts noise, in most of the directions that the queries allow.")
def test_noise_fills_most_directions(dimensions, fine):
    allowed = np.minimum(10, dimensions)[:, None]  # min(n, d)
    counted = (fine / allowed).mean(axis=1)
    assert counted.min() > 0.7 and counted.max() < 1.05


@quotes(
    "Its third step is an equality at no problem that we know; its fourth is one for the slower path",
    behind="parts = np.array([proof_of_rate(",
)
def test_which_step_of_the_proof_is_an_equality(parts):
    assert (parts[:, 1, 0] < 0.99 * parts[:, 1, 1]).all()
    assert np.allclose(parts[:2, 2, 0], parts[:2, 2, 1], rtol=1e-6)


@quotes(r"The reason: a number $\eta=W_{33}$ of the order $1$ lowers the loss")
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
