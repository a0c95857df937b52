"""The figures of where descent ends: losses, weights and shares lie where the numbers say."""

import numpy as np
import pytest

from margins_book.local_optima import descent_figures as draw
from tests.margins_book.drawn import data, marks


def test_the_detour_is_drawn_at_its_height_and_its_peak_on_the_curve():
    heights, peaks = np.linspace(0, 10, 11), np.linspace(0.8, 0.4, 11)
    way = np.array([0.5, 0.45, peaks[4], 0.42])
    drawing = draw.detour_drawing(way, 4.0, heights, peaks, 0.5)
    found = marks(drawing)
    np.testing.assert_allclose(data(drawing.panels[0], found[0, "loss"]["n"])[:, 1], way, atol=2e-3)
    curve = np.reshape(found[1, "highest"]["n"], (-1, 2))
    np.testing.assert_allclose(found[1, "now"]["n"][:2], curve[4], atol=1)


def test_intervals_enclose_their_shares_and_only_the_asked_dimension_is_filled():
    whole = [(0.3, 0.2, 0.4), (0.6, 0.5, 0.7), (0.9, 0.8, 0.95)]
    drawing = draw.shares_drawing((2, 5, 10), whole, [0.8, 0.9, 0.99], 5, 9)
    found = marks(drawing)
    for d, (share, low, high) in zip((2, 5, 10), whole, strict=True):
        a, b = drawing.panels[0].y.line
        place = (found[0, f"runs at d = {d}"]["n"][1] / 10 - a) / b
        ends = (np.array(found[0, f"interval at d = {d}"]["n"][1::2]) / 10 - a) / b
        assert place == pytest.approx(share, abs=5e-3)
        np.testing.assert_allclose(sorted(ends), [low, high], atol=5e-3)
    fills = [found[0, f"runs at d = {d}"]["s"]["fill"] for d in (2, 5, 10)]
    assert fills[0] == fills[2] != fills[1]


def test_weights_end_where_their_names_stand():
    steps, weights = np.array([1, 10, 100]), np.array([[0.4, 0.3, 0.3], [0.5, 0.4, 0.1], [0.7, 0.25, 0.05]])
    drawing = draw.token_weights_drawing(steps, weights, ("one", "two", "bad"))
    found, (a, b) = marks(drawing), drawing.panels[0].y.line
    for k, name in enumerate(("one", "two", "bad")):
        drawn = (np.array(found[0, name]["n"][1::2]) / 10 - a) / b
        np.testing.assert_allclose(drawn, weights[:, k], atol=5e-3)


def test_level_lines_and_the_minimum_are_in_the_still_figure():
    grid = np.linspace(-1, 1, 21)
    figure = draw.local_minimum_figure(grid, grid, np.add.outer(grid**2, grid**2), np.array([0.0, 0.0]))
    (axes,) = figure.axes
    assert axes.collections
    np.testing.assert_array_equal(axes.lines[0].get_xydata(), [[0, 0]])
