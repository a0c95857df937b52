"""The drawing of a trained head: areas of discs and rings, places in lines, the point on the curve."""

import numpy as np

from margins_book.softmax_kernel.drawings import ACROSS, head_drawing
from tests.margins_book.drawn import marks, points

TEXT = "explicit is better than."
WEIGHTS = np.arange(len(TEXT)) / np.arange(len(TEXT)).sum()
PRIOR = WEIGHTS[::-1]
TEMPERATURES = np.array([0.5, 1.0, 2.0, 4.0])
ATTENDED = np.outer([1.0, 2.0, 3.0, 4.0], np.linspace(1, 2, 10))  # of the last ten letters


def drawn(row=20, now=2.0):
    return head_drawing(TEXT, row, WEIGHTS, PRIOR, TEMPERATURES, ATTENDED, now)


def areas(names):
    """The areas of dots, relative to the largest."""
    found = marks(drawn())
    radii = np.array([found[0, name]["n"][2] for name in names])
    return np.square(radii / radii.max())


def test_discs_have_the_weights_as_areas_and_rings_the_prior():
    names = [f"letter {place}" for place in range(len(TEXT))]
    np.testing.assert_allclose(areas(names), WEIGHTS / WEIGHTS.max(), atol=0.05)
    np.testing.assert_allclose(areas([f"prior of {name}" for name in names]), PRIOR / PRIOR.max(), atol=0.05)


def test_the_letter_that_asks_stands_in_its_line():
    x, y = points(drawn(), 0, "query")[0]
    np.testing.assert_allclose([x, y], [20 - ACROSS, 1], atol=0.01)


def test_spaces_are_dots_and_letters_themselves():
    found = marks(drawn())
    shown = [
        "".join(part for part, _ in found[0, f"name of letter {k}"]["s"]["runs"]) for k in range(len(TEXT))
    ]
    assert "".join(shown) == TEXT.replace(" ", "·")


def test_the_point_lies_on_the_curve_of_the_letter_that_asks():
    x, y = points(drawn(), 1, "now")[0]
    np.testing.assert_allclose(x, 2, rtol=0.01)
    np.testing.assert_allclose(y, ATTENDED[2, 20 - len(TEXT)], rtol=0.02)
    mean = points(drawn(), 1, "mean of the letters")
    np.testing.assert_allclose(mean[:, 1], ATTENDED.mean(axis=1), rtol=0.02)
