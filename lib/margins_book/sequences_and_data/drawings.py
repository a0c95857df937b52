"""Drawings of sequences: masks, twins, balls of p-norms, layers, idle tokens, digits and texts."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from explorable import Drawing, Panel
from explorable.palette import BLUE, GREEN, INK, MUTED, ORANGE, PAPER, PURPLE, SKY, VERMILION
from explorable.style import WIDTH, in_style
from margins_book.drawing.planes import (
    CLASS_COLOURS,
    CLASS_MARKERS,
    draw_head,
    level_ends,
    new_plane,
    point_keys,
    span,
)
from margins_book.drawing.progress import draw_progress

if TYPE_CHECKING:  # matplotlib takes long to load, and a built page that runs Python has none
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

THIN: dict[str, Any] = {"linewidth": 1.3}
SMALL: dict[str, Any] = {"fontsize": 13}  # the least that is legible on a narrow phone
MACHINES = {"Frobenius norm": (BLUE, ":"), "max norm": (VERMILION, "--")}  # colour, dashes
ASIDES = {
    "head": "the head v: the score of a token is its inner product with v, times the label of "
    "the token that asks",
    "scores": "the scores of the tokens that are seen"}
STYLES = (("o", BLUE, "-"), ("t", VERMILION, "--"), ("r", ORANGE, ":"))  # the tokens of the first sequence


def position_keys(count: int) -> list[str]:
    """Names of the positions of a sequence; the first is token 1."""
    return [f"token {t + 1}" for t in range(count)]


def weights_panel(
    drawing: Drawing, name: str, weights: NDArray, allowed: NDArray, *, asked: int | None = None,
    title: str = "",
) -> Panel:
    """A disc a weight, rows are queries from above, columns the tokens they see; one row between lines."""
    T = len(weights)
    panel = drawing.panel(
        name, xlim=(-0.6, T - 0.4), ylim=(T - 0.4, -0.6), title=title, xlabel="token", ylabel="query",
        xticks={t: f"{t + 1}" for t in range(T)}, yticks={t: f"{t + 1}" for t in range(T)})
    for k in range(T):
        names, seen = position_keys(T), np.flatnonzero(allowed[k])
        keys = [f"query {k + 1} on {names[t]}" for t in seen]
        panel.scatter(
            seen, np.full(len(seen), k), keys=keys, size=420 * weights[k, seen] + 1e-3, color=BLUE,
            links=[names[t] for t in seen], tell={"attention": weights[k, seen]})
        hidden = np.flatnonzero(~allowed[k])
        panel.scatter(
            hidden, np.full(len(hidden), k), keys=[f"query {k + 1} hides {names[t]}" for t in hidden],
            size=20, marker="x", color=MUTED)
    if asked is not None:
        for side, name in ((-0.5, "row begins"), (0.5, "row ends")):
            panel.hlines(asked + side, key=name, color=VERMILION)
    return panel


def counterexample_drawing(
    sequences: NDArray, scores: NDArray, moved: tuple[float, float], margins: NDArray | Sequence[float],
    excess: NDArray, extent: tuple[float, float, float, float],
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
            edgecolor=colour, linewidth=2, tell=("x₁", "x₂"))
        for t in range(3):
            offset = (14, 12) if (i, t) == moved else (11, 6)
            plane.annotate(f"{t + 1}", X[t], key=f"name of {names[t]}", offset=offset, link=names[t])
    bars = drawing.panel(
        "margins", xlim=(0, 0.6), ylim=(1.4, -0.7), xlabel="margin $\\Gamma$",
        title="at 0 no $W$ selects all", yticks=[])
    keys = ["full margin", "causal margin"]
    bars.barh([0, 1], margins, keys=keys, color=[ORANGE, SKY], height=0.5, tell="margin")
    for place, key in enumerate(keys):
        bars.annotate(key, (0, place), key=f"name of {key}", offset=(3, 32), ha="left", link=key)
    return drawing


def twin_drawing(
    tokens: NDArray, twin: NDArray, chosen: int, w: NDArray, distances: NDArray, margins: dict[str, NDArray],
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
        *twin[:, None], keys=["twin"], size=90, marker="D", color=PAPER, edgecolor=GREEN, linewidth=2, z=2)
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
        xlabel="distance $\\delta$ of the twin", title="margin $\\Gamma$", yticks=[0.001, 0.01, 0.1, 1])
    styles = zip(margins.items(), (BLUE, VERMILION, MUTED), ("-", "--", ":"), (-20, 8, -18), strict=True)
    for (kind, values), colour, dashes, above in styles:
        panel.plot(distances, values, key=f"twin of {kind}", color=colour, linestyle=dashes)
        panel.annotate(
            f"of {kind} token", (distances[8], values[8]), key=f"name of twin of {kind}", offset=(0, above),
            ha="left", link=f"twin of {kind}", size=12)
    kind, place = now
    panel.scatter(
        [distances[place]], [margins[kind][place]], keys=["margin now"], color=INK, size=46, tell=("δ", "Γ"))


def optimiser_drawing(
    tokens: NDArray, weights: NDArray, way: NDArray, rays: dict[str, NDArray], steps: Sequence[int],
    angles: dict[str, NDArray], now: int,
) -> Drawing:
    """One sequence, where an optimiser sends its query, and how far W is from two machines over `steps`.

    `way` (2,) is W z as trained, `rays` those of the machines by the name of their norm, `angles` are in
    degrees; token 0 is the best.
    """
    drawing, keys = Drawing(), point_keys(len(tokens), "token")
    plane = new_plane(drawing, "tokens", half_width=3.6)
    plane.scatter(
        *tokens.T, keys=[f"attention on {key}" for key in keys], links=keys, size=900 * weights + 1e-3,
        color=GREEN, alpha=0.3, z=1)
    plane.scatter(
        *tokens.T, keys=keys, size=[70, *[30] * (len(tokens) - 1)], tell={"attention": weights},
        color=[GREEN, *[INK] * (len(tokens) - 1)])
    for name, (colour, dashes) in MACHINES.items():
        ray = 2.6 * rays[name] / np.linalg.norm(rays[name])
        plane.plot(
            *np.array([[0, 0], ray]).T, key=f"ray of {name}", color=colour, linestyle=dashes, link=name)
    plane.arrow((0, 0), 1.7 * way / np.linalg.norm(way), key="W z", color=GREEN, linewidth=3)
    panel = drawing.panel(
        "angle", xlim=(1, steps[-1]), ylim=(0.1, 600), xscale="log", yscale="log", xlabel="training steps",
        title="angle of W to two machines, degrees", xticks=[1, 10, 100, 1000], yticks=[0.1, 1, 10, 100])
    for level, (name, (colour, dashes)) in zip((250, 90), MACHINES.items(), strict=True):
        draw_progress(panel, name, steps, np.maximum(angles[name], 0.1), now, colour, dashes)
        panel.annotate(
            f"to that of the {name}", (steps[-1], level), key=f"name of {name}", color=colour, link=name,
            offset=(-6, 0), ha="right")
    return drawing


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
        title="entries of the machine", xticks=[1.1, 2, 4, 8])
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
        title="correlation with its machine")
    places = np.arange(len(correlations))
    colours = (MUTED, BLUE, VERMILION)[: len(correlations)]
    bars.barh(
        places, list(correlations.values()), keys=list(correlations), color=colours, height=0.3, tell="corr")
    for place, name in enumerate(correlations):
        bars.annotate(name, (0, place), key=f"name of {name}", offset=(3, 17), ha="left", size=12, link=name)
    return drawing


def triangle_drawing(
    tokens: NDArray, labels: NDArray, seen: tuple[NDArray, NDArray, NDArray], asked: int,
    directions: tuple[NDArray, NDArray], head: NDArray,
) -> Drawing:
    """The tokens as the query at `asked` sees them, and the weights (T, T) of all queries.

    `seen` are the weights, which tokens are allowed, and the scores, all (T, T) with a row for each query;
    `directions` are W x of that query, trained and of the machine. A query that sees itself alone has no ray
    and no hyperplane.
    """
    weights, allowed, scores = (table[asked] for table in seen)
    towards, ray = directions
    drawing, names = Drawing(), position_keys(len(tokens))
    limits = span([tokens[:, 0], 1.5 * tokens[:, 1]], least=(-3.4, 3.4))  # it is 1.5 times as wide as high
    plane = new_plane(drawing, "tokens", half_width=max(-limits[0], limits[1]))
    _attended(plane, tokens, labels, weights, allowed, asked)
    if towards.any():
        plane.arrow((0, 0), 1.7 * towards / np.linalg.norm(towards), key="query", color=GREEN, linewidth=3)
    if ray.any() and allowed.sum() > 1:
        _hyperplanes(plane, tokens, allowed, ray, int(np.where(allowed, scores, -np.inf).argmax()))
    draw_head(plane, head)
    with plane.aside("scores"):
        for t in np.flatnonzero(allowed):
            plane.annotate(
                f"{scores[t]:.1f}", tokens[t], key=f"score of {names[t]}", offset=(0, -24), size=12,
                link="scores")
    weights_panel(drawing, "all queries", seen[0], seen[1], asked=asked, title="attention of all queries")
    return drawing


def lift_drawing(tokens: NDArray, u: NDArray, leads: NDArray) -> Drawing:
    """Tokens in the plane with the arrow `u`, and its inner product with each of them as a bar."""
    drawing, names = Drawing(), position_keys(len(tokens))
    plane = new_plane(drawing, "tokens", half_width=2)
    plane.arrow((0, 0), u, key="u", color=VERMILION, linewidth=3)
    plane.annotate("$u$", 1.15 * u, key="name of u", link="u")
    plane.scatter(*tokens.T, keys=names, size=46, color=BLUE, tell=("x₁", "x₂"))
    for t, token in enumerate(tokens):
        plane.annotate(f"{t + 1}", token, key=f"name {t + 1}", offset=(-14, 8), link=names[t])
    bars = drawing.panel(
        "leads", xlim=(-1.6, 1.6), ylim=(2.6, -0.6), title="token 1 is ahead of token 2 by", ylabel="query",
        yticks={t: f"{t + 1}" for t in range(len(tokens))}, xticks=[-1, 0, 1])
    bars.barh(
        range(len(tokens)), leads, keys=[f"lead at query {t + 1}" for t in range(len(tokens))], links=names,
        color=[BLUE if lead > 0 else ORANGE for lead in leads], tell="lead")
    bars.vlines(0, key="level", color=MUTED)
    return drawing


def asked_drawing(every: NDArray, asked: NDArray, margins: NDArray) -> Drawing:
    """Correlations with two machines, a dot a problem, and the median margin of each layer as a bar."""
    drawing = Drawing()
    panel = drawing.panel(
        "correlations", xlim=(0.5, 1.02), ylim=(0.5, 1.02), xlabel="with the machine of all queries",
        title="with that of the queries asked", xticks=[0.6, 0.8, 1], yticks=[0.6, 0.8, 1])
    panel.plot([0.5, 1.02], [0.5, 1.02], key="both equal", color=MUTED, linestyle=":")
    panel.scatter(
        every, asked, keys=[f"problem {j + 1}" for j in range(len(every))], size=36, color=BLUE,
        tell=("all", "asked"))
    bars = drawing.panel(
        "margins", xlim=(0, 1), ylim=(1.6, -0.6), title="median margin $\\Gamma$", xticks=[0, 0.5, 1],
        ylabel="layer", yticks={l: f"{l + 1}" for l in range(len(margins))})
    bars.barh(range(len(margins)), margins, keys=["margin 1", "margin 2"], color=VERMILION, tell="margin")
    return drawing


def losses_drawing(
    losses: dict[str, NDArray], now: int, counts: Sequence[int], right: NDArray
) -> Drawing:
    """Losses at the numbers of steps `counts`, and accuracies (moments, splits) over those of moment 0."""
    drawing, places, middle = Drawing(), np.arange(len(counts)), len(counts) // 2
    panel = drawing.panel(
        "losses", xlim=(-0.4, len(counts) - 0.6), ylim=(1e-4, 1), yscale="log", xlabel="training steps",
        title="loss", xticks={int(k): f"{count}" for k, count in zip(places, counts, strict=True)},
        yticks=[0.001, 0.01, 0.1, 1])
    for (name, values), colour, dashes in zip(losses.items(), (BLUE, VERMILION), ("-", "--"), strict=True):
        panel.plot(places, values, key=name, color=colour, linestyle=dashes)
        panel.scatter([now], [values[now]], keys=[f"{name} now"], color=colour, size=46, tell=("at", "loss"))
        offset = (-6, 14) if name == "new images" else (-10, 16)
        panel.annotate(
            name, (middle, values[middle]), key=f"name of {name}", offset=offset, ha="left", size=12,
            link=name)
    plane = drawing.panel(
        "accuracies", xlim=(0.86, 1), ylim=(0.86, 1), xlabel="accuracy at the start", title="accuracy now",
        xticks=[0.9, 0.95, 1], yticks=[0.9, 0.95, 1])
    plane.plot([0.86, 1], [0.86, 1], key="no gain", color=MUTED, linestyle=":")
    plane.scatter(
        right[0], right[now], keys=[f"split {j + 1}" for j in range(right.shape[1])], size=36,
        color=VERMILION, tell=("start", "now"))
    return drawing


def leads_drawing(leads: NDArray, predicted: NDArray, chances: NDArray) -> Drawing:
    """The path (m, 2) of the leads of sat over ran and over fell, and the chances of the three words."""
    drawing, words = Drawing(), ("sat", "ran", "fell")
    plane = drawing.panel(
        "leads", xlim=(-0.5, 11.5), ylim=(-0.5, 11.5), xlabel="lead over ran", title="lead of sat over fell")
    if chances[1] > 0:
        plane.vlines(np.log(chances[0] / chances[1]), key="log-odds", color=MUTED)
    plane.plot(*leads.T, key="path", color=INK, linewidth=2.4)
    plane.scatter(*leads[-1:].T, keys=["end of the path"], color=INK, size=46, tell=("over ran", "over fell"))
    bars = drawing.panel(
        "words", xlim=(0, 1.05), ylim=(2.6, -0.6), title="after the cat", xticks=[0, 0.5, 1],
        yticks=dict(enumerate(words)))
    keys = [f"chance of {word}" for word in words]
    bars.barh(range(3), predicted, keys=keys, color=SKY, tell="probability")
    for row, (word, p) in enumerate(zip(words, chances, strict=True)):
        bars.plot([p, p], [row - 0.45, row + 0.45], key=f"data: {word}", color=VERMILION, linewidth=3)
    return drawing


def _attended(
    plane: Panel, tokens: NDArray, labels: NDArray, weights: NDArray, allowed: NDArray, asked: int
) -> None:
    """Discs as large as the attention, hidden tokens hollow, a ring around the token that asks."""
    names = position_keys(len(tokens))
    colours = [CLASS_COLOURS[int(y)] for y in labels]
    plane.scatter(
        *tokens.T, keys=[f"attention on {n}" for n in names], links=["attention"] * len(names),
        size=900 * weights + 1e-3, color=colours, alpha=0.3, z=1)
    plane.scatter(
        *tokens.T, keys=names, size=34, marker=[CLASS_MARKERS[int(y)] for y in labels], edgecolor=colours,
        color=[c if a else PAPER for c, a in zip(colours, allowed, strict=True)], tell={"attention": weights})
    plane.scatter(
        *tokens[asked][:, None], keys=["the one that asks"], size=170, color=PAPER, edgecolor=INK,
        linewidth=2, z=0.5)
    for t, token in enumerate(tokens):
        plane.annotate(f"{t + 1}", token, key=f"name {t + 1}", offset=(12, 6), link=names[t])


def _hyperplanes(plane: Panel, tokens: NDArray, allowed: NDArray, ray: NDArray, best: int) -> None:
    """The lines across the machine's ray through the best token and through the next one."""
    unit = ray / np.linalg.norm(ray)
    along = np.where(allowed, tokens @ unit, -np.inf)
    next_best = np.delete(along, best).max()
    plane.plot(*np.array([[0, 0], 3 * unit]).T, key="ray", color=GREEN, linestyle=":")
    for level, name, dashes in ((along[best], "margin", "--"), (next_best, "edge of the others", ":")):
        plane.plot(*level_ends(plane, unit, 0, level).T, key=name, color=MUTED, linestyle=dashes, **THIN)


