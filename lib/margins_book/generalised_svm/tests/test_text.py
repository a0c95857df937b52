"""What chapter 8 says about numbers: shares that heads want, descent, the two parts, the study."""

import numpy as np
from numpy.linalg import norm
from scipy.optimize import linprog

from margins import attention_svm as engine
from margins.attention_svm import correlation, generalised_svm, nearest_mixture, sparsemax
from margins_book.experiments.several_tokens import SETTINGS, estimates
from margins_book.generalised_svm import descent, figures
from margins_book.page.quotes import quotes, test_every_cell_runs, test_the_page_says_what_its_figures_expect  # noqa: F401

LAMBDAS = np.array(figures.curvature.values)  # of the first figure
D = (4, 6, 8, 10)  # dimensions of the study


def tenths():
    """All shares (1001, 5) of five tokens in tenths."""
    grid = np.stack(np.meshgrid(*[np.arange(11)] * 5), axis=-1).reshape(-1, 5)
    return grid[grid.sum(axis=1) == 10] / 10


@quotes(
    "A mixture of the tokens is shorter than each of them",
    "may earn more than the best token although its score is lower",
)
def test_a_mixture_is_shorter_and_may_earn_more(gamma):
    shares = tenths()
    is_corner, earned = shares.max(axis=1) == 1, shares @ gamma - 0.5 * (shares**2).sum(axis=1)
    assert norm(shares[~is_corner], axis=1).max() < 1
    best = earned[~is_corner].argmax()
    assert earned[~is_corner][best] > earned[is_corner].max()
    assert (shares @ gamma)[~is_corner][best] < gamma.max()


def trained(gamma, lam, steps):
    """Attention and logits (K, 5) of the five tokens after these steps from zero."""
    weights = descent.descend(gamma, lam, steps)
    logits = np.log(weights)
    return weights, logits - logits.mean(axis=1, keepdims=True)


@quotes("the [bars](#ex-mixture", 'and the [diamonds](#ex-mixture "wanted share") are the shares')
def test_training_moves_attention_to_what_the_head_wants(gamma):
    run = descent.descend(gamma, LAMBDAS[:, None], figures.record)  # (8, 65, 5)
    wanted = sparsemax(gamma / (2 * LAMBDAS[:, None]))
    off = np.abs(run - wanted).max(axis=2)
    assert (off[-1] < 0.1 * off[0]).all()
    earned, shares = (wanted @ gamma - LAMBDAS * (wanted**2).sum(axis=1)), tenths()
    rivals = (shares @ gamma)[:, None] - np.outer((shares**2).sum(axis=1), LAMBDAS)
    assert (earned > rivals.max(axis=0) - 1e-12).all()


@quotes(
    'The head wants two thirds of [token 1](#ex-mixture "token 1"), one third of [token 2]',
    "After $3000$ steps each share is right to within $0.002$.",
    "It has the length $6.1$ after $1000$ steps and $7.3$ after $3000$, and goes on",
    r"softmax makes this ratio out of a difference of logits of $\log2\approx0.69$",
)
def test_two_tokens_share_and_the_matrix_grows(gamma):
    lam = LAMBDAS[np.abs(LAMBDAS - 0.3).argmin()]  # where the figure stands
    wanted = sparsemax(gamma / (2 * lam))
    assert np.abs(wanted - [2 / 3, 1 / 3, 0, 0, 0]).max() < 0.005
    weights, logits = trained(gamma, lam, (1000, 3000, 30_000))
    assert np.abs(weights[1] - wanted).max() < 0.002
    lengths = norm(logits, axis=1)  # of W, the query has the length 1
    assert lengths[:2].round(1).tolist() == [6.1, 7.3]
    assert lengths[2] > 9
    assert round(logits[1, 0] - logits[1, 1], 2) == round(np.log(2), 2) == 0.69


@quotes("As $\\lambda$ grows, the water falls and one token after the other comes out.")
def test_tokens_come_in_one_after_the_other(gamma):
    wanted = sparsemax(gamma / (2 * LAMBDAS[:, None]))  # (65, 5)
    levels = (gamma[0] - 2 * LAMBDAS * wanted[:, 0]).tolist()
    assert levels == sorted(levels, reverse=True)
    comes_in = (wanted > 0).argmax(axis=0).tolist()  # at which of the curvatures
    assert comes_in == sorted(set(comes_in))


@quotes(
    r"the logit of the first must be ahead by $\log3\approx1.10$",
    "A lead of $10$ leaves the second token $0.000045$, a lead of $20$ two billionths",
)
def test_leads_of_two_tokens():
    assert round(np.log(3), 2) == 1.10
    assert round(1 / (1 + np.exp(10)), 6) == 0.000045
    assert round(1e9 / (1 + np.exp(20))) == 2


