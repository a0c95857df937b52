"""What the story of the chapter on attention and the SVM says about numbers: each test quotes the words."""

from functools import cache

import numpy as np
from numpy.linalg import norm

from margins import attention_svm as att
from margins_book.attention_svm import figures
from margins_book.attention_svm.drawings import beside_the_ray, column_angles
from margins_book.attention_svm.path_rate import offset, rows_of
from margins_book.attention_svm.paths import angle
from margins_book.attention_svm.runs import RECORD, trained_on
from margins_book.page.quotes import quotes, test_a_story_is_as_long_as_it_may_be, test_every_cell_runs  # noqa: F401


def facts(figure, **values):
    """What a figure knows of the state that the story shows."""
    copy = figure.at(**values)
    return copy.function(**copy.default)[2]


@cache
def hundred_runs():
    """Training on the first hundred problems of the chapter, and the best tokens."""
    rng = np.random.default_rng(0)
    hundred = att.random_token_data(6, 8, 10, rng=rng, batch=100)
    return hundred, att.train(hundred, att.random_start(hundred, rng=rng), record=[0, 40, 100, 2000])


def without_mean(margins):
    return margins - margins.mean(axis=-1, keepdims=True)


@quotes(
    "*superb*, has practically all of the *attention*",
    "nearly as clearly (4.8 against 5.1, the numbers in the figure)",
)
def test_superb_and_lively(reviews):
    after = facts(reviews, when="after training")
    assert [figures.WORDS[0][t] for t in (2, 3)] == ["lively", "superb"]
    assert figures.WORDS[1][3] == "dreadful"
    assert after["scores"][0, 2:4].round(1).tolist() == [4.8, 5.1]
    assert 0 < after["weights"][0, 2] < 1e-9 < 1 - 1e-9 < after["weights"][0, 3]


@quotes("Before training all have equal attention, and both answers are right.")
def test_right_before_it_began(reviews, data):
    before = facts(reviews, when="before training")
    assert np.ptp(before["weights"]) == 0
    assert (before["reads"] * data.Y > 0).all()


@quotes(
    "have more than 99.98 per cent, and next to nothing is left to gain",
    "from here, ten times the steps leave a tenth of the angle",
)
def test_after_300_steps(trajectory, data):
    early, late = (facts(trajectory, steps=steps, form="W") for steps in (300, 3000))
    assert early["leaders"] == [3, 9]
    assert early["attention"].min() > 0.9998
    assert 9 < early["turn"] / late["turn"] < 11
    run = att.train(data, np.zeros((2, 2)), iterations=300, record=1)
    assert run.losses[-1] - att.LOGISTIC.value(data.scores.max(axis=1)).mean() < 2e-7


@quotes("plain descent would need exponentially many")
def test_plain_descent_is_slow(data):
    plain = att.train(
        data, np.zeros((2, 2)), iterations=3000, step=0.1, normalised=False, record=[30, 300, 3000]
    )
    assert plain.weights[0, 0, 3] < 0.25
    assert (np.diff(norm(plain.W, axis=(1, 2))) < 8).all()  # a factor of ten in steps adds a constant


@quotes(
    "After 13, though, 2 (*lively*) and 11 lead.",
    "For the circles this begins at 3.3. So 2, 3 and 4, which score 4.8, 5.1 and 4.3, all pull to the "
    "right, and so do the squares through the shared $W$, since their query looks the other way.",
    "And 2 and 4 lie farther right than 3.",
)
def test_the_first_steps(data, trajectory):
    assert facts(trajectory, steps=13, form="W")["leaders"] == [2, 11]
    surplus = data.scores - data.scores.mean(axis=1, keepdims=True)  # all weights are equal
    assert data.scores[0].mean().round(1) == 3.3
    assert np.flatnonzero(surplus[0] > 0).tolist() == [2, 3, 4]
    assert data.scores[0, 2:5].round(1).tolist() == [4.8, 5.1, 4.3]
    ways = np.einsum("nt,ntd,ne->nde", surplus, data.X, data.Z) @ data.Z[0]  # of each review, for the circles
    assert (ways[:, 0] > 0).all()
    assert data.Z[1, 0] < 0
    assert data.X[0, [2, 4], 0].min() > data.X[0, 3, 0]


