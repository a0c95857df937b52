"""Drawings of kernels: a lift to the parabola, machines, Gram matrices, interpolants, ridge regression."""

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from explorable import Drawing, Panel
from explorable.palette import BLUE, GREEN, INK, MUTED, PAPER, PURPLE, VERMILION
from explorable.style import in_style, new_axes
from margins_book.drawing.multipliers import key_panel, multipliers_panel
from margins_book.drawing.planes import (
    CLASS_COLOURS,
    CLASS_MARKERS,
    draw_points,
    draw_street,
    new_plane,
    point_keys,
    span,
)

Curve: TypeAlias = tuple[NDArray, NDArray]  # places and values
Curves: TypeAlias = tuple[NDArray, NDArray, NDArray]  # places and the values of two curves
LOOKS = {"Gaussian": (BLUE, "-", "o"), "Laplacian": (VERMILION, "--", "s")}  # colour, dashes, marker


def lift_drawing(
    x: NDArray, y: NDArray, alpha: NDArray, w: NDArray | None = None, b: float = 0.0, *, top: float
) -> Drawing:
    """Points on a line (the axis) and on the parabola above it, and the street there, if w is given."""
    drawing, (left, right) = Drawing(), span(x, least=(-2.6, 2.6))
    bend, highest = np.linspace(left, right, 53), span(x**2, least=(-0.6, 6.4))
    ticks = [0, 2, 4, 6] if highest[1] < 8 else None
    panel = drawing.panel(
        "lift", xlim=(left, right), ylim=highest, xlabel="$x$", ylabel="$x^2$", yticks=ticks)
    panel.plot(bend, bend**2, key="parabola", color=MUTED, linewidth=1.3, z=0)
    panel.hlines(0, key="line", color=MUTED, linestyle="-")
    keys, colours = point_keys(len(x)), [CLASS_COLOURS[int(label)] for label in y]
    for key, place in zip(keys, x, strict=True):
        panel.plot([place, place], [0, place**2], key=f"rise of {key}", color=MUTED, linestyle=":",
                   linewidth=1.3, link=key, z=0)
    if w is not None:
        draw_street(panel, w, b)
        panel.plot(thresholds(w, b), [0, 0], key="answered +1", color=BLUE, linewidth=5, alpha=0.4, z=0.5)
    panel.scatter(
        x, 0 * x, keys=[f"foot of {key}" for key in keys], links=keys, size=20, color=colours,
        marker=[CLASS_MARKERS[int(label)] for label in y])
    draw_points(panel, np.column_stack([x, x**2]), y, alpha=alpha, names=True)
    multipliers_panel(drawing, alpha, y, top=top)
    drawing.add(key_panel(crossed=False))
    return drawing


def thresholds(w: NDArray, b: float) -> NDArray:
    """The two places, ascending, where w_1 x + w_2 x^2 + b = 0."""
    return np.sort(np.roots([w[1], w[0], b]).real)


def angles_drawing(angle: float, cosine: float, lowest: float) -> Drawing:
    """Unit vectors at an angle to either side of vector 2, and the smallest eigenvalue over its cosine."""
    drawing = Drawing()
    plane = new_plane(drawing, "vectors", half_width=1.5, centre=(0, 0.42))
    for side in (-1, 1):
        plane.plot([0, side / 2**0.5], [0, 1 / 2**0.5], key=f"90° apart {side}", color=MUTED, linestyle="--",
                   linewidth=1.5, z=0)
    turned = {1: -angle, 2: 0.0, 3: angle}
    for i, turn in turned.items():
        tip = np.array([np.sin(turn), np.cos(turn)])
        plane.arrow((0, 0), tip, key=f"vector {i}", color=INK if i == 2 else BLUE)
        plane.annotate(f"{i}", 1.2 * tip + [0.16 * (i - 2), -0.04], key=f"name {i}", ha="center",
                       offset=(0, -4), size=13, link=f"vector {i}")
    panel = drawing.panel(
        "smallest eigenvalue", xlim=(0, 1), ylim=(-0.5, 1.05), xlabel="cosine of neighbours",
        title="smallest eigenvalue", xticks=[0, 0.2, 0.4, 0.6, 0.8, 1])
    panel.hlines(0, key="zero", color=MUTED, linestyle=":")
    panel.plot([0, 1], [1, 1 - 2**0.5], key="smallest eigenvalue", color=BLUE)
    panel.scatter([cosine], [lowest], keys=["now"], links=["smallest eigenvalue"], size=60, color=BLUE,
                  edgecolor=INK, tell={"eigenvalue": [lowest]})
    return drawing