@quotes(
    r"The linear head $\langle v,x\rangle$ earns $1$ with the first token and $0.9$ with half of each",
    r"The head $\sinh\langle v,x\rangle$, anything but linear, earns $1.18$ and $1.03$",
    "earns $0.5$ with the first token, $0.65$ with half of each, and most with $0.6$ of the first",
    r"earn $-1$ each, and half of each earns $-\frac12$",
)
def test_what_three_heads_earn():
    first_or_half = np.array([[1.0, 0.0], [0.5, 0.5]])
    products, squares = first_or_half @ [1, 0.8], (first_or_half**2).sum(axis=1)
    assert np.allclose(products, [1, 0.9])
    assert np.sinh(products).round(2).tolist() == [1.18, 1.03]
    assert np.allclose(products - squares / 2, [0.5, 0.65])
    assert np.allclose(-squares, [-1, -0.5])
    assert np.allclose(sparsemax(np.array([1, 0.8])), [0.6, 0.4])  # at lambda = 1/2


@quotes(r"With $\lambda=0.1$ the penalty bends the curve, too, and yet the first token earns most.")
def test_a_concave_head_may_keep_one_token():
    assert np.allclose(sparsemax(np.array([1, 0.8]) / 0.2), [1, 0])


@quotes(
    r"In the triangle that is the point $(\frac12,\frac12)$, half of the second token and half of the third",
    "They earn $1.5$ together and $1$ each.",
)
def test_the_nearest_point_by_hand():
    tokens = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    shares = nearest_mixture(tokens, np.ones(2))
    assert np.allclose(shares, [0, 0.5, 0.5])
    earned = [2 * x.sum() - x @ x for x in (shares @ tokens, *tokens[1:])]
    assert np.allclose(earned, [1.5, 1, 1])


@quotes(
    "the [way of the output](#ex-nearest-point",
    "if it lies inside the hull, the output arrives",
    r"the output is within $10^{-4}$ of it after $32$ steps",
    "it is still $0.0036$ short after $256$ steps, and twice as many only halve this",
)
def test_the_way_of_the_output(triangle):
    goals = np.array([[x, y] for x in np.linspace(-2, 2, 17) for y in np.linspace(-1.2, 1.6, 17)])
    ways = descent.ways(triangle, goals, figures.snapshots)
    wishes = np.array([nearest_mixture(triangle, y) for y in goals])
    assert np.allclose(ways[:, 0] @ triangle, triangle.mean(axis=0))
    missing, wanted = norm((ways[:, -1] - wishes) @ triangle, axis=1), (wishes > 1e-9).sum(axis=1)
    assert missing[wanted == 3].max() < 0.02
    assert missing.max() < 0.03
    for goal, steps, short in ([0, 0.2], 32, 0), ([0.96, 0.9], 256, 0.0036), ([0.96, 0.9], 512, 0.0018):
        way = descent.ways(triangle, np.array([goal]), (0, steps))[0, -1]
        assert abs(norm((way - nearest_mixture(triangle, np.array(goal))) @ triangle) - short) < 1e-4


@quotes(
    "If the goal is beside an edge, the way leads to the foot of the perpendicular, where two tokens share",
    "If it is beyond a corner, one token is wanted",
)
def test_where_one_and_two_tokens_are_wanted(triangle):
    for y in np.array([[x, y] for x in np.linspace(-2, 2, 17) for y in np.linspace(-1.2, 1.6, 17)]):
        shares = nearest_mixture(triangle, y)
        kept = triangle[shares > 1e-9]
        is_beyond = any(((triangle - corner) @ (y - corner) <= 0).all() for corner in triangle)
        assert (len(kept) == 1) == is_beyond
        assert len(kept) != 2 or abs((y - shares @ triangle) @ (kept[1] - kept[0])) < 1e-9


@quotes(
    r"the second token comes in above $\lambda=0.1$, which is half of the gap $1-0.8$",
    "the third above $0.45$, the fourth above $0.975$, and above $1.775$ all five share",
)
def test_thresholds_of_the_five_tokens(ends):
    assert np.allclose(ends, [0.1, 0.45, 0.975, 1.775])


@quotes(r"For $\lambda=1$ this is $\frac34$. But for $\lambda\le\frac12$ it is no share below $1$")
def test_shares_of_two_tokens():
    for lam in (0.1, 0.3, 0.5, 0.51, 1, 3):
        share = sparsemax(np.array([1, 0]) / (2 * lam))[0]
        assert np.isclose(share, min(1, 1 / 2 + 1 / (4 * lam)))
        assert (share > 1 - 1e-12) == (lam <= 1 / 2)


