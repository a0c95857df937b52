"""Figures of where descent ends: the loss on a way, weights over the steps, shares of runs, a local minimum.

(book: Local optima, feasibility and over-parameterisation)
"""

from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from explorable import Drawing
from explorable.palette import BLUE, INK, MUTED, PAPER, VERMILION
from explorable.style import in_style, new_axes


def detour_drawing(way: NDArray, t: float, heights: NDArray, peaks: NDArray, level: float) -> Drawing:
    """The losses on the `way` W1, W1 + t U, W2 + t U, W2, and the peak for each height; `level` dotted."""
    drawing = Drawing()
    panel = drawing.panel(
        "loss on the way", xlim=(0, 3), ylim=(0.3, 0.85), title="loss on the way",
        xticks={0: "$W_1$", 1: "up", 2: "across", 3: "$W_2$"},
    )  # fmt: skip
    panel.hlines(level, key="level", color=INK, linestyle=":")
    panel.plot(np.linspace(0, 3, len(way)), way, key="loss", color=BLUE)
    top = drawing.panel(
        "highest loss", xlim=(heights[0], heights[-1]), ylim=(0.3, 0.85), xlabel="height $t$ of the detour",
        title="highest loss on the way",
    )  # fmt: skip
    top.hlines(level, key="level", color=INK, linestyle=":")
    top.plot(heights, peaks, key="highest", color=BLUE)
    top.scatter(
        [t], [max(way)], keys=["now"], color=BLUE, size=46, edgecolor=INK, tell=("t", "loss"), z=4
    )  # fmt: skip
    return drawing


def token_weights_drawing(iterations: NDArray, weights: NDArray, names: Sequence[str]) -> Drawing:
    """The weights of three tokens over the steps of plain descent, on a logarithmic axis."""
    drawing = Drawing()
    panel = drawing.panel(
        "weights", xlim=(iterations[0], iterations[-1]), ylim=(0, 1.04), xscale="log", xlabel="steps",
        title="attention weights", xticks=[1, 10, 100, 1000, 10_000],
    )  # fmt: skip
    for name, row, colour, dashes in zip(
        names, weights.T, (BLUE, VERMILION, MUTED), ("-", "--", ":"), strict=True
    ):
        panel.plot(iterations, row, key=name, color=colour, linestyle=dashes, tell=("steps", "weight"))
        place = len(row) * 3 // 4 if name != "bad token" else len(row) // 4
        panel.annotate(name, (iterations[place], row[place]), key=f"name of {name}", color=colour, link=name)
    return drawing


def shares_drawing(
    dimensions: Sequence[int],
    whole: Sequence[tuple[float, float, float]],
    single: Sequence[float],
    d: int,
    threshold: float,
) -> Drawing:
    """Shares of runs (share, low, high) and of tokens over the dimension, on a logarithmic axis."""
    drawing = Drawing()
    panel = drawing.panel(
        "shares", xlim=(1.7, 48), ylim=(0, 1.04), xscale="log", xlabel="dimension $d$",
        title="share that is optimal", xticks=list(dimensions),
    )  # fmt: skip
    panel.vlines(threshold, key="threshold", color=MUTED)
    for k, (_, low, high) in zip(dimensions, whole, strict=True):
        panel.plot([k, k], [low, high], key=f"interval at d = {k}", color=BLUE, linewidth=1.5)
    panel.scatter(
        dimensions, [share for share, *_ in whole], keys=[f"runs at d = {k}" for k in dimensions],
        color=[BLUE if k == d else PAPER for k in dimensions], edgecolor=BLUE, size=50, tell=("d", "share"),
    )  # fmt: skip
    panel.scatter(
        dimensions, single, keys=[f"tokens at d = {k}" for k in dimensions], marker="s", edgecolor=VERMILION,
        color=[VERMILION if k == d else PAPER for k in dimensions], size=40, tell=("d", "share"),
    )  # fmt: skip
    panel.annotate("tokens", (dimensions[0], single[0]), key="name of tokens", color=VERMILION)
    panel.annotate("runs", (dimensions[0], whole[0][0]), key="name of runs", color=BLUE)
    return drawing


@in_style
def local_minimum_figure(across: NDArray, up: NDArray, losses: NDArray, minimum: NDArray) -> Figure:
    """Level lines of a loss in the plane of w, with a local minimum marked."""
    figure, ax = new_axes(3.6, xlabel="$w_1$", ylabel="$w_2$")
    levels = np.linspace(losses.min(), np.quantile(losses, 0.7), 16)[1:]
    ax.contour(across, up, losses, levels=levels, colors=[BLUE], linewidths=0.9)
    ax.plot(*minimum, marker="x", markersize=9, color=VERMILION, markeredgewidth=2)
    return figure
