"""The drawing of the twelve points, smoothed: areas are weights, the dashed line is where the mean is 0."""

import numpy as np
import pytest

from margins.attention import nadaraya_watson
from margins_book.nadaraya_watson.smoothing_figure import LARGEST, SMALLEST, smoothed_drawing
from tests.margins_book.drawn import data, marks

POINTS = np.array([[1.0, 0.0], [0.5, 1.0], [-1.0, 0.0], [-0.5, -1.0]])
LABELS = np.array([1.0, 1.0, -1.0, -1.0])
WEIGHTS = np.array([0.5, 0.25, 0.15, 0.1])


@pytest.fixture(scope="module")
def drawing():
    x, y = np.linspace(-3, 3, 31), np.linspace(-2, 2, 21)
    field = np.add.outer(0 * y, x - 0.5)  # zero where x = 0.5
    return smoothed_drawing(POINTS, LABELS, WEIGHTS, np.array([0.8, 0.2]), (x, y), field)


def test_areas_are_weights(drawing):
    found = marks(drawing)
    radii = np.array([found[0, f"point {j}"]["n"][2] for j in range(4)])
    areas = SMALLEST + (LARGEST - SMALLEST) * WEIGHTS
    np.testing.assert_allclose(radii**2 / radii[0] ** 2, areas / areas[0], rtol=0.03)


def test_the_dashed_line_is_where_the_answer_is_0(drawing):
    line = data(drawing.panels[0], marks(drawing)[0, "answer 0 0"]["n"])
    np.testing.assert_allclose(line[:, 0], 0.5, atol=0.02)


def test_the_query_stands_at_its_place(drawing):
    query = marks(drawing)[0, "query"]
    np.testing.assert_allclose(data(drawing.panels[0], query["n"][:2])[0], [0.8, 0.2], atol=0.02)


def test_opposite_labels_cancel_half_way():
    middle = nadaraya_watson(np.zeros((1, 2)), POINTS, LABELS, 0.7)
    assert abs(middle[0]) < 1e-15
