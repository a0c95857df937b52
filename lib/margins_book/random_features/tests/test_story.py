"""What the story of the chapter on random features says about numbers: each test quotes the words."""

import numpy as np

from margins import random_features as rf
from margins_book.page.quotes import quotes, test_a_story_is_as_long_as_it_may_be, test_every_cell_runs  # noqa: F401
from margins_book.random_features.tests import test_text as chapter

test_two_keys_by_hand = quotes(
    r"$(8,13\sqrt2,23)$. From this the query 1 reads 57, the weighted sum $4\cdot3+9\cdot5$"
)(chapter.two_keys_by_hand)


test_where_it_pays = quotes("operations are saved from 517 words on")(
    chapter.where_linear_attention_begins_to_pay
)


test_the_riddle = quotes(
    "so the exact answer, the diamond, is 0.84",
    "the mean of two hundred such answers, is at 0.41, about half of what it should be",
    "That is no accident of the draw",
    "the answers are off by 0.05, and their mean by 0.02",
)(chapter.the_riddle)


test_what_the_second_bell_misses = quotes(
    "where $e$, about 2.7, would be right",
    "In 84 of a hundred draws the estimate is too small",
    "of a hundred draws about two get there",
    "At the distance 3 only one draw in 740 gets there",
)(chapter.what_the_second_bell_misses)


test_a_small_kernel = quotes(
    "the point in the map, the kernel is 0.68, and the standard error of one projection is 1.3 times that",
    "At $q=3$, $k=-2$ the kernel is 0.0025, and the error is again 1.3 times that",
)(chapter.a_small_kernel_does_not_help)


test_coins = quotes(
    r"\tfrac12\bigl(1+\tfrac13\bigr)=\tfrac23=\tfrac12+\tfrac16",
    "the quotient is too large by a twelfth on average, no longer by a sixth",
)(chapter.two_coins)


@quotes("the exact answer is −0.80. The cross is near 0", "the dots stand still")
def test_one_projection(cloud):
    left, right = (cloud.function(m=1, q_x=q_x)[2] for q_x in (-3.0, 3.0))
    assert abs(left["first"] - right["first"]) < 1e-12
    assert round(left["exact"], 2) == -0.8
    assert abs(left["exact"] + left["off"]) < 0.01


test_the_riddle_solved = quotes(
    "the circles 2, 3 and 4 are due 0.69 of the attention",
    "too small nine times out of ten",
    "With four projections these circles got 0.38 on average",
)(chapter.why_the_cross_is_off)


test_the_bill = quotes(
    "this takes 5,360 projections",
    "a third more operations than exact attention, and keep a third of the numbers",
    "At length one half, 172 projections are enough, for less than a twentieth of the operations",
    "At length 2 it takes 889 million, which save no operations before 1.8 billion words",
)(chapter.the_bill)


test_errors_of_answers = quotes(
    "We measured them on 256 random words",
    "have a length of about 2.8",
    "1,024 features erred more than twice as much as the answer zero would",
    "256 features err by five per cent",
    "the plain mean of all values errs by six",
)(chapter.errors_of_answers)


@quotes("A then reads −0.5, as it should", "But D, where 1 was stored, now reads 0.02", "counts a sixteenth")
def test_the_delta_rule(slots, tape):
    places = ["ABCD".index(name) for name, _ in tape[:5]]
    values = np.array([[value] for _, value in tape[:5]])
    (W,) = list(rf.fast_weights(slots[places], values, rate=1.0))[-1]
    assert tape[3] == ("D", 1.0)
    assert np.round(slots[[0, 3]] @ W, 2).tolist() == [-0.5, 0.02]
    assert 0.5**4 == 1 / 16
