"""The drawings of attention as regression: weights, bandwidths, convex hulls, partitions, masks, depth."""

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from explorable import Drawing, Panel
from explorable.palette import BLUE, GREEN, INK, MUTED, PALETTE, VERMILION
from explorable.style import in_style, new_axes
from explorable.text import plain_text
from margins_book.drawing.planes import CLASS_COLOURS, CLASS_MARKERS, draw_points, new_plane, point_keys, span

CORNERS = 12  # of every drawn cell, so that a cell whose shape changes can still move
SMALLEST, LARGEST = 26, 426  # areas of a point of weight 0 and of weight 1
WIDEST = 3.1  # the largest distance on the axes


def query_drawing(
    keys: NDArray, values: NDArray, weights: NDArray, query: float, estimate: float,
    curve: tuple[NDArray, NDArray],
) -> Drawing:
    """A query among keys on a line: its weights as bars, its answer on the `curve` (2, n)."""
    drawing, names = Drawing(), point_keys(len(keys), "key")
    plane = values_panel(drawing, "values over keys", keys, values, names, size=36)
    plane.plot(*curve, key="estimate", color=VERMILION)
    plane.vlines(query, key="query", color=MUTED)
    plane.scatter(
        [query], [estimate], keys=["answer"], marker="D", size=46, color=VERMILION, edgecolor=INK,
        tell=("query", "answer"), z=4)
    bars = drawing.panel(
        "weights", xlim=plane.x.limits, ylim=(0, 1), xlabel="key", title="weights $s_j(q)$",
        xticks=whole_numbers(plane.x.limits))
    bars.bar(keys, weights, keys=[f"weight of {n}" for n in names], links=names, width=0.11, tell="weight")
    bars.vlines(query, key="query", color=MUTED)
    return drawing


def values_panel(
    drawing: Drawing, name: str, keys: NDArray, values: NDArray, names: Sequence[str], **style: Any
) -> Panel:
    """A panel with every value over its key."""
    across, up = span(keys, least=(-3.2, 3.2)), span(values, least=(-2, 2))
    plane = drawing.panel(
        name, xlim=across, ylim=up, xlabel="key", ylabel="value", xticks=whole_numbers(across))
    plane.scatter(keys, values, keys=names, tell=("key", "value"), color=BLUE, **style)
    return plane


def one_line_drawing(
    keys: NDArray, values: NDArray, curves: tuple[NDArray, ...], weights: tuple[NDArray, NDArray],
    answers: tuple[float, float, float, float],
) -> Drawing:
    """Constants and lines over all queries, the line at one query, and the weights of both fits there.

    `curves` holds the queries and both answers, `answers` the query, both answers there and the slope.
    """
    drawing, names = Drawing(), point_keys(len(keys), "key")
    plane = values_panel(drawing, "values over keys", keys, values, names, size=36)
    low, high = plane.y.limits
    places, constants, lines = curves
    plane.plot(places, constants, key="constants", color=VERMILION, linestyle="--")
    plane.plot(places, np.clip(lines, low, high), key="lines", color=GREEN)
    query, constant, line, slope = answers
    plane.vlines(query, key="query", color=MUTED)
    ends = np.array([-0.7, 0.7])
    plane.plot(query + ends, np.clip(line + slope * ends, low, high), key="fitted line", color=INK)
    for name, height, colour in (("constant", constant, VERMILION), ("line", line, GREEN)):
        plane.scatter(
            [query], np.clip([height], low, high), keys=[f"answer of the {name}"], marker="D", size=46,
            color=colour, edgecolor=INK, tell=("query", "answer"), z=4)
    panel = drawing.panel(
        "weights", xlim=plane.x.limits, ylim=(-0.4, 1.4), xlabel="key", title="weights of the values",
        xticks=whole_numbers(plane.x.limits))
    panel.hlines(0, key="zero", color=MUTED, linestyle="-", linewidth=1)
    bars = [f"weight of {n}" for n in names]
    panel.bar(keys, weights[0], keys=bars, links=names, width=0.11, tell="weight")
    panel.scatter(
        keys, np.clip(weights[1], -0.4, 1.4), keys=[f"dot of {n}" for n in names], links=names, marker="o",
        size=26, color=GREEN, tell={"weight of the line": weights[1]})
    panel.vlines(query, key="query", color=MUTED)
    return drawing


