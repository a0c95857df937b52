"""What the story of the chapter on sequences and data says about numbers: each test quotes the words."""

from itertools import product

import numpy as np
from scipy.optimize import linprog

from margins import attention_svm as att
from margins import data as real
from margins_book.page.quotes import quotes, test_a_story_is_as_long_as_it_may_be, test_every_cell_runs  # noqa: F401
from margins_book.sequences_and_data import figures


def facts(figure, **values):
    """What a figure knows of the state that the story shows."""
    copy = figure.at(**values)
    return copy.function(**copy.default)[2]


def demands(data, tokens):
    """By sample, selected token and rival, from 1, the matrix whose product with W must be 1 or more."""
    return {
        (k + 1, int(best) + 1, int(t) + 1): np.outer(data.X[k, best] - data.X[k, t], data.Z[k]).ravel()
        for k, best in enumerate(tokens)
        for t in np.flatnonzero(data.allowed[k])
        if t != best
    }


def can_be_met(rows):
    """Whether some W has an inner product of at least 1 with each of the rows."""
    rows = np.array(rows)
    found = linprog(np.zeros(rows.shape[1]), A_ub=-rows, b_ub=-np.ones(len(rows)), bounds=(None, None))
    return found.status == 0


@quotes(
    "Of the four, token 3 scores best, and after 3,000 steps of equal length it has nearly all the weight",
    "with a minus if a square asks",
)
def test_token_3_has_the_attention_of_token_4(triangle, five, asks, reader):
    at_the_end = facts(triangle, steps=3000, position=4, mask="the past")
    assert (at_the_end["winner"]["the past"], round(at_the_end["weight"], 3)) == (3, 1)
    data = att.causal_data(five[None], asks[None], reader)
    assert np.allclose(data.scores, asks[:, None] * (five @ reader))
    assert data.optimal_tokens[3] == 2


@quotes(
    "alone, token 2 would send its query to $-163°$; it is sent to $-136°$",
    "Training ended half a degree from the machine",
)
def test_one_matrix_serves_five_queries(triangle):
    at_the_end = facts(triangle, steps=3000, position=2, mask="the past")
    assert at_the_end["angles"][:2] == [-136, -163]
    assert 0.4 < at_the_end["off"] < 0.6


@quotes(
    "These three tokens add up to zero",
    "so they cannot all be positive",
    "any three tokens in the plane refuse some choice",
)
def test_three_tokens_in_the_plane():
    assert not figures.three_tokens.sum(axis=0).any()
    assert abs(facts(figures.no_lift, angle=45)["leads"].sum()) < 1e-12
    for tokens in (figures.three_tokens, *np.random.default_rng(0).normal(size=(10, 3, 2))):
        data = att.sequence_data(tokens[None], np.ones((1, 3)), np.ones(2))
        assert not all(att.is_feasible(data, np.array(choice)) for choice in product(range(3), repeat=3))


@quotes("every choice has a machine from $n(T-1)$ coordinates on; a single sequence without a mask needs $T$")
def test_coordinates_that_are_enough():
    rng = np.random.default_rng(1)
    for n, T, mask, d in ((2, 2, "full", 2), (2, 2, "causal", 2), (1, 3, "causal", 2), (1, 3, "full", 3)):
        reduced = att.sequence_data if mask == "full" else att.causal_data
        data = reduced(rng.normal(size=(n, T, d)), np.ones((n, T)), np.ones(d))
        for choice in product(*[np.flatnonzero(row) for row in data.allowed]):
            assert can_be_met(list(demands(data, choice).values()))


@quotes("there are both machines, and the mask makes the margin larger, 0.24 against 0.17")
def test_both_machines_exist():
    there = facts(figures.prefix, token_x=0.9, token_y=0.6)
    assert (round(there["causal"], 2), round(there["full"], 2)) == (0.24, 0.17)


@quotes(
    "the causal machine is gone, the full one is not",
    "without a mask it chooses token 3, the leftmost",
    "Under the mask it has to choose itself, ahead of token 1",
    "That is a new demand, and without it there would be a machine",
)
def test_the_mask_hides_the_best_token():
    place = (0.9, 1.5)
    there = facts(figures.prefix, token_x=place[0], token_y=place[1])
    assert there["causal"] < 5e-4 < there["full"]
    full, causal = (
        reduced(figures.moved(place), figures.pair_labels, [1, 0])
        for reduced in (att.sequence_data, att.causal_data)
    )
    assert (full.optimal_tokens[1], figures.moved(place)[0, :, 0].argmin()) == (2, 2)
    asked = demands(causal, causal.optimal_tokens)
    new = (2, 2, 1)  # position 2 of the first sequence chooses token 2, ahead of token 1
    assert not can_be_met(list(asked.values()))
    assert can_be_met([row for name, row in asked.items() if name != new])
    assert len(asked) == 6


