"""What the story of chapter 10 says about numbers: each test quotes the words."""

import numpy as np

from margins_book.beyond_the_equivalence import figures
from margins_book.beyond_the_equivalence.tests import test_text as chapter
from margins_book.page.quotes import quotes, test_a_story_is_as_long_as_it_may_be, test_every_cell_runs  # noqa: F401


def found(figure, **values):
    """What a figure knows about the drawing for these values of its controls."""
    return figure.function(**values)[2]


test_odds_by_hand = quotes(
    "they are the *weights* ⅛, ²⁄₈ and ⅝",
    "The weights become ¼, ²⁄₄ and ¼, yet the first two still stand as 1 to 2",
)(chapter.odds_by_hand)


test_layers_with_and_without_the_mask = quotes(
    "If the steps are small, as here, $w$ walks to least squares",
    "and the answer ends at 0.64 instead of 2.12",
)(chapter.layers_with_and_without_the_mask)


@quotes("So the best guess is 1; with errors twice as large it is 0.4")
def test_the_best_guess():
    guesses = [found(figures.one_guess, sigma=sigma)["guess"] for sigma in (1.0, 2.0)]
    assert np.allclose(guesses, [1, 0.4])


@quotes(
    "the best linear answer, dashed, is 1.90. The solid one is 1.26, as $g$ says",
    "it leaves an error of 0.040, a circle 0.186",
)
def test_numbers_of_two_figures():
    loud = found(figures.infer_the_task, held_y=2.2, sigma=0.4)
    assert np.round([loud["linear"], loud["attended"], loud["task"]], 2).tolist() == [1.90, 1.26, 1.26]
    metric = found(figures.turn_the_metric, angle=30.0, stretch=2.5)
    assert [round(metric["error"], 3), round(metric["floor"], 3)] == [0.040, 0.186]


@quotes("the tasks weigh 0.52 and 0.48")
def test_hardly_decided():
    y, tasks = np.append(figures.others, -0.0916667), np.array([figures.G, -figures.G])
    probable = np.exp(-np.square(y - tasks).sum(axis=1) / 2 / 0.8**2)
    assert (probable / probable.sum()).round(2).tolist() == [0.52, 0.48]


test_errors_of_inference_and_of_linear_learners = quotes(
    "as with nine examples as loud as the noise, the errors are 0.1 and, computed, 0.0042",
    r"with four times as many 0.027 and $3\cdot10^{-9}$",
)(chapter.errors_with_nine_and_with_36_examples)


test_trained_networks = quotes(
    "their mean squared error, per dimension, is 0.004, against 0.023 for the best linear learner",
    "smaller in each of five trainings",
    "With four it is 0.101 against 0.050",
    "Four heads come to 0.037, smaller in four trainings of five; with eight tasks they fail, too",
)(chapter.trained_networks_beside_the_best_linear_learner)
