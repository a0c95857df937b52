"""Drawings of nonlinear heads: attention and wanted shares, the parts of W, the candidates of a study."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorable import Drawing, Panel
from explorable.palette import BLUE, GREEN, INK, MUTED, ORANGE, PALETTE, SKY, VERMILION
from margins_book.drawing.planes import level_ends, new_plane


def token_keys(count: int) -> list[str]:
    """Names of the tokens, the same in every panel; the first is token 1."""
    return [f"token {t + 1}" for t in range(count)]


def token_colours(count: int) -> list[str]:
    """The colours of the tokens; after the last the first comes again."""
    return [PALETTE[t % len(PALETTE)] for t in range(count)]


def shares_panel(drawing: Drawing, weights: NDArray, wanted: NDArray) -> Panel:
    """A bar of attention a token, and a diamond at the share that the head wants it to have."""
    count, names = len(weights), token_keys(len(weights))
    panel = drawing.panel(
        "attention", xlim=(-0.6, count - 0.4), ylim=(0, 1), xlabel="token", title="attention $s_t$",
        xticks={t: f"{t + 1}" for t in range(count)})
    panel.bar(range(count), weights, keys=names, color=token_colours(count), tell="attention")
    panel.scatter(
        range(count), wanted, keys=[f"wanted share {t + 1}" for t in range(count)], marker="D", size=40,
        color=INK, tell={"wanted": wanted})
    return panel


def sparsemax_drawing(
    weights: NDArray, wanted: NDArray, curvature: float, curvatures: NDArray, shares: NDArray
) -> Drawing:
    """Attention beside what the head wants at one curvature, and the wanted `shares` (L, T) over all."""
    drawing = Drawing()
    shares_panel(drawing, weights, wanted)
    panel = drawing.panel(
        "wanted shares", xlim=(curvatures[0], curvatures[-1]), ylim=(0, 1), xscale="log",
        xlabel="$\\lambda$", title="wanted shares over $\\lambda$", xticks=[0.1, 0.3, 1, 3])
    for t, share in enumerate(shares.T):
        name, place = f"share of token {t + 1}", int(np.argmax(share > 0.5 * share.max()))
        panel.plot(curvatures, share, key=name, color=token_colours(t + 1)[t], link=f"token {t + 1}")
        panel.annotate(
            f"{t + 1}", (curvatures[place], share[place]), key=f"name of {name}", offset=(11, -14),
            link=f"token {t + 1}")
    panel.vlines(curvature, key="λ now", color=MUTED)
    return drawing


def earnings_drawing(
    curve: tuple[NDArray, NDArray], now: tuple[float, float], best: tuple[float, float]
) -> Drawing:
    """What a head earns over the share of token 1: the `curve`, the share `now`, and the `best`."""
    drawing = Drawing()
    panel = drawing.panel(
        "earnings", xlim=(-0.04, 1.04), ylim=(-1.1, 1.3), xlabel="share of token 1",
        title="what the sequence earns", height=220)
    panel.plot(*curve, key="earnings", color=BLUE)
    panel.scatter([best[0]], [best[1]], keys=["most"], marker="D", size=90, color=INK)
    panel.scatter(
        [now[0]], [now[1]], keys=["share now"], color=VERMILION, size=46, tell=("share", "earnings"), z=4)
    return drawing


def nearest_drawing(
    tokens: NDArray, goal: NDArray, wanted: NDArray, weights: NDArray, outputs: NDArray,
    half_width: float = 2.4,
) -> Drawing:
    """Tokens of the plane, the `goal` of a concave head, and the `outputs` (k, 2) on their way.

    Dotted lines part the places of the goal at which one, two or three tokens are wanted. An aside is the way
    from the goal to the nearest point, where the goal is outside.
    """
    drawing, names = Drawing(), token_keys(len(tokens))
    fine: dict[str, Any] = {"linewidth": 1.3}
    plane = new_plane(drawing, half_width=half_width, centre=(0, 0.2))
    plane.fill(*tokens.T, key="hull", color=SKY, alpha=0.25)
    for name, ends in borders(tokens).items():
        plane.plot(*ends.T, key=name, color=MUTED, linestyle=":", **fine)
    nearest = wanted @ tokens
    coordinates: dict[str, Any] = {"tell": ("x₁", "x₂")}
    plane.plot(*np.array([goal, nearest]).T, key="way to the hull", color=INK, linestyle="--", **fine)
    if np.linalg.norm(nearest - goal) > 1e-9:
        with plane.aside("way"):
            plane.arrow(goal, nearest, key="way from the goal", color=INK, linewidth=3)
    plane.plot(*outputs.T, key="way of the output", color=VERMILION)
    plane.scatter(
        *tokens.T, keys=names, color=token_colours(len(tokens)), size=60, edgecolor=INK, **coordinates)
    plane.scatter(*nearest[:, None], keys=["nearest point"], marker="D", size=110, color=INK, **coordinates)
    plane.scatter(
        *outputs[-1:].T, keys=["output"], color=VERMILION, size=40, edgecolor=INK, z=4, **coordinates)
    for t, token in enumerate(tokens):
        x, y = 16 * (token - tokens.mean(axis=0)) / np.linalg.norm(token - tokens.mean(axis=0))
        plane.annotate(f"{t + 1}", token, key=f"name {t + 1}", offset=(x, y - 4), link=names[t])
    shares_panel(drawing, weights, wanted)
    return drawing


def borders(corners: NDArray) -> dict[str, NDArray]:
    """From each corner of a triangle the outer normals (2, 2) of its two edges, by name."""
    found = {}
    for t in range(3):
        for side, other in (("a", (t + 1) % 3), ("b", (t + 2) % 3)):
            along = corners[other] - corners[t]
            normal = np.array([along[1], -along[0]]) / np.linalg.norm(along)
            outwards = -np.sign(normal @ (corners.mean(axis=0) - corners[t])) * normal
            found[f"border {t + 1}{side}"] = np.array([corners[t], corners[t] + 1.6 * outwards])
    return found


def parts_drawing(
    tokens: NDArray, kept: NDArray, weights: NDArray, finite: NDArray, directional: NDArray, R: float,
    half_width: float = 2.2,
) -> Drawing:
    """Tokens as discs of their attention; beside them, w = Wz: finite part, then R times the direction."""
    drawing, names = Drawing(), token_keys(len(tokens))
    plane = new_plane(drawing, "tokens", half_width=half_width)
    plane.scatter(
        *tokens.T, keys=[f"attention on {n}" for n in names], links=names, size=1200 * weights + 1e-3,
        color=BLUE, alpha=0.3, z=1)
    plane.scatter(
        *tokens.T, keys=names, size=26, color=INK, marker=["o" if k else "x" for k in kept],
        tell={"attention": weights})
    for t, token in enumerate(tokens):
        plane.annotate(f"{t + 1}", token, key=f"name {t + 1}", offset=(13, 6), link=names[t])
    first, second = np.flatnonzero(kept)
    _parts_plane(drawing, tokens[first] - tokens[second], finite, directional, R)
    return drawing


def _parts_plane(drawing: Drawing, across: NDArray, finite: NDArray, directional: NDArray, R: float) -> None:
    """The plane of w = Wz: the line of right ratios, at right angles to `across`, and both parts."""
    w = new_plane(drawing, "w", half_width=6, centre=(2.5, -1), of="w")
    w.plot(
        *level_ends(w, across, -across @ finite, 0).T, key="right ratios", color=MUTED, linestyle="--",
        linewidth=1.3)
    with w.aside("circle"):
        w.plot(*circle(float(np.linalg.norm(finite))).T, key="circle", color=GREEN, linewidth=1.3)
    w.arrow((0, 0), finite, key="finite part", color=GREEN)
    w.arrow(finite, finite + R * directional, key="directional part", color=VERMILION, linewidth=3)
    w.scatter(*(finite + R * directional)[:, None], keys=["w"], color=INK, size=40, tell=("w₁", "w₂"), z=4)
    w.annotate(
        "$W^{fin}z$", finite / 2, key="name of finite part", offset=(-32, 4), color=GREEN, link="finite part")


def circle(radius: float) -> NDArray:
    """Points (73, 2) of the circle around 0."""
    turns = np.linspace(0, 2 * np.pi, 73)
    return radius * np.column_stack([np.cos(turns), np.sin(turns)])


def decomposition_drawing(
    steps: NDArray, weights: NDArray, laws: NDArray, parts: NDArray, now: int
) -> Drawing:
    """Attention of each token over the steps beside its law, and the sizes of the parts of W."""
    drawing = Drawing()
    along = {"xlim": (1, steps[-1]), "xscale": "log", "xlabel": "step $k$", "xticks": [1, 100, 1e4]}
    panel = drawing.panel(
        "attention", ylim=(1e-6, 1), yscale="log", title="attention $s_t$", yticks=[1e-6, 1e-4, 1e-2, 1],
        **along)
    tokens = [(f"token {t + 1}", colour, "-") for t, colour in enumerate(token_colours(len(laws)))]
    for (name, colour, _), values, law in zip(tokens, weights.T, laws, strict=True):
        moving_line(panel, (steps, np.maximum(values, 1e-6)), now, name, colour, "-")
        if law:
            panel.plot(
                steps[1:], np.clip(law / steps[1:], 1e-6, 1), key=f"law of {name}", color=INK, linestyle=":",
                linewidth=1.3, link=name)
    legend(panel, tokens, 1.5 * 3e-6 * 4.5 ** np.arange(len(tokens))[::-1], (1.4, 2.6, 3.2))
    top = 1.15 * parts.max()
    sizes = drawing.panel("parts", ylim=(0, top), title="sizes of the parts of $W$", **along)
    styles = [("finite part", GREEN, "-"), ("along the direction", VERMILION, "-"), ("rest", MUTED, "--")]
    for (name, colour, dashes), values in zip(styles, parts.T, strict=True):
        moving_line(sizes, (steps, values), now, name, colour, dashes)
    legend(sizes, styles, top * np.array([0.94, 0.85, 0.76]), (1.4, 2.6, 3.2))
    return drawing


def logits_drawing(steps: NDArray, logits: NDArray, now: int) -> Drawing:
    """The `logits` (K, T) over the steps, each with a dot at the number `now` of the steps."""
    drawing = Drawing()
    panel = drawing.panel(
        "logits", xlim=(1, steps[-1]), ylim=(-5.5, 7), xscale="log", xlabel="step $k$",
        title="logits $a_t$", xticks=[1, 100, 1e4])
    tokens = [(f"token {t + 1}", colour, "-") for t, colour in enumerate(token_colours(logits.shape[1]))]
    for (name, colour, _), values in zip(tokens, logits.T, strict=True):
        moving_line(panel, (steps, values), now, name, colour, "-")
    legend(panel, tokens, 6.3 - 0.9 * np.arange(len(tokens)), (1.4, 2.6, 3.2))
    return drawing


def moving_line(
    panel: Panel, line: tuple[NDArray, NDArray], at: int | tuple[float, float], name: str, colour: str,
    dashes: str,
) -> None:
    """A `line` (x, values) with a dot, at the number `at` of its points or at the point (x, value) `at`."""
    x, value = (line[0][at], line[1][at]) if isinstance(at, int) else at
    panel.plot(*line, key=name, color=colour, linestyle=dashes)
    panel.scatter(
        [x], [value], keys=[f"{name} now"], color=colour, size=46, edgecolor=INK, links=[name],
        tell={"value": [value]})


def legend(
    panel: Panel, styles: Sequence[tuple[str, str, str]], heights: NDArray | Sequence[float],
    places: tuple[float, float, float],
) -> None:
    """Names beside short lines from the first to the second of `places`; the names begin at the third."""
    for (name, colour, dashes), height in zip(styles, heights, strict=True):
        panel.plot(
            places[:2], [height] * 2, key=f"sample of {name}", color=colour, linestyle=dashes, link=name)
        panel.annotate(
            name, (places[2], height), key=f"name of {name}", offset=(0, -4), ha="left", size=12, link=name)


def coefficient_drawing(
    ratios: NDArray, curves: tuple[NDArray, NDArray, NDArray], ratio: float, values: Sequence[float]
) -> Drawing:
    """Correlation, inner product and squared distance over the coefficient, and their `values` at one."""
    drawing = Drawing()
    box = {"xlim": (0, ratios[-1]), "xlabel": "$C$ in units of $C^*$", "xticks": [0, 1, 2, 3]}
    top = curves[0].max()
    left = drawing.panel("correlation", ylim=(top - 0.05, top + 0.005), title="correlation with $W$", **box)
    right = drawing.panel("rivals", ylim=(0, 3), title="in units of ‖W‖²", **box)
    styles = [("inner product", VERMILION, "--"), ("squared distance", GREEN, "-")]
    moving_line(left, (ratios, curves[0]), (ratio, values[0]), "correlation", BLUE, "-")
    for (name, colour, dashes), curve, value in zip(styles, curves[1:], values[1:], strict=True):
        moving_line(right, (ratios, curve), (ratio, value), name, colour, dashes)
    legend(right, styles, (2.8, 2.5), (1.08, 1.3, 1.36))
    for panel in (left, right):
        panel.vlines(1, key="C*", color=MUTED)
    return drawing


def discarded_candidates_drawing(
    edges: NDArray, counts: NDArray, suppressed: float, kept: float, reasons: dict[str, int]
) -> Drawing:
    """How many weights have which size, with both thresholds, and what became of the candidates."""
    drawing, middles = Drawing(), (edges[1:] + edges[:-1]) / 2
    panel = drawing.panel(
        "weights", xlim=(edges[0], edges[-1]), ylim=(0, 1.1 * counts.max()), xlabel="power of ten of $s_t$",
        title="all weights at the end", xticks=range(int(edges[0]), 1, 3))
    names = [f"weights near 1e{m:.2f}" for m in middles]
    panel.bar(middles, counts, keys=names, width=0.9 * (edges[1] - edges[0]), color=BLUE, tell="weights")
    for name, value, dashes in (("suppressed below", suppressed, ":"), ("kept above", kept, "--")):
        panel.vlines(np.log10(value), key=name, color=VERMILION, linestyle=dashes, linewidth=2)
    places, found = np.arange(len(reasons)), np.array(list(reasons.values()), dtype=float)
    bars = drawing.panel(  # wide enough for the names behind the bars
        "candidates", xlim=(0, 1.8 * found.sum()), ylim=(len(reasons) - 0.4, -0.6), title="candidates",
        yticks=[], xticks=[0, 100, 200, 300])
    colours = [GREEN if name == "accepted" else ORANGE for name in reasons]
    bars.barh(places, found, keys=list(reasons), color=colours, tell="candidates")
    for place, (name, count) in enumerate(reasons.items()):
        bars.annotate(
            f"{name}: {count}", (count, place), key=f"name of {name}", offset=(7, -4), ha="left", link=name)
    return drawing