def smoothed_drawing(
    points: NDArray, labels: NDArray, weights: NDArray, query: NDArray, grid: tuple[NDArray, NDArray],
    field: NDArray,
) -> Drawing:
    """Labelled points with areas that show their weights, the query, and the line where `field` is 0.

    `points` (n, 2), `labels` and `weights` (n,), `query` (2,), `grid` x (k,) and y (l,), `field` (l, k).
    """
    drawing, names = Drawing(), point_keys(len(points))
    plane = new_plane(drawing, half_width=grid[0][-1])
    plane.contour(*grid, field, key="answer 0", levels=[0], vertices=30, color=INK, linestyle="--")
    plane.scatter(
        *points.T, keys=names, size=SMALLEST + (LARGEST - SMALLEST) * weights, tell={"weight": weights},
        marker=[CLASS_MARKERS[int(label)] for label in labels],
        color=[CLASS_COLOURS[int(label)] for label in labels])
    for i, point in enumerate(points):
        plane.annotate(f"{i}", point, key=f"name {i}", size=12, link=names[i])
    plane.scatter(*query[:, None], keys=["query"], marker="P", size=50, color=INK, tell=("q₁", "q₂"), z=4)
    return drawing


@in_style
def rates_figure(counts: NDArray, errors: NDArray, bars: NDArray, limit: NDArray) -> Figure:
    """Mean squared errors over the number of keys, with two standard errors, beside the predicted line."""
    figure, ax = new_axes(xlabel="keys m", ylabel="mean squared error", xscale="log", yscale="log")
    ax.plot(counts, limit, color=MUTED, linestyle="--")
    ax.errorbar(counts, errors, yerr=2 * bars, color=BLUE, marker="o", linestyle="none", capsize=3)
    ax.set_xticks(counts, [str(count) for count in counts])
    ax.minorticks_off()
    ax.annotate("predicted", (counts[2], limit[2]), (6, 10), textcoords="offset points", color=MUTED)
    return figure


def whole_numbers(limits: Sequence[float]) -> range | None:
    """The whole numbers between limits, as ticks; None, for round numbers, if there are more than ten.

    >>> whole_numbers((-3.2, 3.2)), whole_numbers((-3.2, 40))
    (range(-3, 4), None)
    """
    numbers = range(math.ceil(limits[0]), math.floor(limits[1]) + 1)
    return numbers if len(numbers) <= 10 else None


def bandwidth_drawing(
    keys: NDArray, values: NDArray, curve: tuple[NDArray, NDArray], truth: tuple[NDArray, NDArray],
    bandwidths: NDArray, errors: NDArray, training: NDArray, now: int,
) -> Drawing:
    """The estimate with one bandwidth beside the truth, and both error curves with that bandwidth marked."""
    drawing = Drawing()
    plane = values_panel(drawing, "estimate", keys, values, point_keys(len(keys), "key"), size=16)
    plane.plot(*truth, key="truth", color=MUTED, linestyle="--")
    plane.plot(*curve, key="estimate", color=VERMILION)
    panel = drawing.panel(
        "errors", xlim=(bandwidths[0], bandwidths[-1]), ylim=(0, 0.8), xscale="log", xlabel="bandwidth $h$",
        title="mean squared error", xticks=[0.01, 0.1, 1])
    for name, values_of, colour, dashes in (
        ("left out", errors, BLUE, "-"), ("training", training, VERMILION, "--"),
    ):
        panel.plot(bandwidths, np.minimum(values_of, 1), key=f"{name} curve", color=colour, linestyle=dashes)
        panel.scatter(
            [bandwidths[now]], [min(values_of[now], 1)], keys=[f"{name} now"], color=colour, size=46,
            edgecolor=INK, tell=("h", "error"), links=[f"{name} curve"])
        panel.annotate(
            name, (bandwidths[8], np.minimum(values_of, 1)[8]), key=f"name of {name}", color=colour,
            offset=(0, 8), link=f"{name} curve")
    return drawing


