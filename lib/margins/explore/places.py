"""Where data lie on the drawing, so that a handle sits on its point and follows the pointer."""

import math

from margins.explore.errors import ExplorableError


def handle_place(figure, handle):
    """The two axis maps of the axes that `handle` lives on: {"x": (a, b, log), "y": (a, b, log)}.

    A value v lies at a + b v points from the left or the top, a + b log10(v) where `log` is true.
    Ask after the figure was drawn: only then do its axes stand where they stay.
    """
    if handle.axes >= len(figure.axes):
        raise ExplorableError(f"handle: axes {handle.axes} asked for, but the figure has {len(figure.axes)}")
    axes, to_points = figure.axes[handle.axes], 72 / figure.dpi
    (left, bottom), (right, top) = axes.transAxes.transform([(0, 0), (1, 1)]) * to_points
    height = figure.get_size_inches()[1] * 72
    return {
        "x": axis_map(axes.get_xscale(), axes.get_xlim(), (left, right)),
        "y": axis_map(axes.get_yscale(), axes.get_ylim(), (height - bottom, height - top)),
    }


def axis_map(scale, limits, ends):
    """(a, b, log) of the axis that carries `limits` to the places `ends` on a linear or log scale."""
    if scale not in ("linear", "log"):
        raise ExplorableError(f"handle: expected a linear or log axis, but its scale is {scale!r}")
    low, high = map(math.log10, limits) if scale == "log" else limits
    slope = (ends[1] - ends[0]) / (high - low)
    return [round(float(ends[0] - slope * low), 3), round(float(slope), 4), scale == "log"]


def place(axis, value):
    """The point on the drawing at which `value` lies."""
    a, b, log = axis
    return a + b * (math.log10(value) if log else value)