def bumps_drawing(x: NDArray, first: NDArray, second: NDArray, apart: float, inner: float) -> Drawing:
    """Two bumps over the places `x`, at 0 and at `apart`, and beside them their sum and difference."""
    drawing, limits = Drawing(), {"xlim": (-3, 7), "ylim": (-1.1, 2.1), "xlabel": "$x$"}
    panel = drawing.panel("bumps", title="two features", **limits)
    side = drawing.panel("sum and difference", title="sum and difference", **limits)
    for one in (panel, side):
        one.hlines(0, key=f"zero of {one.name}", color=MUTED, linestyle="-", linewidth=1)
    panel.plot(x, first, key="bump at 0", color=BLUE)
    panel.plot(x, second, key="second bump", color=VERMILION, linestyle="--")
    panel.plot([apart, apart], [0, inner], key="height", color=BLUE, linestyle=":", linewidth=2)
    panel.scatter([apart], [inner], keys=["inner product"], links=["height"], size=60, color=BLUE,
                  edgecolor=INK, tell={"inner product": [inner]})
    for name, curve, colour, dashes, y in (
        ("sum", first + second, GREEN, "-", 1.6), ("difference", first - second, PURPLE, "--", -0.8)
    ):
        side.plot(x, curve, key=name, color=colour, linestyle=dashes)
        side.annotate(name, (-2.7, y), key=f"name of {name}", color=colour, ha="left", offset=(0, 0),
                      link=name)
    return drawing


def machine_drawing(
    X: NDArray, y: NDArray, alpha: NDArray, C: float, field: tuple[NDArray, NDArray, NDArray],
    counts: dict[str, Curve], now: tuple[str, float],
) -> Drawing:
    """A kernel machine's boundary among its points, and the numbers of support vectors over gamma.

    `field` is (columns, rows, values of f); `counts` {kernel: (gammas, numbers)}; `now` (kernel, gamma).
    """
    drawing = Drawing()
    plane = new_plane(drawing, half_width=1.95, centre=(0.5, 0.25))
    plane.contour(*field, levels=[0], key="boundary", color=INK, linewidth=2, vertices=40)
    draw_points(plane, X, y, alpha=alpha, C=C)
    panel = drawing.panel(
        "support vectors", xlim=(0.01, 30), ylim=(0, 1.08 * len(X)), xscale="log", xlabel="$\\gamma$",
        title="number of support vectors", xticks=[0.01, 0.1, 1, 10])
    for name, (gammas, numbers) in counts.items():
        colour, dashes, marker = LOOKS[name]
        panel.plot(gammas, numbers, key=name, color=colour, linestyle=dashes)
        panel.annotate(name, (gammas[-16], numbers[-16]), key=f"name of {name}", color=colour, link=name)
        if name == now[0]:
            many = np.count_nonzero(alpha > 1e-9 * C)
            panel.scatter([now[1]], [many], keys=["now"], links=[name], color=colour, marker=marker, size=60,
                          edgecolor=INK, tell={"support vectors": [many]})
    drawing.add(key_panel(crossed=True, slack=False))
    return drawing


