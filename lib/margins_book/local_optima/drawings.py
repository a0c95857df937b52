"""Drawings of the choice of tokens: its SVM, verdicts, feasible shares, the loss, the ends of descent."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from explorable import Drawing, Panel
from explorable.palette import BLUE, GREEN, INK, MUTED, ORANGE, PAPER, PURPLE, VERMILION
from explorable.style import in_style, new_axes
from margins.attention_svm import AttentionSVM
from margins_book.drawing.planes import HANDLE_OFFSET, draw_head, half_width_around, level_ends, new_plane

LETTERS = "ABCDEFGH"
MEANINGS = {
    "head": "the head v: a token scores the more the farther it lies along v",
    "scores": "the scores of the tokens"}
VERDICTS = {
    "infeasible": ("x", MUTED), "unstable": ("v", ORANGE), "spurious": ("s", VERMILION),
    "optimal": ("o", BLUE)}
SAME_SCALE = 260 / 300  # the box of a panel 330 high, height over width: angles are drawn as they are
SEQUENCES = (("sequence 1", PURPLE, "-"), ("sequence 2", GREEN, "--"))
RAYS = (("right ray", BLUE), ("trap ray", VERMILION))


def token_keys(count: int) -> list[str]:
    """Names of the tokens of one sequence, the same in every panel."""
    return [f"token {LETTERS[t]}" for t in range(count)]


def choice_drawing(
    X: NDArray, scores: NDArray, chosen: int, solution: AttentionSVM, path: NDArray | None, walked: int, *,
    head: NDArray,
) -> Drawing:
    """One sequence with a chosen token and its SVM; the path (steps, 2) of descent, `walked` steps of it.

    `path` is None where the SVM has no solution. The head (2,) and the scores are asides.
    """
    drawing = Drawing()
    plane = _plane_of_tokens(drawing, X)
    draw_choice(plane, X, scores, chosen, solution)
    _draw_asides(plane, X, scores, head)
    descent = drawing.panel(
        "descent", xlim=(-42, 42), ylim=(-28, 28), xlabel="$w_1$", ylabel="$w_2$", xticks=range(-40, 41, 20),
        yticks=(-20, 0, 20))
    descent.scatter([0], [0], keys=["origin"], marker="+", size=60, color=INK, linewidth=1.5)
    if solution.feasible and path is not None:
        ray = solution.W[:, 0] * solution.margin
        descent.plot(
            *np.array([0 * ray, 60 * ray]).T, key="ray of the SVM", color=VERMILION, linestyle="--", z=1)
        descent.plot(*path.T, key="still to come", color=MUTED, linewidth=1.3, alpha=0.5)
        descent.plot(*path[: walked + 1].T, key="walked", color=BLUE)
        descent.scatter(
            [path[walked, 0]], [path[walked, 1]], keys=["now"], color=BLUE, size=46, edgecolor=INK,
            tell=("w₁", "w₂"), z=4)
    return drawing


def excess_drawing(lengths: NDArray, excess: NDArray, lowest: tuple[float, float] | None) -> Drawing:
    """An output less its limit over the length of w, as far as it is below 0.5; a disc where it is lowest."""
    drawing, shown = Drawing(), excess <= 0.5
    panel = drawing.panel(
        "excess", xlim=(0, lengths[-1]), ylim=(-0.26, 0.52), height=220, xlabel="$R$",
        title="output less the score selected", yticks=(-0.2, 0, 0.2, 0.4))
    panel.hlines(0, key="score selected", color=INK, linestyle=":")
    panel.plot(lengths[shown], excess[shown], key="output", color=BLUE, tell=("R", "output less c"))
    if lowest is not None:
        panel.scatter(
            *np.transpose([lowest]), keys=["lowest"], color=BLUE, size=46, edgecolor=INK,
            tell=("R", "output less c"), z=4)
    return drawing


def signed_queries_drawing(signed: NDArray, labels: NDArray, u: NDArray) -> Drawing:
    """Queries (n, 2) times their `labels`, blue on the side of the unit vector u, and the line across u."""
    drawing = Drawing()
    plane = drawing.panel(
        "queries", xlim=(-1.8, 1.8), ylim=(-1.2, 1.2), height=240, title="queries times labels", xticks=[],
        yticks=[], frame=False)
    across = 2.5 * np.array([-u[1], u[0]])
    plane.plot(*np.transpose([-across, across]), key="line across u", color=MUTED, linestyle=":")
    for i, (query, label) in enumerate(zip(signed, labels, strict=True), start=1):
        colour, dashes = BLUE if query @ u > 0 else VERMILION, "-" if label > 0 else "--"
        ends = np.transpose([0 * query, query])
        plane.plot(*ends, key=f"stroke {i}", color=colour, linestyle=dashes)
        end = f"query {i}"
        plane.scatter(*query[:, None], keys=[end], color=colour, size=46, tell={"product": [query @ u]})
        x, y = 14 * query / np.linalg.norm(query)
        plane.annotate(f"{i}", query, key=f"name {i}", offset=(x, y - 4), color=INK, link=end)
    plane.arrow((0, 0), u, key="u", color=GREEN, linewidth=2.5)
    plane.annotate("$u$", u, key="name of u", offset=(8, -8), color=GREEN, link="u")
    return drawing


def shield_drawing(
    X: NDArray, scores: NDArray, chosen: int, solution: AttentionSVM, *, dragged: int
) -> Drawing:
    """One sequence with a chosen token, its SVM, a token that is dragged, and the distances of the others."""
    drawing = Drawing()
    plane = _plane_of_tokens(drawing, np.delete(X, dragged, axis=0))
    draw_choice(plane, X, scores, chosen, solution, dragged=dragged)
    distances_panel(drawing, X, chosen, solution, top=4)
    return drawing


def _plane_of_tokens(drawing: Drawing, X: NDArray) -> Panel:
    """A plane that holds the tokens (T, 2); it is half as wide again as high."""
    return new_plane(drawing, "tokens", half_width=half_width_around(X, 3.2))


def draw_choice(
    panel: Panel, X: NDArray, scores: NDArray, chosen: int, solution: AttentionSVM, *,
    dragged: int | None = None,
) -> None:
    """Tokens as triangles, up where they score more than the chosen; neighbours large, the margin drawn."""
    keys = token_keys(len(X))
    neighbours = solution.support[0] if solution.feasible else np.zeros(len(X), dtype=bool)
    if solution.feasible:
        w = solution.W[:, 0]
        for level, dashes, name in ((0, "-", "line of the chosen"), (1, "--", "line of the neighbours")):
            panel.plot(
                *level_ends(panel, w, -w @ X[chosen], -level).T, key=name, color=INK, linestyle=dashes,
                linewidth=1.3, z=1)
        tip = X[chosen] + 0.9 * w / np.linalg.norm(w)
        panel.arrow(X[chosen], tip, key="direction", color=VERMILION)
    higher = scores > scores[chosen]
    panel.scatter(
        *X.T, keys=keys, size=np.where(neighbours, 90, 40), tell={"score": scores},
        marker=["o" if t == chosen else "^" if up else "v" for t, up in enumerate(higher)],
        color=[INK if t == chosen else ORANGE if up else BLUE for t, up in enumerate(higher)],
        edgecolor=[INK if near else None for near in neighbours])
    for t, token in enumerate(X):
        beside: dict[str, Any] = {"offset": HANDLE_OFFSET} if t == dragged else {}
        panel.annotate(LETTERS[t], token, key=f"name {LETTERS[t]}", size=12, link=keys[t], **beside)


def _draw_asides(plane: Panel, X: NDArray, scores: NDArray, head: NDArray) -> None:
    """The direction of the head, and a number below each token."""
    draw_head(plane, head, 2.4, GREEN)
    with plane.aside("scores"):
        for t, token in enumerate(X):
            key = f"scores of {LETTERS[t]}"
            plane.annotate(
                f"{scores[t]:.2f}".replace("-", "−"), token, key=key, offset=(0, -24), size=12, color=GREEN)


def distances_panel(
    drawing: Drawing, X: NDArray, chosen: int, solution: AttentionSVM, *, top: float
) -> Panel:
    """A bar for each other token: how far behind the chosen one, along the direction of the SVM."""
    keys = token_keys(len(X))
    panel = drawing.panel(
        "distances", xlim=(0, top), ylim=(len(X) - 0.4, -0.6), title="distance behind the chosen token",
        yticks=dict(enumerate(LETTERS[: len(X)])))
    if solution.feasible:
        distances = np.where(np.isfinite(solution.margins[0]), solution.margins[0], 0) * solution.margin
        near = solution.support[0]
        panel.barh(
            range(len(X)), np.minimum(distances, top), keys=[f"bar {LETTERS[t]}" for t in range(len(X))],
            links=keys, tell={"distance": distances}, color=[VERMILION if n else BLUE for n in near])
        panel.vlines(solution.margin, key="margin", color=VERMILION)
    return panel


def verdicts_drawing(
    sequences: NDArray, queries: NDArray, verdicts: dict[tuple[int, int], str], scores: NDArray
) -> Drawing:
    """Two sequences with their queries, and the verdict on every choice of a token from each."""
    drawing = Drawing()
    plane = drawing.panel(
        "queries", xlim=(-1.6, 1.6), ylim=(-0.68, 1.68), title="queries", xticks=[], yticks=[], frame=False)
    plane.scatter([0], [0], keys=["origin"], marker="+", size=60, color=INK, linewidth=1.5)
    for i, (query, colour) in enumerate(zip(queries, (PURPLE, GREEN), strict=True)):
        plane.arrow((0, 0), query, key=f"query {i + 1}", color=colour)
        plane.annotate(f"$z_{i + 1}$", query, key=f"name {i + 1}", color=colour, offset=(0, 8 + 14 * i))
    T = len(sequences[0])
    ranks = [np.argsort(-row).argsort() for row in scores]
    board = drawing.panel(
        "board", xlim=(-0.5, T - 0.5), ylim=(T - 0.5, -0.5), height=330,
        xlabel="token of sequence 2, by rank of score", ylabel="token of sequence 1",
        xticks={k: f"{k + 1}" for k in range(T)}, yticks={k: f"{k + 1}" for k in range(T)})
    for (s, t), verdict in verdicts.items():
        marker, colour = VERDICTS[verdict]
        board.scatter(
            [ranks[1][t]], [ranks[0][s]], keys=[f"{verdict} {ranks[0][s] + 1} {ranks[1][t] + 1}"],
            marker=marker, color=colour, size=150 if verdict in ("spurious", "optimal") else 70,
            tell={"score in 1": [scores[0][s]], "score in 2": [scores[1][t]]})
    return drawing


def phase_drawing(
    counts: Sequence[int], lengths: Sequence[int], shares: NDArray,
    bounds: Sequence[NDArray | Sequence[float]], d: int,
) -> Drawing:
    """Shares of feasible problems over n and T as areas, and against n with the laws of the two ends."""
    drawing = Drawing()
    ticks = dict(enumerate(map(str, counts)))
    plane = drawing.panel(
        "phases", xlim=(-0.6, len(counts) - 0.4), ylim=(-0.6, len(lengths) - 0.4), height=300,
        xlabel="sequences $n$", ylabel="tokens $T$", title="share that is feasible", xticks=ticks,
        yticks=dict(enumerate(map(str, lengths))))
    for row, T in enumerate(lengths):
        names = [f"n = {n}, T = {T}" for n in counts]
        plane.scatter(
            range(len(counts)), [row] * len(counts), keys=[f"room of {name}" for name in names], color=PAPER,
            edgecolor=MUTED, size=330, linewidth=0.8, z=1)
        plane.scatter(
            range(len(counts)), [row] * len(counts), keys=names, color=BLUE, size=330 * shares[row] + 1e-3,
            tell={"share": shares[row]})
    _mark_counts(plane, counts, d)
    _phase_curves_panel(drawing, counts, lengths, shares, bounds, d)
    return drawing


def _phase_curves_panel(
    drawing: Drawing, counts: Sequence[int], lengths: Sequence[int], shares: NDArray,
    bounds: Sequence[NDArray | Sequence[float]], d: int,
) -> None:
    """The shares over n for the smallest and the largest T, with the law of each."""
    curves = drawing.panel(
        "curves", xlim=(-0.6, len(counts) - 0.4), ylim=(0, 1.06), height=300, xlabel="sequences $n$",
        title="share against $n$", xticks=dict(enumerate(map(str, counts))))
    for row, colour in ((0, BLUE), (len(lengths) - 1, VERMILION)):
        curves.scatter(
            range(len(counts)), shares[row], keys=[f"T = {lengths[row]} at n = {n}" for n in counts],
            color=colour, size=40, marker="o" if row == 0 else "s")
    for name, bound, colour, dashes in (
        ("two tokens", bounds[0], BLUE, "-"), ("many tokens", bounds[1], VERMILION, "--"),
    ):
        curves.plot(range(len(counts)), bound, key=f"law for {name}", color=colour, linestyle=dashes, z=1)
    _mark_counts(curves, counts, d)


def _mark_counts(panel: Panel, counts: Sequence[int], d: int) -> None:
    """Upright lines at n = d and n = 2 d, where these are in the panel."""
    for factor, dashes, name in ((1, ":", "n = d"), (2, "--", "n = 2d")):
        if factor * d <= counts[-1]:
            panel.vlines(
                np.interp(factor * d, counts, range(len(counts))), key=name, color=MUTED, linestyle=dashes)


def valleys_drawing(
    axis: NDArray, losses: NDArray, path: NDArray, moments: NDArray, leads: NDArray, pulls: NDArray,
    rays: Sequence[NDArray],
) -> Drawing:
    """The loss over w with a path (k, 2) of descent, and the leads (k, 2) of the best tokens over its steps.

    `losses` (m, m) on the grid of `axis`, `rays` two directions (2,). Asides are the `pulls` (2, 2) of the
    two sequences at the start, and the direction in which the path ends.
    """
    drawing = Drawing()
    low, high = SAME_SCALE * axis[[0, -1]]
    plane = drawing.panel(
        "loss", xlim=(axis[0], axis[-1]), ylim=(low, high), height=330, xlabel="$w_1$",
        ylabel="$w_2$", title="the loss over w", xticks=(-10, 0, 10), yticks=(-10, 0, 10))
    levels = np.linspace(losses.min(), losses.max(), 12)[1:-1]
    plane.contour(
        axis, axis, losses, levels=levels, key="level lines", color=MUTED, linewidth=0.8, vertices=36)
    for (name, colour), way in zip(RAYS, rays, strict=True):
        plane.plot(*np.array([(0, 0), 30 * way]).T, key=name, color=colour, linestyle="--", z=1)
    plane.plot(*path.T, key="path", color=BLUE, linewidth=2)
    plane.scatter(*path[:1].T, keys=["start"], color=BLUE, edgecolor=INK, size=46, tell=("w₁", "w₂"), z=4)
    _draw_pulls(plane, path[0], pulls)
    with plane.aside("end"):
        end = 6 * path[-1] / np.linalg.norm(path[-1])
        plane.arrow((0, 0), end, key="direction at the end", color=INK, linewidth=3)
    _leads_panel(drawing, moments, leads)
    return drawing


def _draw_pulls(plane: Panel, start: NDArray, pulls: NDArray) -> None:
    """The pulls of the sequences at the start, the longer of length 3."""
    longest = np.linalg.norm(pulls, axis=1).max()
    with plane.aside("pulls"):
        for (name, colour, _), pull in zip(SEQUENCES, pulls, strict=True):
            plane.arrow(start, start + 3 * pull / longest, key=f"pull of {name}", color=colour)


def _leads_panel(drawing: Drawing, moments: NDArray, leads: NDArray) -> None:
    """Above zero the best token of the sequence is ahead; leads beyond 25 end at the edge."""
    panel = drawing.panel(
        "leads", xlim=(1, moments[-1] + 1), ylim=(-25, 25), height=330, xscale="log", xlabel="steps + 1",
        title="lead of the best token", xticks=[1, 10, 100, 1000], yticks=(-20, 0, 20))
    panel.hlines(0, key="tie", color=INK, linestyle=":")
    for (name, colour, dashes), lead in zip(SEQUENCES, leads.T, strict=True):
        shown = np.clip(lead, -25, 25)
        panel.plot(moments + 1, shown, key=f"lead of {name}", color=colour, linestyle=dashes)
        panel.annotate(name, (moments[2] + 1, shown[2]), key=f"name of {name}", color=colour)


def gram_drawing(matrix: NDArray, multipliers: NDArray, limit: float) -> Drawing:
    """A Gram matrix (N, N) and its multipliers (N,), with the `limit` of these dashed."""
    drawing, N = Drawing(), len(matrix)
    plane = drawing.panel(
        "Gram matrix", xlim=(0, N), ylim=(N, 0), height=330, title="Gram matrix G", xticks=[], yticks=[])
    plane.image(np.clip(matrix, -2, 2), key="entries of G", extent=(0, N, N, 0))
    bars = drawing.panel(
        "multipliers", xlim=(-0.8, 1.6), ylim=(N - 0.4, -0.6), height=330, title="multipliers λ", yticks=[])
    bars.barh(
        range(N), np.clip(multipliers, -0.8, 1.6), keys=[f"multipliers {k + 1}" for k in range(N)],
        tell={"λ": multipliers}, color=[VERMILION if value < 0 else BLUE for value in multipliers])
    bars.vlines(limit, key="limit", color=INK, linestyle="--")
    bars.vlines(0, key="zero", color=MUTED, linestyle="-")
    return drawing


def detour_drawing(way: NDArray, t: float, heights: NDArray, peaks: NDArray, level: float) -> Drawing:
    """The losses on the `way` W1, W1 + t U, W2 + t U, W2, and the peak for each height; `level` dotted."""
    drawing = Drawing()
    panel = drawing.panel(
        "loss on the way", xlim=(0, 3), ylim=(0.3, 0.85), title="loss on the way",
        xticks={0: "$W_1$", 1: "up", 2: "across", 3: "$W_2$"})
    panel.hlines(level, key="level", color=INK, linestyle=":")
    panel.plot(np.linspace(0, 3, len(way)), way, key="loss", color=BLUE)
    top = drawing.panel(
        "highest loss", xlim=(heights[0], heights[-1]), ylim=(0.3, 0.85), xlabel="height $t$ of the detour",
        title="highest loss on the way")
    top.hlines(level, key="level", color=INK, linestyle=":")
    top.plot(heights, peaks, key="highest", color=BLUE)
    top.scatter(
        [t], [max(way)], keys=["now"], color=BLUE, size=46, edgecolor=INK, tell=("t", "loss"), z=4)
    return drawing


def token_weights_drawing(iterations: NDArray, weights: NDArray, names: Sequence[str]) -> Drawing:
    """The weights of three tokens over the steps of plain descent, on a logarithmic axis."""
    drawing = Drawing()
    panel = drawing.panel(
        "weights", xlim=(iterations[0], iterations[-1]), ylim=(0, 1.04), xscale="log", xlabel="steps",
        title="attention weights", xticks=[1, 10, 100, 1000, 10_000])
    for name, row, colour, dashes in zip(
        names, weights.T, (BLUE, VERMILION, MUTED), ("-", "--", ":"), strict=True
    ):
        panel.plot(iterations, row, key=name, color=colour, linestyle=dashes, tell=("steps", "weight"))
        place = len(row) * 3 // 4 if name != "bad token" else len(row) // 4
        panel.annotate(name, (iterations[place], row[place]), key=f"name of {name}", color=colour, link=name)
    return drawing


def shares_drawing(
    dimensions: Sequence[int], whole: Sequence[tuple[float, float, float]], single: Sequence[float], d: int,
    threshold: float,
) -> Drawing:
    """Shares of runs (share, low, high) and of tokens over the dimension, on a logarithmic axis."""
    drawing = Drawing()
    panel = drawing.panel(
        "shares", xlim=(1.7, 48), ylim=(0, 1.04), xscale="log", xlabel="dimension $d$",
        title="share that is optimal", xticks=list(dimensions))
    panel.vlines(threshold, key="threshold", color=MUTED)
    for k, (_, low, high) in zip(dimensions, whole, strict=True):
        panel.plot([k, k], [low, high], key=f"interval at d = {k}", color=BLUE, linewidth=1.5)
    panel.scatter(
        dimensions, [share for share, *_ in whole], keys=[f"runs at d = {k}" for k in dimensions],
        color=[BLUE if k == d else PAPER for k in dimensions], edgecolor=BLUE, size=50, tell=("d", "share"))
    panel.scatter(
        dimensions, single, keys=[f"tokens at d = {k}" for k in dimensions], marker="s", edgecolor=VERMILION,
        color=[VERMILION if k == d else PAPER for k in dimensions], size=40, tell=("d", "share"))
    panel.annotate("tokens", (dimensions[0], single[0]), key="name of tokens", color=VERMILION)
    panel.annotate("runs", (dimensions[0], whole[0][0]), key="name of runs", color=BLUE)
    return drawing


@in_style
def local_minimum_figure(across: NDArray, up: NDArray, losses: NDArray, minimum: NDArray) -> Figure:
    """Level lines of a loss in the plane of w, with a local minimum marked."""
    figure, ax = new_axes(3.6, xlabel="$w_1$", ylabel="$w_2$")
    levels = np.linspace(losses.min(), np.quantile(losses, 0.7), 16)[1:]
    ax.contour(across, up, losses, levels=levels, colors=[BLUE], linewidths=0.9)
    ax.plot(*minimum, marker="x", markersize=9, color=VERMILION, markeredgewidth=2)
    return figure
