"""What the story of the chapter on errata says about numbers: each test quotes the words."""

import numpy as np

from margins_book.errata_and_open_questions import figures
from margins_book.errata_and_open_questions.tests.test_claims import outweighed, pairs
from margins_book.page.quotes import quotes, test_a_story_is_as_long_as_it_may_be, test_every_cell_runs  # noqa: F401
from tests.margins_book.drawn import facts


@quotes(
    "the diamonds what the printed list makes of them. They agree.",
    "attention gives this key 0.54 of the weight, the list 0.24",
    "Nearest to the tip of the arrow is key 3. But key 1 gets 0.75 of the weight",
    "key 1 points away from the query and still has 0.02",
    "with keys of one length both methods",
)
def test_weights_of_key_1(printed_features):
    off, long, away = (facts(printed_features, k1_x=x, k1_y=y) for x, y in ((1.75, -0.75), (2, 1), (-2, -1)))
    assert [round(found["exact"][0], 2) for found in (off, long, away)] == [0.54, 0.75, 0.02]
    assert (round(off["printed"][0], 2), long["nearest"]) == (0.24, 2)
    assert all(facts(printed_features, k1_x=x, k1_y=y)["moved"] < 1e-12 for x, y in ((0, -1), (-1, 0)))


@quotes("and at 5 nearly all", "never gives it more than one half, and that at the place of the query")
def test_the_second_key_on_a_line():
    assert facts(figures.second_key, place=5)["right"] > 0.98
    printed = [facts(figures.second_key, place=place)["printed"] for place in (0.5, 1, 1.5, 5)]
    assert printed[1] == 0.5 == max(printed)


@quotes(
    "At the lead 5 the slope is −0.0018",
    "At −5, as drawn, it is −0.0033, and the *wrong* token has.",
    r"\text{slope}=-\frac{s\,(1-s)}{1+e^s}",
)
def test_slopes_at_two_leads():
    leads = np.linspace(-8, 8, 1601)
    losses = np.log1p(np.exp(-1 / (1 + np.exp(-leads))))
    assert np.allclose(np.gradient(losses, leads)[1:-1], -figures.slope_size(leads)[1:-1], atol=1e-5)
    assert [round(facts(figures.slope_of_lead, lead=lead)["size"], 4) for lead in (5, -5)] == [0.0018, 0.0033]


@quotes("The solid run ends at the right tokens, the dashed one at a wrong one.")
def test_two_runs():
    run, _ = figures.two_runs()
    assert (run.tokens == 0).all(axis=-1).tolist() == [True, False]


@quotes(
    "Of forty starts of $w$, 14 are at a wrong token after 1500 steps.",
    "They do, but not because of the forty",
    "In the half disc, where $a_1$ is now, sequence 2 can be lost.",
)
def test_starts_that_are_lost():
    places = (0.55, -1.45), (0.55, -0.65), (0.15, -0.35)
    trap, none, other = (facts(figures.two_pairs, a1_x=x, a1_y=y) for x, y in places)
    assert (trap["wrong"].sum(axis=0).tolist(), trap["loses"]) == ([14, 0], 1)
    assert (none["wrong"].any(), none["loses"]) == (False, None)
    assert (other["wrong"].any(axis=0).tolist(), other["loses"]) == ([False, True], 2)


@quotes(
    "of random pairs of sequences in the plane about one in five has one, in six dimensions one in a hundred"
)
def test_how_rare_traps_become():
    shares = [(outweighed(pairs(d, 1, batch=20_000)) > 1).mean() for d in (2, 6)]
    assert [round(5 * shares[0]), round(100 * shares[1])] == [1, 1]


@quotes(
    "Look at 40 heads of five small networks",
    "All discs lie above their rings, 0.30 against 0.20 on average.",
    "After training the cosine is 0.22, and 0.19 in another order, a difference that could be chance",
    "With very short keys the agreement is better, and training raises it, but not near 1.",
)
def test_agreement_of_heads(heads_and_axes, training, of_seeds):
    for moment, numbers in (("before", [0.30, 0.20]), ("after", [0.22, 0.19])):
        found = facts(heads_and_axes, number="cosine", moment=f"{moment} training")
        assert [round(found[name].mean(), 2) for name in ("own", "other")] == numbers
        assert found["own"].shape == (5, 8)
    assert figures.over_seeds(found["own"] - found["other"]).low < 0
    before, after = (
        figures.of_heads(training, of_seeds, "linear_cosine", steps)
        for steps in (0, training["plan"]["steps"])
    )
    assert figures.over_seeds(after - before).low > 0
    assert found["own"].mean() < after.mean() < after.max() < 0.5
