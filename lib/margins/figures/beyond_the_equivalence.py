"""The drawings of the chapter beyond the equivalence, each from plain arrays.

(book: Beyond the equivalence)
"""

import numpy as np

from margins.explore import Drawing
from margins.figures.palette import BLUE, GREEN, INK, MUTED, ORANGE, PAPER, PURPLE, SKY, VERMILION
from margins.figures.planes import HAND, point_keys

LEARNERS = {"attention": (BLUE, "o", "-"), "ridge": (VERMILION, "s", "--"), "layers": (GREEN, "^", "-.")}
SHAPES = {"o": "dots", "s": "squares", "^": "triangles"}


def prompt_drawing(x, y, held, lines, query, coefficients):
    """A prompt and three learners' curves {name: (x, y)}; and the coefficient of every example at `query`."""
    drawing, names = Drawing(), point_keys(len(x), "example")
    plane = drawing.panel("prompt", xlim=(-2.2, 2.2), ylim=(-2, 2), xlabel="$x$", ylabel="value")
    plane.vlines(query, key="query", color=MUTED, linestyle=":")
    for name, (colour, _, dashes) in LEARNERS.items():
        plane.plot(*lines[name], key=f"curve of {name}", color=colour, linestyle=dashes)
    sizes = [60 if j == held else 26 for j in range(len(x))]
    plane.scatter(x, y, keys=names, color=INK, size=sizes, tell=("x", "value"))
    low, high = -0.5, 1.05
    panel = drawing.panel(
        "coefficients", xlim=(-0.5, len(x) - 0.5), ylim=(low, high), xlabel="example $j$",
        title="coefficients $a_j$ at the query", xticks=range(len(x)),
    )  # fmt: skip
    panel.hlines(0, key="zero", color=MUTED, linestyle="-")
    for k, (name, (colour, marker, _)) in enumerate(LEARNERS.items()):
        panel.scatter(
            np.arange(len(x)) + 0.22 * (k - 1), np.clip(coefficients[name], low, high), color=colour,
            keys=[f"{name} {j}" for j in range(len(x))], links=names, marker=marker, size=34,
            tell={"coefficient": coefficients[name]},
        )  # fmt: skip
        panel.annotate(
            f"{name}: {SHAPES[marker]}",
            (-0.5, high),
            key=f"name of {name}",
            color=colour,
            offset=(8, -16 - 17 * k),
            ha="left",
        )
    return drawing


def swap_drawing(tokens, names, held, start, now):
    """Tokens in the plane, one of them held; four read-outs now (filled) and at the `start` (hollow)."""
    drawing, keys = Drawing(), [f"token {name}" for name in names]
    plane = drawing.panel("tokens", xlim=(-2.6, 2.6), ylim=(-1.8, 1.8), xlabel="$x_1$", ylabel="$x_2$")
    colours = [INK, BLUE, BLUE, VERMILION]
    plane.scatter(
        *tokens.T, keys=keys, color=colours, marker=["P", "o", "o", "D"], size=60, tell=("x₁", "x₂")
    )
    for j, name in enumerate(names):
        plane.annotate(
            f"${name}$", tokens[j], key=f"name of {name}", link=keys[j], offset=HAND if j == held else (12, 8)
        )
    words = {3: "share of $k$", 2: "log odds $k:l$", 1: "logit", 0: "logit, layer 2"}
    panel = drawing.panel("read-outs", xlim=(-1.3, 3.6), ylim=(-0.6, 3.6), title="four read-outs", yticks=[])
    heights = np.arange(3, -1, -1)
    low, high = panel.x.limits
    for values, size, fill, name in ((start, 80, PAPER, "start"), (now, 34, VERMILION, "now")):
        panel.scatter(
            np.clip(values, low, high), heights, keys=[f"{name} {i}" for i in range(4)], size=size,
            color=fill, edgecolor=INK, tell={"value": values}, z=3 if name == "start" else 4,
        )  # fmt: skip
    for height in heights:
        panel.hlines(height, key=f"row {height}", color=MUTED, linestyle=":", linewidth=0.8)
        panel.annotate(
            words[height], (low, height), key=f"name of row {height}", offset=(6, 10), ha="left", size=12
        )
    return drawing


def layers_drawing(path, bottom, hessian, masked, unmasked, limits, now):
    """Steps in the plane of weights, and the query's answers after each layer with their two limits."""
    drawing = Drawing()
    plane = drawing.panel("weights", xlim=(-0.4, 1.7), ylim=(-0.3, 1.3), xlabel="$w_1$", ylabel="$w_2$")
    angle = np.linspace(0, 2 * np.pi, 49)
    root = np.linalg.inv(np.linalg.cholesky(hessian)).T  # maps circles to level lines
    for radius in (0.25, 0.5, 0.75, 1):
        ring = bottom[:, None] + radius * root @ np.array([np.cos(angle), np.sin(angle)])
        plane.plot(*ring, key=f"level {radius}", color=MUTED, linewidth=1, z=1)
    plane.plot(*path.T, key="way of the weights", color=BLUE)
    plane.scatter(
        *path[now : now + 1].T, keys=["weights now"], color=BLUE, edgecolor=INK, size=50, tell=("w₁", "w₂")
    )
    plane.scatter(
        *bottom[:, None], keys=["least squares"], color=VERMILION, marker="D", size=44, tell=("w₁", "w₂")
    )
    panel = drawing.panel(
        "answers",
        xlim=(0, len(path) - 1),
        ylim=(-0.25, 2.6),
        xlabel="layers",
        title="answer in the query's slot",
    )
    for name, values, limit, colour, dashes, up in (
        ("masked", masked, limits[0], BLUE, "-", 5), ("not masked", unmasked, limits[1], ORANGE, "--", -15),
    ):  # fmt: skip
        panel.plot(range(len(values)), values, key=f"{name} answers", color=colour, linestyle=dashes)
        panel.hlines(limit, key=f"limit {name}", color=colour, linestyle=":")
        panel.scatter(
            [now], [values[now]], keys=[f"{name} now"], color=colour, edgecolor=INK, size=50,
            tell=("layers", "answer"),
        )  # fmt: skip
        panel.annotate(
            name, (len(path) - 1, limit), key=f"name of {name}", color=colour, offset=(-4, up), ha="right"
        )
    return drawing