def best_constant_drawing(
    keys: NDArray, values: NDArray, counts: NDArray, c: float, payment: tuple[NDArray, NDArray]
) -> Drawing:
    """Values over keys with strokes, as broad as they count, to the height `c`; the payment over heights."""
    drawing, names = Drawing(), point_keys(len(keys), "key")
    plane = drawing.panel(
        "values and c", xlim=(-0.4, 2.4), ylim=(0, 6), xlabel="key", ylabel="value", xticks=range(3),
        title="values and one number", height=220)
    plane.hlines(c, key="height c", color=VERMILION, linestyle="-")
    for j, name in enumerate(names):
        plane.plot(
            [keys[j]] * 2, [values[j], c], key=f"stroke {j}", color=MUTED, linewidth=12 * counts[j],
            alpha=0.5, link=name)
    plane.scatter(keys, values, keys=names, size=46, color=BLUE, tell={"counts": counts})
    panel = drawing.panel(
        "payment", xlim=(0, 6), ylim=(0, 24), xlabel="height $c$", title="what it costs", height=220)
    panel.plot(*payment, key="payments", color=MUTED)
    panel.scatter(
        [c], [np.interp(c, *payment)], keys=["payment now"], color=VERMILION, size=46, tell=("c", "payment"))
    return drawing


def hull_drawing(
    keys: NDArray, values: NDArray, query: NDArray | Sequence[float], weights: NDArray, output: NDArray
) -> Drawing:
    """A query among keys in the plane, and its answer inside the hull of the values."""
    from scipy.spatial import ConvexHull

    drawing, names = Drawing(), point_keys(len(keys), "key")
    left, right = (
        drawing.panel(
            title, title=title, xlabel="coordinates 1 and 2", xlim=span(rows[:, 0], least=(-3, 3)),
            ylim=span(rows[:, 1], least=(-2, 2)))
        for title, rows in (("keys and the query", keys), ("values and the answer", values)))
    left.scatter(*keys.T, keys=names, size=20 + 300 * weights, color=BLUE, tell={"weight": weights})
    left.scatter(
        [query[0]], [query[1]], keys=["query"], marker="P", size=50, color=VERMILION, tell=("q₁", "q₂"))
    ring = values[ConvexHull(values).vertices]
    right.fill(*ring.T, key="hull of the values", color=MUTED)
    right.scatter(
        *values.T, keys=[f"value {i}" for i in range(len(values))], links=names, marker="s",
        size=20 + 300 * weights, color=BLUE, tell=("v₁", "v₂"))
    right.scatter(
        [output[0]], [output[1]], keys=["answer"], marker="D", size=50, color=VERMILION, edgecolor=INK,
        tell=("f₁", "f₂"), z=4)
    _draw_way(right, values.mean(axis=0), output)
    for panel, points, letter in ((left, keys, "k"), (right, values, "v")):
        for i, offset in enumerate(_outwards(points)):
            panel.annotate(
                f"${letter}_{i}$", points[i], key=f"name {i}", offset=offset, size=12, link=names[i])
    return drawing


def _outwards(points: NDArray) -> list[list[float]]:
    """Offsets of names in pixels, to the side that looks away from the mean, clear of the largest mark."""
    sides = np.sign(points - points.mean(axis=0))
    return (sides * [21, 5] - [0, 4]).tolist()


def _draw_way(panel: Panel, mean: NDArray, output: NDArray) -> None:
    """The aside "way": an arrow, 1.5 long, from the mean of the values towards the answer."""
    away = output - mean
    if (length := float(np.linalg.norm(away))) > 1e-9:
        with panel.aside("way"):
            panel.arrow(mean, mean + 1.5 * away / length, key="way of the answer", color=VERMILION)