@quotes(
    "After 30 steps it is 4.79, and token 2 with its 4.8 hardly pulls any more.",
    "After 50 it is 4.99, and token 2 is pushed down.",
    "here token 3 alone lies above it in the end",
)
def test_the_average_rises(bar):
    found = {steps: facts(bar, steps=steps) for steps in (30, 50, 300)}
    assert [found[steps]["average"].round(2) for steps in (30, 50)] == [4.79, 4.99]
    assert 0 < found[30]["pulls"][2] < 0.03 * found[30]["pulls"][3]
    assert found[50]["pulls"][2] < 0
    assert found[300]["above"] == [3]


@quotes(
    "With a lead of 8 in logits the better one gets the share 0.9997",
    "a larger lead would still gain a little",
)
def test_a_lead_of_8():
    near, far = (figures.lead.function(lead)[2] for lead in (8, 12))
    assert near["share"].round(4) == 0.9997
    assert far["loss"] < near["loss"]


@quotes(
    "The closest rivals hold the streets: 2 for the circles, 10 and 11 for the squares.",
    "Drag 2 up beside 3, and the squares' street turns too",
)
def test_who_holds_the_streets(hold):
    here, beside = (facts(hold, which=2, token_x=x, token_y=y) for x, y in ((2.3, 0.2), (2.1, 1.2)))
    assert np.flatnonzero(here["bars"] > 1e-9).tolist() == [2, 10, 11]
    assert column_angles(here["ways"].T, beside["ways"].T)[1] > 6


@quotes(
    r"Where the SVM puts the closest rivals 20 behind ($R\,\Gamma=20$), the exponential of the next, "
    "token 5, is ninety times smaller."
)
def test_token_5_is_next(data):
    machine = att.frobenius_svm(data, data.optimal_tokens)
    following = machine.margins[~machine.support].min()
    assert following == machine.margins[0, 5]
    assert round(np.exp(20 * (following - 1)), -1) == 90


@quotes("the angle between the two closes like $1/R$", "here about 1.19. So $W_R$ walks beside the ray.")
def test_the_rails(rails, paths):
    near, far = (facts(rails, reach=reach, form="W") for reach in (1000, 10000))
    assert near["beside"].round(2) == far["beside"].round(2) == 1.19
    assert abs(near["turn"] / far["turn"] / 10 - 1) < 0.01
    assert abs(norm(offset(rows_of(paths["W"].data))) - near["beside"]) < 0.01


@quotes(
    "moved to the edge of the street, token 5 has the multiplier 0",
    "so the distance grows, like a logarithm. Still the rails meet.",
)
def test_token_5_on_the_edge(rails, paths):
    machine = att.frobenius_svm((data := paths["W, token 5 on the edge"].data), data.optimal_tokens)
    assert np.isclose(machine.margins[0, 5], 1)
    assert np.count_nonzero(machine.multipliers > 1e-9) == machine.support.sum() - 1
    line = [facts(rails, reach=reach, form="W, token 5 on the edge") for reach in (100, 1000, 10000)]
    assert np.ptp(np.diff([f["beside"] for f in line])) < 0.15
    assert line[0]["turn"] > 5 * line[1]["turn"] > 25 * line[2]["turn"]


@quotes(
    "After 300 steps $W$ was 4.9 beside the ray.",
    "After 800 it was 5.1, and after 3,000 it still is",
    "by a shift that tokens 2, 10 and 11 do not feel",
    "The differences of their margins are those of the path, to within 0.01.",
)
def test_descent_beside_the_ray(data, paths):
    run, path = trained_on(data)["W"], paths["W"]
    steps = [RECORD.index(k) for k in (300, 800, 3000)]
    assert beside_the_ray(run.W[steps], path.machine.W)[1].round(1).tolist() == [4.9, 5.1, 5.1]
    u = path.machine.W / norm(path.machine.W)
    margins = np.array([
        att.token_margins(data, data.optimal_tokens, W - (W * u).sum() * u)[path.machine.support]
        for W in (*run.W[steps[1:]], path.W[-1])
    ])  # fmt: skip
    assert abs(margins - margins[-1]).max() < 0.005
    assert abs(without_mean(margins[-1])).max() > 0.5