def offset_drawing(
    offsets: NDArray | Sequence[float], smallest: NDArray | Sequence[float], now: float, places: NDArray,
    witness: NDArray,
) -> Drawing:
    """The smallest eigenvalue of a polynomial Gram matrix over its offset, and the weights that reach it."""
    drawing = Drawing()
    panel = drawing.panel(
        "smallest eigenvalue", xlim=(offsets[0], offsets[-1]), ylim=(-1.08, 0.15), xlabel="$c$",
        title="smallest / largest |eigenvalue|")
    panel.hlines(0, key="zero", color=MUTED, linestyle=":")
    panel.plot(offsets, smallest, key="smallest eigenvalue", color=BLUE)
    value = float(np.interp(now, offsets, smallest))
    panel.scatter([now], [value], keys=["now"], links=["smallest eigenvalue"], size=60, color=BLUE,
                  edgecolor=INK, tell={"share": [value]})
    weights = drawing.panel(
        "witness", xlim=(-1.25, 1.25), ylim=(-1, 1), xlabel="$x$", title="a weight $u_i$ for each point",
        xticks=[-1, 0, 1])
    weights.hlines(0, key="zero of the weights", color=MUTED, linestyle="-")
    weights.bar(places, witness, keys=[f"weight {i}" for i in range(len(places))], width=0.16,
                color=[BLUE if u >= 0 else VERMILION for u in witness], tell="u")
    weights.scatter(places, 0 * places, keys=point_keys(len(places)), size=16, color=INK, tell={"x": places})
    return drawing


def interpolant_drawing(
    x: NDArray, y: NDArray, alpha: NDArray, dragged: int, curve: Curve, others: Curve, largest: float
) -> Drawing:
    """The shortest function through the points, that of all but one, and the coefficients.

    `curve` is (places, values); `others` the same without the point `dragged`; `largest` the largest
    coefficient of all positions.
    """
    drawing, (places, _) = Drawing(), curve
    panel = drawing.panel(
        "function", xlim=(places[0], places[-1]), ylim=span(y, least=(-2.1, 2.1)), xlabel="$x$",
        ylabel="$f(x)$")
    panel.plot(*others, key="without the point", color=MUTED, linestyle="--", linewidth=1.5)
    panel.plot(*curve, key="shortest function", color=BLUE)
    keys = point_keys(len(x))
    free = [i == dragged for i in range(len(x))]
    panel.scatter(
        x, y, keys=keys, size=[70 if f else 34 for f in free], marker=["D" if f else "o" for f in free],
        color=[VERMILION if f else INK for f in free], tell=("x", "y"))
    bars = drawing.panel(
        "coefficients", xlim=span([-largest, largest], least=(-8, 8)), ylim=(len(x) - 0.4, -0.6),
        title="coefficients $a_i$", yticks={i: f"{i}" for i in range(len(x))})
    bars.vlines(0, key="zero", color=MUTED, linestyle="-")
    bars.barh(range(len(x)), alpha, keys=[f"bar {i}" for i in range(len(x))], links=keys,
              color=[VERMILION if f else BLUE for f in free], tell="a")
    return drawing


def ridge_drawing(
    x: NDArray, y: NDArray, curves: Curves, errors: Curves, now: float, largest: float
) -> Drawing:
    """A ridge fit among its data, and its two errors over the penalty.

    `curves` is (places, the fit, the truth); `errors` (penalties, training error, leave-one-out error);
    `largest` the largest error of all positions.
    """
    drawing, (places, fit, truth) = Drawing(), curves
    panel = drawing.panel(
        "fit", xlim=(places[0], places[-1]), ylim=span(y, least=(-2, 2)), xlabel="$x$", ylabel="$y$")
    panel.plot(places, truth, key="truth", color=MUTED, linestyle=":")
    panel.plot(places, fit, key="fit", color=BLUE)
    panel.scatter(x, y, keys=point_keys(len(x)), size=18, color=INK, tell=("x", "y"))
    penalties, training, left_out = errors
    side = drawing.panel(
        "errors", xlim=(penalties[0], penalties[-1]), ylim=(0.08, max(1.2, 1.1 * largest)),
        xscale="log", yscale="log",
        xlabel="penalty $\\lambda$", title="root mean square error", yticks=[0.1, 0.2, 0.5, 1],
        xticks={1e-4: "10⁻⁴", 1e-2: "0.01", 1: "1", 100: "100"})
    lines = (("training", training, GREEN, "--"), ("leave one out", left_out, PURPLE, "-"))
    for name, values, colour, dashes in lines:
        at = np.interp(np.log(now), np.log(penalties), values)
        side.plot(penalties, np.maximum(values, 0.06), key=name, color=colour, linestyle=dashes)
        side.annotate(name, (penalties[42], values[42]), key=f"name of {name}", color=colour, link=name)
        side.scatter([now], [max(at, 0.08)], keys=[f"{name} now"], links=[name], color=colour, edgecolor=INK,
                     size=50, tell={"error": [at]})
    return drawing


