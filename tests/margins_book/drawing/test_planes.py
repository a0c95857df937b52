"""Planes of labelled points: lines and whiskers lie where the mathematics says, texts clear of each other."""

import numpy as np
import pytest

from explorable import Drawing
from explorable.label_placement import text_box
from margins_book.drawing import planes
from tests.margins_book.drawn import data, marks_by_key
from tests.margins_book.samples import ALPHA, B, W, X, Y


def test_plane_has_equal_scales():
    plane = planes.new_plane(Drawing(), half_width=2.0, centre=(1, -1))
    assert plane.x.line[1] == pytest.approx(-plane.y.line[1])
    assert plane.x.limits == (-1, 3)
    assert np.mean(plane.y.limits) == pytest.approx(-1)


@pytest.mark.parametrize("level", [-1, 0, 1])
def test_lines_are_level_sets_and_reach_beyond_the_plane(level):
    plane = planes.new_plane(Drawing())
    ends = planes.level_ends(plane, W, B, level)
    np.testing.assert_allclose(ends @ W + B, level, atol=1e-12)
    limits = np.array([plane.x.limits, plane.y.limits])
    assert ((ends < limits[:, 0]) | (ends > limits[:, 1])).any(1).all()


def test_a_line_that_leaves_beside_the_axis_s_name_is_named_clear_of_it():
    drawing = Drawing()
    plane = planes.new_plane(drawing)
    leaves = plane.x.limits[0] + np.array([0.3, 2.3])  # at the top, the first close to the corner
    w = np.array([2 / np.diff(leaves)[0], 0.0])
    planes.draw_street(plane, w, 1 - w[0] * leaves[1])
    found = marks_by_key(drawing)
    assert [key for key in found if key.startswith("name of")] == [
        f"name of {line}" for line in ("kerb −1", "boundary", "kerb +1")
    ]
    boxes = [
        text_box(np.array(found[key]["n"]) / 10, **found[key]["s"]) for key in ("name y", "name of kerb −1")
    ]
    assert boxes[0][2] < boxes[1][0]


def test_whiskers_reach_the_point_s_own_kerb():
    drawing = Drawing()
    plane = planes.new_plane(drawing)
    planes.draw_slack(plane, X, Y, W, B)
    whiskers = {key: mark for key, mark in marks_by_key(drawing).items() if key.startswith("slack")}
    inside = np.flatnonzero(Y * (X @ W + B) < 1)
    assert list(whiskers) == [f"slack {i}" for i in inside]
    for i, mark in zip(inside, whiskers.values(), strict=True):
        start, end = data(plane, mark["n"])
        np.testing.assert_allclose(start, X[i], atol=2e-3)
        assert Y[i] * (end @ W + B) == pytest.approx(1, abs=5e-3)


def test_support_vectors_are_told_from_the_rest_without_colour():
    drawing = Drawing()
    planes.draw_points(planes.new_plane(drawing), X, Y, alpha=ALPHA, C=1.0)
    found = marks_by_key(drawing)
    sizes = [found[f"point {i}"]["n"][2] for i in range(4)]
    np.testing.assert_array_equal(np.argsort(sizes), np.argsort(ALPHA), "areas grow with alpha")
    assert [key for key in found if key.startswith("cross")] == ["cross 1"]
    assert found["point 0"]["s"]["fill"] == "paper"
