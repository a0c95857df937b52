"""The style of static figures: axes at fixed places, as wide as a panel."""

import pytest
from matplotlib import rcParams

from explorable.marks import PANEL_WIDTH
from explorable.style import STYLE, WIDTH, in_style, new_axes


def test_a_static_figure_is_as_wide_as_a_panel():
    figure, _ = new_axes()
    assert figure.get_size_inches()[0] * STYLE["figure.dpi"] == WIDTH * 72 == PANEL_WIDTH


def test_margins_are_the_same_at_every_height():
    low, high = (new_axes(height)[1].get_position().bounds for height in (2.0, 4.0))
    assert (low[0], low[2]) == (high[0], high[2])
    assert low[1] * 2.0 == pytest.approx(high[1] * 4.0)


def test_settings_hold_inside_the_function_and_not_after_it():
    before = rcParams["font.size"]
    assert in_style(lambda: rcParams["font.size"])() == STYLE["font.size"]
    assert rcParams["font.size"] == before
