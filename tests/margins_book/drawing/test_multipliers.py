"""The panel of multipliers: bars as long as they are large, cut at the panel's edge."""

import numpy as np

from explorable import Drawing
from margins_book.drawing.multipliers import multipliers_panel
from tests.margins_book.drawn import marks_by_key
from tests.margins_book.samples import ALPHA, Y


def test_a_bar_too_long_is_cut_and_tells_its_value():
    drawing = Drawing()
    panel = multipliers_panel(drawing, 10 * ALPHA, Y, top=5.0)
    found = marks_by_key(drawing)
    ends = [found[f"bar {i}"]["n"][2] / 10 for i in range(4)]
    np.testing.assert_allclose(ends, panel.x.pixels([0, 5, 3, 5]), atol=0.06)
    assert found["bar 1"]["told"] == [["α", 100, -1]]
    assert found["value 1"]["s"]["runs"] == (("10.0", ""),)
    assert found["value 1"]["s"]["fill"] != "paper"  # its halo is
