"""Figures of support vectors: a point left out, and the multipliers of points on the kerb.

(book: SVM duality, Reading the optimality conditions)
"""

import numpy as np
from numpy.typing import NDArray

from explorable import Drawing
from explorable.palette import INK, MUTED, ORANGE, PAPER, VERMILION
from margins_book.drawing.multipliers import multipliers_panel
from margins_book.drawing.planes import (
    CLASS_COLOURS,
    draw_points,
    draw_street,
    level_ends,
    new_plane,
    point_keys,
)


def left_out_drawing(
    X: NDArray,
    y: NDArray,
    everyone: tuple[NDArray, float],
    now: tuple[NDArray, float],
    alpha: NDArray,
    out: int,
) -> Drawing:
    """The street `now` (w, b) of the machine without the point `out`, that of `everyone`, and all margins.

    `alpha` holds 0 for the point left out; `out` is -1 where all are there.
    """
    drawing = Drawing()
    plane = new_plane(drawing)
    draw_street(plane, *now)
    plane.plot(*level_ends(plane, *everyone, 0).T, key="boundary with all", color=MUTED, linestyle=":")
    draw_points(plane, X, y, alpha=alpha, names=True)
    w, b = now
    margins_panel(drawing, y * (X @ w + b), y, out)
    if out >= 0:
        plane.scatter(
            *X[[out]].T, keys=["left out"], links=[f"point {out}"], size=330, color=PAPER, edgecolor=ORANGE,
            linewidth=3, z=2,
        )  # fmt: skip
    return drawing


def margins_panel(drawing: Drawing, margins: NDArray, y: NDArray, out: int) -> None:
    """A bar for the margin of each point, with the kerb at 1 and the boundary at 0; `out` is named."""
    count, places = len(y), np.arange(len(y))
    panel = drawing.panel(
        "margins", xlim=(-1, 8), ylim=(count - 0.4, -0.6), title="margins $y_i f(x_i)$",
        yticks={i: f"{i}" for i in places}, xticks=[0, 1, 2, 4, 6, 8],
    )  # fmt: skip
    panel.barh(
        places, margins, keys=[f"bar {i}" for i in places], links=point_keys(count),
        color=[CLASS_COLOURS[int(label)] for label in y], tell={"margin": margins},
    )  # fmt: skip
    panel.vlines(0, key="error below", color=INK, linestyle="-")
    panel.vlines(1, key="kerb", color=INK, linestyle="--")
    if out >= 0:
        right = margins[out] > 0
        words, colour = ("left out, still right", INK) if right else ("left out: an error", VERMILION)
        at = max(margins[out], 1), out
        panel.annotate(words, at, key="verdict", offset=(8, -4), ha="left", color=colour, link=f"point {out}")


def kerb_drawing(X: NDArray, y: NDArray, w: NDArray, b: float, alpha: NDArray) -> Drawing:
    """Four points, two of them equal: the street, and the multiplier of each."""
    drawing = Drawing()
    plane = new_plane(drawing, centre=(0.2, 0.6))
    draw_street(plane, w, b)
    draw_points(plane, X, y, alpha=alpha)
    for i, offset in enumerate(((9, 8), (9, -18), (22, 13), (-14, 8))):
        plane.annotate(f"{i}", X[i], key=f"name {i}", offset=offset, size=12, link=f"point {i}")
    multipliers_panel(drawing, alpha, y, top=0.6)
    return drawing
