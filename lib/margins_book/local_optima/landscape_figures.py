"""Figures of the two valleys of a loss, and of the Gram matrix that tends to blocks.

(book: Local optima, feasibility and over-parameterisation)
"""

import numpy as np
from numpy.typing import NDArray

from explorable import Drawing, Panel
from explorable.palette import BLUE, GREEN, INK, MUTED, PURPLE, VERMILION

SAME_SCALE = 260 / 300  # the box of a panel 330 high, height over width: angles are drawn as they are
SEQUENCES = (("sequence 1", PURPLE, "-"), ("sequence 2", GREEN, "--"))
RAYS = (("right ray", BLUE, (1.0, 0.0)), ("trap ray", VERMILION, (1 / np.sqrt(5), 2 / np.sqrt(5))))


def valleys_drawing(
    axis: NDArray, losses: NDArray, path: NDArray, moments: NDArray, leads: NDArray, pulls: NDArray
) -> Drawing:
    """The loss over w with a path (k, 2) of descent, and the leads (k, 2) of the best tokens over its steps.

    `losses` (m, m) on the grid of `axis`. Asides are the `pulls` (2, 2) of the two sequences at the start,
    and the direction in which the path ends.
    """
    drawing = Drawing()
    low, high = SAME_SCALE * axis[[0, -1]]
    plane = drawing.panel(
        "loss", xlim=(axis[0], axis[-1]), ylim=(low, high), height=330, xlabel="$w_1$",
        ylabel="$w_2$", title="the loss over w", xticks=(-10, 0, 10), yticks=(-10, 0, 10),
    )  # fmt: skip
    levels = np.linspace(losses.min(), losses.max(), 12)[1:-1]
    plane.contour(
        axis, axis, losses, levels=levels, key="level lines", color=MUTED, linewidth=0.8, vertices=36
    )
    for name, colour, way in RAYS:
        plane.plot(*np.array([(0, 0), 30 * np.array(way)]).T, key=name, color=colour, linestyle="--", z=1)
    plane.plot(*path.T, key="path", color=BLUE, linewidth=2)
    plane.scatter(*path[:1].T, keys=["start"], color=BLUE, edgecolor=INK, size=46, tell=("w₁", "w₂"), z=4)
    _draw_pulls(plane, path[0], pulls)
    with plane.aside("end"):
        end = 6 * path[-1] / np.linalg.norm(path[-1])
        plane.arrow((0, 0), end, key="direction at the end", color=INK, linewidth=3)
    _leads_panel(drawing, moments, leads)
    return drawing


def _draw_pulls(plane: Panel, start: NDArray, pulls: NDArray) -> None:
    """The pulls of the sequences at the start, the longer of length 3."""
    longest = np.linalg.norm(pulls, axis=1).max()
    with plane.aside("pulls"):
        for (name, colour, _), pull in zip(SEQUENCES, pulls, strict=True):
            plane.arrow(start, start + 3 * pull / longest, key=f"pull of {name}", color=colour)


def _leads_panel(drawing: Drawing, moments: NDArray, leads: NDArray) -> None:
    """Above zero the best token of the sequence is ahead; leads beyond 25 end at the edge."""
    panel = drawing.panel(
        "leads", xlim=(1, moments[-1] + 1), ylim=(-25, 25), height=330, xscale="log", xlabel="steps + 1",
        title="lead of the best token", xticks=[1, 10, 100, 1000], yticks=(-20, 0, 20),
    )  # fmt: skip
    panel.hlines(0, key="tie", color=INK, linestyle=":")
    for (name, colour, dashes), lead in zip(SEQUENCES, leads.T, strict=True):
        shown = np.clip(lead, -25, 25)
        panel.plot(moments + 1, shown, key=f"lead of {name}", color=colour, linestyle=dashes)
        panel.annotate(name, (moments[2] + 1, shown[2]), key=f"name of {name}", color=colour)


def gram_drawing(matrix: NDArray, multipliers: NDArray, limit: float) -> Drawing:
    """A Gram matrix (N, N) and its multipliers (N,), with the `limit` of these dashed."""
    drawing, N = Drawing(), len(matrix)
    plane = drawing.panel(
        "Gram matrix", xlim=(0, N), ylim=(N, 0), height=330, title="Gram matrix G", xticks=[], yticks=[]
    )
    plane.image(np.clip(matrix, -2, 2), key="entries of G", extent=(0, N, N, 0))
    bars = drawing.panel(
        "multipliers", xlim=(-0.8, 1.6), ylim=(N - 0.4, -0.6), height=330, title="multipliers λ", yticks=[],
    )  # fmt: skip
    bars.barh(
        range(N), np.clip(multipliers, -0.8, 1.6), keys=[f"multipliers {k + 1}" for k in range(N)],
        tell={"λ": multipliers}, color=[VERMILION if value < 0 else BLUE for value in multipliers],
    )  # fmt: skip
    bars.vlines(limit, key="limit", color=INK, linestyle="--")
    bars.vlines(0, key="zero", color=MUTED, linestyle="-")
    return drawing
