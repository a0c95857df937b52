"""The figure of a norm shows the curves that it is given, and tells the norm where the control stands."""

import numpy as np

from margins_book.kernels.norm_figures import detour_drawing
from tests.margins_book.drawn import data, marks_by_key


def test_the_curves_lie_where_they_are_and_the_norm_is_told():
    heights, places = np.linspace(-0.4, 0.4, 33), np.linspace(-2, 2, 5)
    norms = {"Gaussian": (heights, 2 + heights**2), "Laplacian": (heights, 1 + heights**2)}
    flat, bent = (places, 0 * places), (places, places**2 / 4)
    drawing = detour_drawing(flat, flat, bent, norms, ("Laplacian", 0.2))
    found, panel = marks_by_key(drawing), drawing.panels[0]
    np.testing.assert_allclose(data(panel, found["with detours"]["n"])[:, 1], bent[1], atol=0.02)
    np.testing.assert_allclose(data(panel, found["without detours"]["n"])[:, 1], 0, atol=0.02)
    assert found["now"]["told"] == [["norm", 104, -2]]