def spectrum_drawing(
    spectra: dict[str, NDArray], penalty: float, penalties: NDArray, dimensions: dict[str, NDArray]
) -> Drawing:
    """The eigenvalues of two Gram matrices, all divided by n, and how many count at each penalty."""
    drawing = Drawing()
    panel = drawing.panel(
        "eigenvalues", xlim=(0, 25.5), ylim=(1e-8, 3), yscale="log", xlabel="number $k$",
        title="eigenvalues $\\sigma_k/n$", yticks={1: "1", 1e-2: "0.01", 1e-4: "10⁻⁴", 1e-6: "10⁻⁶"})
    side = drawing.panel(
        "effective dimension", xlim=(penalties[0], penalties[-1]), ylim=(0, 26), xscale="log",
        xlabel="$\\lambda/n$", title="effective dimension",
        xticks={1e-4: "10⁻⁴", 1e-3: "10⁻³", 1e-2: "0.01", 1e-1: "0.1"})
    panel.hlines(penalty, key="penalty", color=INK, linestyle=":")
    panel.annotate(
        "$\\lambda/n$", (25.5, penalty), key="name of penalty", offset=(-4, 4), ha="right", link="penalty")
    side.vlines(penalty, key="penalty now", color=INK, linestyle=":", link="penalty")
    for name, values in spectra.items():
        colour, dashes, marker = LOOKS[name]
        seen = values[:25]
        keys = [f"{name} {k + 1}" for k in range(len(seen))]
        panel.scatter(np.arange(1, 26), np.maximum(seen, 1e-9), keys=keys, links=[name] * 25, size=14,
                      marker=marker, color=colour, tell={"eigenvalue": np.maximum(seen, 1e-8)})
        curve = np.minimum(dimensions[name], 30)
        side.plot(penalties, curve, key=name, color=colour, linestyle=dashes)
        now = np.interp(np.log(penalty), np.log(penalties), dimensions[name])
        side.scatter([penalty], [min(now, 30)], keys=[f"{name} now"], links=[name], marker=marker, size=50,
                     color=colour, edgecolor=INK, tell={"dimension": [now]})
        place = max(24, int(np.argmax(curve <= 24)))  # where the curve is in the panel
        side.annotate(name, (penalties[place], curve[place]), key=f"name of {name}", color=colour, link=name)
    return drawing


@in_style
def counts_figure(settings: Sequence[str], ratios: NDArray, errors: NDArray) -> Figure:
    """How many times more support vectors one kernel uses, a mean over draws and two standard errors each."""
    figure, ax = new_axes(4.2, xlabel="support vectors, Laplacian over Gaussian", xscale="log")
    rows, middle = np.arange(len(settings)), np.exp(ratios)
    bars = [middle - np.exp(ratios - 2 * errors), np.exp(ratios + 2 * errors) - middle]  # (2, settings)
    ax.errorbar(middle, rows, xerr=bars, fmt="o", color=BLUE, ecolor=BLUE, capsize=3)
    ax.axvline(1, color=INK, linestyle=(0, (1, 1.6)), linewidth=1.2)
    figure.subplots_adjust(left=0.03)
    ax.set_yticks([])
    for row, setting in zip(rows, settings, strict=True):
        ax.text(1.02, row - 0.25, setting)
    ax.set_xticks([1, 1.5, 2, 3], ["1", "1.5", "2", "3"])
    ax.minorticks_off()
    ax.set_ylim(len(settings) - 0.5, -0.5)
    return figure


