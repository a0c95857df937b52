"""The drawings: lines and whiskers lie where the mathematics says, and frames lie over each other."""

from pathlib import Path

import numpy as np
import pytest

from margins.explore import Drawing
from margins.explore.labels import text_box
from margins.figures import kernels as of_kernels
from margins.figures.planes import (
    draw_direction,
    draw_points,
    draw_slack,
    draw_street,
    level_ends,
    multipliers_panel,
    new_plane,
)
from margins.figures.solver import gap_drawing, pairs_drawing
from margins.figures.support import left_out_drawing
from margins.figures.svm_duality import street_drawing
from tests.moving_cells import moving_cells

ROOT = Path(__file__).parents[1]
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


def test_a_line_that_leaves_beside_the_axis_s_name_is_named_clear_of_it():
    drawing = Drawing()
    plane = new_plane(drawing)
    leaves = plane.x.limits[0] + np.array([0.3, 2.3])  # at the top, the first close to the corner
    w = np.array([2 / np.diff(leaves)[0], 0.0])
    draw_street(plane, w, 1 - w[0] * leaves[1])
    found = marks(drawing)
    assert [key for key in found if key.startswith("name of")] == [
        f"name of {line}" for line in ("kerb −1", "boundary", "kerb +1")
    ]
    boxes = [
        text_box(np.array(found[key]["n"]) / 10, **found[key]["s"]) for key in ("name y", "name of kerb −1")
    ]
    assert boxes[0][2] < boxes[1][0]


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


def test_with_a_kernel_every_point_of_the_first_street_can_be_moved_anywhere(monkeypatch):
    monkeypatch.delenv("MARGINS_BAKE", raising=False)
    names = {"__name__": "__main__"}
    for code in moving_cells(ROOT / "chapters" / "01_svm_duality.md")[:2]:
        exec(code, names)
    moved, plane = names["street"], new_plane(Drawing())
    assert moved.parameters["which"].values == tuple(range(len(names["points"])))
    for which in moved.parameters["which"].values:
        for place in ((-3.0, -1.6), (3.0, 1.8), (0.333, -0.777)):
            frame = moved.frame(dict(zip(("which", "point_x", "point_y"), (which, *place), strict=True)))
            dot = next(mark for mark in frame["marks"] if mark["k"] == f"point {which}")
            np.testing.assert_allclose(data(plane, dot["n"][:2]), [place], atol=2e-3)


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


def test_the_lift_puts_points_on_the_parabola_and_its_answer_on_the_line():
    x, y, alpha = np.array([0.3, -1.0, 2.0, -1.8]), Y, ALPHA
    w, b = np.array([0.2, -0.8]), 1.5
    drawing = of_kernels.lift_drawing(x, y, alpha, w, b, top=2)
    found, panel = marks(drawing), drawing.panels[0]
    for i, place in enumerate(x):
        np.testing.assert_allclose(data(panel, found[f"point {i}"]["n"][:2])[0], [place, place**2], atol=0.01)
    ends = data(panel, found["answered +1"]["n"])
    np.testing.assert_allclose(w[0] * ends[:, 0] + w[1] * ends[:, 0] ** 2 + b, 0, atol=0.02)
    np.testing.assert_allclose(ends[:, 1], 0, atol=0.02)
    assert "answered +1" not in marks(of_kernels.lift_drawing(x, y, alpha, top=2))


def test_the_boundary_of_a_machine_is_where_its_field_vanishes():
    columns, rows = np.linspace(-1.5, 2.5, 41), np.linspace(-1.1, 1.6, 28)
    field = np.add.outer(rows, 0.5 * columns) - 0.3  # f = x_2 + x_1 / 2 - 0.3
    counts = {name: (np.geomspace(0.01, 30, 30), np.arange(30)) for name in ("Gaussian", "Laplacian")}
    drawing = of_kernels.machine_drawing(
        X / 2, Y, ALPHA, 1.0, (columns, rows, field), counts, ("Gaussian", 1.0)
    )
    line = data(drawing.panels[0], marks(drawing)["boundary 0"]["n"])
    np.testing.assert_allclose(line[:, 1] + line[:, 0] / 2, 0.3, atol=0.01)
    assert marks(drawing)["now"]["told"] == [["support vectors", 300, -2]]


def test_weights_of_a_witness_have_their_sign_without_colour():
    places, u = np.linspace(-1, 1, 3), np.array([0.5, -0.7, 0.5])
    drawing = of_kernels.offset_drawing([-1, 0, 1], [-0.5, 0, 0], -0.5, places, u)
    found, panel = marks(drawing), drawing.panels[1]
    tops = [found[f"weight {i}"]["n"][3] / 10 for i in range(3)]
    np.testing.assert_allclose(tops, panel.y.pixels(u), atol=0.06)
    assert found["now"]["told"] == [["share", -250, -3]]


def test_errors_and_dimensions_are_told_where_the_control_stands():
    penalties = np.geomspace(1e-4, 100, 61)
    errors = penalties, np.full(61, 0.2), np.linspace(0.3, 0.9, 61)
    curves = np.array([0.0, 1.0]), np.zeros(2), np.ones(2)
    found = marks(of_kernels.ridge_drawing(X[:, 0], Y, curves, errors, penalties[30]))
    assert found["training now"]["told"] == [["error", 200, -3]]
    assert found["leave one out now"]["told"] == [["error", 600, -3]]
    shares, sigma = np.geomspace(1e-4, 0.3, 41), np.geomspace(1, 1e-6, 30)
    sizes = {name: np.linspace(20, 1, 41) for name in ("Gaussian", "Laplacian")}
    drawing = of_kernels.spectrum_drawing(dict.fromkeys(sizes, sigma), shares[20], shares, sizes)
    assert marks(drawing)["Gaussian now"]["told"] == [["dimension", 105, -1]]
    assert marks(drawing)["Laplacian 1"]["told"] == [["eigenvalue", 100, -2]]


def test_a_curve_that_leaves_its_panel_is_named_where_it_is_seen():
    shares, sigma = np.geomspace(1e-4, 0.3, 41), np.geomspace(1, 1e-6, 30)
    sizes = {"Gaussian": np.linspace(20, 1, 41), "Laplacian": np.linspace(80, 3, 41)}
    drawing = of_kernels.spectrum_drawing(dict.fromkeys(sizes, sigma), shares[20], shares, sizes)
    below_the_title = drawing.panels[1].box[1] + 8
    for name in sizes:
        assert marks(drawing)[f"name of {name}"]["n"][1] / 10 > below_the_title
