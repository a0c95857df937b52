"""The drawings: lines and whiskers lie where the mathematics says, and frames lie over each other."""

import numpy as np
import pytest

from margins.explore import Drawing
from margins.figures.planes import (
    draw_direction,
    draw_points,
    draw_slack,
    level_ends,
    multipliers_panel,
    new_plane,
)
from margins.figures.svm_duality import street_drawing

X = np.array([[2.0, 0.0], [0.5, 1.0], [-1.0, 0.0], [0.2, -1.0]])
Y = np.array([1.0, 1.0, -1.0, -1.0])
W, B = np.array([1.5, 0.5]), -0.25
ALPHA = np.array([0.0, 1.0, 0.3, 0.7])


def marks(drawing):
    return {mark["k"]: mark for mark in drawing.frame("said")["marks"]}


def data(panel, numbers):
    """Data coordinates of pixels in tenths."""
    (a, b), (c, d) = panel.x.line, panel.y.line
    places = np.reshape(numbers, (-1, 2)) / 10
    return np.column_stack([(places[:, 0] - a) / b, (places[:, 1] - c) / d])


def test_plane_has_equal_scales():
    plane = new_plane(Drawing(), half_width=2.0, centre=(1, -1))
    assert plane.x.line[1] == pytest.approx(-plane.y.line[1])
    assert plane.x.limits == (-1, 3)
    assert np.mean(plane.y.limits) == pytest.approx(-1)


@pytest.mark.parametrize("level", [-1, 0, 1])
def test_lines_are_level_sets_and_reach_beyond_the_plane(level):
    plane = new_plane(Drawing())
    ends = level_ends(plane, W, B, level)
    np.testing.assert_allclose(ends @ W + B, level, atol=1e-12)
    limits = np.array([plane.x.limits, plane.y.limits])
    assert ((ends < limits[:, 0]) | (ends > limits[:, 1])).any(1).all()


def test_whiskers_reach_the_point_s_own_kerb():
    drawing = Drawing()
    plane = new_plane(drawing)
    draw_slack(plane, X, Y, W, B)
    whiskers = {key: mark for key, mark in marks(drawing).items() if key.startswith("slack")}
    inside = np.flatnonzero(Y * (X @ W + B) < 1)
    assert list(whiskers) == [f"slack {i}" for i in inside]
    for i, mark in zip(inside, whiskers.values(), strict=True):
        start, end = data(plane, mark["n"])
        np.testing.assert_allclose(start, X[i], atol=2e-3)
        assert Y[i] * (end @ W + B) == pytest.approx(1, abs=5e-3)


def test_support_vectors_are_told_from_the_rest_without_colour():
    drawing = Drawing()
    draw_points(new_plane(drawing), X, Y, alpha=ALPHA, C=1.0)
    found = marks(drawing)
    sizes = [found[f"point {i}"]["n"][2] for i in range(4)]
    np.testing.assert_array_equal(np.argsort(sizes), np.argsort(ALPHA), "areas grow with alpha")
    assert [key for key in found if key.startswith("cross")] == ["cross 1"]
    assert found["point 0"]["s"]["fill"] == "paper"


def test_a_bar_too_long_is_cut_and_tells_its_value():
    drawing = Drawing()
    panel = multipliers_panel(drawing, 10 * ALPHA, Y, top=5.0)
    found = marks(drawing)
    ends = [found[f"bar {i}"]["n"][2] / 10 for i in range(4)]
    np.testing.assert_allclose(ends, panel.x.pixels([0, 5, 3, 5]), atol=0.06)
    assert found["bar 1"]["told"] == [["α", 100, -1]]
    assert found["value 1"]["s"]["runs"] == (("10.0", ""),)


def test_rays_have_the_length_asked_for():
    drawing = Drawing()
    plane = new_plane(drawing)
    draw_direction(plane, [3.0, 4.0], "up", length=2.0, key="ray")
    np.testing.assert_allclose(data(plane, marks(drawing)["ray"]["n"]), [[0, 0], [1.2, 1.6]], atol=2e-3)


def test_frames_lie_over_each_other():
    frames = [street_drawing(X + shift, Y, W, B, ALPHA, C=1.0, top=2).frame("said") for shift in (0.0, 0.7)]
    assert frames[0]["panels"] == frames[1]["panels"]