@quotes("Of thirty runs on small random problems 29 came to such a balance within 8,000 steps")
def test_the_balance_of_thirty_runs():
    many = att.random_token_data(2, 5, 3, rng=np.random.default_rng(4), batch=30)
    run = att.train(many, iterations=8000, record=1)
    off = [unbalanced(many[b], run.tokens[b], run.W[-1][b]) for b in range(30)]
    assert np.less(off, 1e-3).sum() == 29


def unbalanced(problem, tokens, W):
    """How much mu - log(c / lambda) differs among the tokens with multipliers."""
    machine = att.frobenius_svm(problem, tokens)
    multipliers = np.zeros(machine.margins.shape)
    multipliers[np.isfinite(machine.margins)] = machine.multipliers
    on, top = multipliers > 1e-9, problem.scores[np.arange(len(tokens)), tokens][:, None]
    c = (top - problem.scores) / (1 + np.exp(top))
    return np.ptp(att.token_margins(problem, tokens, W)[on] - np.log(c[on] / multipliers[on]))


@quotes(
    "On a hundred problems of six random reviews, about a third of the runs end at the SVM of "
    "tokens that are not all the best",
    "7 per cent of the reviews go astray.",
    "starts with about an equal share, and lies above the average to the end",
    "overtaken while attention is still spread, and heard less and less",
    "Descent, in our random runs, finds one word, not always the best.",
)
def test_the_best_token_is_overtaken():
    hundred, run = hundred_runs()
    best, astray = hundred.optimal_tokens, run.tokens != hundred.optimal_tokens
    assert abs(astray.any(axis=1).mean() - 1 / 3) < 0.14
    assert round(100 * astray.mean()) == 7
    share = np.take_along_axis(run.weights, best[None, :, :, None], -1)[..., 0][:, astray]
    average = (run.weights * hundred.scores).sum(axis=-1)[:, astray]
    assert (hundred.scores.max(axis=-1)[astray] > average).all()
    medians = np.median(share, axis=1)
    assert abs(medians[0] - 1 / 8) < 0.02
    assert (np.diff(medians) < 0).all()
    assert run.weights[-1].max(axis=-1).min() > 1 - 1e-9  # each run finds one token
    leaders = run.weights[1:3].max(axis=-1)[:, astray]
    assert np.median(leaders[0]) < 0.5 < np.median(leaders[1])  # after 40 steps attention is still spread


@quotes("which here, after 20 steps, has just passed token 2")
def test_token_3_has_passed_token_2(trajectory):
    leaders = [facts(trajectory, steps=steps, form="W")["leaders"][0] for steps in (13, 20, 3000)]
    assert leaders == [2, 3, 3]


@quotes("the circles' arrow goes to another ray, four degrees lower")
def test_another_ray(regularised):
    both = [facts(regularised, reach=1000, form=form) for form in ("W", "K and Q")]
    assert 3.5 < both[0]["ray"] - both[1]["ray"] < 4.5
    assert max(both[1]["arrows"]) < 0.1


@quotes("Descent, which bounds nothing, shows the same preference.")
def test_keys_and_queries_come_nearer_to_their_own_machine(data):
    W, solvers = trained_on(data)["K and Q"].W[-1], (att.nuclear_svm, att.frobenius_svm)
    own, other = (angle(W, solve(data, data.optimal_tokens).W) for solve in solvers)
    assert own < other / 2


@quotes(
    "For numbers, half of $k^2+q^2$ is at least $|kq|$", "With infinitely small steps $k^2-q^2$ never changes"
)
def test_two_numbers():
    k, q = np.random.default_rng(0).normal(size=(2, 50))
    assert ((k**2 + q**2) / 2 >= abs(k * q)).all()
    for h in (1e-2, 1e-3):  # one step of descent with the slope 1 changes the difference by h^2 only
        assert np.allclose((k - h * q) ** 2 - (q - h * k) ** 2, (k**2 - q**2) * (1 - h**2))


@quotes("*lively* always keeps a little attention")
def test_lively_keeps_a_little(reviews):
    assert facts(reviews, when="after training")["weights"].min() > 0
