"""Figures of sequences: a token that a mask may see, twins, balls of p-norms, two layers.

(book: Sequences, causality, depth and real data)
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorable import Drawing, Panel
from explorable.palette import BLUE, GREEN, INK, MUTED, ORANGE, PAPER, PURPLE, SKY, VERMILION
from margins_book.drawing.planes import level_ends, new_plane

THIN: dict[str, Any] = {"linewidth": 1.3}


def position_keys(count: int) -> list[str]:
    """Names of the positions of a sequence; the first is token 1."""
    return [f"token {t + 1}" for t in range(count)]


def weights_panel(
    drawing: Drawing,
    name: str,
    weights: NDArray,
    allowed: NDArray,
    *,
    asked: int | None = None,
    title: str = "",
) -> Panel:
    """A disc a weight, rows are queries from above, columns the tokens they see; one row between lines."""
    T = len(weights)
    panel = drawing.panel(
        name, xlim=(-0.6, T - 0.4), ylim=(T - 0.4, -0.6), title=title, xlabel="token", ylabel="query",
        xticks={t: f"{t + 1}" for t in range(T)}, yticks={t: f"{t + 1}" for t in range(T)},
    )  # fmt: skip
    for k in range(T):
        names, seen = position_keys(T), np.flatnonzero(allowed[k])
        keys = [f"query {k + 1} on {names[t]}" for t in seen]
        panel.scatter(
            seen, np.full(len(seen), k), keys=keys, size=420 * weights[k, seen] + 1e-3, color=BLUE,
            links=[names[t] for t in seen], tell={"attention": weights[k, seen]},
        )  # fmt: skip
        hidden = np.flatnonzero(~allowed[k])
        panel.scatter(
            hidden, np.full(len(hidden), k), keys=[f"query {k + 1} hides {names[t]}" for t in hidden],
            size=20, marker="x", color=MUTED,
        )  # fmt: skip
    if asked is not None:
        for side, name in ((-0.5, "row begins"), (0.5, "row ends")):
            panel.hlines(asked + side, key=name, color=VERMILION)
    return panel


def counterexample_drawing(
    sequences: NDArray,
    scores: NDArray,
    moved: tuple[float, float],
    margins: NDArray | Sequence[float],
    excess: NDArray,
    extent: tuple[float, float, float, float],
) -> Drawing:
    """Two sequences of three tokens, the map of causal minus full margin, and both margins as bars.

    `excess` is the map over the places of token `moved` = (sequence, token), `extent` its (x0, x1, y0, y1).
    """
    drawing = Drawing()
    plane = new_plane(drawing, "tokens", half_width=3.7, centre=(0.2, 0))
    plane.image(excess, key="map", extent=extent, color=SKY, negative=ORANGE)
    for i, (X, marker, colour) in enumerate(zip(sequences, "os", (BLUE, VERMILION), strict=True)):
        names = [f"{'circle' if i == 0 else 'square'} {t + 1}" for t in range(3)]
        plane.scatter(
            *X.T, keys=names, marker=marker, size=60, color=[colour if y > 0 else PAPER for y in scores[i]],
            edgecolor=colour, linewidth=2, tell=("x₁", "x₂"),
        )  # fmt: skip
        for t in range(3):
            offset = (14, 12) if (i, t) == moved else (11, 6)
            plane.annotate(f"{t + 1}", X[t], key=f"name of {names[t]}", offset=offset, link=names[t])
    bars = drawing.panel(
        "margins", xlim=(0, 0.6), ylim=(1.6, -0.6), xlabel="margin $\\Gamma$", title="0: no $W$ selects all",
        yticks={0: "full", 1: "causal"},
    )  # fmt: skip
    bars.barh([0, 1], margins, keys=["full margin", "causal margin"], color=[ORANGE, SKY], tell="margin")
    return drawing


def twin_drawing(
    tokens: NDArray,
    twin: NDArray,
    chosen: int,
    w: NDArray,
    distances: NDArray,
    margins: dict[str, NDArray],
    now: tuple[str, int],
) -> Drawing:
    """Tokens with a twin and the street of the machine; the margin over the distance of each kind of twin.

    `margins` maps the kinds to their margins over `distances`; `now` is (kind, place in `distances`).
    """
    drawing = Drawing()
    plane = new_plane(drawing, "tokens", half_width=2.2)
    names, unit = position_keys(len(tokens)), w / np.linalg.norm(w)
    every = np.vstack([tokens, twin])
    levels = (tokens[chosen] @ unit, np.delete(every, chosen, axis=0).dot(unit).max())
    for level, name, dashes in zip(levels, ("margin", "edge of the others"), ("--", ":"), strict=True):
        plane.plot(*level_ends(plane, unit, 0, level).T, key=name, color=VERMILION, linestyle=dashes, **THIN)
    plane.arrow((0, 0), 1.6 * unit, key="direction of W z", color=VERMILION, linewidth=3)
    colours = [BLUE if t == chosen else INK for t in range(len(tokens))]
    plane.scatter(*tokens.T, keys=names, size=46, color=colours, tell=("x₁", "x₂"))
    plane.scatter(
        *twin[:, None], keys=["twin"], size=90, marker="D", color=PAPER, edgecolor=GREEN, linewidth=2, z=2
    )
    for t, token in enumerate(tokens):
        plane.annotate(f"{t + 1}", token, key=f"name {t + 1}", offset=(-13, 8), link=names[t])
    _twin_margins_panel(drawing, distances, margins, now)
    return drawing


def _twin_margins_panel(
    drawing: Drawing, distances: NDArray, margins: dict[str, NDArray], now: tuple[str, int]
) -> None:
    """The margin over the distance of a twin, a curve for each kind of token that has one."""
    panel = drawing.panel(
        "margin", xlim=(distances[0], distances[-1]), ylim=(5e-4, 2), xscale="log", yscale="log",
        xlabel="distance $\\delta$ of the twin", title="margin $\\Gamma$", yticks=[0.001, 0.01, 0.1, 1],
    )  # fmt: skip
    styles = zip(margins.items(), (BLUE, VERMILION, MUTED), ("-", "--", ":"), (-20, 8, -18), strict=True)
    for (kind, values), colour, dashes, above in styles:
        panel.plot(distances, values, key=f"twin of {kind}", color=colour, linestyle=dashes)
        panel.annotate(
            f"of {kind} token", (distances[8], values[8]), key=f"name of twin of {kind}", offset=(0, above),
            ha="left", link=f"twin of {kind}", size=12,
        )  # fmt: skip
    kind, place = now
    panel.scatter(
        [distances[place]], [margins[kind][place]], keys=["margin now"], color=INK, size=46, tell=("δ", "Γ")
    )


def ball_drawing(
    constraints: NDArray, w: NDArray, p: float, q: float, entries: tuple[NDArray, NDArray]
) -> Drawing:
    """The constraints a.w >= 1 in the plane of w, the ball of the p-norm that touches them, and its touch.

    Beside it the two entries of `w`, and of the vector of every p, `entries` = (ps, ws).
    """
    drawing = Drawing()
    plane = new_plane(drawing, "w", half_width=2.1, centre=(0.6, 0.4), of="w")
    for number, a in enumerate(constraints):
        plane.plot(*level_ends(plane, a, 0, 1).T, key=f"constraint {number + 1}", color=INK, **THIN)
    angles = np.linspace(0, 2 * np.pi, 97)
    circle = np.array([np.cos(angles), np.sin(angles)])
    size = (np.abs(w) ** p).sum() ** (1 / p)
    ball = size * circle / (np.abs(circle) ** p).sum(axis=0) ** (1 / p)
    plane.fill(*ball, key="ball", color=SKY, alpha=0.35)
    plane.arrow((0, 0), w, key="machine", color=VERMILION, linewidth=3)
    plane.scatter(*w[:, None], keys=["touch"], color=VERMILION, size=46, tell=("w₁", "w₂"))
    ps, ws = entries
    panel = drawing.panel(
        "entries", xlim=(ps[0], ps[-1]), ylim=(0, 1.1 * ws.max()), xscale="log", xlabel="$p$",
        title="entries of the machine", xticks=[1.1, 2, 4, 8],
    )  # fmt: skip
    for j, (colour, dashes) in enumerate(((BLUE, "-"), (PURPLE, "--"))):
        panel.plot(ps, ws[:, j], key=f"entry {j + 1}", color=colour, linestyle=dashes)
        panel.scatter([p], [w[j]], keys=[f"entry {j + 1} now"], color=colour, size=46, edgecolor=INK)
        above = 8 if ws[-6, j] == ws[-6].max() else -20
        panel.annotate(f"$w_{j + 1}$", (ps[-6], ws[-6, j]), key=f"name of entry {j + 1}", offset=(0, above))
    return drawing


def layers_drawing(first: NDArray, second: NDArray, correlations: dict[str, float]) -> Drawing:
    """The weights of two layers of one sequence, and what each layer correlates with, by name."""
    drawing, T = Drawing(), len(first)
    weights_panel(drawing, "layer 1", first, np.ones((T, T), dtype=bool), title="layer 1")
    seen = np.zeros((T, T), dtype=bool)
    seen[0] = True
    weights_panel(drawing, "layer 2", second, seen, title="layer 2")
    bars = drawing.panel(
        "correlation", xlim=(0, 1), ylim=(len(correlations) - 0.4, -0.9), yticks=[], xticks=[0, 0.5, 1],
        title="correlation with its machine",
    )  # fmt: skip
    places = np.arange(len(correlations))
    colours = (MUTED, BLUE, VERMILION)[: len(correlations)]
    bars.barh(
        places, list(correlations.values()), keys=list(correlations), color=colours, height=0.3, tell="corr"
    )
    for place, name in enumerate(correlations):
        bars.annotate(name, (0, place), key=f"name of {name}", offset=(3, 17), ha="left", size=12, link=name)
    return drawing
