"""What the story of the chapter on random features says about numbers: each test quotes the words."""

import numpy as np

from margins import random_features as rf
from margins_book.page.quotes import quotes, test_a_story_is_as_long_as_it_may_be, test_every_cell_runs  # noqa: F401
from margins_book.random_features.tests import test_text as chapter

test_the_riddle = quotes(
    "so the exact answer, the diamond, is 0.84",
    "the mean of two hundred such answers, is at 0.41, about half of what it should be",
    "That is no accident of the draw",
    "the answers are off by 0.05, and their mean by 0.02",
)(chapter.the_riddle)


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


@quotes("A then reads −0.5, as it should", "But D, where 1 was stored, now reads 0.02", "counts a sixteenth")
def test_the_delta_rule(slots, tape):
    places = ["ABCD".index(name) for name, _ in tape[:5]]
    values = np.array([[value] for _, value in tape[:5]])
    (W,) = list(rf.fast_weights(slots[places], values, rate=1.0))[-1]
    assert tape[3] == ("D", 1.0)
    assert np.round(slots[[0, 3]] @ W, 2).tolist() == [-0.5, 0.02]
    assert 0.5**4 == 1 / 16