def tasks_drawing(line, tasks, curves, x, y, held, query, sweep, replies, weights):
    """Two tasks, the examples and two answers over the `line`; and both answers at `query` over one value."""
    drawing = Drawing()
    plane = drawing.panel("prompt", xlim=(-2, 2), ylim=(-2.4, 2.4), xlabel="$x$", ylabel="value")
    for name, curve in tasks.items():
        plane.plot(line, curve, key=f"task {name}", color=MUTED, linestyle=":")
    looks = {"attention over tasks": (BLUE, "-"), "best linear": (VERMILION, "--")}
    plane.vlines(query, key="query", color=MUTED, linestyle="--", linewidth=1)
    for name, (colour, dashes) in looks.items():
        plane.plot(line, curves[name], key=f"answers of {name}", color=colour, linestyle=dashes)
    sizes = [60 if j == held else 26 for j in range(len(x))]
    plane.scatter(x, y, keys=point_keys(len(x), "example"), color=INK, size=sizes, tell=("x", "value"))
    panel = drawing.panel(
        "answer at the query", xlim=(sweep[0], sweep[-1]), ylim=(-2.2, 2.2), xlabel="value held",
        title="answer at the query",
    )  # fmt: skip
    for name, (colour, dashes) in looks.items():
        panel.plot(sweep, replies[name], key=f"reply of {name}", color=colour, linestyle=dashes)
        here = np.interp(y[held], sweep, replies[name])
        panel.scatter(
            [y[held]],
            [here],
            keys=[f"{name} now"],
            color=colour,
            edgecolor=INK,
            size=50,
            tell=("value", "answer"),
        )
    panel.annotate(
        f"weight of $g$: {weights[0]:.2f}", (sweep[0], 2.2), key="weights", offset=(8, -18), ha="left"
    )
    return drawing


def heads_drawing(keys, values, line, heads, mixture, smoother, now, shares):
    """Two heads, their mixture and the smoother with the mixed kernel, over a line of queries."""
    drawing = Drawing()
    plane = drawing.panel("heads", xlim=(-3, 3), ylim=(-1.6, 1.9), xlabel="query", ylabel="value")
    plane.scatter(
        keys, values, keys=point_keys(len(keys), "key"), color=MUTED, size=22, tell=("key", "value")
    )
    for i, (head, dashes) in enumerate(zip(heads, (":", "-."), strict=True), 1):
        plane.plot(line, head, key=f"head {i}", color=MUTED, linestyle=dashes)
    plane.plot(line, mixture, key="mixture of heads", color=BLUE)
    plane.plot(line, smoother, key="mixed kernel", color=VERMILION, linestyle="--")
    panel = drawing.panel(
        "share of head 1", xlim=(-3, 3), ylim=(0, 1), xlabel="query", title="how much head 1 counts"
    )
    panel.plot(line, shares[0], key="in the mixture", color=BLUE)
    panel.plot(line, shares[1], key="in the mixed kernel", color=VERMILION, linestyle="--")
    for p, curves in ((plane, (mixture, smoother)), (panel, shares)):
        p.scatter(
            [line[now]] * 2, [curves[0][now], curves[1][now]], keys=["mixture now", "kernel now"],
            color=[BLUE, VERMILION], edgecolor=INK, size=44, tell=("query", "value"),
        )  # fmt: skip
    return drawing


def metric_drawing(X, y, A, relevant, errors, angles, now, floor):
    """Points, lines of equal weight of the metric A; and the error left out over the angle of the metric."""
    drawing = Drawing()
    plane = drawing.panel("points", xlim=(-3.3, 3.3), ylim=(-2.2, 2.2), xlabel="$x_1$", ylabel="$x_2$")
    up = y > 0
    for chosen, colour, marker, name in ((up, BLUE, "o", "high"), (~up, VERMILION, "s", "low")):
        plane.scatter(*X[chosen].T, keys=point_keys(chosen.sum(), name), color=colour, marker=marker, size=12)
    angle = np.linspace(0, 2 * np.pi, 49)
    ring = np.linalg.inv(A) @ np.array([np.cos(angle), np.sin(angle)])
    plane.fill(*ring, key="neighbourhood", color=SKY, alpha=0.35)
    plane.plot(*ring, key="edge of the neighbourhood", color=INK, linewidth=1.5)
    plane.arrow((0, 0), 1.2 * relevant, key="relevant direction", color=PURPLE)
    panel = drawing.panel(
        "error left out", xlim=(angles[0], angles[-1]), ylim=(0, 0.9), xlabel="angle of the metric",
        title="mean squared error left out", xticks=[-60, -30, 0, 30, 60, 90],
    )  # fmt: skip
    panel.plot(angles, errors, key="errors", color=BLUE)
    panel.hlines(floor, key="round metric", color=MUTED, linestyle=":")
    panel.annotate(
        "round", (angles[-1], floor), key="name of the round metric", offset=(-4, 5), ha="right", size=12
    )
    panel.scatter([angles[now]], [errors[now]], keys=["error now"], color=BLUE, edgecolor=INK, size=50,
                  tell=("angle", "error"))  # fmt: skip
    return drawing
