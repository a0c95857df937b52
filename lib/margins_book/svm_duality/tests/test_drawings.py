"""The figures of SVM duality: streets, bounds and slopes are those of the primal and of the dual."""

import numpy as np
import pytest

from explorable import Drawing
from explorable.palette import BLUE, NAMES, VERMILION
from margins import svm
from margins.kernels import linear
from margins_book.drawing.planes import new_plane
from margins_book.svm_duality import drawings as draw
from margins_book.svm_duality.figures import street
from tests.margins_book.drawn import data, marks_by_key, points
from tests.margins_book.samples import ALPHA, TWELVE, B, W, X, Y


def test_numbers_that_notice_a_move_are_vermilion_and_the_others_blue():
    rows = {"changed": (1.0, 2.0), "same": (2.0, 2.0)}
    found = marks_by_key(draw.transformed_street_drawing(X, Y, W, B, ALPHA, rows))
    assert [found[name]["s"]["fill"] for name in rows] == [NAMES[VERMILION], NAMES[BLUE]]


def test_the_half_width_leads_from_the_boundary_to_the_kerb_at_right_angles():
    drawing = draw.street_drawing(X, Y, W, B, ALPHA)
    draw.draw_half_width(drawing.panels[0], np.asarray(W), B)
    foot, tip = points(drawing, 0, "half width")[:2]
    np.testing.assert_allclose(np.array([foot, tip]) @ W + B, [0, 1], atol=0.02)
    np.testing.assert_allclose(np.linalg.norm(tip - foot), 1 / np.linalg.norm(W), atol=0.01)


def test_with_a_kernel_every_point_of_the_first_street_can_be_moved_anywhere(monkeypatch):
    monkeypatch.delenv("EXPLORABLE_BAKE", raising=False)
    circles = [[0.5, 0.0], [1.2, -0.6], [0.6, 1.6]]
    squares = [[-0.9, -0.3], [-0.4, -1.3], [-1.6, 0.9]]
    six = np.array([*circles, *squares])
    moved, plane = street(six, np.repeat([1.0, -1.0], 3)), new_plane(Drawing())
    assert moved.parameters["which"].values == tuple(range(len(six)))
    for which in moved.parameters["which"].values:
        for place in ((-3.0, -1.6), (3.0, 1.8), (0.333, -0.777)):
            frame = moved.frame(dict(zip(("which", "point_x", "point_y"), (which, *place), strict=True)))
            dot = next(mark for mark in frame["marks"] if mark["k"] == f"point {which}")
            np.testing.assert_allclose(data(plane, dot["n"][:2]), [place], atol=2e-3)


POINTS = TWELVE.X.reshape(12, 2)
LABELS = np.repeat([1.0, -1.0], 6)
BEST = np.rad2deg(np.arctan(0.5))


def test_the_bound_that_is_drawn_is_the_dual_objective_of_the_multipliers():
    street = draw.widest(POINTS, LABELS, np.array([np.cos(np.deg2rad(20)), np.sin(np.deg2rad(20))]))
    margins = LABELS * (POINTS @ street.w + street.b)
    assert (margins[:6].min(), margins[6:].min()) == pytest.approx((1, 1))
    for share in (0, 0.32, 1):
        p, alpha = draw.segment(POINTS, share), np.zeros(12)
        alpha[[0, 6, 7]] = np.array([1, 1 - share, share]) * 2 / (p @ p)
        drawing = draw.duality_drawing(POINTS, LABELS, street, alpha, 20, BEST)
        bound = [np.rad2deg(np.arctan2(p[1], p[0])), svm.dual_objective(linear(POINTS), LABELS, alpha)]
        np.testing.assert_allclose(points(drawing, 1, "bound now")[0], bound, atol=0.1)
        np.testing.assert_allclose(points(drawing, 1, "bound now")[0, 1], bound[1], atol=0.01)
        np.testing.assert_allclose(points(drawing, 1, "cost now")[0], [20, draw.cost(street)], atol=0.1)
        np.testing.assert_allclose(np.ptp(points(drawing, 0, "segment"), axis=0), np.abs(p), atol=0.05)


