"""The figures of the street: frames of equal panels, points that the reader can move anywhere."""

import numpy as np

from explorable import Drawing
from explorable.palette import BLUE, NAMES, VERMILION
from margins_book.drawing.planes import new_plane
from margins_book.svm_duality.drawings import draw_half_width, street_drawing, transformed_street_drawing
from margins_book.svm_duality.figures import street
from tests.margins_book.drawn import data, marks_by_key, points
from tests.margins_book.plane_points import ALPHA, B, W, X, Y


def test_frames_lie_over_each_other():
    frames = [street_drawing(X + shift, Y, W, B, ALPHA, C=1.0, top=2).frame("") for shift in (0.0, 0.7)]
    assert frames[0]["panels"] == frames[1]["panels"]


def test_numbers_that_notice_a_move_are_vermilion_and_the_others_blue():
    rows = {"changed": (1.0, 2.0), "same": (2.0, 2.0)}
    found = marks_by_key(transformed_street_drawing(X, Y, W, B, ALPHA, rows))
    assert [found[name]["s"]["fill"] for name in rows] == [NAMES[VERMILION], NAMES[BLUE]]


def test_the_name_of_a_held_point_keeps_its_distance():
    found = [marks_by_key(street_drawing(X + shift, Y, W, B, ALPHA, held=0)) for shift in (0.0, 0.3)]
    offsets = [np.subtract(frame["name 0"]["n"], frame["point 0"]["n"][:2]) for frame in found]
    np.testing.assert_allclose(offsets[0], offsets[1], atol=1)


def test_the_half_width_leads_from_the_boundary_to_the_kerb_at_right_angles():
    drawing = street_drawing(X, Y, W, B, ALPHA)
    draw_half_width(drawing.panels[0], np.asarray(W), B)
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
