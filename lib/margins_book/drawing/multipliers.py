"""The multipliers of an SVM as bars, and the key to how points show theirs."""

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorable import Drawing, Panel
from explorable.palette import BLUE, INK, MUTED, PAPER, VERMILION
from margins_book.drawing.planes import CLASS_COLOURS, CLASS_MARKERS, point_keys


def multipliers_panel(
    drawing: Drawing, alpha: NDArray, y: NDArray, *, C: float = np.inf, top: float | None = None
) -> Panel:
    """A panel with a bar for each multiplier, the first point's at the top; a line at the bound C.

    A bar that is longer than `top` is cut there, with its value at its end
    (book: How to read and run this book, Figures that move).

    >>> from explorable import Drawing
    >>> multipliers_panel(Drawing(), np.array([0.5, 0.0, 0.5]), np.array([1, 1, -1]), C=1.0).x.limits
    (0.0, 0.55)
    """
    count, places, keys = len(y), np.arange(len(y)), point_keys(len(y))
    top = top or 1.1 * max(alpha.max(), 1e-12)
    panel = drawing.panel(
        "multipliers", xlim=(0, top), ylim=(count - 0.4, -0.6), title="multipliers $\\alpha$",
        yticks={i: f"{i}" for i in range(0, count, 1 if count <= 16 else 2)})
    colours = [CLASS_COLOURS[int(label)] for label in y]
    panel.barh(
        places, np.minimum(alpha, top), keys=[f"bar {i}" for i in places], links=keys, color=colours,
        tell={"α": alpha})
    feet = [f"foot {i}" for i in places]
    panel.scatter(
        0 * places, places, keys=feet, links=keys, size=14, color=colours,
        marker=[CLASS_MARKERS[int(label)] for label in y])
    _name_cut_bars(panel, alpha, top, keys)
    if np.isfinite(C) and top >= C:
        panel.vlines(C, key="bound C", color=MUTED, linestyle=":")
        panel.annotate("$C$", (C, -0.6), key="name of bound C", offset=(0, 4), link="bound C")
    return panel


def _name_cut_bars(panel: Panel, alpha: NDArray, top: float, keys: Sequence[str]) -> None:
    """The values of the bars that are longer than the panel, at its edge."""
    for i in np.flatnonzero(alpha > top).tolist():
        panel.annotate(
            f"{alpha[i]:.1f}", (top, i), key=f"value {i}", offset=(-4, -4), ha="right", size=12, link=keys[i])


@functools.cache
def key_panel(*, crossed: bool, slack: bool = True) -> Panel:
    """What circle, square, filled, large and crossed mean, and whiskers where `slack` is drawn.

    (book: How to read and run this book, Figures that move)

    >>> key_panel(crossed=False).y.limits  # two rows
    (2.0, 0.0)
    """
    rows = 3 if crossed else 2
    panel = Panel("key", xlim=(0, 1), ylim=(rows, 0), height=20 + 24 * rows, frame=False)
    styles = [  # x, row, label in words, marker, size, filled, colour
        (0.02, 0, "class +1", "o", 26, False, BLUE), (0.45, 0, "class −1", "s", 26, False, VERMILION),
        (0.02, 1, "α > 0", "o", 60, True, BLUE), (0.45, 1, "the largest α", "o", 180, True, BLUE)]
    if crossed:
        styles.append((0.02, 2, "crossed: α = C", "s", 110, True, VERMILION))
    if crossed and slack:
        styles.append((0.45, 2, "slack, to the kerb", "|", 60, True, VERMILION))
    for x, row, words, marker, size, filled, colour in styles:
        at, ring = (x, row + 0.5), INK if filled else colour
        style: dict[str, Any] = {
            "marker": marker, "size": size, "color": colour if filled else PAPER, "edgecolor": ring}
        panel.scatter(*np.reshape(at, (2, 1)), keys=[words], **style)
        if words.startswith("crossed"):
            panel.scatter(
                *np.reshape(at, (2, 1)), keys=["cross"], links=[words], marker="x", size=22, color=PAPER, z=4)
        panel.annotate(words, at, key=f"{words}, in words", offset=(18, -4), ha="left", size=12, link=words)
    return panel