@quotes(
    "For a single sequence this cannot happen (proved)",
    "In random draws of four sizes more problems had a machine with a mask than without",
)
def test_how_often_there_is_a_machine():
    for n, T, d in ((1, 4, 2), (1, 6, 3), (2, 3, 2), (4, 4, 3)):
        rng = np.random.default_rng(7)
        X, Y = rng.normal(size=(300, n, T, d)), rng.choice([-1.0, 1.0], size=(300, n, T))
        v = rng.normal(size=(300, d))
        full, causal = (
            np.array([machine.feasible for machine in att.frobenius_svm(data, data.optimal_tokens)])
            for data in (att.sequence_data(X, Y, v), att.causal_data(X, Y, v))
        )
        assert causal.mean() > full.mean()
        assert n > 1 or not (full & ~causal).any()


@quotes("Then more of the token $(3,1)$ lowers it at the rate 0.6, more of $(1,5)$ at the rate 0.2")
def test_momentary_scores():
    assert np.allclose(np.array([[3, 1], [1, 5]]) @ [0.2, 0], [0.6, 0.2])


@quotes(
    "which in the end attends to position 4 alone",
    "0.99 with the machine of what these select, and 0.86 with that of all queries",
)
def test_the_layer_below():
    found = facts(figures.hierarchy, steps=1000, residual="on")
    assert found["sharing"] == [False, False, False, True]
    assert found["most"] > 0.999
    assert (round(found["layer_1_asked"], 2), round(found["layer_1_all"], 2)) == (0.99, 0.86)


@quotes(
    "We measured 24 problems with random tokens, a fixed head and residual connections",
    "All 24 lie above the line. The median cosine is 0.99 in layer 1 and 0.98 in layer 2",
)
def test_two_layers_with_residual_connections(asked_or_all):
    found = facts(asked_or_all, residual="on")
    assert (found["above"], len(found["medians"])) == (24, 2)
    assert found["medians"].tolist() == [0.99, 0.98]


@quotes(
    "Three of the four positions of layer 1 select the same token",
    "and each gets a third of the attention",
)
def test_twins():
    found = facts(figures.hierarchy, steps=1000, residual="off")
    assert sum(found["twins"]) == 3
    assert found["sharing"] == found["twins"]
    assert round(found["most"], 3) == 0.333


@quotes(
    "In the 24 problems layer 1 still has its machine (median cosine 0.98)",
    "the median of its margins is close to zero",
)
def test_two_layers_without_residual_connections(asked_or_all):
    found = facts(asked_or_all, residual="off")
    assert found["medians"][0] == 0.98
    assert found["margins"][1] < 1e-3 < 0.1 < found["margins"][0]


@quotes(
    "trained on the mean tokens of forty images",
    "In each of ten random splits $W$ turns to the machine of the tokens that it selects",
    "with a cosine above 0.99",
    "Most of them, not all, are the best of their image",
)
def test_the_machine_of_the_digits(problems, digit_study):
    assert (len(problems), len(problems[0][0].Y), problems[0][0].X.shape[1]) == (10, 40, 16)
    assert digit_study["correlation with the machine"].min() > 0.99
    selected = digit_study["share of best tokens selected"]
    assert 0.5 < selected.min() <= selected.mean() < 1


@quotes(
    "In this three it is patch 13, an empty corner",
    "Patch 13 is empty in about two thirds of the threes and of the eights",
)
def test_the_empty_corner(patches_chosen, images, digits):
    found = facts(patches_chosen, steps=2000, image="trained 3 (no. 1)")
    assert (found["patch"], found["ink"]) == (13, 0)
    empty = real.digit_patches(images)[:, 12].max(axis=1) == 0
    assert all(abs(empty[digits == digit].mean() - 2 / 3) < 0.05 for digit in (3, 8))


@quotes(
    "On the training images the loss falls from 0.27 to 0.0002",
    "On 200 new ones it falls from 0.34 to 0.16 in thirty steps, then it rises to 0.62",
    "One of the ten splits ends more accurate than it began and eight less; "
    "the mean falls by one or two percentage points",
)
def test_losses_on_digits(two_losses, problems, digit_study):
    start, thirty, end = (facts(two_losses, steps=steps) for steps in (0, 30, 5000))
    assert (round(start["train"], 2), round(end["train"], 4)) == (0.27, 0.0002)
    assert [round(found["new"], 2) for found in (start, thirty, end)] == [0.34, 0.16, 0.62]
    assert (end["gained"], end["lost"], len(problems[0][1].Y)) == (1, 8, 200)
    gain = digit_study["test, at the end"] - digit_study["test, machine on means"]
    assert -0.025 < gain.mean() < -0.005


@quotes(
    "The mean of its patches judged this new eight rightly",
    "Now patch 13 has 98 per cent of the attention, and the answer is wrong",
)
def test_a_new_eight(patches_chosen, problems):
    picture = "new 8 (no. 33)"
    found = facts(patches_chosen, steps=2000, image=picture)
    assert (found["patch"], round(found["most"], 2)) == (13, 0.98)
    assert found["score"] < 0
    assert problems[0][1].scores[32].mean() > 0


@quotes("With nothing hidden, token 4 chooses token 5")
def test_token_4_sees_everything(triangle):
    found = facts(triangle, steps=3000, position=4, mask="all tokens")
    assert found["winner"]["all tokens"] == 5
    assert found["weight"] > 0.999