@quotes(
    "The head wants nothing of the second token.",
    r"Its weight is $0.0195$ after $100$ steps, $0.00199$ after $1000$ and $0.00020$ after $10{,}000$.",
    "This is about $2/k$ after $k$ steps",
)
def test_a_left_out_weight_never_vanishes():
    scores, steps = np.array([1.0, 0.0]), (100, 1000, 10_000)
    assert sparsemax(scores / (2 * 0.25)).tolist() == [1, 0]
    weights = descent.descend(scores, 0.25, steps)[:, 1]
    assert [float(f"{weights[0]:.4f}"), *weights[1:].round(5)] == [0.0195, 0.00199, 0.00020]
    assert np.allclose(weights * steps, 2, rtol=0.03)


@quotes(
    r"$c_\tau$ is by how much the slope of token $\tau$ stays below the common slope of the kept ones",
    "The smaller it is, the longer the token keeps some weight.",
)
def test_the_slope_that_a_token_lacks(S, best, lacking, lam, scores, seen):
    slopes = scores - 2 * lam * best
    common = np.where(S, slopes, -np.inf).max(axis=1, keepdims=True)
    assert np.allclose(np.where(S, slopes, common), common)
    assert np.allclose((common - slopes)[~S], lacking[~S])
    lacks_less = np.where(S, np.inf, lacking)[:, :, None] < np.where(S, -np.inf, lacking)[:, None] - 0.1
    assert lacks_less.any()  # both left out
    assert (seen[1][:, :, None] > seen[1][:, None, :])[lacks_less].all()


@quotes("Those near a threshold are left out, for they take longer.")
def test_scores_near_a_threshold_take_longer(lam, scores):
    drawn = np.random.default_rng(5).normal(size=(300, 6))
    off = np.abs(descent.descend(drawn, lam, (5000,))[0] - sparsemax(drawn / (2 * lam))).max(axis=1)
    is_kept = (drawn[:, None] == scores).all(axis=2).any(axis=1)
    assert np.median(off[~is_kept]) > 2 * np.median(off[is_kept])


@quotes(
    r"Its point nearest to $0$ is $(\frac12\log3,-\frac12\log3)\approx(0.55,-0.55)$",
    r"So of all logits with the right ratio the shortest, in Euclidean length, are",
    r"The shortest logits with $a_1=a_2\ge a_3+1$ are $(\frac13,\frac13,-\frac23)$",
    r"Finite part plus $R$ times the direction has the weights "
    r"$(\frac34,\frac14,\frac{e^{-R}}{\sqrt3+1/\sqrt3})$",
    "For $R=5$ the third is $0.003$.",
)
def test_the_two_parts_by_hand():
    data = engine.TokenData(np.eye(3)[None], np.eye(3)[:1], [1], np.zeros(3))
    svm = generalised_svm(data, np.array([[True, True, False]]), np.array([[0.75, 0.25, 0]]))
    assert np.allclose(svm.finite[:, 0], np.log(3) / 2 * np.array([1, -1, 0]), atol=1e-12)
    assert round(np.log(3) / 2, 2) == 0.55
    assert np.allclose(svm.directional.W[:, 0], np.array([1, 1, -2]) / 3, atol=1e-9)
    weights = np.array([3 / 4, 1 / 4, np.exp(-5) / (np.sqrt(3) + 1 / np.sqrt(3))])
    weights /= weights.sum()
    assert np.allclose(engine.softmax_weights(data, svm.equivalent(5))[0], weights, atol=1e-9)
    assert round(weights[2], 3) == 0.003


@quotes(
    'On the [dashed line](#ex-two-parts "right ratios") tokens 1 and 2 have the right ratio.',
    "is the point of this line nearest to $0$",
    "runs along the line, and the attention on tokens 3 and 4 fades",
)
def test_the_two_parts_in_the_plane(plane_tokens):
    data = engine.TokenData(plane_tokens[None], [[1.0, 0.0]], [1], [1.0, 0.0])
    svm = generalised_svm(data, np.array([[True, True, False, False]]), np.array([[0.8, 0.2, 0, 0]]))
    finite, direction = svm.finite[:, 0], svm.directional.W[:, 0]
    weights = np.array([engine.softmax_weights(data, svm.equivalent(R))[0] for R in (0, 4.5)])
    assert np.allclose(weights[:, 0] / weights[:, 1], 0.8 / 0.2)
    across = plane_tokens[0] - plane_tokens[1]
    assert np.allclose(finite, np.log(4) * across / (across @ across))
    assert abs(across @ direction) < 1e-9
    assert (np.diff(weights[:, 2:], axis=0) < 0).all()


