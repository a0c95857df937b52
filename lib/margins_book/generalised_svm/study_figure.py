"""Figure of the candidates that a study keeps and discards.

(book: Nonlinear heads and the generalised SVM)
"""

import numpy as np
from numpy.typing import NDArray

from explorable import Drawing
from explorable.palette import BLUE, GREEN, ORANGE, VERMILION


def discarded_candidates_drawing(
    edges: NDArray, counts: NDArray, suppressed: float, kept: float, reasons: dict[str, int]
) -> Drawing:
    """How many weights have which size, with both thresholds, and what became of the candidates."""
    drawing, middles = Drawing(), (edges[1:] + edges[:-1]) / 2
    panel = drawing.panel(
        "weights", xlim=(edges[0], edges[-1]), ylim=(0, 1.1 * counts.max()), xlabel="power of ten of $s_t$",
        title="all weights at the end", xticks=range(int(edges[0]), 1, 3),
    )  # fmt: skip
    names = [f"weights near 1e{m:.2f}" for m in middles]
    panel.bar(middles, counts, keys=names, width=0.9 * (edges[1] - edges[0]), color=BLUE, tell="weights")
    for name, value, dashes in (("suppressed below", suppressed, ":"), ("kept above", kept, "--")):
        panel.vlines(np.log10(value), key=name, color=VERMILION, linestyle=dashes, linewidth=2)
    places, found = np.arange(len(reasons)), np.array(list(reasons.values()), dtype=float)
    bars = drawing.panel(  # wide enough for the names behind the bars
        "candidates", xlim=(0, 1.8 * found.sum()), ylim=(len(reasons) - 0.4, -0.6), title="candidates",
        yticks=[], xticks=[0, 100, 200, 300],
    )  # fmt: skip
    colours = [GREEN if name == "accepted" else ORANGE for name in reasons]
    bars.barh(places, found, keys=list(reasons), color=colours, tell="candidates")
    for place, (name, count) in enumerate(reasons.items()):
        bars.annotate(
            f"{name}: {count}", (count, place), key=f"name of {name}", offset=(7, -4), ha="left", link=name
        )
    return drawing
