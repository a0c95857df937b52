"""Drawings of the attention SVM: tokens, directions of queries, streets, trained matrices, normalisers."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from explorable import Drawing, Panel
from explorable.palette import BLUE, GREEN, INK, MUTED, PAPER, SKY, VERMILION
from explorable.style import in_style, new_axes
from margins.attention_svm import AttentionSVM
from margins_book.drawing.planes import (
    HANDLE_OFFSET,
    draw_head,
    half_width_around,
    level_ends,
    new_plane,
    point_keys,
)
from margins_book.drawing.progress import draw_progress
from margins_book.experiments.estimates import mean

SEQUENCES = (("circles", "o", BLUE), ("squares", "s", VERMILION))
COLOURS = [colour for *_, colour in SEQUENCES]
CENTRES = ((1.3, 0.3), (-1.4, -0.3))  # of the planes of both sequences
PATHS = ((GREEN, "-"), (VERMILION, "--"), (BLUE, "-."))  # of W, with a token on the edge, of K and Q
DIVISORS = ((BLUE, "-", "D"), (VERMILION, "--", "x"))  # colour, dashes, marker: nuclear norm, Frobenius norm
RUNS = {"stable": (BLUE, "-"), "textbook": (VERMILION, "--")}  # by the gradient of softmax that descends
NORMALISED = {"exp": (BLUE, "o", 2.0), "softplus": (VERMILION, "s", 1.6)}
FAINT = 0.004  # pulls below are not drawn


def trajectory_drawing(
    tokens: NDArray, weights: NDArray, towards: NDArray, rays: NDArray, steps: NDArray | Sequence[float],
    angles: NDArray, now: int, *, best: NDArray | Sequence[int],
) -> Drawing:
    """Tokens with their attention, where each query is sent, and the angle of W to its machine over `steps`.

    `towards` and `rays` (2, 2) hold W z_i in their columns, trained and of the machine; `angles` are in
    degrees; `now` is a place in `steps`, -1 before the first of them; `best` are the numbers of the tokens
    with the highest scores.
    """
    drawing = Drawing()
    _tokens_panel(drawing, tokens, weights, towards, rays, best)
    _angle_panel(drawing, steps, angles, now)
    return drawing


def path_drawing(
    tokens: NDArray, weights: NDArray, towards: NDArray, rays: NDArray, radii: NDArray | Sequence[float],
    lags: dict[str, NDArray], shown: str, now: int, *, best: NDArray | Sequence[int],
) -> Drawing:
    """The regularisation path named `shown` at place `now` of `radii`, R Gamma.

    Left as in `trajectory_drawing`; right R times the distance of W_R / R from its limit, a curve for each
    path of `lags`.
    """
    drawing = Drawing()
    _tokens_panel(drawing, tokens, weights, towards, rays, best)
    panel = drawing.panel(
        "lag", xlim=(1, radii[-1]), ylim=(-2, 14), yticks=[0, 5, 10], xscale="log", xlabel="R Γ",
        title="R times the distance from the limit", xticks=[1, 10, 100, 1000, 10_000])
    for (name, values), (colour, dashes) in zip(lags.items(), PATHS, strict=True):
        key, pale = f"lag of {name}", 1 if name == shown else 0.5
        panel.plot(radii, values, key=key, color=colour, linestyle=dashes, alpha=pale)
        panel.annotate(
            name, (radii[-1], values[-1]), key=f"name of {key}", color=colour, link=key, ha="right",
            offset=(-4, -18 if values[-1] < 1 else 8))
    panel.scatter(
        [radii[now]], [lags[shown][now]], keys=["now"], color=INK, tell=("R Γ", "R times the distance"))
    return drawing


def _tokens_panel(
    drawing: Drawing, tokens: NDArray, weights: NDArray, towards: NDArray, rays: NDArray,
    best: NDArray | Sequence[int],
) -> None:
    """The tokens with their attention, rings around the `best`, and arrows and rays of both queries."""
    plane = new_plane(drawing, "tokens", half_width=half_width_around(tokens, 3.4))
    _draw_attention(plane, tokens, weights)
    plane.scatter(
        *tokens[list(best)].T, keys=[f"ring of token {k}" for k in best], size=110, color=PAPER, z=1,
        edgecolor=INK, links=[f"token {k}" for k in best])
    for i, (name, _, colour) in enumerate(SEQUENCES):
        ray = rays[:, i] / np.linalg.norm(rays[:, i])
        plane.plot(*np.array([[0, 0], 3.1 * ray]).T, key=f"ray of {name}", color=colour, linestyle=":")
        if towards.any():
            arrow = 1.9 * towards[:, i] / np.linalg.norm(towards[:, i])
            plane.arrow((0, 0), arrow, key=name, color=colour, linewidth=3)


def column_angles(towards: NDArray, rays: NDArray) -> NDArray:
    """The angles in degrees between the columns of two matrices, 90 where a column is zero."""
    lengths = np.linalg.norm(towards, axis=0) * np.linalg.norm(rays, axis=0)
    cosines = (towards * rays).sum(axis=0) / np.where(lengths > 0, lengths, 1)
    return np.degrees(np.arccos(np.clip(cosines, -1, 1)))


def _draw_attention(plane: Panel, tokens: NDArray, weights: NDArray) -> None:
    """Both sequences, a disc behind each token as large as its attention."""
    keys = point_keys(len(tokens), "token")
    half = len(tokens) // 2
    styles = [SEQUENCES[i // half] for i in range(len(tokens))]
    plane.scatter(
        *tokens.T, keys=[f"attention on {key}" for key in keys], links=keys, size=900 * weights + 1e-3,
        color=[colour for *_, colour in styles], alpha=0.3, z=1)
    plane.scatter(
        *tokens.T, keys=keys, size=26, marker=[marker for _, marker, _ in styles],
        color=[colour for *_, colour in styles], tell={"attention": weights})
    for key, token, i in zip(keys, tokens, range(len(tokens)), strict=True):
        plane.annotate(f"{i}", token, key=f"name of {key}", offset=(10, 5), size=12, link=key)


def _angle_panel(drawing: Drawing, steps: NDArray | Sequence[float], angles: NDArray, now: int) -> None:
    """The angle in degrees over the steps on logarithmic axes, pale after the place `now`."""
    panel = drawing.panel(
        "angle", xlim=(1, steps[-1]), ylim=(0.5, 180), xscale="log", yscale="log", xlabel="training steps",
        title="angle of W to its machine, degrees", xticks=[1, 10, 100, 1000], yticks=[1, 10, 100])
    panel.plot(steps, angles, key="angle to come", color=GREEN, alpha=0.4, linewidth=1.3)
    if now >= 0:
        panel.plot(steps[: now + 1], angles[: now + 1], key="angle so far", color=GREEN)
        panel.scatter(
            [steps[now]], [angles[now]], keys=["now"], color=GREEN, tell=("step", "angle in degrees"))


def draw_asides(
    plane: Panel, tokens: NDArray, weights: NDArray, scores: NDArray, head: NDArray, colours: list[str]
) -> None:
    """All asides on the plane of the tokens.

    `tokens` (n, 2), `weights` (k, n / k) and `scores` (k, n / k) of k sequences, each with its colour.
    """
    draw_head(plane, head, color=GREEN)
    _draw_numbers(plane, "scores", tokens, [f"{score:.1f}" for score in scores.ravel()], GREEN)
    percent = [f"{share:.0%}" for share in weights.ravel()]
    _draw_numbers(plane, "weights", tokens, percent, INK)
    average = (weights * scores).sum(axis=1)  # (k,)
    pulls = weights * (scores - average[:, None])
    with plane.aside("average"):
        for number, (level, colour) in enumerate(zip(average, colours, strict=True)):
            sign = np.sign(scores[number] @ (tokens.reshape(*scores.shape, 2)[number] @ head))
            _draw_level(plane, number, sign * level, head, colour)
        _draw_pulls(plane, tokens, pulls.ravel(), np.repeat(colours, scores.shape[1]).tolist())


def _draw_numbers(plane: Panel, name: str, tokens: NDArray, texts: list[str], colour: str) -> None:
    """A number below each token."""
    with plane.aside(name):
        for number, (token, text) in enumerate(zip(tokens, texts, strict=True)):
            key = f"{name} of token {number}"
            plane.annotate(text, token, key=key, offset=(0, -24), size=12, color=colour)


def _draw_level(plane: Panel, number: int, level: float, head: NDArray, colour: str) -> None:
    """The line on which <v, x> has the value `level`, near where it crosses the head."""
    foot = level * head / (head @ head)
    across = 1.5 * np.array([-head[1], head[0]]) / np.linalg.norm(head)
    ends = np.array([foot - across, foot + across])
    plane.plot(*ends.T, key=f"average of sequence {number}", color=colour, linestyle="--")


def _draw_pulls(plane: Panel, tokens: NDArray, pulls: NDArray, colours: list[str]) -> None:
    """A plus on each token that pulls, a minus on each that pushes; both larger for more."""
    for number, (token, pull, colour) in enumerate(zip(tokens, pulls, colours, strict=True)):
        if abs(pull) < FAINT:
            continue
        size, key = 40 + 500 * min(abs(pull), 0.5), f"average and sign of token {number}"
        if pull > 0:
            plane.scatter(*token[:, None], keys=[key], marker="P", size=size, color=colour, z=6)
        else:
            plane.annotate("−", token, key=key, offset=(-12, -6), size=13 + 12 * min(abs(pull), 0.5), z=6)


def reviews_drawing(words: list[list[str]], weights: NDArray, scores: NDArray) -> Drawing:
    """The words of two reviews with their scores, (2, T), and a bar for the attention to each, (2, T)."""
    drawing = Drawing()
    for i, name in enumerate(("good review", "bad review")):
        panel = drawing.panel(
            name, xlim=(-0.75, 1), ylim=(len(words[i]) - 0.4, -0.6), height=220, title=f"attention, {name}",
            xticks=[0, 0.5, 1], yticks=[])
        panel.barh(range(len(words[i])), weights[i], keys=words[i], color=SKY, tell="attention")
        for place, (word, score) in enumerate(zip(words[i], scores[i], strict=True)):
            panel.annotate(
                f"{word}, {score:.1f}", (0, place), key=f"name of {word}", link=word, color=INK,
                offset=(-6, -4), ha="right", size=12)
    return drawing


def lead_drawing(lead: float, share: float, loss: float) -> Drawing:
    """The loss of two tokens over the lead of the right one, with its infimum, and below it the share."""
    drawing, places = Drawing(), np.linspace(-2, 8, 81)
    shares = 1 / (1 + np.exp(-places))
    losses = np.log1p(np.exp(-shares))
    curves = {"loss": (losses, loss, (0.28, 0.7)), "share of the attention": (shares, share, (0, 1.1))}
    for (name, (values, now, limits)), colour in zip(curves.items(), (GREEN, BLUE), strict=True):
        panel = drawing.panel(name, xlim=(-2, 8), ylim=limits, xlabel="lead $\\mu$", title=name, height=200)
        end = np.log1p(np.exp(-1)) if name == "loss" else 1
        panel.hlines(end, key="never reached", color=MUTED, linestyle=":")
        panel.plot(places, values, key=f"curve of {name}", color=colour)
        panel.scatter([lead], [now], keys=[f"{name} now"], color=INK, tell=("lead", name))
    return drawing


def bar_drawing(
    steps: Sequence[int], averages: NDArray, scores: NDArray, pulls: NDArray, now: int
) -> Drawing:
    """Levels of scores, the average rising through them up to place `now` of `steps`, and the pulls there."""
    drawing = Drawing()
    panel = drawing.panel(
        "scores", xlim=(steps[0], 1.6 * steps[-1]), ylim=(0.5, 5.6), xscale="log", xlabel="training steps",
        title="scores of the circles", xticks=[1, 10, 100])
    for t, score in enumerate(scores):
        panel.hlines(score, key=f"score of token {t}", color=MUTED, linewidth=1, link=f"token {t}")
        panel.annotate(
            f"{t}", (1.6 * steps[-1], score), key=f"name of token {t}", offset=(-8, 3), size=12,
            link=f"token {t}")
        size = 20 + 500 * min(abs(pulls[t]), 0.4)
        panel.scatter(
            [steps[now]], [score], keys=[f"token {t}"], marker="^" if pulls[t] > 0 else "v", size=size,
            color=BLUE if pulls[t] > 0 else VERMILION, tell=("step", "score"))
    panel.plot(steps, averages, key="average to come", link="average", color=GREEN, alpha=0.4, linewidth=1.3)
    panel.plot(steps[: now + 1], averages[: now + 1], key="average", color=GREEN)
    panel.annotate("average", (steps[0], averages[0]), key="name of average", color=GREEN, offset=(4, 8),
                   ha="left", link="average")
    return drawing


def beside_the_ray(W: NDArray, machine: NDArray) -> tuple[NDArray, NDArray]:
    """How far each of the matrices W (r, d, d) is along the ray of a machine, and how far beside it."""
    u = machine / np.linalg.norm(machine)
    ahead = (W * u).sum(axis=(1, 2))
    return ahead, np.linalg.norm(W - ahead[:, None, None] * u, axis=(1, 2))


def rails_drawing(
    reaches: Sequence[int], walks: dict[str, tuple[NDArray, NDArray]], shown: str, now: int
) -> Drawing:
    """The walk `shown` beside its ray up to place `now`, in units of R; and all distances over the reach."""
    drawing, (ahead, beside) = Drawing(), walks[shown]
    far = drawing.panel("from afar", xlim=(0, 1.1), ylim=(-0.15, 0.7), title="seen from afar, in units of R",
                        xticks=[0, 0.5, 1], yticks=[0, 0.5], height=200)
    unit = np.hypot(ahead[now], beside[now])
    far.plot([0, 1.1], [0, 0], key="ray", color=MUTED, linestyle=":")
    far.plot(ahead[: now + 1] / unit, beside[: now + 1] / unit, key="path", color=GREEN, linewidth=3)
    far.plot([0, ahead[now] / unit], [0, beside[now] / unit], key="angle", color=INK, linewidth=1)
    far.scatter([ahead[now] / unit], [beside[now] / unit], keys=["W_R"], color=INK, tell=("along", "beside"))
    near = drawing.panel(
        "from close by", xlim=(1, reaches[-1]), ylim=(-1, 14), xscale="log", xlabel="R Γ",
        title="distance beside the ray", xticks=[1, 10, 100, 1000, 10_000], yticks=[0, 5, 10])
    near.hlines(0, key="the ray", color=MUTED, linestyle=":", link="ray")
    for (name, (_, away)), (colour, dashes) in zip(walks.items(), PATHS, strict=False):
        near.plot(reaches, away, key=name, color=colour, linestyle=dashes, alpha=1 if name == shown else 0.5)
        near.annotate(name, (reaches[-1], away[-1]), key=f"name of {name}", color=colour, link=name,
                      ha="right", offset=(-4, 8))
    near.scatter([reaches[now]], [beside[now]], keys=["now"], color=INK, tell=("R Γ", "distance"))
    return drawing


def multipliers_of(machine: AttentionSVM) -> NDArray:
    """The multipliers of a machine laid out like its tokens (n T,), 0 where there is none."""
    constrained = ~np.isposinf(machine.margins)  # (n, T)
    values = np.zeros(constrained.shape)
    values[constrained] = np.nan_to_num(machine.multipliers)
    return values.ravel()


def is_corner(tokens: NDArray, chosen: int) -> bool:
    """Whether some line through a token of the plane has all others strictly on one side."""
    others = np.delete(tokens, chosen, axis=0) - tokens[chosen]
    ways = np.sort(np.arctan2(others[:, 1], others[:, 0]))
    gaps = np.diff(ways, append=ways[0] + 2 * np.pi)
    return bool(others.any(axis=1).all() and gaps.max() > np.pi + 1e-9)


def streets_drawing(
    tokens: NDArray, machine: AttentionSVM, queries: NDArray, *, dragged: int,
    widths: Sequence[float] = (2.6, 2.6),
) -> Drawing:
    """The two streets of an attention SVM, a panel a sequence, and the multipliers of all tokens.

    Without a solution the tokens stand alone. `dragged` is the token that the reader drags, `widths` are half
    the widths of the panels.
    """
    drawing, weights = Drawing(), multipliers_of(machine)
    for i, (name, _, colour) in enumerate(SEQUENCES):
        plane = new_plane(drawing, name, half_width=widths[i], centre=CENTRES[i])
        if machine.feasible:
            chosen = len(tokens) // 2 * i + machine.margins[i].argmax()
            _draw_lane(plane, name, machine.W @ queries[i], tokens[chosen], colour)
        _draw_sequence(plane, i, tokens, weights, np.isposinf(machine.margins[i]), dragged)
    _multipliers_panel(drawing, weights)
    return drawing


def _draw_sequence(
    plane: Panel, i: int, tokens: NDArray, weights: NDArray, chosen: NDArray, dragged: int
) -> None:
    """The tokens of sequence i, filled where they are `chosen` or support, as large as their multipliers."""
    half, (_, marker, colour) = len(tokens) // 2, SEQUENCES[i]
    own, largest = range(i * half, (i + 1) * half), max(weights.max(), 1e-300)
    share = weights[list(own)] / largest
    keys = [f"token {k}" for k in own]
    plane.scatter(
        *tokens[list(own)].T, keys=keys, marker=marker, size=26 + 190 * np.sqrt(share), tell=("x₁", "x₂"),
        color=[colour if s > 1e-6 or c else PAPER for s, c in zip(share, chosen, strict=True)],
        edgecolor=[INK if s > 1e-6 else colour for s in share])
    for k, key in zip(own, keys, strict=True):
        place = HANDLE_OFFSET if k == dragged or weights[k] > 0 else (11, 6)
        plane.annotate(f"{k}", tokens[k], key=f"name of {key}", size=12, link=key, offset=place)


def _draw_lane(plane: Panel, name: str, w: NDArray, chosen: NDArray, colour: str) -> None:
    """The street between the level of the chosen token and the level 1 below it, across w = W z."""
    top = level_ends(plane, w, -w @ chosen, 0)
    foot = level_ends(plane, w, -w @ chosen, -1)
    plane.fill(*np.concatenate([top, foot[::-1]]).T, key=f"street of {name}", color=SKY)
    plane.plot(*top.T, key=f"level of the chosen of {name}", color=colour, linewidth=1.5, z=1)
    plane.plot(
        *foot.T, key=f"level of the others of {name}", color=colour, linestyle="--", linewidth=1.5, z=1)


def _multipliers_panel(drawing: Drawing, weights: NDArray) -> None:
    """A bar for the multiplier of each token."""
    count, half = len(weights), len(weights) // 2
    top = 12.0
    panel = drawing.panel(
        "multipliers", xlim=(0, top), ylim=(count - 0.4, -0.6), title="multipliers $\\lambda$",
        yticks={i: f"{i}" for i in range(count)})
    keys = point_keys(count, "token")
    panel.barh(
        range(count), np.minimum(weights, top), keys=[f"bar of {key}" for key in keys], links=keys,
        color=[SEQUENCES[i // half][2] for i in range(count)], tell={"λ": weights})
    for i in np.flatnonzero(weights > top).tolist():
        panel.annotate(
            f"{weights[i]:.0f}", (top, i), key=f"value {i}", offset=(-4, -4), ha="right", color=INK,
            size=12, link=keys[i])


def limits_drawing(
    shares: NDArray, marks: dict[str, NDArray], radii: NDArray, distances: dict[str, NDArray], now: int
) -> Drawing:
    """Singular values of K Q'/R beside those of the candidates for its limit, and the distances from both.

    `marks` and `distances` hold an array for each divisor by name; `now` is a place in `radii`.
    """
    drawing, places = Drawing(), np.arange(len(shares))
    bars = drawing.panel(
        "singular values", xlim=(-0.6, len(shares) - 0.4), ylim=(0, 1), xlabel="number",
        title="singular values of $KQ^\\top/R$", xticks={k: f"{k + 1}" for k in places})
    bars.bar(places, shares, keys=[f"value {k + 1}" for k in places], tell="value", color=SKY)
    for row, ((name, values), (colour, _, marker)) in enumerate(zip(marks.items(), DIVISORS, strict=True)):
        bars.scatter(
            places, values, keys=[f"{name} {k + 1}" for k in places], marker=marker, color=colour, size=60,
            edgecolor=INK, tell={"value": values})
        _name_in_corner(bars, f"SVM / {name} norm", row, marker, colour, link=f"{name} 1")
    panel = drawing.panel(
        "distances", xlim=(radii[0], radii[-1]), ylim=(1e-4, 1), xscale="log", yscale="log", xlabel="R Γ",
        title="distance to $KQ^\\top/R$", xticks=[10, 100, 1000],
        yticks=[1e-4, 1e-3, 1e-2, 0.1, 1])
    for (name, values), (colour, dashes, _) in zip(distances.items(), DIVISORS, strict=True):
        panel.plot(radii, values, key=name, color=colour, linestyle=dashes)
        panel.scatter(
            [radii[now]], [values[now]], keys=[f"{name} now"], links=[name], color=colour,
            tell=("R Γ", "distance"))
        panel.annotate(
            f"SVM / {name} norm", (radii[5], values[5]), key=f"name of {name}", color=colour, link=name,
            offset=(8, 4) if name == "nuclear" else (0, 9), ha="left")
    return drawing


def _name_in_corner(panel: Panel, words: str, row: int, marker: str, colour: str, *, link: str) -> None:
    """A mark and what it stands for, in row `row` of a key at the upper right."""
    left, (x, y) = (0.52, 0.95 - 0.1 * row), (panel.x.limits, panel.y.limits)
    at = x[0] + left[0] * (x[1] - x[0]), y[0] + left[1] * (y[1] - y[0])
    panel.scatter(
        [at[0]], [at[1]], keys=[f"mark of {words}"], links=[link], marker=marker, color=colour, size=60,
        edgecolor=INK)
    panel.annotate(words, at, key=f"meaning of {words}", offset=(9, -4), ha="left", color=colour, size=12,
                   link=link)


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
            title=f"singular values of {titles[name]}", xticks={k: f"{k + 1}" for k in places})
        panel.bar(places, found, keys=[f"value {k + 1}" for k in places], tell="value", color=colour)
        panel.scatter(
            places, goal, keys=[f"SVM {k + 1}" for k in places], marker="D", color=PAPER, edgecolor=INK,
            size=40, tell={"SVM": goal})
    return drawing


def trap_drawing(steps: NDArray, angles: dict[str, NDArray], sums: NDArray, now: int) -> Drawing:
    """The angle in degrees of two runs to the machine over `steps`, and what the textbook pulls add up to."""
    drawing = Drawing()
    settings = {"xlim": (steps[0], steps[-1]), "xscale": "log", "xlabel": "training steps", "yscale": "log"}
    panel = drawing.panel(
        "angle", ylim=(0.1, 180), title="angle to the attention SVM, degrees", yticks=[0.1, 1, 10, 100],
        **settings)
    for name, (colour, dashes) in RUNS.items():
        draw_progress(panel, name, steps, angles[name], now, colour, dashes)
    for name, at, offset, side in (
        ("textbook", (steps[-1], 7.5), (-4, 0), "right"),
        ("stable", (steps[0], 0.6), (8, 0), "left"),
    ):
        style: dict[str, Any] = {"color": RUNS[name][0], "offset": offset, "ha": side, "link": name}
        panel.annotate(f"{name} gradient", at, key=f"name of {name}", **style)
    balance = drawing.panel(
        "sum of pulls", ylim=(1e-17, 10), title="sum of the textbook pulls",
        yticks=[1e-16, 1e-12, 1e-8, 1e-4, 1], **settings)
    draw_progress(balance, "sum", steps, np.maximum(sums, 1e-17), now, VERMILION, "--")
    return drawing


@in_style
def ranks_figure(dimensions: Sequence[int], ranks: dict[str, NDArray]) -> Figure:
    """Mean ranks over the dimension with 95 % intervals; `ranks` holds arrays (dimensions, problems)."""
    figure, ax = new_axes(3.4, xlabel="dimension d", ylabel="mean rank")
    ax.set(ylim=(0, 11.5), xlim=(4, 21), xticks=dimensions)
    styles = ((BLUE, "o", "-", 8), (GREEN, "s", "-", 8), (VERMILION, "^", "--", -48))
    for (name, counts), (colour, marker, dashes, above) in zip(ranks.items(), styles, strict=True):
        means, _, highs = np.transpose([mean(row) for row in counts])
        errors = highs - means
        ax.errorbar(dimensions, means, errors, color=colour, marker=marker, linestyle=dashes, capsize=3)
        text: dict[str, Any] = {"textcoords": "offset points", "ha": "right", "color": colour}
        ax.annotate(name, (dimensions[-1], means[-1]), (0, above), **text)
    return figure


def some_way_fits(tokens: NDArray) -> bool:
    """Whether some direction has token 0 ahead of all others, and these on its negative side; by search."""
    turns = np.linspace(-np.pi, np.pi, 3601)
    logits = np.column_stack([np.cos(turns), np.sin(turns)]) @ tokens.T  # (m, T)
    others = logits[:, 1:].max(axis=1)
    return bool(((others < 0) & (others < logits[:, 0])).any())


def shift_drawing(
    tokens: NDArray, ways: dict[str, NDArray], aims: dict[str, NDArray | None], attention: dict[str, float],
    *, half_width: float = 3.0,
) -> Drawing:
    """A sequence and where two normalisers send its query: `ways` trained, `aims` of the machines or None.

    Token 0 is the best one; `attention` holds its share by normaliser; `half_width` is that of the plane.
    """
    drawing, keys = Drawing(), point_keys(len(tokens), "token")
    plane = new_plane(drawing, "tokens", half_width=half_width)
    plane.scatter([0], [0], keys=["origin"], marker="+", color=MUTED, size=60)
    plane.scatter(
        *tokens.T, keys=keys, size=[70, *[30] * (len(tokens) - 1)], tell=("x₁", "x₂"),
        color=[GREEN, *[INK] * (len(tokens) - 1)])
    plane.annotate(
        "best", tokens[0], key="name of token 0", color=GREEN, offset=(10, 4), ha="left", link="token 0")
    for name in NORMALISED:
        _draw_sent(plane, name, ways[name], aims[name])
    bars = drawing.panel(
        "attention", xlim=(0, 1), ylim=(1.6, -0.6), height=110, title="attention to the best token",
        yticks=[])
    for place, (name, (colour, *_)) in enumerate(NORMALISED.items()):
        bars.barh(
            [place], [attention[name]], keys=[f"attention of {name}"], links=[name], color=colour,
            tell="attention")
        bars.annotate(
            name, (0, place), key=f"name of {name}", color=INK, offset=(6, -5), ha="left", link=name)
    return drawing


def _draw_sent(plane: Panel, name: str, way: NDArray, aim: NDArray | None) -> None:
    """Where a normaliser sends the query, with its name, and the ray of its machine if it has one."""
    colour, _, length = NORMALISED[name]
    if aim is not None:
        ray = 2.5 * aim / np.linalg.norm(aim)
        plane.plot(
            *np.array([[0, 0], ray]).T, key=f"machine of {name}", color=colour, linestyle=":", link=name)
    tip = length * way / np.linalg.norm(way)
    plane.arrow((0, 0), tip, key=name, color=colour, linewidth=3)
    plane.annotate(name, tip, key=f"name of {name}", color=colour, link=name)
