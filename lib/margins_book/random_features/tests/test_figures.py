"""The drawings of chapter 5: places, lengths and colours say what the numbers say."""

import numpy as np
import pytest

from margins_book.random_features import figures as draw
from tests.margins_book.drawn import data, marks_by_key

KEYS = np.array([[1.0, 0.5], [-1.0, 0.2], [0.3, -1.0]])
VALUES = np.array([[1.0, 0.0], [-0.5, 0.8], [-0.5, -0.8]])
WEIGHTS = np.array([0.6, 0.1, 0.3])


def cloud(shift=0.0):
    exact = WEIGHTS @ VALUES
    estimates = exact + shift + 0.1 * np.array([[1, 0], [0, 1]])
    return draw.estimates_drawing(
        (0.5 + shift, 0.1), KEYS, VALUES, WEIGHTS, exact, estimates, estimates.mean(axis=0)
    )


def variance_map(errors=(2.0, 1e5, 0.0)):
    advantage = np.array([[1.0, -1.0], [0.5, 0.0]])
    named = dict(zip(draw.KIND_COLOURS, errors, strict=True))
    return draw.variance_map_drawing(0.4, -0.2, np.array([-1.6, 1.6]), advantage, [KEYS[:, :2]], named)


def test_the_cloud_shows_answers_where_they_are():
    drawing = cloud()
    found = marks_by_key(drawing)
    areas = [found[f"key {j + 1}"]["n"][2] for j in range(3)]
    assert np.argsort(areas).tolist() == np.argsort(WEIGHTS).tolist()
    (place,) = data(drawing.panels[1], found["exact answer"]["n"][:2])
    np.testing.assert_allclose(place, WEIGHTS @ VALUES, atol=5e-3)
    assert found["value 2"]["l"] == "key 2"


def test_the_map_is_blue_where_positive_features_err_less():
    found = marks_by_key(variance_map())
    cells = np.array(found["advantage"]["n"][4:])
    np.testing.assert_array_equal(np.sign(cells), [-1, 1, -1, 0])
    assert found["advantage"]["s"]["fill"] == found["positive"]["s"]["fill"]


def test_errors_beyond_the_axis_are_cut_and_told():
    found = marks_by_key(variance_map())
    assert found["hyperbolic"]["told"] == [["error", 100, 3]]
    assert found["trigonometric"]["told"] == [["error", 0, 0]]
    assert found["hyperbolic"]["n"][2] <= 3460


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (cloud, lambda: cloud(0.3)),
        (variance_map, lambda: variance_map((1e-9, 0.5, 3.0))),
    ],
)
def test_frames_lie_over_each_other(one, other):
    assert one().frame("")["panels"] == other().frame("")["panels"]


def test_cosines_mark_the_largest_error():
    distance, kernel = np.linspace(0, 4, 9), np.zeros(9)
    estimate = np.where(np.arange(9) == 5, -0.7, 0.1)
    band = np.array([0.5, 0.1]), np.array([0.1, 0.05])
    drawing = draw.cosines_drawing(distance, kernel, estimate, np.array([1, 512]), band, 8, 0.7)
    ends = data(drawing.panels[0], marks_by_key(drawing)["largest error"]["n"])
    np.testing.assert_allclose(ends, [[2.5, 0], [2.5, -0.7]], atol=1e-2)
