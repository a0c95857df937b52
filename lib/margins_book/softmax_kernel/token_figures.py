"""Figures of attention among tokens: three queries and three keys by hand, and points that attend.

(book: The softmax kernel)
"""

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from explorable import Drawing, Panel
from explorable.palette import BLUE, GREEN, INK, PAPER, VERMILION
from margins_book.drawing.planes import CLASS_COLOURS, CLASS_MARKERS, new_plane, point_keys
from margins_book.softmax_kernel.figures import shares_panel

STEPS = ("logits", "powers", "weights", "outputs")


def by_hand_drawing(queries: NDArray, keys: NDArray, values: NDArray, row: int, step: str) -> Drawing:
    """Queries and keys in units of log 2, whole numbers, and the table of attention after a step.

    `queries` (n, 2), `keys` (m, 2), a whole number in `values` (m,) for each key; the query `row` is drawn.
    """
    drawing = Drawing()
    logits = queries @ keys.T
    powers = [[2 ** int(a) for a in line] for line in logits]
    weights = [[Fraction(p, sum(line)) for p in line] for line in powers]
    shares = np.array(weights[row], float)
    plane = new_plane(drawing, half_width=2.1, centre=(0.8, 0.6))
    names = [f"key {j + 1}" for j in range(len(keys))]
    discs = [f"weight on {name}" for name in names]
    plane.scatter(
        *keys.T, keys=discs, links=names, size=1400 * shares, color=BLUE, alpha=0.3, z=1,
        tell={"weight": shares},
    )  # fmt: skip
    plane.scatter(*keys.T, keys=names, size=22, color=INK)
    for j, name in enumerate(names):
        plane.annotate(f"$k_{j + 1}$", keys[j], key=f"name of {name}", offset=(14, -18), link=name)
    plane.arrow((0, 0), queries[row], key="query", color=GREEN)
    plane.annotate(
        f"$q_{row + 1}$", queries[row], key="name of query", color=GREEN, link="query", offset=(-14, 8)
    )
    shown = {"logits": logits.astype(int), "powers": powers}.get(step, weights)
    table = _table(drawing, np.array(shown, float), row, step)
    for i, line in enumerate(shown):
        for j, entry in enumerate(line):
            table.annotate(f"{entry}", (j, i), key=f"entry {i + 1} {j + 1}", link="entries", offset=(0, -5))
        output = float(sum(w * int(v) for w, v in zip(weights[i], values, strict=True)))
        told = f"{output:g}" if step == "outputs" else "?"
        table.annotate(told, (len(keys), i), key=f"output {i + 1}", offset=(0, -5))
    return drawing


def _table(drawing: Drawing, entries: NDArray, row: int, step: str) -> Panel:
    """The panel of the table, coloured by its entries, with a frame around the row of the query."""
    n, m = entries.shape
    title = "logits, in units of log 2" if step == "logits" else step
    columns = {j: f"k{'₁₂₃'[j]}" for j in range(m)} | {m: "output"}
    table = drawing.panel(
        "table of queries and keys", xlim=(-0.5, m + 0.5), ylim=(n - 0.5, -0.5), title=title,
        xticks=columns, yticks={i: f"q{'₁₂₃'[i]}" for i in range(n)},
    )  # fmt: skip
    table.image(entries, key="entries", extent=(-0.5, m - 0.5, n - 0.5, -0.5), vmax=1.8 * entries.max())
    low, high = row - 0.5, row + 0.5
    table.plot(
        [-0.5, m + 0.5, m + 0.5, -0.5, -0.5],
        [low, low, high, high, low],
        key="row",
        color=VERMILION,
        link="query",
    )
    return table


def twelve_drawing(X: NDArray, y: NDArray, row: int, softmax: NDArray, gaussian: NDArray) -> Drawing:
    """Points `X` (n, 2) with labels `y` as tokens, as large as the weight that token `row` gives to each."""
    drawing, keys = Drawing(), point_keys(len(X))
    plane = new_plane(drawing, half_width=3.2)
    colours = [CLASS_COLOURS[int(label)] for label in y]
    plane.arrow((0, 0), X[row], key="query", color=GREEN, tell=("q₁", "q₂"))
    with plane.aside("mean"):
        plane.arrow((0, 0), softmax @ X, key="weighted mean", color=BLUE)
    plane.scatter(
        *X.T, keys=keys, size=30 + 900 * softmax, marker=[CLASS_MARKERS[int(label)] for label in y],
        color=[colour if i == row else PAPER for i, colour in enumerate(colours)], edgecolor=colours,
        tell={"weight": softmax},
    )  # fmt: skip
    for i, key in enumerate(keys):
        plane.annotate(f"{i}", X[i], key=f"name {i}", size=12, link=key)
    shares_panel(drawing, softmax, gaussian, keys, title="weight of each token")
    return drawing
