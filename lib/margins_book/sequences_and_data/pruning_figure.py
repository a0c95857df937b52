"""The figure of an idle token: the flow of w with it and without it, and the attention of its sequence.

(book: Sequences, causality, depth and real data, Tokens that may go)
"""

import numpy as np
from numpy.typing import NDArray

from explorable import Drawing, Panel
from explorable.palette import BLUE, GREEN, INK, ORANGE, VERMILION
from margins_book.drawing.planes import level_ends, new_plane

STYLES = (("o", BLUE, "-"), ("t", VERMILION, "--"), ("r", ORANGE, ":"))  # the tokens of the first sequence


def pruning_drawing(
    path: NDArray, first: NDArray, weights: NDArray, machine: NDArray, length: float
) -> Drawing:
    """The path (m, 2) of w, the lines where another token overtakes the best one, and the attention (m, T).

    `first` (T, 2) are the tokens of the first sequence that are kept, `machine` (2,) the shortest w.
    """
    drawing = Drawing()
    plane = new_plane(drawing, "plane of w", half_width=12, centre=(9, 8), of="w")
    for (name, colour, dashes), token in list(zip(STYLES, first, strict=False))[1:]:
        _draw_tie(plane, first[0] - token, name, colour, dashes)
    plane.plot(*np.outer(machine, [0, 8]), key="machine", color=GREEN, linestyle="-.")
    plane.annotate(
        "machine", 6.5 * machine, key="name of the machine", offset=(6, -18), link="machine", size=12
    )
    plane.plot(*path.T, key="path of w", color=INK, linewidth=2.4)
    plane.scatter(*path[-1:].T, keys=["end of the path"], color=INK, size=46, tell=("w₁", "w₂"))
    panel = drawing.panel(
        "attention", xlim=(0, length), ylim=(-0.03, 1.12), xlabel="length of the path", yticks=[0, 0.5, 1],
        title="attention of the first sequence",
    )  # fmt: skip
    walked = np.linspace(0, length, len(path))
    for (name, colour, dashes), line in zip(STYLES, weights.T, strict=False):
        panel.plot(walked, line, key=f"attention on {name}", color=colour, linestyle=dashes)
        panel.annotate(
            f"${name}$",
            (walked[-1], line[-1]),
            key=f"name of {name}",
            offset=(-14, 6),
            link=f"attention on {name}",
        )
    return drawing


def _draw_tie(plane: Panel, row: NDArray, name: str, colour: str, dashes: str) -> None:
    """The line on which a token has the logit of the best one, which leads to the right of it."""
    plane.plot(
        *level_ends(plane, row, 0, 0).T,
        key=f"tie of o and {name}",
        color=colour,
        linestyle=dashes,
        linewidth=1.3,
    )
    up = np.array([-row[1], row[0]]) / row[0]  # along the line, with w2 = 1
    place = min(14, 19 / max(up[0], 1)) * up
    plane.annotate(
        f"$o={name}$", place, key=f"name of the tie with {name}", link=f"tie of o and {name}", size=12
    )