def compiled_drawing(
    X: NDArray, y: NDArray, alpha: NDArray, grid: tuple[NDArray, NDArray], of_svm: NDArray, of_head: NDArray,
    head_values: NDArray, names: Sequence[str],
) -> Drawing:
    """The boundaries of an SVM and of an attention head over `grid` (x, y), and what the head stores."""
    drawing = Drawing()
    plane = new_plane(drawing, half_width=grid[0][-1])
    style: dict[str, Any] = {"levels": [0], "vertices": 30}
    plane.contour(*grid, of_svm, key="machine", color=BLUE, linewidth=5, alpha=0.35, **style)
    plane.contour(*grid, of_head, key="head", color=VERMILION, linestyle="--", linewidth=2, **style)
    draw_points(plane, X, y, alpha=alpha)
    panel = drawing.panel(
        "values of the head", xlim=(-3.4, 3.4), ylim=(len(names) - 0.4, -0.6), title="values of the head",
        yticks=dict(enumerate(names)))
    shown = np.clip(head_values, -3.4, 3.4)
    colours = [BLUE if v > 0 else VERMILION for v in head_values]
    panel.barh(
        range(len(names)), shown, keys=[f"value {plain_text(n)}" for n in names], color=colours,
        tell={"value": head_values})
    panel.vlines(0, key="zero", color=INK, linestyle="-")
    return drawing


def partitions_drawing(keys: NDArray, offsets: NDArray, window: NDArray) -> Drawing:
    """The plane by nearest key (left), and by the largest <q, k_j> + offset_j, within a `window` (4, 2)."""
    drawing, names = Drawing(), point_keys(len(keys), "key")
    colours = [*PALETTE, MUTED, INK]
    nearest = -np.square(keys).sum(axis=1) / 2
    for name, heights in (("nearest key", nearest), ("winner of hard attention", offsets)):
        panel = drawing.panel(name, xlim=(-3, 3), ylim=(-2, 2), height=244, title=name, xticks=[], yticks=[])
        for i in range(len(keys)):
            corners = cell(keys, heights, i, window)
            if len(corners):
                corners = padded(corners)
                panel.fill(*corners.T, key=f"cell {i}", color=colours[i], link=names[i], alpha=0.3)
                panel.plot(*corners.T, key=f"edge {i}", color=INK, linewidth=1, link=names[i], z=1)
        panel.scatter(*keys.T, keys=names, color=INK, size=22, tell=("k₁", "k₂"))
        panel.scatter([0], [0], keys=["origin"], marker="+", size=60, color=INK, linewidth=1.5)
        for i, key in enumerate(keys):
            panel.annotate(f"{i}", key, key=f"name {i}", offset=(8, 5), size=12, link=names[i])
    return drawing


def mask_drawing(allowed: NDArray, weights: NDArray, row: int) -> Drawing:
    """The matrix of attention weights under a mask, and the weights of one row as bars."""
    drawing, n = Drawing(), len(allowed)
    ticks = range(0, n, 2)
    matrix = drawing.panel(
        "attention", xlim=(-0.5, n - 0.5), ylim=(n - 0.5, -0.5), xlabel="key", ylabel="query", xticks=ticks,
        yticks=ticks, height=330, title="attention")
    matrix.image(weights, key="weights", extent=(-0.5, n - 0.5, n - 0.5, -0.5), vmax=1)
    rows, columns = np.nonzero(~allowed)
    corners = [row - 0.5, row + 0.5, row + 0.5, row - 0.5]
    if len(rows):
        matrix.scatter(
            columns, rows, keys=[f"masked {i} {j}" for i, j in zip(rows, columns, strict=True)], marker="x",
            size=14, color=MUTED, linewidth=1)
    matrix.plot([-0.5, -0.5, n - 0.5, n - 0.5, -0.5], [*corners, row - 0.5], key="row", color=VERMILION)
    bars = drawing.panel(
        "one row", xlim=(-0.6, n - 0.4), ylim=(0, 1), xlabel="key", title="weights of the marked query",
        xticks=ticks, height=330)
    bars.bar(range(n), weights[row], keys=[f"key {j}" for j in range(n)], tell="weight")
    return drawing


