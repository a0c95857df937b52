"""The drawings of chapter 5: places, lengths and colours say what the numbers say."""

from itertools import pairwise

import numpy as np
import pytest

from explorable.text import text_width
from margins_book.random_features import drawings as draw
from tests.margins_book.drawn import data, marks_by_key, points

POINTS = np.array([[1.0, 0.5], [-1.0, 0.2], [0.3, -1.0]])
LABELS = np.array([1.0, -1.0, -1.0])
WEIGHTS = np.array([0.6, 0.1, 0.3])


def variance_map():
    advantage = np.array([[1.0, -1.0], [0.5, 0.0]])
    errors = dict(zip(draw.KIND_COLOURS, (2.0, 1e5, 0.0), strict=True))
    return draw.variance_map_drawing(0.4, -0.2, np.array([-1.6, 1.6]), advantage, [POINTS], errors)


def test_error_bars_of_the_bias_end_inside_the_frame():
    (ax,) = draw.bias_figure([16, 256], np.array([0.9, 1.0]), np.array([0.01, 0.04])).axes
    low, high = ax.get_ylim()
    assert low < 0.88
    assert high > 1.08


def test_the_cloud_shows_points_by_their_weight_and_answers_where_they_are():
    exact = WEIGHTS @ LABELS
    estimates = exact + np.array([0.1, -0.2])
    drawing = draw.estimates_drawing((0.5, 0.1), POINTS, LABELS, WEIGHTS, exact, estimates, estimates.mean())
    found = marks_by_key(drawing)
    areas = [found[f"point {i}"]["n"][2] for i in range(3)]
    assert np.argsort(areas).tolist() == np.argsort(WEIGHTS).tolist()
    answers = ("exact answer", "mean of the estimates", "estimate 1", "estimate 2")
    places = [data(drawing.panels[1], found[key]["n"][:2])[0, 0] for key in answers]
    np.testing.assert_allclose(places, [0.2, 0.15, 0.3, 0.0], atol=5e-3)


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


def test_cosines_mark_the_largest_error():
    distance, kernel = np.linspace(0, 4, 9), np.zeros(9)
    estimate = np.where(np.arange(9) == 5, -0.7, 0.1)
    band = np.array([0.5, 0.1]), np.array([0.1, 0.05])
    drawing = draw.cosines_drawing(distance, kernel, estimate, np.array([1, 512]), band, 8, 0.7)
    ends = data(drawing.panels[0], marks_by_key(drawing)["largest error"]["n"])
    np.testing.assert_allclose(ends, [[2.5, 0], [2.5, -0.7]], atol=1e-2)


def brackets(n=4096, D=64, linear=True):
    lengths = np.geomspace(64, 65_536, 13)
    errors = {16: (0.3, 0.1), 64: (0.1, 0.02)}
    flops = lengths, lengths**2, lengths * D, n**2, n * D
    return draw.brackets_drawing(n, 64, D, linear, flops, errors, 0.06)


@pytest.mark.parametrize(
    ("linear", "made", "shape"), [(True, "φ(K)ᵀ V", "64×64"), (False, "Q Kᵀ", "4,096×4,096")]
)
def test_brackets_name_what_they_make_first(linear, made, shape):
    found = marks_by_key(brackets(linear=linear))
    assert made in found
    assert found[f"shape of {made}"]["s"]["runs"] == ((shape, ""),)
    assert found[f"name of {made}"]["s"]["runs"] == ((f"{made}, formed first", ""),)


@pytest.mark.parametrize("linear", [True, False])
def test_long_sequences_leave_room_between_the_names_of_the_factors(linear):
    found = marks_by_key(brackets(n=65_536, D=1024, linear=linear))
    names = ["φ(Q)", "φ(K)ᵀ", "V"] if linear else ["Q", "Kᵀ", "V"]
    shapes = [found[f"shape of {name}"] for name in names]
    assert shapes[0]["n"][1] - found[f"name of {names[0]}"]["n"][1] > 10 * 18
    for before, behind in pairwise(shapes):
        ((text, _),) = before["s"]["runs"]
        assert before["n"][0] / 10 + text_width(text, 18) < behind["n"][0] / 10  # as large as beside the text


def test_operations_meet_at_the_dotted_line():
    ends = points(brackets(), 1, "crossing")
    np.testing.assert_allclose(ends[:, 0], 64 * (2 + 1 / 64), rtol=1e-3)


def test_negative_eigenvalues_have_another_colour_and_side():
    angles = np.linspace(0, 180, 5)
    transform = angles, np.cos(np.radians(angles))
    eigenvalues = np.array([2.0, 0.5, -0.4])
    found = marks_by_key(draw.window_drawing(np.arange(-8, 9), np.ones(17), eigenvalues, transform))
    first, last = found["eigenvalue 1"], found["eigenvalue 3"]
    assert first["s"]["fill"] != last["s"]["fill"]
    assert last["n"][2] < last["n"][0]


LENGTHS = np.linspace(0, 2, 9)
PROJECTIONS = {e: np.maximum(1, np.expm1(4 * LENGTHS**2) / e**2) for e in (0.5, 0.1, 0.01)}


@pytest.mark.parametrize(("error", "needed"), [(0.5, 4 * 53.598), (0.1, 5359.8), (0.01, 535_981)])
def test_the_dot_lies_on_the_curve_of_its_error(error, needed):
    drawing = draw.bill_drawing(1.0, error, LENGTHS, PROJECTIONS, (1e9, 1e12), (1e6, 1e3))
    ((r, m),) = data(drawing.panels[0], marks_by_key(drawing)["this bill"]["n"][:2])
    assert (r, np.log10(m)) == (pytest.approx(1, abs=5e-3), pytest.approx(np.log10(needed), abs=0.02))


def test_the_second_bell_is_centred_at_the_distance():
    g = np.linspace(-3.5, 7.1, 213)
    bell = np.exp(-(g**2) / 2) / np.sqrt(2 * np.pi)
    drawing = draw.bells_drawing(g, bell, bell * np.exp(2 * g - 2), 2.0)
    found = marks_by_key(drawing)
    tops = [data(drawing.panels[0], found[key]["n"]) for key in ("draws", "share of the mean")]
    np.testing.assert_allclose([curve[curve[:, 1].argmax(), 0] for curve in tops], [0, 2], atol=0.05)
    assert data(drawing.panels[0], found["draws beyond"]["n"])[:, 0].min() == pytest.approx(2, abs=0.02)


def test_values_of_coins_lie_on_the_curve_and_the_cross_above_it():
    drawing = draw.coins_drawing(np.array([1.0, 2, 3]), np.array([0.25, 0.5, 0.25]), 7 / 12)
    found = marks_by_key(drawing)
    for i, z in enumerate((1, 2, 3)):
        (place,) = data(drawing.panels[0], found[f"value {i}"]["n"][:2])
        np.testing.assert_allclose(place, [z, 1 / z], atol=0.01)
    assert found["value 1"]["n"][2] > found["value 0"]["n"][2]
    assert data(drawing.panels[0], found["mean of 1/Z"]["n"][:2])[0, 1] == pytest.approx(7 / 12, abs=0.01)


def test_the_table_of_a_state_has_the_colours_of_its_signs():
    table = np.array([[1.0, 0.0], [-0.5, 1.0]])
    found = marks_by_key(draw.states_drawing(table, np.array([1.0, 0.5]), np.array([np.nan, 1.0])))
    np.testing.assert_array_equal(np.sign(found["table"]["n"][4:]), np.sign(table).ravel())
    assert "stored by then 2" in found
    assert "stored by then 1" not in found