@quotes(r"lowers the squared distance from $G$ by $\lVert W^{fin}\rVert_F^2$, by Pythagoras")
def test_the_finite_part_lowers_the_distance(measured):
    for seed in range(5):
        _, G, _, _, svm = measured(seed)
        for C in (0.0, 2.5):
            distances = norm(G - svm.equivalent(C)), norm(G - C * svm.directional.W)
            assert np.isclose(distances[1] ** 2 - distances[0] ** 2, norm(svm.finite) ** 2)


@quotes(
    r"again two of the five tokens are kept at $\lambda=0.3$",
    r"the lengths of the part in $\mathcal{S}$ and of the rest change by less than $0.1$",
    "grows by about $2.5$",
    r"This is $\lVert W^{mm}\rVert_F\log10$",
    r"is still $14°$ off its ray, after $1000$ it was $19°$",
)
def test_the_parts_from_step_1000_on(gamma):
    assert (sparsemax(gamma / 0.6) > 0).sum() == 2
    _, _, parts = descent.parts_in_training(gamma, 0.3, np.array([1000, 10_000]))
    inside, along, rest = parts[1] - parts[0]
    assert max(abs(inside), abs(rest)) < 0.1
    assert round(along, 1) == round(np.sqrt(6 / 5) * np.log(10), 1) == 2.5
    assert np.degrees(np.arccos(parts[:, 1] / norm(parts, axis=1))).round().tolist() == [19, 14]


@quotes(
    "As a statement about matrices it is not: the difference does not tend to zero",
    "it is about as large as $W^{fin}$, or larger",
)
def test_the_difference_of_the_matrices(gamma):
    for lam in (0.07, 0.3, 0.7, 1.2):
        _, _, parts = descent.parts_in_training(gamma, lam, figures.moments)
        off = np.hypot(parts[:, 2], parts[:, 1] - norm(parts, axis=1))  # from F + |W| M / |M|
        assert off[-1] > 0.9 * off[-10]  # after 8 times as many steps
        assert off[-1] > 0.9 * parts[-1, 0]


@quotes("It gets better slowly: the rest does not vanish, and the direction grows like $\\log k$.")
def test_the_direction_gets_better_slowly(F, M, across, problems, run, settled, wish):
    earlier = correlation(run.W[0] - F, M)[settled]
    assert 1.2 < np.median((1 - earlier) / (1 - across)) < 8  # in 20 times as many steps
    multiples = np.einsum("kbde,bde->kb", run.W, M) / norm(M, axis=(1, 2)) ** 2  # (2, 40)
    without, rests = run.W - multiples[..., None, None] * M, []
    for b in np.flatnonzero(settled):
        basis = descent.kept_span(problems[b], wish[b] > 1e-9)
        rests.append([norm(W.ravel() - basis.T @ (basis @ W.ravel())) for W in without[:, b]])
    assert 0.8 < np.median(np.divide(*np.transpose(rests)[::-1])) < 1.6
    assert 0.85 < np.median((multiples[1] - multiples[0])[settled]) / np.log(20_000 / 1000) < 1.15


@quotes("In the study's first setting, $J=d=T=4$, that is exactly one half.")
def test_silence_in_the_first_setting():
    assert engine.silence_probability(4, 4) == 1 / 2


@quotes(
    "The settings are those of the authors' public code: $n=3$, $T=4$",
    "normalised descent with step $0.1$ and 2001 steps",
    "A run is *accepted* if no weight lies between $10^{-6}$ and $10^{-3}$ and some weight is below",
)
def test_settings_of_the_study(study, studied):
    asked = [SETTINGS[name] for name in ("n", "T", "step", "iterations", "suppressed", "kept")]
    assert asked == [3, 4, 0.1, 2001, 1e-6, 1e-3]
    assert set(study["verdict"]) == {"accepted", "labels", "unclear"}
    for _, _, s, _ in studied.values():
        is_clear = ~((s > 1e-6) & (s < 1e-3)).any(axis=(1, 2)) & (s < 1e-6).any(axis=(1, 2))
        assert (is_clear == engine.selected_tokens(s)[1]).all()