@pytest.mark.parametrize("share", [0, 0.32, 0.9])
def test_the_joint_push_acts_between_the_squares_and_head_on_where_the_street_rests(share):
    machine = svm.smo(linear(POINTS), LABELS)
    w, three = (machine.alpha * LABELS) @ POINTS, [0, 6, 7]
    pushes = np.outer([-1, 1 - share, share], w / np.linalg.norm(w))
    drawing = draw.forces_drawing(POINTS[three], LABELS[three], w, machine.b, pushes, share, 0.0)
    ((x, y),) = points(drawing, 0, "joint push")
    np.testing.assert_allclose([x, y], (1 - share) * POINTS[6] + share * POINTS[7], atol=0.02)
    sideways = (POINTS[0] - [x, y]) @ [-w[1], w[0]] / np.linalg.norm(w)
    assert (abs(sideways) < 0.03) == (share == 0.32)
    tail, tip = points(drawing, 0, "push of point 6")[:2]
    np.testing.assert_allclose(tip - tail, 0.6 * pushes[1], atol=0.03)


def test_two_descents_are_drawn_up_to_now_and_the_direction_of_the_end_is_an_aside():
    steps, way = np.array([1, 10, 100]), np.array([[1.0, 0], [1, 1], [0, 1]])
    angles = np.array([90.0, 45, 1])
    drawing = draw.two_descents_drawing(X, Y, np.array([0.0, 1]), steps, [way, way], [angles, angles], 10)
    found = marks_by_key(drawing)
    assert found["max margin"]["a"] == found["name of max margin"]["a"] == "widest"
    np.testing.assert_allclose(points(drawing, 1, "plain so far")[:, 0], [1, 10], rtol=0.05)
    np.testing.assert_allclose(points(drawing, 1, "plain now"), [[10, 45]], rtol=0.05)


def test_slopes_show_who_may_move_which_way_and_what_is_out_of_order():
    slopes, up, down = np.array([0.5, -9.0, 1.5, -1.0]), ALPHA < 1, ALPHA > 0
    drawing = draw.pairs_drawing(slopes, up, down, ALPHA, Y, 1.0)
    found, panel = marks_by_key(drawing), drawing.panels[0]
    assert [found[f"slope {i}"]["s"]["marker"] for i in range(4)] == ["^", "v", "D", "D"]
    highest, lowest = (found[key]["n"] for key in ("highest that may grow", "lowest that may shrink"))
    np.testing.assert_allclose(data(panel, highest)[:, 0], 1.5, atol=2e-3)
    np.testing.assert_allclose(data(panel, lowest)[:, 0], -9.0, atol=2e-3)
    assert found["slope 1"]["told"] == [["v", -900, -2]]
    assert data(panel, found["slope 1"]["n"][:2])[0, 0] == pytest.approx(-3.5, abs=2e-3)


def test_the_ball_has_its_radius_around_its_centre():
    answer, centre, radius = (1.0, 0.5), (1.3, 0.9), 0.8
    steps, primal, dual = np.arange(4), np.array([9.0, 4, 3, 2]), np.array([0.0, 1, 1.5, 1.9])
    drawing = draw.gap_drawing(steps, primal, dual, 2, (answer, centre, radius))
    ring = points(drawing, 2, "edge of the ball")
    np.testing.assert_allclose(np.linalg.norm(ring - centre, axis=1), radius, atol=4e-3)
    np.testing.assert_allclose(points(drawing, 2, "the answer")[0], answer, atol=2e-3)


@pytest.mark.parametrize(
    ("out", "verdict"), [(-1, None), (1, "left out, still right"), (3, "left out: an error")]
)
def test_the_point_left_out_has_a_ring_and_a_verdict(out, verdict):
    now = W, 0.6  # margins 3.6, 1.85, 0.9, -0.4
    found = marks_by_key(draw.left_out_drawing(X, Y, (W, B), now, ALPHA, out))
    assert ("left out" in found, "verdict" in found) == (out >= 0, out >= 0)
    if verdict:
        assert found["left out"]["n"][:2] == found[f"point {out}"]["n"][:2]
        assert found["verdict"]["s"]["runs"] == ((verdict, ""),)
