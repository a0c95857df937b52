"""What the story of the chapter on errata says about numbers: each test quotes the words."""

import numpy as np
import pytest
from numpy.linalg import norm

from margins.softmax_kernel import taylor_features
from margins_book.errata_and_open_questions import figures
from margins_book.errata_and_open_questions.tests.test_claims import outweighed, pairs
from margins_book.page.quotes import quotes, test_a_story_is_as_long_as_it_may_be, test_every_cell_runs  # noqa: F401


def facts(figure, **values):
    """What a figure knows of the state that the story shows."""
    copy = figure.at(**values)
    return copy.function(**copy.default)[2]


@quotes(
    "the diamonds what the printed list makes of them. They agree.", "with keys of one length both methods"
)
def test_keys_on_the_circle_hide_the_factor(printed_features):
    for x, y in ((0, -1), (-1, 0)):
        found = facts(printed_features, k1_x=x, k1_y=y)
        assert found["length"] == pytest.approx(1)
        assert found["moved"] < 1e-12


@quotes("attention gives this key 0.54 of the weight, the list 0.24")
def test_a_key_off_the_circle_shows_it(printed_features):
    found = facts(printed_features, k1_x=1.75, k1_y=-0.75)
    assert (round(found["exact"][0], 2), round(found["printed"][0], 2)) == (0.54, 0.24)


@quotes(r"\phi(x)=e^{-x^2/2}\Bigl(1,\ x,\ \frac{x^2}{\sqrt{2!}},\ \frac{x^3}{\sqrt{3!}},\ \dots\Bigr)")
def test_the_printed_list_is_that_of_the_gaussian():
    x = np.array([[0.7], [-1.2]])
    first = np.exp(-(x**2) / 2) * x ** np.arange(4) / np.sqrt([1, 1, 2, 6])
    assert np.allclose(taylor_features(x, degree=3, prefactor=True), first)
    lists = taylor_features(x, degree=40, prefactor=True)
    assert lists[0] @ lists[1] == pytest.approx(np.exp(-((0.7 + 1.2) ** 2) / 2))


@quotes("and at 5 nearly all", "never gives it more than one half, and that at the place of the query")
def test_the_second_key_on_a_line():
    assert facts(figures.second_key, place=5)["right"] > 0.98
    printed = [facts(figures.second_key, place=place)["printed"] for place in (0.5, 1, 1.5, 5)]
    assert printed[1] == 0.5 == max(printed)


@quotes(
    "Nearest to the tip of the arrow is key 3. But key 1 gets 0.75 of the weight",
    "The key 1 lies on the query, but 3 has the larger product.",
)
def test_the_best_fitting_key_is_not_the_nearest(printed_features, one_query):
    found = facts(printed_features, k1_x=2, k1_y=1)
    assert (found["nearest"], round(found["exact"][0], 2)) == (2, 0.75)
    assert one_query @ [2, 1] / norm(one_query) / norm([2, 1]) > 0.99


@quotes("key 1 points away from the query and still has 0.02")
def test_no_weight_is_zero(printed_features, one_query):
    assert one_query @ [-2, -1] < 0
    assert round(facts(printed_features, k1_x=-2, k1_y=-1)["exact"][0], 2) == 0.02


@quotes("But the second panel shows a hill.", r"\text{slope}=-\frac{s\,(1-s)}{1+e^s}")
def test_the_slope_first_grows_then_falls():
    leads = np.linspace(-8, 8, 1601)
    losses = np.log1p(np.exp(-1 / (1 + np.exp(-leads))))
    slopes = np.gradient(losses, leads)
    assert np.allclose(slopes[1:-1], -figures.slope_size(leads)[1:-1], atol=1e-5)
    assert (np.diff(slopes) < 0).any()
    assert (np.diff(slopes) > 0).any()


@quotes("At the lead 5 the slope is −0.0018", "At −5, as drawn, it is −0.0033, and the *wrong* token has.")
def test_slopes_at_two_leads():
    assert [round(facts(figures.slope_of_lead, lead=lead)["size"], 4) for lead in (5, -5)] == [0.0018, 0.0033]


@quotes("If you hear only that the size is 0.01")
def test_a_size_on_both_sides_of_the_hill():
    assert all(figures.slope_size(np.array(far)) < 0.01 < figures.slope_size(np.array(0)) for far in (-5, 5))


@quotes(
    "The solid run ends at the right tokens, the dashed one at a wrong one.",
    "The gradient falls, in the end like one over the number of steps.",
)
def test_two_runs():
    run, _ = figures.two_runs()
    assert (run.tokens == 0).all(axis=-1).tolist() == [True, False]
    early, late = (facts(figures.saturated, step=step) for step in (1000, 10_000))
    assert (late["lengths"] > early["lengths"] + 1).all()
    assert np.allclose(early["pulls"] / late["pulls"], 10, rtol=0.15)


@quotes("Of forty starts of $w$, 14 are at a wrong token after 1500 steps.")
def test_a_trap_of_two_sequences():
    found = facts(figures.two_pairs, a1_x=0.55, a1_y=-1.45)
    assert (found["wrong"][:, 0].sum(), found["wrong"].any(axis=1).sum(), found["loses"]) == (14, 14, 1)
    assert found["back"] > figures.a2 @ figures.a2


@quotes("They do, but not because of the forty")
def test_no_trap_at_the_second_place():
    found = facts(figures.two_pairs, a1_x=0.55, a1_y=-0.65)
    assert found["loses"] is None
    assert not found["wrong"].any()
    assert found["back"] < min(figures.a2 @ figures.a2, found["square"])


@quotes(
    "of random pairs of sequences in the plane about one in five has one, in six dimensions one in a hundred"
)
def test_how_rare_traps_become():
    shares = [(outweighed(pairs(d, 1, batch=20_000)) > 1).mean() for d in (2, 6)]
    assert [round(5 * shares[0]), round(100 * shares[1])] == [1, 1]


@quotes("All discs lie above their rings, 0.30 against 0.20 on average.", "40 heads of five small networks")
def test_agreement_before_training(heads_and_axes):
    found = facts(heads_and_axes, number="cosine", moment="before training")
    assert found["own"].shape == (5, 8)
    assert (found["own"] > found["other"]).all()
    assert [round(found[name].mean(), 2) for name in ("own", "other")] == [0.30, 0.20]


@quotes(
    "After training the cosine is 0.22, and 0.19 in another order, a difference that could be chance",
    "With very short keys the agreement is better, and training raises it, but not near 1.",
)
def test_agreement_after_training(heads_and_axes, training, of_seeds):
    found = facts(heads_and_axes, number="cosine", moment="after training")
    assert [round(found[name].mean(), 2) for name in ("own", "other")] == [0.22, 0.19]
    assert figures.over_seeds(found["own"] - found["other"]).low < 0
    before, after = (
        figures.of_heads(training, of_seeds, "linear_cosine", steps)
        for steps in (0, training["plan"]["steps"])
    )
    assert figures.over_seeds(after - before).low > 0
    assert found["own"].mean() < after.mean() < after.max() < 0.5


@quotes("In the half disc, where $a_1$ is now, sequence 2 can be lost.")
def test_the_second_kind_of_trap():
    found = facts(figures.two_pairs, a1_x=0.15, a1_y=-0.35)
    assert (found["loses"], found["wrong"][:, 1].any(), found["wrong"][:, 0].any()) == (2, True, False)
