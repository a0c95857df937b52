"""The figures of the solver: slopes by what may move, the ball that holds the solution."""

import numpy as np
import pytest

from margins_book.svm_duality.drawings import gap_drawing, pairs_drawing
from tests.margins_book.drawn import data, marks_by_key
from tests.margins_book.plane_points import ALPHA, Y


def test_slopes_show_who_may_move_which_way_and_what_is_out_of_order():
    slopes, up, down = np.array([0.5, -9.0, 1.5, -1.0]), ALPHA < 1, ALPHA > 0
    drawing = pairs_drawing(slopes, up, down, ALPHA, Y, 1.0)
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
    drawing = gap_drawing(steps, primal, dual, 2, (answer, centre, radius))
    ring = data(drawing.panels[2], marks_by_key(drawing)["edge of the ball"]["n"])
    np.testing.assert_allclose(np.linalg.norm(ring - centre, axis=1), radius, atol=4e-3)
    np.testing.assert_allclose(
        data(drawing.panels[2], marks_by_key(drawing)["the answer"]["n"][:2])[0], answer, atol=2e-3
    )
