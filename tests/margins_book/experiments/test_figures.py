"""The figures of recorded experiments show the estimates, their intervals and what was published."""

import numpy as np

from margins_book.experiments.catalogue import EXPERIMENTS
from margins_book.experiments.figures import estimate_lines
from margins_book.experiments.recorded import recorded


def test_lines_go_through_the_estimates_and_rings_stand_at_published_values():
    figure = estimate_lines("several-tokens", "d", [("one", {}, "mean single"), ("two", {}, "median single")])
    first, rings, second = (
        line for line in figure.axes[0].lines if len(line.get_xdata()) == 4 and keeps(line)
    )
    estimates = EXPERIMENTS["several-tokens"].estimates(recorded("several-tokens"))
    assert first.get_ydata().tolist() == [values["mean single"].value for _, values in estimates]
    assert second.get_ydata().tolist() == [values["median single"].value for _, values in estimates]
    assert rings.get_xdata().tolist() == [4, 6, 8, 10]
    assert rings.get_ydata().tolist() == [0.156, 0.142, 0.135, 0.124]
    bars = figure.axes[0].collections[0].get_segments()
    assert np.allclose([bar[:, 1] for bar in bars], [values["mean single"][1:] for _, values in estimates])


def keeps(line):
    """Whether a line is more than the caps of its bars."""
    return line.get_marker() not in ("_", "|")


def test_points_stand_in_the_order_of_the_setting():
    """The table has 10 before 2, since settings are texts there."""
    figure = estimate_lines("ranks", "d", [("n = 5", {"n": 5, "T": 5}, "rank nuclear")])
    assert figure.axes[0].lines[0].get_xdata().tolist() == [2, 3, 4, 5, 10, 15, 20]
