"""What the story of the chapter on SVM duality says about numbers: each test quotes the words."""

import numpy as np

from margins.descent import hard_margin_direction
from margins_book.page.quotes import quotes, test_a_story_is_as_long_as_it_may_be, test_every_cell_runs  # noqa: F401
from margins_book.svm_duality.clouds import left_out
from margins_book.svm_duality.drawings import cost, widest
from margins_book.svm_duality.figures import Xs


@quotes(
    "costs 1.70, where 1.04 would do",
    "Let circle 0 push with 1.04 (the cost; this fixes the unit)",
    "square 6 pushes with 0.71 and square 7 with 0.33",
    "every street costs at least 0.98. The best one costs 1.04",
)
def test_costs_pushes_and_a_bound(points, labels):
    alpha, w, _ = left_out(points, labels, -1)
    turn, segment = np.arctan2(w[1], w[0]) - np.deg2rad(18), points[0] - points[6]
    poor = cost(widest(points, labels, np.array([np.cos(turn), np.sin(turn)])))
    assert np.round([poor, w @ w / 2, 2 / (segment @ segment)], 2).tolist() == [1.70, 1.04, 0.98]
    assert alpha[[0, 6, 7]].round(2).tolist() == [1.04, 0.71, 0.33]
    assert np.isclose(alpha[0], w @ w / 2)


@quotes(
    "For these 24 points",
    "after 100,000 steps, plain descent is 8.5 degrees off",
    "ten steps of plain descent",
)
def test_how_many_points_and_steps(points, labels, plain):
    assert (len(Xs), plain.steps[-1]) == (24, 100_000)
    assert 10 in plain.steps
    assert np.degrees(plain.angles(hard_margin_direction(points, labels))[-1]).round(1) == 8.5
