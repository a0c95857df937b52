"""Axes: from data to pixels, and the numbers beside the ticks."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorable.axes import EDGE, axes_line, decades, new_axis, round_numbers, within_panel
from explorable.marks import PANEL_WIDTH


@pytest.mark.parametrize(
    ("scale", "values", "share"), [("linear", (1, 4, 7), 0.5), ("log", (1, 10, 100), 0.5)]
)
def test_axes_carry_limits_to_ends_and_the_middle_to_the_middle(scale, values, share):
    axis = new_axis("x", (values[0], values[2]), (40, 340), scale)
    np.testing.assert_allclose(axis.pixels(values), [40, 40 + 300 * share, 340])


@given(st.floats(-1e6, 1e6), st.floats(1e-6, 1e6))
def test_round_numbers_are_few_even_and_inside(low, length):
    high = low + length
    ticks = np.array(round_numbers(low, high))
    assert 2 <= len(ticks) <= 8
    slack = 1e-9 * max(abs(low), abs(high), 1)
    assert ticks.min() >= low - slack
    assert ticks.max() <= high + slack


def test_axes_are_one_line_that_goes_to_each_tick_and_back_and_decades_thin_out():
    line = axes_line([30.0, 20.0], [5.0], (10, 0, 40, 9))
    down = [(10, 0), (10, 5), (6, 5), (10, 5), (10, 9)]
    along = [(20, 9), (20, 13), (20, 9), (30, 9), (30, 13), (30, 9), (40, 9)]
    assert list(zip(line[::2], line[1::2], strict=True)) == down + along
    assert decades(1, 1e3) == [1, 10, 100, 1000]
    assert decades(1e-6, 1e6)[:2] == [1e-6, 1e-3]


@pytest.mark.parametrize(("ha", "share"), [("left", 0), ("center", 0.5), ("right", 1)])
@given(x=st.floats(0, PANEL_WIDTH), width=st.floats(1, 300))
def test_a_text_stays_in_the_panel_and_moves_no_further_than_it_must(ha, share, x, width):
    left = within_panel(x, width, ha) - share * width
    assert EDGE - 1e-9 <= left <= PANEL_WIDTH - EDGE - width + 1e-9
    if EDGE <= x - share * width <= PANEL_WIDTH - EDGE - width:
        assert left == pytest.approx(x - share * width)
