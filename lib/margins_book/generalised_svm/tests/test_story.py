"""What the story of the chapter on nonlinear heads says about numbers: each test quotes the words."""

import numpy as np
from numpy.linalg import norm

from margins import attention_svm as engine
from margins.attention_svm import generalised_svm, nearest_mixture, sparsemax
from margins_book.generalised_svm import descent, figures
from margins_book.page.quotes import quotes, test_a_story_is_as_long_as_it_may_be, test_every_cell_runs  # noqa: F401


def facts(figure, **values):
    """What a figure knows of the state that the story shows."""
    copy = figure.at(**values)
    return copy.function(**copy.default)[2]


def trained_logits(gamma, lam, steps):
    """The logits (K, T) after these steps from zero; their sum is zero."""
    logits = np.log(descent.descend(gamma, lam, steps))
    return logits - logits.mean(axis=1, keepdims=True)


def in_the_plane(plane_tokens, first):
    """The tokens of the plane as data, and the machine that keeps the first two with these shares."""
    data = engine.TokenData(plane_tokens[None], np.eye(2)[:1], [1], np.zeros(2))
    kept, shares = np.arange(4)[None] < 2, np.array([[first, 1 - first, 0, 0]])
    return data, generalised_svm(data, kept, shares)


@quotes(
    "A mixture is shorter than each of its tokens, so it may earn more",
    "two thirds, one third, and three times nothing",
)
def test_the_wanted_weights(gamma, mixture):
    wanted = sparsemax(gamma / 0.6)
    assert np.allclose(wanted, [2 / 3, 1 / 3, 0, 0, 0])
    assert norm(wanted) < 1
    assert gamma @ wanted - 0.3 * wanted @ wanted > gamma.max() - 0.3
    assert facts(mixture, lam=0.3, steps=3000)["wanted"] == 2


@quotes(
    "If of two logits one is ahead by 1.10, its token has three quarters",
    "A lead of 10 leaves the other 0.000045",
    "our five logits with $\\lambda=0.07$. One token is wanted alone, and they part without end",
)
def test_leads_of_two_tokens(gamma):
    assert round(1 / (1 + np.exp(-1.10)), 2) == 0.75
    assert round(1 / (1 + np.exp(10)), 6) == 0.000045
    assert sparsemax(gamma / 0.14).tolist() == [1, 0, 0, 0, 0]
    lengths = norm(trained_logits(gamma, 0.07, (100, 1000, 10_000)), axis=1)
    assert np.diff(lengths).min() > 1.5


@quotes(
    "$W$ has the length 6.1 after 1000 steps and 7.3 after 3000, and goes on",
    "one difference of logits, $\\log2\\approx0.69$",
    "as the upper two curves show",
)
def test_the_riddle(gamma):
    logits = trained_logits(gamma, 0.3, (1000, 3000, 10_000))  # the query has the length 1
    assert norm(logits, axis=1)[:2].round(1).tolist() == [6.1, 7.3]
    assert norm(logits[2]) > 8.5
    assert round(logits[2, 0] - logits[2, 1], 2) == round(np.log(2), 2) == 0.69
    assert logits[2, :2].min() > logits[2, 2:].max()


@quotes(
    "so it wants the first token alone",
    "It is concave, and highest at the share 0.6",
    "With $\\lambda=0.1$ it would still rise at its right end",
)
def test_heads_on_two_tokens():
    best = {name: facts(figures.earnings_of_two, head=name)["best"] for name in figures.heads_on_two}
    assert best["sinh"] == 1
    assert best["square, λ = 0.5"] == 0.6
    assert best["square, λ = 0.1"] == 1
    ends = [facts(figures.earnings_of_two, head="square, λ = 0.1", share=s)["earned"] for s in (0.98, 1.0)]
    assert ends[0] < ends[1]


@quotes("tokens 1 and 3 share, and token 2 is left out")
def test_a_goal_beside_an_edge(triangle):
    assert (nearest_mixture(triangle, np.array([0.96, 0.9])) > 1e-9).tolist() == [True, False, True]


@quotes(
    "Here the goal lies inside the triangle and all three tokens are wanted",
    "After 32 steps the mean is within a ten-thousandth of the goal",
    "still 0.0036 away from the nearest point after 256 steps, and twice as many steps only halve this",
)
def test_the_way_of_the_mean(triangle):
    def away(goal, steps):
        way = descent.ways(triangle, np.array([goal]), (0, steps))[0, -1]
        return norm((way - nearest_mixture(triangle, np.array(goal))) @ triangle)

    assert nearest_mixture(triangle, np.array([0.0, 0.2])).min() > 0
    assert away([0.0, 0.2], 32) < 1e-4
    assert [round(away([0.96, 0.9], steps), 4) for steps in (256, 512)] == [0.0036, 0.0018]


