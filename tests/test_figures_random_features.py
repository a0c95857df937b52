"""The drawings of chapter 5: places, lengths and colours say what the numbers say."""

import numpy as np
import pytest

from margins.figures import random_features as draw
from tests.test_figures import data, marks

KEYS = np.array([[1.0, 0.5], [-1.0, 0.2], [0.3, -1.0]])
VALUES = np.array([[1.0, 0.0], [-0.5, 0.8], [-0.5, -0.8]])
WEIGHTS = np.array([0.6, 0.1, 0.3])


def cloud(shift=0.0):
    exact = WEIGHTS @ VALUES
    estimates = exact + shift + 0.1 * np.array([[1, 0], [0, 1]])
    return draw.cloud_drawing(
        (0.5 + shift, 0.1), KEYS, VALUES, WEIGHTS, exact, estimates, estimates.mean(axis=0)
    )


def brackets(n=4096, D=64, linear=True):
    lengths = np.geomspace(64, 65_536, 13)
    errors = {16: (0.3, 0.1), 64: (0.1, 0.02)}
    return draw.brackets_drawing(n, 64, D, linear, (lengths, lengths**2, lengths * D, n**2, n * D), errors)


def variance_map(errors=(2.0, 1e5, 0.0)):
    advantage = np.array([[1.0, -1.0], [0.5, 0.0]])
    named = dict(zip(draw.KIND_COLOURS, errors, strict=True))
    return draw.variance_map_drawing(0.4, -0.2, np.array([-1.6, 1.6]), advantage, [KEYS[:, :2]], named)


def window(eigenvalues=(2.0, 0.5, -0.4)):
    angles = np.linspace(0, np.pi, 5)
    return draw.window_drawing(np.arange(-8, 9), np.ones(17), np.array(eigenvalues), (angles, np.cos(angles)))


def fast_weights(stored=(1.0, np.nan, -0.5)):
    return draw.fast_weights_drawing(np.array([0.5, 9.0]), np.array(stored), np.array([0.8, 0.1, -9.0]))


def test_the_cloud_shows_answers_where_they_are():
    drawing = cloud()
    found = marks(drawing)
    areas = [found[f"key {j + 1}"]["n"][2] for j in range(3)]
    assert np.argsort(areas).tolist() == np.argsort(WEIGHTS).tolist()
    (place,) = data(drawing.panels[1], found["exact answer"]["n"][:2])
    np.testing.assert_allclose(place, WEIGHTS @ VALUES, atol=5e-3)
    assert found["value 2"]["l"] == "key 2"


@pytest.mark.parametrize(
    ("linear", "made", "shape"), [(True, "φ(K)ᵀ V", "64×64"), (False, "Q Kᵀ", "4,096×4,096")]
)
def test_brackets_name_what_they_make_first(linear, made, shape):
    found = marks(brackets(linear=linear))
    assert made in found
    assert found[f"shape of {made}"]["s"]["runs"] == ((shape, ""),)


def test_operations_meet_at_the_dotted_line():
    drawing = brackets()
    found = marks(drawing)
    (top, bottom) = np.reshape(found["crossing"]["n"], (2, 2))
    assert top[0] == bottom[0]
    axis = drawing.panels[1].x
    assert 10 ** ((top[0] / 10 - axis.line[0]) / axis.line[1]) == pytest.approx(64 * (2 + 1 / 64), rel=1e-3)


def test_the_map_is_blue_where_positive_features_err_less():
    found = marks(variance_map())
    cells = np.array(found["advantage"]["n"][4:])
    np.testing.assert_array_equal(np.sign(cells), [-1, 1, -1, 0])
    assert found["advantage"]["s"]["fill"] == found["positive"]["s"]["fill"]


def test_errors_beyond_the_axis_are_cut_and_told():
    found = marks(variance_map())
    assert found["hyperbolic"]["told"] == [["error", 100, 3]]
    assert found["trigonometric"]["told"] == [["error", 0, 0]]
    assert found["hyperbolic"]["n"][2] <= 3460


def test_negative_eigenvalues_have_another_colour_and_side():
    found = marks(window())
    first, last = found["eigenvalue 1"], found["eigenvalue 3"]
    assert first["s"]["fill"] != last["s"]["fill"]
    assert last["n"][2] < last["n"][0]


def test_diamonds_stand_only_where_something_was_stored():
    found = marks(fast_weights())
    assert [key for key in found if key.startswith("stored")] == ["stored at A", "stored at C"]
    assert found["answer at C"]["told"] == [["answer", -900, -2]]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (cloud, lambda: cloud(0.3)),
        (brackets, lambda: brackets(64, 16, linear=False)),
        (variance_map, lambda: variance_map((1e-9, 0.5, 3.0))),
        (window, lambda: window((9.0, 1.0, 0.5))),
        (fast_weights, lambda: fast_weights((np.nan, np.nan, np.nan))),
    ],
)
def test_frames_lie_over_each_other(one, other):
    assert one().frame("said")["panels"] == other().frame("said")["panels"]


def test_cosines_mark_the_largest_error():
    distance, kernel = np.linspace(0, 4, 9), np.zeros(9)
    estimate = np.where(np.arange(9) == 5, -0.7, 0.1)
    band = np.array([0.5, 0.1]), np.array([0.1, 0.05])
    drawing = draw.cosines_drawing(distance, kernel, estimate, np.array([1, 512]), band, 8, 0.7)
    ends = data(drawing.panels[0], marks(drawing)["largest error"]["n"])
    np.testing.assert_allclose(ends, [[2.5, 0], [2.5, -0.7]], atol=1e-2)