@quotes(
    "Nine of the twelve published means lie in our intervals",
    "all of them in the rows with heavy tails",
    "The rows with $W^{fin}$ or $W^{mm}$ have heavy tails: their means are 2.5 to 10.8 times their medians",
    "the first two rows are ordered by Pythagoras",
)
def test_published_means_and_heavy_tails(study, outside):
    assert len(outside) == 12 - 9
    assert not any(name.startswith("single") for name in outside)
    tails = {
        name: [found[f"mean {name}"].value / found[f"median {name}"].value for _, found in estimates(study)]
        for name in ("equivalent", "directional", "single", "across")
    }
    heavy = tails["equivalent"] + tails["directional"] + tails["across"]
    assert [round(min(heavy), 1), round(max(heavy), 1)] == [2.5, 10.8]
    assert max(tails["single"]) < 1.5
    accepted = study["verdict"] == "accepted"
    assert (study["equivalent"] <= study["directional"] * 1.001)[accepted].all()


@quotes(
    "the candidates that were accepted are few, and fewer with every dimension",
    "The share accepted falls tenfold, and stays nearly the same fraction of the probability of silence.",
    "keeps a fifth of its runs in four dimensions and a fiftieth in ten",
)
def test_the_share_accepted(study):
    accepted = np.array([found["accepted"].value for _, found in estimates(study)])
    assert (np.diff(accepted) < 0).all()
    assert round(accepted[0] / accepted[-1]) == 10
    assert [round(accepted[0], 1), round(accepted[-1], 2)] == [1 / 5, 1 / 50]
    fractions = accepted / [engine.silence_probability(d, 4) for d in D]
    assert np.ptp(np.log(fractions)) < 0.07


@quotes("of which a fifth and more contain no mixture at all")
def test_accepted_runs_without_a_mixture(study, accepted):
    without = [(study["selected"][(study["d"] == d) & accepted] == 3).mean() for d in D]
    assert 1 / 5 < min(without) < 0.3


@quotes(
    "for the masks and the mixture found, the direction is right, as the row *across* says",
    "For what is kept, the fit is good.",
)
def test_the_direction_across(study):
    assert max(found["median across"].value for _, found in estimates(study)) < 0.005


@quotes(
    "So that is what most of the mixtures of the study are, in these draws more than four in five",
    "Most of the other mixtures stand just outside such a region, where the head is below $0.02$.",
    "most of its mixtures, more than four in five, are held by a silent head",
)
def test_mixtures_held_by_a_silent_head(tallies, tally):
    assert np.mean(tally["mixtures in accepted runs with label -1"]) > 0.9
    assert np.mean(tally["mixtures at which the head is exactly 0"]) > 0.8
    assert np.mean(tally["other mixtures just outside of silence"]) > 0.5
    assert np.mean(tally["accepted runs in which all labels -1 have silence"]) > 0.6
    shares = [
        [found[f"accepted, {kind}"].mean() for kind in ("without", "with silence")]
        for found in tallies.values()
    ]
    assert max(without / silence for without, silence in shares) < 0.4


@quotes("Steps of fixed length jitter across it, and the run is rarely clear after 2001 steps")
def test_runs_held_at_a_kink_are_rarely_clear(studied):
    def wants_a_mixture_at_a_kink(X, V):
        """Whether no mixture silences the units V (J, d), and the best output is no token of X (T, d)."""
        T, J = len(X), len(V)
        program = linprog(
            np.r_[np.zeros(T), np.ones(J)], A_ub=np.c_[V @ X.T, -np.eye(J)], b_ub=np.zeros(J),
            A_eq=np.r_[np.ones(T), np.zeros(J)][None], b_eq=[1.0],
        )  # fmt: skip
        return program.fun > 1e-9 and program.x[:T].max() < 1 - 1e-7

    data, units, s, _ = studied[4]
    at_a_kink = np.array([
        any(y < 0 and wants_a_mixture_at_a_kink(X, V) for X, y in zip(data.X[b], data.Y[b], strict=True))
        for b, V in enumerate(units)
    ])  # fmt: skip
    assert at_a_kink.sum() > 150
    assert engine.selected_tokens(s)[1][at_a_kink].mean() < 0.05


@quotes("A mixture that is also clear is rare.", "Most clear runs have found one token in each sequence")
def test_heads_of_both_signs(ends_of):
    for clear, several, fits in ends_of.values():
        assert several.mean() < 0.1 < clear.mean()
        assert (clear & ~several).sum() > clear.sum() / 2
        assert np.median(fits) < 0.15


@quotes("$W$ could be $0.1k$ long, and is a few hundredths of that")
def test_lengths_without_silence(lengths, steps):
    assert 0.01 < lengths[1] / (0.1 * steps) < 0.1