@quotes(
    "our five have 1, 0.8, 0.45, 0.1 and −0.3",
    "The second token comes in above $\\lambda=0.1$, the third above 0.45, the fourth above 0.975",
    "Above 1.775 all five share",
)
def test_thresholds(gamma):
    assert gamma.tolist() == [1, 0.8, 0.45, 0.1, -0.3]
    for m, end in enumerate((0.1, 0.45, 0.975, 1.775), 1):
        shares = [sparsemax(gamma / (2 * lam)) for lam in (0.999 * end, 1.001 * end)]
        assert [(s > 1e-9).sum() for s in shares] == [m, m + 1]


@quotes("At every step their sum is zero, as at the start: what some gain, others lose")
def test_the_sum_of_the_logits(gamma):
    step = 0.5
    a = np.zeros(5)
    for _ in range(100):
        s = np.exp(a) / np.exp(a).sum()
        slopes = gamma - 1.4 * s
        a = a + step * s * (slopes - s @ slopes)
    assert abs(a.sum()) < 1e-12
    assert np.allclose(a, trained_logits(gamma, 0.7, (100,))[0])


@quotes(
    "The second is not wanted",
    "its weight is 0.0195 after 100 steps, 0.00199 after 1000 and 0.00020 after 10,000",
    "about 2 over the number of steps",
    "The dotted lines are those of tokens 4 and 5",
)
def test_a_left_out_weight(gamma):
    scores, steps = np.array([1.0, 0.0]), (100, 1000, 10_000)
    assert sparsemax(scores / 0.5).tolist() == [1, 0]
    weights = descent.descend(scores, 0.25, steps)[:, 1]
    assert [weights[0].round(4), *weights[1:].round(5)] == [0.0195, 0.00199, 0.00020]
    assert np.allclose(weights * steps, 2, rtol=0.03)
    seen, laws, _ = descent.parts_in_training(gamma, 0.7, figures.moments)
    out = laws > 0
    assert np.flatnonzero(out).tolist() == [3, 4]
    off = np.abs(seen[:, out] * figures.moments[:, None] / laws[out] - 1)  # from the dotted lines
    assert off[-1].max() < 0.05
    assert (off[-1] < off[-10]).all()


@quotes("tokens 3 and 4 still have 0.27 of the attention together", r"\log\frac{0.8}{0.2}")
def test_the_finite_part(plane_tokens):
    data, svm = in_the_plane(plane_tokens, 0.8)
    assert np.isclose((plane_tokens[0] - plane_tokens[1]) @ svm.finite[:, 0], np.log(0.8 / 0.2))
    assert round(engine.softmax_weights(data, svm.finite)[0, 2:].sum(), 2) == 0.27


@quotes(
    "After $R=4.5$ such steps tokens 3 and 4 are down to 0.0009", "It is at right angles to the finite part"
)
def test_the_direction(plane_tokens):
    data, svm = in_the_plane(plane_tokens, 0.8)
    step = svm.directional.W[:, 0]
    leads = (plane_tokens[:2, None] - plane_tokens[2:]) @ step
    assert np.isclose(leads.min(), 1)
    assert abs(step @ svm.finite[:, 0]) < 1e-9
    weights = engine.softmax_weights(data, svm.equivalent(4.5))[0]
    assert np.isclose(weights[0] / weights[1], 4)
    assert round(weights[2:].sum(), 4) == 0.0009


@quotes("only the part along $W^{mm}$ goes on growing", "after 10,000 steps there are still 14 degrees to go")
def test_the_rails(gamma):
    _, _, parts = descent.parts_in_training(gamma, 0.3, np.array([1000, 10_000]))
    inside, along, rest = parts[1] - parts[0]
    assert max(abs(inside), abs(rest)) < 0.1 < 2 < along
    assert round(np.degrees(np.arccos(parts[1, 1] / norm(parts[1])))) == 14


@quotes(
    "whose nearest point to zero is always the same",
    "adding it cannot make the fit worse, by Pythagoras",
)
def test_any_vector_contains_its_finite_part(plane_tokens):
    across = plane_tokens[0] - plane_tokens[1]
    for w in np.random.default_rng(0).normal(size=(20, 2)):
        first = 1 / (1 + np.exp(-across @ w))
        _, svm = in_the_plane(plane_tokens, first)
        finite, step = svm.finite[:, 0], svm.directional.W[:, 0]
        assert np.allclose(finite, (across @ w) / (across @ across) * across)
        for C in (0.0, 2.0):
            assert np.isclose(norm(w - C * step) ** 2 - norm(w - finite - C * step) ** 2, finite @ finite)


@quotes("If every token has a share, as here, a finite matrix can make it, and the logits come to rest")
def test_all_five_come_to_rest(gamma):
    assert sparsemax(gamma / 5).min() > 0
    logits = trained_logits(gamma, 2.5, (1000, 10_000))
    assert np.allclose(*logits, atol=1e-3)
    assert np.allclose(
        logits[1] - logits[1, 0], np.log(sparsemax(gamma / 5) / sparsemax(gamma / 5)[0]), atol=1e-3
    )
