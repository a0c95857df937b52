"""The figure of the bill: projections, operations and memory that an estimate of given error takes.

(book: Random features and linear attention, The bill, with the error on it)
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorable import Drawing
from explorable.palette import BLUE, GREEN, INK, MUTED, VERMILION

LOW, HIGH = 1.0, 1e12  # projections that are shown
RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def bill_drawing(
    length: float,
    error: float,
    lengths: NDArray,
    projections: Mapping[float, NDArray],
    operations: tuple[float, float],
    numbers: tuple[float, float],
) -> Drawing:
    """The projections for a query on its key over its length, and what attention and features then take.

    `projections` maps each error to the numbers needed at `lengths`; `operations` and `numbers` (of memory)
    are those of exact attention and of features at the length and the error of the moment.
    """
    drawing = Drawing()
    panel = drawing.panel(
        "projections", xlim=(0, lengths[-1]), ylim=(LOW, HIGH), yscale="log", xlabel="length $r$",
        title="projections needed", yticks={1: "1", 1e4: "10⁴", 1e8: "10⁸", 1e12: "10¹²"}, height=250,
    )  # fmt: skip
    styles = ((GREEN, ":"), (BLUE, "-"), (VERMILION, "--"))
    for (level, needed), (colour, dashes) in zip(projections.items(), styles, strict=True):
        name = f"error {level:.0%}"
        panel.plot(lengths, np.clip(needed, LOW, HIGH), key=name, color=colour, linestyle=dashes)
        panel.annotate(
            f"{level:.0%}", (0.3, np.clip(np.interp(0.3, lengths, needed), LOW, HIGH)), key=f"name of {name}",
            offset=(0, 8), color=colour, link=name,
        )  # fmt: skip
    now = np.interp(length, lengths, np.log10(projections[error]))
    panel.scatter([length], [10**now], keys=["this bill"], size=60, color=INK, tell=("r", "projections"))
    _bars(drawing, "operations", operations, (1e5, 1e19))
    _bars(drawing, "numbers kept", numbers, (1e1, 1e13))
    return drawing


def _bars(drawing: Drawing, what: str, values: tuple[float, float], limits: tuple[float, float]) -> None:
    """Two bars, of exact attention and of features, on a log scale, and a line where the first ends."""
    low, high = limits
    decades = [k for k in range(3, 20, 3) if low <= 10.0**k <= high]
    panel = drawing.panel(
        what, xlim=limits, ylim=(1.6, -0.8), xscale="log", title=what, yticks=[], height=170,
        xticks={10.0**k: f"10{str(k).translate(RAISED)}" for k in decades},
    )  # fmt: skip
    names = [f"{what} of attention", f"{what} of features"]
    style: dict[str, Any] = {"height": 0.4, "color": [VERMILION, BLUE], "tell": {what: np.array(values)}}
    panel.barh(range(2), np.clip(values, low, high), keys=names, **style)
    panel.vlines(values[0], key=f"as much {what}", color=MUTED, linestyle=":", link=names[0])
    for row, name in enumerate(("exact attention", "features")):
        panel.annotate(
            name, (low, row - 0.22), key=f"name of {names[row]}", offset=(2, 4), ha="left", link=names[row]
        )