def pair_drawing(distances: Sequence[float], layer: int) -> Drawing:
    """Two tokens on a line before each layer and after the last, and the stairs of their `distances`.

    `distances` before the first layer and after each; the stairs go as far as `layer`.
    """
    drawing = Drawing()
    line = drawing.panel(
        "two tokens", xlim=(-1.7, 1.7), ylim=(len(distances) - 0.5, -0.5), xlabel="place on the line",
        ylabel="layer", yticks=range(len(distances)), title="two tokens after each layer")
    for number, distance in enumerate(distances[: layer + 1]):
        line.scatter(
            [-distance / 2, distance / 2], [number, number], size=46, color=BLUE, tell=("place", "layer"),
            keys=[f"left after {number}", f"right after {number}"])
    plane = drawing.panel(
        "distances", xlim=(0, WIDEST), ylim=(0, WIDEST), xlabel="distance $D$ before", ylabel="after",
        xticks=range(4), yticks=range(4), title="distance after a layer")
    before = np.linspace(0, WIDEST, 63)
    plane.plot([0, WIDEST], [0, WIDEST], key="no change", color=MUTED, linewidth=1)
    cube = np.minimum(before**3 / 4, 2 * WIDEST)
    plane.plot(before, cube, key="cube", color=VERMILION, linestyle="--")
    plane.plot(before, before * np.tanh(before**2 / 4), key="after a layer", color=BLUE)
    plane.annotate("$D^3/4$", (1.9, 1.9**3 / 4), key="name of cube", color=VERMILION, link="cube",
                   offset=(-26, 6))
    plane.plot(*stairs(distances, layer).T, key="stairs", color=INK, linewidth=1.6)
    return drawing


def stairs(distances: Sequence[float], layer: int) -> NDArray:
    """The corners of the stairs from the diagonal to the curve and back, `layer` times, as rows.

    There are equally many for each layer: those to come lie on the last one.
    (book: Attention as Nadaraya-Watson regression, Why layers need residual connections)
    """
    corners = [(distances[0], distances[0])]
    for before, after in pairwise(distances):
        corners += [(before, after), (after, after)]
    return np.array([corners[min(n, 2 * layer)] for n in range(len(corners))])


def depth_drawing(tokens: NDArray, spreads: NDArray, layer: int) -> Drawing:
    """The tokens after some layers, in units of the longest, and their spread after each layer."""
    drawing, names = Drawing(), point_keys(len(tokens), "token")
    plane = new_plane(drawing, "tokens", half_width=1.6)
    plane.scatter(
        *(tokens / np.linalg.norm(tokens, axis=1).max()).T, keys=names, color=BLUE, tell=("x₁", "x₂"))
    plane.scatter([0], [0], keys=["origin"], marker="+", size=60, color=INK, linewidth=1.5)
    panel = drawing.panel(
        "spread", xlim=(0, len(spreads) - 1), ylim=(1e-14, 3), yscale="log", xlabel="layer",
        title="spread of the tokens", xticks=range(len(spreads)), yticks=[1, 1e-4, 1e-8, 1e-12])
    layers, seen = np.arange(len(spreads)), np.maximum(spreads, 1e-14)
    now = np.minimum(layers, layer)  # equally many points at every layer; what is to come is not drawn
    panel.plot(now, seen[now], key="so far", color=BLUE)
    panel.scatter(
        [layer], [seen[layer]], keys=["now"], color=BLUE, size=46, edgecolor=INK, tell=("layer", "spread"))
    return drawing


def cell(keys: NDArray, offsets: NDArray, j: int, corners: NDArray) -> NDArray:
    """The part of the convex polygon `corners` where <x, k_j> + b_j is the largest of all <x, k_i> + b_i."""
    for i in range(len(keys)):
        if i != j and len(corners):
            corners = clipped(corners, keys[j] - keys[i], offsets[j] - offsets[i])
    return corners if len(corners) > 2 else np.empty((0, 2))  # a point or an edge is no part of the plane


def clipped(corners: NDArray, normal: NDArray, offset: float) -> NDArray:
    """The part of a convex polygon (m, 2) where <x, normal> + offset >= 0."""
    heights, kept = corners @ normal + offset, []
    for k in range(len(corners)):
        here, there = heights[k], heights[(k + 1) % len(corners)]
        if here >= 0:
            kept.append(corners[k])
        if here * there < 0:
            way = here / (here - there)
            kept.append((1 - way) * corners[k] + way * corners[(k + 1) % len(corners)])
    return np.array(kept).reshape(-1, 2)


def padded(corners: NDArray) -> NDArray:
    """A closed polygon of `CORNERS` corners, the last repeated."""
    ring = np.vstack([corners, corners[:1]])
    return np.vstack([ring, np.repeat(ring[-1:], CORNERS - len(ring), axis=0)])
