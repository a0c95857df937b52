"""The figure of the bill: the dot lies on the curve of its error, and bars are as long as their costs."""

import numpy as np
import pytest

from margins_book.random_features.bill_figure import bill_drawing
from tests.margins_book.drawn import data, marks_by_key

LENGTHS = np.linspace(0, 2, 9)
PROJECTIONS = {e: np.maximum(1, np.expm1(4 * LENGTHS**2) / e**2) for e in (0.5, 0.1, 0.01)}


def bill(length=1.0, error=0.1, operations=(1e9, 1e12), numbers=(1e6, 1e3)):
    return bill_drawing(length, error, LENGTHS, PROJECTIONS, operations, numbers)


@pytest.mark.parametrize(("error", "needed"), [(0.5, 4 * 53.598), (0.1, 5359.8), (0.01, 535_981)])
def test_the_dot_lies_on_the_curve_of_its_error(error, needed):
    drawing = bill(error=error)
    ((r, m),) = data(drawing.panels[0], marks_by_key(drawing)["this bill"]["n"][:2])
    assert (r, np.log10(m)) == (pytest.approx(1, abs=5e-3), pytest.approx(np.log10(needed), abs=0.02))


def test_the_bar_that_costs_more_is_the_longer_one():
    found = marks_by_key(bill())
    ends = {key: mark["n"][2] for key, mark in found.items() if mark["t"] == "bar"}
    assert ends["operations of attention"] < ends["operations of features"]
    assert ends["numbers kept of attention"] > ends["numbers kept of features"]
    assert found["operations of features"]["told"] == [["operations", 100, 10]]


def test_frames_lie_over_each_other():
    assert bill().frame("")["panels"] == bill(2.0, 0.01, (1e7, 1e30), (1e2, 1e30)).frame("")["panels"]
