"""The drawings of errata and open questions: regions, discs and curves lie where the numbers say."""

import numpy as np

from margins_book.errata_and_open_questions import drawings as draw
from tests.margins_book.drawn import data, marks


def test_rims_of_the_regions_are_where_the_rows_outweigh_each_other():
    second = np.array([0.25, 0.7])
    rim, (left, right, *_) = draw.disc(second), draw.half_plane(second)
    np.testing.assert_allclose((rim * rim).sum(axis=1), -rim @ second, atol=1e-12)
    np.testing.assert_allclose([left @ second, right @ second], -second @ second, atol=1e-12)
    assert (draw.half_plane(second)[2:] @ second < -second @ second).all()


def test_rows_end_where_they_point_and_lost_starts_are_larger():
    turns, lost = np.array([[1, 0], [0, 1], [-1, 0], [0, -1]]), np.array([True, False, False, True])
    rows = np.array([0.5, -1.4]), np.array([0.25, 0.7])
    drawing = draw.traps_drawing(*rows, np.array([1.0, 1.0]), None, turns, lost)
    found = marks(drawing)
    for name, end in (("a 1", (0.5, -1.4)), ("a 2", (0.25, 0.7))):
        np.testing.assert_allclose(data(drawing.panels[0], found[0, name]["n"])[1], end, atol=0.02)
    sizes = [found[1, f"start {k}"]["n"][2] for k in (1, 2, 3, 4)]
    assert sizes[0] == sizes[3] > 1.5 * sizes[1] == 1.5 * sizes[2]
