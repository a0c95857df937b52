"""Figures of random features: the spread of estimates, their largest error, variance and bias.

(book: Random features and linear attention)
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from explorable import Drawing
from explorable.palette import BLUE, GREEN, INK, MUTED, PAPER, PURPLE, VERMILION
from explorable.style import in_style, new_axes
from margins_book.drawing.planes import CLASS_COLOURS, CLASS_MARKERS, new_plane, point_keys

KIND_COLOURS = {"positive": BLUE, "hyperbolic": GREEN, "trigonometric": VERMILION}
DASHES = (0, (5, 2))
FAINT = 0.04  # shares of attention below are not written


def estimates_drawing(
    query: tuple[float, float],
    points: NDArray,
    labels: NDArray,
    weights: NDArray,
    exact: float,
    estimates: NDArray,
    mean: float,
) -> Drawing:
    """A query among labelled points, the exact average of their labels, many estimates of it and their mean.

    The disc of a point is as large as its share `weights` of the attention; `estimates` (r,) lie in rows.
    """
    drawing, names = Drawing(), point_keys(len(points))
    plane = new_plane(drawing, "points and query")
    style: dict[str, Any] = {
        "marker": [CLASS_MARKERS[int(label)] for label in labels],
        "color": [CLASS_COLOURS[int(label)] for label in labels],
    }
    plane.scatter(
        *points.T, keys=names, size=26 + 1400 * weights, alpha=0.75, tell={"weight": weights}, **style
    )
    plane.arrow((0, 0), query, key="query", color=INK, tell=("q₁", "q₂"))
    for i, name in enumerate(names):
        away = 20 * points[i] / np.linalg.norm(points[i])
        plane.annotate(f"{i}", points[i], key=f"name {i}", offset=(away[0], away[1] - 5), size=12, link=name)
    with plane.aside("weights"):
        for i in np.flatnonzero(weights >= FAINT).tolist():
            below: dict[str, Any] = {"offset": (0, -20), "size": 12, "color": INK}
            plane.annotate(f"{weights[i]:.0%}", points[i], key=f"weight of point {i}", **below)
    _answers_panel(drawing, exact, estimates, mean)
    return drawing


def _answers_panel(drawing: Drawing, exact: float, estimates: NDArray, mean: float) -> None:
    """The answers between the labels: the exact one and the mean at the top, a row for each estimate."""
    count = len(estimates)
    panel = drawing.panel(
        "answers", xlim=(-1.12, 1.12), ylim=(count + 1, -6), title="answer and estimates", yticks=[],
        xticks={-1: "−1 squares", 0: "0", 1: "circles +1"},
    )  # fmt: skip
    panel.vlines(exact, key="line of the exact answer", color=MUTED, linestyle="--", link="exact answer")
    each = [f"estimate {r + 1}" for r in range(count)]
    panel.scatter(estimates, np.arange(count), keys=each, size=14, color=VERMILION, alpha=0.6, z=1)
    panel.scatter([exact], [-3], keys=["exact answer"], size=110, marker="D", color=PAPER, edgecolor=INK)
    panel.scatter([mean], [-3], keys=["mean of the estimates"], size=60, marker="x", color=VERMILION, z=4)


def cosines_drawing(
    delta: NDArray,
    kernel: NDArray,
    estimate: NDArray,
    widths: NDArray,
    suprema: tuple[NDArray, NDArray],
    m: int,
    supremum: float,
) -> Drawing:
    """A kernel over the distance and the mean of m cosines beside it; the largest error over m.

    `suprema` is (mean, deviation) over draws, each over `widths`.
    """
    drawing = Drawing()
    curve = drawing.panel(
        "kernel",
        xlim=(0, delta[-1]),
        ylim=(-1.05, 1.15),
        xlabel="distance",
        title="the kernel and its estimate",
    )
    curve.plot(delta, kernel, key="kernel", color=INK, linestyle="--")
    curve.plot(delta, estimate, key="estimate", color=BLUE)
    worst = np.abs(estimate - kernel).argmax()
    ends = [kernel[worst], estimate[worst]]
    curve.plot([delta[worst]] * 2, ends, key="largest error", color=VERMILION, link="largest error now")
    panel = drawing.panel(
        "largest error", xlim=(1, 512), ylim=(0.01, 3), xscale="log", yscale="log", xlabel="projections $m$",
        title="largest error", xticks=[1, 10, 100], yticks=[0.01, 0.1, 1],
    )  # fmt: skip
    mean, spread = suprema
    band = np.concatenate([mean + spread, np.maximum(mean - spread, 1e-3)[::-1]])
    panel.fill(np.concatenate([widths, widths[::-1]]), band, key="spread over draws", color=BLUE)
    panel.plot(widths, mean, key="mean over draws", color=BLUE)
    tell = {"m": [m], "error": [supremum]}
    panel.scatter(
        [m], [supremum], keys=["largest error now"], color=VERMILION, marker="D", size=46, tell=tell
    )
    return drawing


def variance_map_drawing(
    q: float, k: float, axis: NDArray, advantage: NDArray, curve: Sequence[NDArray], errors: dict[str, float]
) -> Drawing:
    """Which features estimate e^(qk) better, over q and k on a line, and the errors at one place.

    `advantage` (len(axis), len(axis)) is log10 of the errors of positive over trigonometric
    features, rows from the largest k; `curve` lists the branches where both err alike.
    """
    drawing, reach = Drawing(), axis[-1]
    plane = drawing.panel(
        "map", xlim=(-reach, reach), ylim=(-reach, reach), height=330, xlabel="$q$", ylabel="$k$",
        xticks=[-1, 0, 1], yticks=[-1, 0, 1], title="who errs less",
    )  # fmt: skip
    plane.image(-advantage, key="advantage", extent=(-reach, reach, -reach, reach), vmax=2.0)
    for i, branch in enumerate(curve):
        plane.plot(*branch.T, key=f"equal errors, branch {i + 1}", color=INK, linewidth=1.4, z=1)
    plane.hlines(0, key="k = 0", color=INK, linestyle=":")
    plane.vlines(0, key="q = 0", color=INK, linestyle=":")
    plane.plot([-reach, reach], [-reach, reach], key="q = k", color=MUTED, linewidth=1, z=1)
    plane.plot([-reach, reach], [reach, -reach], key="q = −k", color=MUTED, linewidth=1, z=1)
    plane.scatter([q], [k], keys=["pair"], size=60, color=PAPER, edgecolor=INK, tell=("q", "k"))
    with plane.aside("direction"):
        plane.arrow((0, 0), (q, k), key="direction of the pair", color=INK)
    panel = drawing.panel(
        "error of one projection", xlim=(0.03, 300), ylim=(2.5, -0.7), xscale="log", height=250,
        title="relative error of one projection", yticks=[], xticks=[0.1, 1, 10, 100],
    )  # fmt: skip
    values, kinds = np.array(list(errors.values())), list(errors)
    colours = [KIND_COLOURS[kind] for kind in kinds]
    shown = np.clip(values, 0.0301, 300)
    panel.barh(range(3), shown, keys=kinds, height=0.4, color=colours, tell={"error": values})
    for row, kind in enumerate(kinds):
        panel.annotate(kind, (0.03, row - 0.2), key=f"name of {kind}", offset=(2, 4), ha="left", link=kind)
    return drawing


@in_style
def orthogonality_figure(lengths: NDArray, curves: dict[str, NDArray]) -> Figure:
    """Variance with orthogonal over variance with independent projections, a line each of `curves`."""
    figure, ax = new_axes(3.4, xlabel="length of q + k or of q − k", ylabel="variance ratio")
    styles = ((BLUE, "-"), (GREEN, DASHES), (VERMILION, (0, (1, 1.6))), (PURPLE, (0, (6, 1.5, 1, 1.5))))
    for (name, values), (colour, dashes) in zip(curves.items(), styles, strict=False):
        ax.plot(lengths, values, color=colour, linestyle=dashes, label=name)
    ax.axhline(1, color=INK, linewidth=1)
    ax.set(xlim=(0, lengths[-1]), ylim=(0, 1.08))
    ax.legend(loc="lower right", handlelength=1.3, borderaxespad=0)
    return figure


@in_style
def bias_figure(widths: Sequence[int], shares: NDArray, noise: NDArray) -> Figure:
    """m times the bias over m as a share of the coefficient to which it tends, with two standard errors."""
    figure, ax = new_axes(xlabel="projections m", ylabel="m × bias / $c_1$", xscale="log")
    ax.errorbar(widths, shares, yerr=2 * noise, fmt="o", color=BLUE, capsize=3, markersize=5)
    ax.axhline(1, color=VERMILION, linestyle=DASHES)
    ax.set(yticks=[0.85, 0.9, 0.95, 1, 1.05], xticks=widths, xticklabels=[str(m) for m in widths])
    ax.minorticks_off()
    return figure
