"""Figure of what one, two and three layers leave of the error, by what they may write to.

(book: Beyond the equivalence, Layers that also write to their inputs)
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from explorable import Drawing
from explorable.palette import BLUE, GREEN, INK, MUTED, VERMILION

KINDS = {  # what the layers write to: the colour, marker and place of its name beside the dots
    "values": (MUTED, "o", "values alone"),
    "inputs, overwritten": (VERMILION, "s", "inputs, overwritten"),
    "inputs, new slots": (BLUE, "^", "inputs, new slots"),
}
FLOOR = 1e-3  # what is left near a zero of the polynomial is drawn at the lower edge


def depth_drawing(
    s: NDArray, left: NDArray, worst: Mapping[tuple[str, int], float], layers: int, write: str
) -> Drawing:
    """Sizes `left` over the eigenvalues s and their maximum; the maxima of all kinds of layers."""
    drawing = Drawing()
    colour = KINDS[write][0]
    plane = drawing.panel(
        "what is left", xlim=(s[0], s[-1]), ylim=(FLOOR, 2), yscale="log", xlabel="eigenvalue $s$",
        title="share of the error left", xticks=[1, 10, 20, 30], yticks={1: "1", 0.1: "0.1", 0.01: "0.01"},
    )  # fmt: skip
    thinned = slice(None, None, 12)
    plane.plot(s[thinned], np.clip(left[thinned], FLOOR, 2), key="left", color=colour)
    plane.hlines(left.max(), key="maximum", color=GREEN, linestyle=":")
    _maxima_panel(drawing, worst, layers, write)
    return drawing


def _maxima_panel(drawing: Drawing, worst: Mapping[tuple[str, int], float], layers: int, write: str) -> None:
    """The maximum that each kind of layers leaves after one, two and three; the chosen one is larger."""
    panel = drawing.panel(
        "largest share left", xlim=(0.7, 4.6), ylim=(0.01, 1.6), yscale="log", xlabel="layers",
        title="largest share left", xticks=[1, 2, 3], yticks={1: "1", 0.1: "0.1", 0.01: "0.01"},
    )  # fmt: skip
    for kind, (colour, marker, name) in KINDS.items():
        values = [worst[kind, n] for n in (1, 2, 3)]
        panel.plot([1, 2, 3], values, key=f"line of {kind}", color=colour, link=kind)
        sizes = [80 if (kind, n) == (write, layers) else 30 for n in (1, 2, 3)]
        panel.scatter(
            [1, 2, 3], values, keys=[f"{kind} {n}" for n in (1, 2, 3)], links=[kind] * 3, color=colour,
            marker=marker, size=sizes, edgecolor=INK, tell=("layers", "largest share left"),
        )  # fmt: skip
        panel.annotate(name, (3, values[-1]), key=f"name of {kind}", link=kind, color=colour,
                       offset=(8, 0), ha="left", size=12)  # fmt: skip