@in_style
def six_problems_figure(sequences: NDArray, labels: NDArray, head: NDArray) -> "Figure":
    """The problems of two sequences of three tokens under a causal mask: a row each.

    Arrows lead to the best token from the other tokens that are seen; a thick line is the query.
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, 3.3))
    figure.subplots_adjust(left=0.02, right=0.98, bottom=0.02, top=0.9, wspace=0.08, hspace=0.3)
    axes = figure.subplots(2, 3)
    for i, k in np.ndindex(2, 3):
        _small_problem(axes[i, k], sequences[i, : k + 1], float(labels[i, k]), head)
    return figure


def _small_problem(axes: "Axes", tokens: NDArray, label: float, head: NDArray) -> None:
    """The prefix whose last token asks: its tokens with their numbers, its best token, its query."""
    asks, best = tokens[-1], int((label * tokens @ head).argmax())
    sign = "+" if label > 0 else "−"
    axes.set(xlim=(-4.3, 4.3), ylim=(-1.6, 4.4), xticks=[], yticks=[], aspect="equal")
    axes.set_title(f"{len(tokens)} asks, label {sign}", **SMALL)
    axes.plot(*np.array([[0, 0], asks]).T, color=GREEN, linewidth=4, alpha=0.4)
    axes.plot(0, 0, "+", color=MUTED)
    for number, token in enumerate(tokens):
        colour = CLASS_COLOURS[int(label)]
        axes.plot(*token, "o", color=colour, markersize=5)
        axes.annotate(f"{number + 1}", token, (4, 4), textcoords="offset points", **SMALL)
        if number != best:
            arrow = {"arrowstyle": "->", "color": VERMILION if label < 0 else BLUE, "linewidth": 1.4}
            axes.annotate("", tokens[best], token, arrowprops=arrow)
    axes.plot(*tokens[best], "o", markersize=11, fillstyle="none", color=INK)


def pruning_drawing(
    path: NDArray, first: NDArray, weights: NDArray, machine: NDArray, length: float
) -> Drawing:
    """The path (m, 2) of w, the lines where another token overtakes the best one, and the attention (m, T).

    `first` (T, 2) are the tokens of the first sequence that are kept, `machine` (2,) the shortest w.
    """
    drawing = Drawing()
    plane = new_plane(drawing, "plane of w", half_width=12, centre=(9, 8), of="w")
    for (name, colour, dashes), token in list(zip(STYLES, first, strict=False))[1:]:
        _draw_tie(plane, first[0] - token, name, colour, dashes)
    plane.plot(*np.outer(machine, [0, 8]), key="machine", color=GREEN, linestyle="-.")
    plane.annotate(
        "machine", 6.5 * machine, key="name of the machine", offset=(6, -18), link="machine", size=12)
    plane.plot(*path.T, key="path of w", color=INK, linewidth=2.4)
    plane.scatter(*path[-1:].T, keys=["end of the path"], color=INK, size=46, tell=("w₁", "w₂"))
    panel = drawing.panel(
        "attention", xlim=(0, length), ylim=(-0.03, 1.12), xlabel="length of the path", yticks=[0, 0.5, 1],
        title="attention of the first sequence")
    walked = np.linspace(0, length, len(path))
    for (name, colour, dashes), line in zip(STYLES, weights.T, strict=False):
        panel.plot(walked, line, key=f"attention on {name}", color=colour, linestyle=dashes)
        panel.annotate(
            f"${name}$", (walked[-1], line[-1]), key=f"name of {name}", offset=(-14, 6),
            link=f"attention on {name}")
    return drawing


def _draw_tie(plane: Panel, row: NDArray, name: str, colour: str, dashes: str) -> None:
    """The line on which a token has the logit of the best one, which leads to the right of it."""
    plane.plot(
        *level_ends(plane, row, 0, 0).T, key=f"tie of o and {name}", color=colour, linestyle=dashes,
        linewidth=1.3)
    up = np.array([-row[1], row[0]]) / row[0]  # along the line, with w2 = 1
    place = min(14, 19 / max(up[0], 1)) * up
    plane.annotate(
        f"$o={name}$", place, key=f"name of the tie with {name}", link=f"tie of o and {name}", size=12)


def digit_drawing(image: NDArray, weights: NDArray, scores: NDArray, limits: tuple[float, float]) -> Drawing:
    """A digit with a disc on each of its 16 patches, and the attention of the patches over their scores."""
    drawing, names = Drawing(), [f"patch {t + 1}" for t in range(len(weights))]
    side = len(image)
    panel = drawing.panel(
        "image", xlim=(-side / 4, side * 1.25), ylim=(side, 0), height=256, xticks=[], yticks=[], frame=False)
    panel.image(image, key="digit", extent=(0, side, side, 0), color=INK, vmax=1.6)
    rows, columns = np.divmod(np.arange(len(weights)), side // 2)
    panel.scatter(
        2 * columns + 1, 2 * rows + 1, keys=names, size=500 * weights + 1e-3, color=VERMILION, alpha=0.75,
        tell={"attention": weights})
    plot = drawing.panel(
        "scores", xlim=limits, ylim=(0, 1), xlabel="score $\\gamma_t$", title="attention $s_t$", height=256)
    plot.vlines(0, key="no help", color=MUTED)
    plot.scatter(
        scores, weights, keys=[f"{n} among the scores" for n in names], links=names, size=36, color=VERMILION,
        tell=("score", "attention"))
    return drawing


def sentence_drawing(
    words: Sequence[str], weights: NDArray, scores: NDArray, limits: tuple[float, float]
) -> Drawing:
    """A text, a word a row, with its attention and its scores as bars."""
    drawing, T = Drawing(), len(words)
    names = [f"{t + 1} {word}" for t, word in enumerate(words)]
    rows = {"ylim": (T - 0.4, -0.6), "yticks": [], "height": 26 * T + 60}
    left = drawing.panel("attention", xlim=(-0.75, 1), title="attention $s_t$", xticks=[0, 0.5, 1], **rows)
    left.barh(range(T), weights, keys=names, color=BLUE, tell="attention")
    for t, word in enumerate(words):
        left.annotate(
            word, (-0.75, t), key=f"word {t + 1} {word}", offset=(4, -4), ha="left", size=12, link=names[t])
    right = drawing.panel("scores", xlim=limits, title="score $\\gamma_t$", **rows)
    right.barh(
        range(T), scores, keys=[f"score of {n}" for n in names], links=names, tell="score",
        color=[GREEN if score > 0 else ORANGE for score in scores])
    return drawing
