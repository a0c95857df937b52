"""The figure of a Gram matrix: points in the plane, and the matrix of their similarities.

(book: Kernels)
"""

import numpy as np
from numpy.typing import NDArray

from explorable import Drawing, Panel
from explorable.palette import GREEN, INK, PAPER, VERMILION
from margins_book.drawing.planes import CLASS_COLOURS, CLASS_MARKERS, new_plane, point_keys


def gram_drawing(X: NDArray, y: NDArray, K: NDArray, row: int) -> Drawing:
    """The points `X` (n, 2) with labels `y`, as large as their entries in a row of `K` (n, n), and `K`."""
    drawing = Drawing()
    plane = new_plane(drawing)
    _draw_row(plane, X, y, K[row])
    plane.scatter(*X[row, :, None], keys=["chosen point"], links=[f"point {row}"], marker="o", size=420,
                  color=PAPER, edgecolor=INK, alpha=0.3, z=0)  # fmt: skip
    with plane.aside("vector"):
        plane.arrow((0, 0), X[row], key="vector of the row's point", color=GREEN)
    n = len(X)
    ticks = {i: f"{i}" for i in range(n)}
    matrix = drawing.panel(
        "Gram matrix", xlim=(-0.5, n - 0.5), ylim=(n - 0.5, -0.5), xticks=ticks, yticks=ticks, height=330,
        title="$K(x_i,x_j)$",
    )  # fmt: skip
    matrix.image(K, key="entries", extent=(-0.5, n - 0.5, n - 0.5, -0.5))
    low, high = row - 0.5, row + 0.5
    matrix.plot([-0.5, n - 0.5, n - 0.5, -0.5, -0.5], [low, low, high, high, low], key="row", color=VERMILION)
    return drawing


def _draw_row(plane: Panel, X: NDArray, y: NDArray, entries: NDArray) -> None:
    """The points with names, their areas those of the `entries` (n,), hollow where these are negative."""
    keys, colours = point_keys(len(X)), [CLASS_COLOURS[int(label)] for label in y]
    plane.scatter(
        *X.T, keys=keys, size=16 + 240 * np.abs(entries) / np.abs(entries).max(), edgecolor=colours,
        marker=[CLASS_MARKERS[int(label)] for label in y], tell={"entry": entries},
        color=[c if entry > 0 else PAPER for c, entry in zip(colours, entries, strict=True)],
    )  # fmt: skip
    for i, key in enumerate(keys):
        plane.annotate(f"{i}", X[i], key=f"name {i}", size=12, link=key)
