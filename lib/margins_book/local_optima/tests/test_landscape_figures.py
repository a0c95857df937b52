"""The figures of two valleys and of a Gram matrix: marks lie where the numbers say."""

import numpy as np

from explorable.palette import BLUE, VERMILION
from margins_book.local_optima import landscape_figures as draw
from tests.margins_book.drawn import data, marks

AXIS = np.linspace(-12, 12, 9)
PATH = np.array([[1.0, 2.0], [3.0, 4.0], [9.0, 1.0], [10.0, 0.0]])
MOMENTS = np.array([0, 9, 99, 999])
LEADS = np.array([[-1.0, 1.0], [-2.0, 2.0], [-3.0, 3.0], [-80.0, 80.0]])
PULLS = np.array([[0.0, -0.02], [0.1, 0.0]])


def valleys():
    return draw.valleys_drawing(AXIS, AXIS[:, None] ** 2 + AXIS**2, PATH, MOMENTS, LEADS, PULLS)


def test_the_path_and_its_start_are_drawn_where_they_are():
    drawing = valleys()
    found = marks(drawing)
    np.testing.assert_allclose(data(drawing.panels[0], found[0, "path"]["n"]), PATH, atol=0.1)
    np.testing.assert_allclose(data(drawing.panels[0], found[0, "start"]["n"][:2])[0], PATH[0], atol=0.1)


def test_the_direction_at_the_end_waits_for_the_text():
    drawing = valleys()
    arrow = marks(drawing)[0, "direction at the end"]
    assert arrow["a"] == "end"
    plane = drawing.panels[0]
    assert abs(plane.x.line[1] + plane.y.line[1]) < 0.01, "angles would not be drawn as they are"
    np.testing.assert_allclose(data(drawing.panels[0], arrow["n"]), [[0, 0], [6, 0]], atol=0.1)


def test_leads_beyond_the_panel_end_at_its_edge():
    drawing = valleys()
    a, b = drawing.panels[1].y.line
    heights = (np.array(marks(drawing)[1, "lead of sequence 1"]["n"][1::2]) / 10 - a) / b
    np.testing.assert_allclose(heights, np.clip(LEADS[:, 0], -25, 25), atol=0.2)


def test_negative_multipliers_are_vermilion():
    drawing = draw.gram_drawing(np.eye(3), np.array([0.5, -0.2, 0.3]), 0.25)
    fills = [marks(drawing)[1, f"multipliers {k}"]["s"]["fill"] for k in (1, 2, 3)]
    assert fills[0] == fills[2] != fills[1]
    assert VERMILION != BLUE
