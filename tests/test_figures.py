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
from margins.figures.solver import gap_drawing, pairs_drawing
from margins.figures.support import left_out_drawing
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


def test_the_name_of_a_held_point_keeps_its_distance():
    found = [marks(street_drawing(X + shift, Y, W, B, ALPHA, held=0)) for shift in (0.0, 0.3)]
    apart = [np.subtract(frame["name 0"]["n"], frame["point 0"]["n"][:2]) for frame in found]
    np.testing.assert_allclose(apart[0], apart[1], atol=1)


def test_slopes_show_who_may_move_which_way_and_what_is_out_of_order():
    slopes, up, down = np.array([0.5, -9.0, 1.5, -1.0]), ALPHA < 1, ALPHA > 0
    drawing = pairs_drawing(slopes, up, down, ALPHA, Y, 1.0)
    found, panel = marks(drawing), drawing.panels[0]
    assert [found[f"slope {i}"]["s"]["marker"] for i in range(4)] == ["^", "v", "D", "D"]
    highest, lowest = (found[key]["n"] for key in ("highest that may grow", "lowest that may shrink"))
    np.testing.assert_allclose(data(panel, highest)[:, 0], 1.5, atol=2e-3)
    np.testing.assert_allclose(data(panel, lowest)[:, 0], -9.0, atol=2e-3)
    assert found["slope 1"]["told"] == [["v", -900, -2]]
    assert data(panel, found["slope 1"]["n"][:2])[0, 0] == pytest.approx(-3.5, abs=2e-3)


def test_the_ball_has_its_radius_around_its_centre():
    answer, centre, radius = (1.0, 0.5), (1.3, 0.9), 0.8
    steps, primal, dual = np.arange(4), np.array([9.0, 4, 3, 2]), np.array([0.0, 1, 1.5, 1.9])
    drawing = gap_drawing(steps, primal, dual, 2, (answer, centre, radius))
    ring = data(drawing.panels[2], marks(drawing)["edge of the ball"]["n"])
    np.testing.assert_allclose(np.linalg.norm(ring - centre, axis=1), radius, atol=4e-3)
    np.testing.assert_allclose(
        data(drawing.panels[2], marks(drawing)["the answer"]["n"][:2])[0], answer, atol=2e-3
    )


@pytest.mark.parametrize(
    ("out", "verdict"), [(-1, None), (1, "left out, still right"), (3, "left out: an error")]
)
def test_the_point_left_out_has_a_ring_and_a_verdict(out, verdict):
    now = W, 0.6  # margins 3.6, 1.85, 0.9, -0.4
    found = marks(left_out_drawing(X, Y, (W, B), now, ALPHA, out))
    assert ("left out" in found, "verdict" in found) == (out >= 0, out >= 0)
    if verdict:
        assert found["left out"]["n"][:2] == found[f"point {out}"]["n"][:2]
        assert found["verdict"]["s"]["runs"] == ((verdict, ""),)
