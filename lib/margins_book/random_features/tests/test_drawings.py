"""The drawings of chapter 5: places, lengths and colours say what the numbers say."""

import numpy as np
import pytest

from margins_book.random_features import drawings as draw
from tests.margins_book.drawn import data, marks_by_key

POINTS = np.array([[1.0, 0.5], [-1.0, 0.2], [0.3, -1.0]])
LABELS = np.array([1.0, -1.0, -1.0])
WEIGHTS = np.array([0.6, 0.1, 0.3])

CLOUD = ("exact answer", "mean of the estimates", "estimate 1", "estimate 2")


def cloud(shift=0.0, weights=WEIGHTS):
    exact = WEIGHTS @ LABELS
    estimates = exact + shift + np.array([0.1, -0.2])
    return draw.estimates_drawing(
        (0.5 + shift, 0.1), POINTS, LABELS, weights, exact, estimates, estimates.mean()
    )


def variance_map(errors=(2.0, 1e5, 0.0)):
    advantage = np.array([[1.0, -1.0], [0.5, 0.0]])
    named = dict(zip(draw.KIND_COLOURS, errors, strict=True))
    return draw.variance_map_drawing(0.4, -0.2, np.array([-1.6, 1.6]), advantage, [POINTS[:, :2]], named)


def test_error_bars_of_the_bias_end_inside_the_frame():
    (ax,) = draw.bias_figure([16, 256], np.array([0.9, 1.0]), np.array([0.01, 0.04])).axes
    low, high = ax.get_ylim()
    assert low < 0.88
    assert high > 1.08


def test_the_cloud_shows_points_by_their_weight_and_answers_where_they_are():
    drawing = cloud()
    found = marks_by_key(drawing)
    areas = [found[f"point {i}"]["n"][2] for i in range(3)]
    assert np.argsort(areas).tolist() == np.argsort(WEIGHTS).tolist()
    places = [data(drawing.panels[1], found[key]["n"][:2])[0, 0] for key in CLOUD]
    np.testing.assert_allclose(places, [0.2, 0.15, 0.3, 0.0], atol=5e-3)


def test_classes_have_the_shapes_of_chapter_1_and_weights_wait_for_the_text():
    found = marks_by_key(cloud())
    assert [found[f"point {i}"]["s"]["marker"] for i in range(3)] == ["o", "s", "s"]
    assert found["point 1"]["s"]["fill"] == found["point 2"]["s"]["fill"] != found["point 0"]["s"]["fill"]
    assert found["weight of point 0"]["a"] == "weights"


def test_shares_below_four_per_cent_are_not_written():
    found = marks_by_key(cloud(weights=np.array([0.67, 0.03, 0.3])))
    assert [key for key in found if key.startswith("weight")] == ["weight of point 0", "weight of point 2"]


def test_the_map_is_blue_where_positive_features_err_less():
    found = marks_by_key(variance_map())
    cells = np.array(found["advantage"]["n"][4:])
    np.testing.assert_array_equal(np.sign(cells), [-1, 1, -1, 0])
    assert found["advantage"]["s"]["fill"] == found["positive"]["s"]["fill"]


def test_the_direction_of_the_pair_waits_for_the_text():
    drawing = variance_map()
    arrow = marks_by_key(drawing)["direction of the pair"]
    assert arrow["a"] == "direction"
    np.testing.assert_allclose(data(drawing.panels[0], arrow["n"]), [[0, 0], [0.4, -0.2]], atol=0.02)


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
