"""What the story of chapter 10 says about numbers: each test quotes the words."""

import numpy as np

from margins_book.beyond_the_equivalence import figures
from margins_book.page.quotes import quotes, test_a_story_is_as_long_as_it_may_be, test_every_cell_runs  # noqa: F401
from tests.margins_book.drawn import facts


@quotes("So the best guess is 1; with errors twice as large it is 0.4")
def test_the_best_guess():
    guesses = [facts(figures.one_guess, sigma=sigma)["guess"] for sigma in (1.0, 2.0)]
    assert np.allclose(guesses, [1, 0.4])


@quotes(
    "the best linear answer, dashed, is 1.90. The solid one is 1.26, as $g$ says",
    "it leaves an error of 0.040, a circle 0.186",
)
def test_numbers_of_two_figures():
    loud = facts(figures.infer_the_task, held_y=2.2, sigma=0.4)
    assert np.round([loud["linear"], loud["attended"], loud["task"]], 2).tolist() == [1.90, 1.26, 1.26]
    metric = facts(figures.turn_the_metric, angle=30.0, stretch=2.5)
    assert [round(metric["error"], 3), round(metric["floor"], 3)] == [0.040, 0.186]


@quotes("the tasks weigh 0.52 and 0.48")
def test_hardly_decided():
    y, tasks = np.append(figures.others, -0.0916667), np.array([figures.G, -figures.G])
    probable = np.exp(-np.square(y - tasks).sum(axis=1) / 2 / 0.8**2)
    assert (probable / probable.sum()).round(2).tolist() == [0.52, 0.48]
