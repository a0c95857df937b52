"""Figures of trained matrices beside their attention SVMs: singular values, distances, angles, ranks.

(book: Attention converges to an SVM)
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from explorable import Drawing, Panel
from explorable.palette import BLUE, GREEN, INK, PAPER, SKY, VERMILION
from explorable.style import in_style, new_axes

DIVISORS = ((BLUE, "-", "D"), (VERMILION, "--", "x"))  # colour, dashes, marker: nuclear norm, Frobenius norm
RUNS = {"stable": (BLUE, "-"), "textbook": (VERMILION, "--")}  # by the gradient of softmax that descends


def limits_drawing(
    shares: NDArray, marks: dict[str, NDArray], reaches: NDArray, distances: dict[str, NDArray], now: int
) -> Drawing:
    """Singular values of K Q'/R beside those of the candidates for its limit, and the distances from both.

    `marks` and `distances` hold an array for each divisor by name; `now` is a place in `reaches`.
    """
    drawing, places = Drawing(), np.arange(len(shares))
    bars = drawing.panel(
        "singular values", xlim=(-0.6, len(shares) - 0.4), ylim=(0, 1), xlabel="number",
        title="singular values of $KQ^\\top/R$", xticks={k: f"{k + 1}" for k in places},
    )  # fmt: skip
    bars.bar(places, shares, keys=[f"value {k + 1}" for k in places], tell="value", color=SKY)
    for row, ((name, values), (colour, _, marker)) in enumerate(zip(marks.items(), DIVISORS, strict=True)):
        bars.scatter(
            places, values, keys=[f"{name} {k + 1}" for k in places], marker=marker, color=colour, size=60,
            edgecolor=INK, tell={"value": values},
        )  # fmt: skip
        _name_in_corner(bars, f"SVM / {name} norm", row, marker, colour, link=f"{name} 1")
    panel = drawing.panel(
        "distances", xlim=(reaches[0], reaches[-1]), ylim=(1e-4, 1), xscale="log", yscale="log", xlabel="R Γ",
        title="distance to $KQ^\\top/R$", xticks=[10, 100, 1000],
        yticks=[1e-4, 1e-3, 1e-2, 0.1, 1],
    )  # fmt: skip
    for (name, values), (colour, dashes, _) in zip(distances.items(), DIVISORS, strict=True):
        panel.plot(reaches, values, key=name, color=colour, linestyle=dashes)
        panel.scatter(
            [reaches[now]], [values[now]], keys=[f"{name} now"], links=[name], color=colour,
            tell=("R Γ", "distance"),
        )  # fmt: skip
        panel.annotate(
            f"SVM / {name} norm", (reaches[5], values[5]), key=f"name of {name}", color=colour, link=name,
            offset=(8, 4) if name == "nuclear" else (0, 9), ha="left",
        )  # fmt: skip
    return drawing


def _name_in_corner(panel: Panel, words: str, row: int, marker: str, colour: str, *, link: str) -> None:
    """A mark and what it stands for, in row `row` of a key at the upper right."""
    left, (x, y) = (0.52, 0.95 - 0.1 * row), (panel.x.limits, panel.y.limits)
    at = x[0] + left[0] * (x[1] - x[0]), y[0] + left[1] * (y[1] - y[0])
    panel.scatter(
        [at[0]], [at[1]], keys=[f"mark of {words}"], links=[link], marker=marker, color=colour, size=60,
        edgecolor=INK,
    )  # fmt: skip
    panel.annotate(words, at, key=f"meaning of {words}", offset=(9, -4), ha="left", color=colour, size=12,
                   link=link)  # fmt: skip


def spectra_drawing(spectra: dict[str, tuple[NDArray, NDArray]]) -> Drawing:
    """The singular values of each trained matrix in units of the largest, with those of its machine.

    `spectra` holds a pair of arrays by name: W, or KQ for the product of keys and queries.
    """
    drawing = Drawing()
    titles = {"W": "W", "KQ": "$KQ^\\top$"}
    for (name, (found, goal)), colour in zip(spectra.items(), (BLUE, VERMILION), strict=True):
        places = np.arange(len(found))
        panel = drawing.panel(
            titles[name], xlim=(-0.6, len(found) - 0.4), ylim=(0, 1.05),
            title=f"singular values of {titles[name]}", xticks={k: f"{k + 1}" for k in places},
        )  # fmt: skip
        panel.bar(places, found, keys=[f"value {k + 1}" for k in places], tell="value", color=colour)
        panel.scatter(
            places, goal, keys=[f"SVM {k + 1}" for k in places], marker="D", color=PAPER, edgecolor=INK,
            size=40, tell={"SVM": goal},
        )  # fmt: skip
    return drawing


def trap_drawing(steps: NDArray, angles: dict[str, NDArray], sums: NDArray, now: int) -> Drawing:
    """The angle in degrees of two runs to the machine over `steps`, and what the textbook pulls add up to."""
    drawing = Drawing()
    settings = {"xlim": (steps[0], steps[-1]), "xscale": "log", "xlabel": "training steps", "yscale": "log"}
    panel = drawing.panel(
        "angle",
        ylim=(0.1, 180),
        title="angle to the attention SVM, degrees",
        yticks=[0.1, 1, 10, 100],
        **settings,
    )
    for name, (colour, dashes) in RUNS.items():
        _draw_progress(panel, name, steps, angles[name], now, colour, dashes)
    for name, at, offset, side in (
        ("textbook", (steps[-1], 7.5), (-4, 0), "right"),
        ("stable", (steps[0], 0.6), (8, 0), "left"),
    ):
        style: dict[str, Any] = {"color": RUNS[name][0], "offset": offset, "ha": side, "link": name}
        panel.annotate(f"{name} gradient", at, key=f"name of {name}", **style)
    balance = drawing.panel(
        "sum of pulls", ylim=(1e-17, 10), title="sum of the textbook pulls",
        yticks=[1e-16, 1e-12, 1e-8, 1e-4, 1], **settings,
    )  # fmt: skip
    _draw_progress(balance, "sum", steps, np.maximum(sums, 1e-17), now, VERMILION, "--")
    return drawing


def _draw_progress(
    panel: Panel, name: str, steps: NDArray, values: NDArray, now: int, colour: str, dashes: str
) -> None:
    """A curve, pale after the place `now`, with a dot there."""
    style: dict[str, Any] = {"color": colour, "linestyle": dashes}
    panel.plot(steps, values, key=f"{name} to come", link=name, alpha=0.4, linewidth=1.3, **style)
    panel.plot(steps[: now + 1], values[: now + 1], key=name, **style)
    panel.scatter([steps[now]], [values[now]], keys=[f"{name} now"], links=[name], color=colour,
                  tell=("step", "value"))  # fmt: skip


@in_style
def ranks_figure(dimensions: Sequence[int], ranks: dict[str, NDArray]) -> Figure:
    """Mean ranks over the dimension with 95 % intervals; `ranks` holds arrays (dimensions, problems)."""
    figure, ax = new_axes(3.4, xlabel="dimension d", ylabel="mean rank")
    ax.set(ylim=(0, 11.5), xlim=(4, 21), xticks=dimensions)
    styles = ((BLUE, "o", "-", 8), (GREEN, "s", "-", 8), (VERMILION, "^", "--", -48))
    for (name, counts), (colour, marker, dashes, above) in zip(ranks.items(), styles, strict=True):
        errors = 1.96 * counts.std(axis=1, ddof=1) / np.sqrt(counts.shape[1])
        means = counts.mean(axis=1)
        ax.errorbar(dimensions, means, errors, color=colour, marker=marker, linestyle=dashes, capsize=3)
        text: dict[str, Any] = {"textcoords": "offset points", "ha": "right", "color": colour}
        ax.annotate(name, (dimensions[-1], means[-1]), (0, above), **text)
    return figure
