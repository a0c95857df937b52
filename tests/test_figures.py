"""The drawings: lines and whiskers lie where the mathematics says, and frames lie over each other."""

import numpy as np
import pytest

from margins.figures import new_axes
from margins.figures.planes import (
    draw_direction,
    draw_multipliers,
    draw_points,
    draw_slack,
    level_ends,
    new_plane,
)
from margins.figures.svm_duality import street_figure

X = np.array([[2.0, 0.0], [0.5, 1.0], [-1.0, 0.0], [0.2, -1.0]])
Y = np.array([1.0, 1.0, -1.0, -1.0])
W, B = np.array([1.5, 0.5]), -0.25
ALPHA = np.array([0.0, 1.0, 0.3, 0.7])


def test_plane_has_equal_scales():
    _, plane, _ = new_plane(half_width=2.0, centre=(1, -1))
    plane.figure.canvas.draw()
    (x0, y0), (x1, y1) = plane.transData.transform([(0, 0), (1, 1)])
    assert x1 - x0 == pytest.approx(y1 - y0)
    assert plane.get_xlim() == (-1, 3)
    assert np.mean(plane.get_ylim()) == pytest.approx(-1)


@pytest.mark.parametrize("level", [-1, 0, 1])
def test_lines_are_level_sets(level):
    np.testing.assert_allclose(level_ends(W, B, level) @ W + B, level, atol=1e-12)


def test_whiskers_reach_the_point_s_own_kerb():
    _, plane, _ = new_plane()
    draw_slack(plane, X, Y, W, B)
    whiskers = [line.get_xydata() for line in plane.lines if len(line.get_xydata()) == 2]
    inside = np.flatnonzero(Y * (X @ W + B) < 1)
    assert len(whiskers) == len(inside) > 0
    for i, (start, end) in zip(inside, whiskers, strict=True):
        np.testing.assert_allclose(start, X[i])
        assert Y[i] * (end @ W + B) == pytest.approx(1)


def test_support_vectors_are_told_from_the_rest_without_colour():
    _, plane, _ = new_plane()
    draw_points(plane, X, Y, alpha=ALPHA, C=1.0)
    sizes = [size for group in plane.collections for size in group.get_sizes()]
    assert len(set(np.round(sizes, 6))) > 2, "areas grow with alpha"
    crossed = plane.collections[-1].get_offsets()
    np.testing.assert_allclose(crossed, X[[1]])


def test_a_bar_too_long_is_cut_and_tells_its_value():
    _, _, panel = new_plane()
    draw_multipliers(panel, 10 * ALPHA, Y, top=5.0)
    assert [bar.get_width() for bar in panel.patches] == [0, 5, 3, 5]
    assert {"10.0", "7.0"} <= {text.get_text() for text in panel.texts}


def test_rays_have_the_length_asked_for():
    figure, axes = new_axes()
    draw_direction(axes, [3.0, 4.0], "up", length=2.0)
    np.testing.assert_allclose(axes.lines[0].get_xydata(), [[0, 0], [1.2, 1.6]])
    assert figure.axes == [axes]


def test_frames_lie_over_each_other():
    frames = [street_figure(X + shift, Y, W, B, ALPHA, C=1.0, top=2) for shift in (0.0, 0.7)]
    boxes = [[axes.get_position().bounds for axes in frame.axes] for frame in frames]
    limits = [[(axes.get_xlim(), axes.get_ylim()) for axes in frame.axes] for frame in frames]
    assert boxes[0] == boxes[1]
    assert limits[0] == limits[1]