@in_style
def largest_gap_figure(
    sizes: NDArray, means: NDArray, errors: NDArray, exact: NDArray, bound: NDArray
) -> Figure:
    """The largest gap over a ball, measured over draws, and what theory says of it."""
    figure, ax = new_axes(xlabel="sample size n", xscale="log", yscale="log")
    ax.errorbar(sizes, means, yerr=2 * errors, fmt="o", color=BLUE, capsize=3)
    ax.plot(sizes, exact, color=BLUE)
    ax.plot(sizes, bound, color=VERMILION, linestyle=(0, (5, 2)))
    for name, values, colour in (("bound", bound, VERMILION), ("largest gap", means, BLUE)):
        ax.annotate(name, (sizes[3], values[3]), (6, 9), textcoords="offset points", color=colour)
    ax.set_yticks([0.02, 0.05, 0.1, 0.2, 0.5], ["0.02", "0.05", "0.1", "0.2", "0.5"])
    ax.set_xticks(sizes[::2], [str(size) for size in sizes[::2]])
    ax.minorticks_off()
    return figure


def gram_drawing(X: NDArray, y: NDArray, K: NDArray, row: int) -> Drawing:
    """The points `X` (n, 2) with labels `y`, as large as their entries in a row of `K` (n, n), and `K`."""
    drawing = Drawing()
    plane = new_plane(drawing)
    _draw_row(plane, X, y, K[row])
    plane.scatter(*X[row, :, None], keys=["chosen point"], links=[f"point {row}"], marker="o", size=420,
                  color=PAPER, edgecolor=INK, alpha=0.3, z=0)
    with plane.aside("vector"):
        plane.arrow((0, 0), X[row], key="vector of the row's point", color=GREEN)
    n = len(X)
    ticks = {i: f"{i}" for i in range(n)}
    matrix = drawing.panel(
        "Gram matrix", xlim=(-0.5, n - 0.5), ylim=(n - 0.5, -0.5), xticks=ticks, yticks=ticks, height=330,
        title="$K(x_i,x_j)$")
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
        color=[c if entry > 0 else PAPER for c, entry in zip(colours, entries, strict=True)])
    for i, key in enumerate(keys):
        plane.annotate(f"{i}", X[i], key=f"name {i}", size=12, link=key)


def detour_drawing(
    points: Curve, direct: Curve, detour: Curve, norms: dict[str, Curve], now: tuple[str, float],
    longest: float,
) -> Drawing:
    """A function with detours among the points, the shortest one, and the norm over the detours' height.

    `points`, `direct` and `detour` are (places, values); `norms` {kernel: (heights, norms)}; `now` the
    kernel and the height that the left panel shows; `longest` the largest norm of all positions.
    """
    drawing, (kernel, height) = Drawing(), now
    panel = drawing.panel(
        "functions", xlim=(direct[0][0], direct[0][-1]), ylim=span(points[1], least=(-2.1, 2.1)),
        xlabel="$x$", ylabel="$f(x)$")
    panel.plot(*direct, key="without detours", color=MUTED, linestyle="--", linewidth=1.5)
    panel.plot(*detour, key="with detours", color=LOOKS[kernel][0])
    panel.scatter(*points, keys=point_keys(len(points[0])), size=34, color=INK, tell=("x", "y"))
    side = drawing.panel(
        "norm", xlim=(-0.4, 0.4), ylim=span([0, longest], least=(0, 13)), xlabel="height of the detours",
        title="norm $\\Vert f\\Vert$", xticks=[-0.4, -0.2, 0, 0.2, 0.4])
    for name, (heights, lengths) in norms.items():
        colour, dashes, marker = LOOKS[name]
        side.plot(heights, lengths, key=name, color=colour, linestyle=dashes)
        side.annotate(name, (heights[-14], lengths[-14]), key=f"name of {name}", color=colour, link=name)
        if name == kernel:
            at = float(np.interp(height, heights, lengths))
            side.scatter([height], [at], keys=["now"], links=[name], color=colour, marker=marker, size=60,
                         edgecolor=INK, tell={"norm": [at]})
    return drawing
