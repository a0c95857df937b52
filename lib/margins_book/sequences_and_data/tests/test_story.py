"""What the story of the chapter on sequences and data says about numbers: each test quotes the words."""

from margins import data as real
from margins_book.page.quotes import quotes, test_a_story_is_as_long_as_it_may_be, test_every_cell_runs  # noqa: F401
from margins_book.sequences_and_data import figures
from tests.margins_book.drawn import facts


@quotes(
    "alone, token 2 would send its query to $-163°$; it is sent to $-136°$",
    "Training ended half a degree from the machine",
)
def test_one_matrix_serves_five_queries(triangle):
    at_the_end = facts(triangle, steps=3000, position=2, mask="the past")
    assert at_the_end["angles"][:2] == [-136, -163]
    assert 0.4 < at_the_end["off"] < 0.6


@quotes(
    "there are both machines, and the mask makes the margin larger, 0.24 against 0.17",
    "the causal machine is gone, the full one is not",
)
def test_margins_at_two_places():
    both, one = (facts(figures.prefix, token_x=0.9, token_y=y) for y in (0.6, 1.5))
    assert (round(both["causal"], 2), round(both["full"], 2)) == (0.24, 0.17)
    assert one["causal"] < 5e-4 < one["full"]


@quotes(
    "which in the end attends to position 4 alone",
    "0.99 with the machine of what these select, and 0.86 with that of all queries",
    "Three of the four positions of layer 1 select the same token",
    "and each gets a third of the attention",
)
def test_two_layers_of_one_problem():
    on, off = (facts(figures.hierarchy, steps=1000, residual=residual) for residual in ("on", "off"))
    assert on["sharing"] == [False, False, False, True]
    assert (round(on["layer_1_asked"], 2), round(on["layer_1_all"], 2)) == (0.99, 0.86)
    assert off["sharing"] == off["twins"]
    assert (sum(off["twins"]), round(off["most"], 3)) == (3, 0.333)


@quotes(
    "All 24 lie above the line. The median cosine is 0.99 in layer 1 and 0.98 in layer 2",
    "In the 24 problems layer 1 still has its machine (median cosine 0.98)",
    "the median of its margins is close to zero",
)
def test_two_layers_of_24_problems(asked_or_all):
    on, off = (facts(asked_or_all, residual=residual) for residual in ("on", "off"))
    assert (on["above"], on["medians"].tolist(), off["medians"][0]) == (24, [0.99, 0.98], 0.98)
    assert off["margins"][1] < 1e-3 < 0.1 < off["margins"][0]


@quotes(
    "turns to the machine of the tokens that it selects, with a cosine above 0.99",
    "Patch 13 is empty in about two thirds of the threes and of the eights",
)
def test_the_machine_of_the_digits(problems, digit_study, images, digits):
    assert (len(problems), len(problems[0][0].Y), problems[0][0].X.shape[1]) == (10, 40, 16)
    assert digit_study["correlation with the machine"].min() > 0.99
    empty = real.digit_patches(images)[:, 12].max(axis=1) == 0
    assert all(abs(empty[digits == digit].mean() - 2 / 3) < 0.05 for digit in (3, 8))


@quotes(
    "On the training images the loss falls from 0.27 to 0.0002",
    "On 200 new ones it falls from 0.34 to 0.16 in thirty steps, and ends at 0.62",
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
    "In this three it is patch 13, an empty corner",
    "The mean of its patches judged this new eight rightly",
    "Now patch 13 has 98 per cent of the attention, and the answer is wrong",
)
def test_patch_13(patches_chosen, problems):
    three, eight = (
        facts(patches_chosen, steps=2000, image=name) for name in ("trained 3 (no. 1)", "new 8 (no. 33)")
    )
    assert (three["patch"], three["ink"]) == (13, 0)
    assert (eight["patch"], round(eight["most"], 2)) == (13, 0.98)
    assert eight["score"] < 0 < problems[0][1].scores[32].mean()
