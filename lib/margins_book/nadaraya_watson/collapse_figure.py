"""The figure of two tokens under attention alone: their distance after a layer, over that before it.

(book: Attention as Nadaraya-Watson regression, Why layers need residual connections)
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from explorable import Drawing
from explorable.palette import BLUE, INK, MUTED, VERMILION

WIDEST = 3.1  # the largest distance on the axes


def pair_drawing(distances: Sequence[float], layer: int) -> Drawing:
    """Two tokens on a line before each layer and after the last, and the stairs of their `distances`.

    `distances` before the first layer and after each; the stairs go as far as `layer`.
    """
    drawing = Drawing()
    line = drawing.panel(
        "two tokens", xlim=(-1.7, 1.7), ylim=(len(distances) - 0.5, -0.5), xlabel="place on the line",
        ylabel="layer", yticks=range(len(distances)), title="two tokens after each layer",
    )  # fmt: skip
    for number, distance in enumerate(distances[: layer + 1]):
        line.scatter(
            [-distance / 2, distance / 2], [number, number], size=46, color=BLUE, tell=("place", "layer"),
            keys=[f"left after {number}", f"right after {number}"],
        )  # fmt: skip
    plane = drawing.panel(
        "distances", xlim=(0, WIDEST), ylim=(0, WIDEST), xlabel="distance $D$ before", ylabel="after",
        xticks=range(4), yticks=range(4), title="distance after a layer",
    )  # fmt: skip
    before = np.linspace(0, WIDEST, 63)
    plane.plot([0, WIDEST], [0, WIDEST], key="no change", color=MUTED, linewidth=1)
    cube = np.minimum(before**3 / 4, 2 * WIDEST)
    plane.plot(before, cube, key="cube", color=VERMILION, linestyle="--")
    plane.plot(before, before * np.tanh(before**2 / 4), key="after a layer", color=BLUE)
    plane.annotate("$D^3/4$", (1.9, 1.9**3 / 4), key="name of cube", color=VERMILION, link="cube",
                   offset=(-26, 6))  # fmt: skip
    plane.plot(*stairs(distances, layer).T, key="stairs", color=INK, linewidth=1.6)
    return drawing


def stairs(distances: Sequence[float], layer: int) -> NDArray:
    """The corners of the stairs from the diagonal to the curve and back, `layer` times, as rows.

    There are equally many for each layer: those to come lie on the last one.
    (book: Attention as Nadaraya-Watson regression, Why layers need residual connections)

    >>> stairs([3.0, 2.0, 1.0], 1).tolist()
    [[3.0, 3.0], [3.0, 2.0], [2.0, 2.0], [2.0, 2.0], [2.0, 2.0]]
    """
    corners = [(distances[0], distances[0])]
    for before, after in pairwise(distances):
        corners += [(before, after), (after, after)]
    return np.array([corners[min(n, 2 * layer)] for n in range(len(corners))])
