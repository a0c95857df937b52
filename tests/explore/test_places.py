"""Where handles stand: matplotlib's own transform is the oracle."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from margins.explore.controls import Handle
from margins.explore.errors import ExplorableError
from margins.explore.places import handle_place, place
from margins.explore.svg import to_svg
from margins.figures import new_axes


def oracle(figure, axes, point):
    """Points from the left and the top, by transData."""
    x, y = axes.transData.transform(point) * 72 / figure.dpi
    return x, figure.get_size_inches()[1] * 72 - y


@pytest.mark.parametrize("xscale", ["linear", "log"])
@pytest.mark.parametrize("yscale", ["linear", "log"])
@pytest.mark.parametrize("dpi", [72, 150])
def test_places_are_where_matplotlib_draws(xscale, yscale, dpi):
    figure, axes = plt.subplots(figsize=(5, 3), dpi=dpi)
    axes.set(xscale=xscale, yscale=yscale, xlim=(0.1, 20), ylim=(5, 0.2))
    to_svg(figure, "a", "b")
    maps = handle_place(figure, Handle("x", "y"))
    for point in ([0.1, 5], [1, 1], [7.3, 0.4]):
        found = place(maps["x"], point[0]), place(maps["y"], point[1])
        np.testing.assert_allclose(found, oracle(figure, axes, point), atol=0.01)
    plt.close(figure)


def test_places_hold_for_the_axes_asked_for_and_for_equal_aspect():
    figure, axes = new_axes(columns=2, xlim=(-1, 1), ylim=(-3, 3))
    axes[1].set_aspect("equal")
    to_svg(figure, "a", "b")
    maps = handle_place(figure, Handle("x", "y", axes=1))
    found = place(maps["x"], 0.5), place(maps["y"], 2)
    np.testing.assert_allclose(found, oracle(figure, axes[1], (0.5, 2)), atol=0.01)


def test_axes_that_are_not_there_and_scales_that_no_handle_knows_are_refused():
    figure, axes = new_axes()
    with pytest.raises(ExplorableError, match="axes 1 asked for, but the figure has 1"):
        handle_place(figure, Handle("x", "y", axes=1))
    axes.set_xscale("symlog")
    with pytest.raises(ExplorableError, match="linear or log axis, but its scale is 'symlog'"):
        handle_place(figure, Handle("x", "y"))
