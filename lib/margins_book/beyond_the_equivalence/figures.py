"""Figures of learning in context: prompts, read-outs, layers, attention over tasks.

(book: Beyond the equivalence)
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from explorable import Drawing
from explorable.palette import BLUE, GREEN, INK, MUTED, ORANGE, PAPER, VERMILION
from margins_book.drawing.planes import HELD_NAME_OFFSET, point_keys

LEARNERS = {"attention": (BLUE, "o", "-"), "ridge": (VERMILION, "s", "--"), "layers": (GREEN, "^", "-.")}
TASK_LEARNERS = {"attention over tasks": (BLUE, "-"), "best linear": (VERMILION, "--")}
SHAPES = {"o": "dots", "s": "squares", "^": "triangles"}


def prompt_drawing(
    x: NDArray,
    y: NDArray,
    held: int,
    lines: dict[str, tuple[NDArray, NDArray]],
    query: float,
    coefficients: dict[str, NDArray],
) -> Drawing:
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
            f"{name}: {SHAPES[marker]}", (-0.5, high), key=f"name of {name}", color=colour,
            offset=(8, -16 - 17 * k), ha="left",
        )  # fmt: skip
    return drawing


def swap_drawing(tokens: NDArray, names: Sequence[str], held: int, start: NDArray, now: NDArray) -> Drawing:
    """Tokens in the plane, one of them held; four read-outs now (filled) and at the `start` (hollow)."""
    drawing, keys = Drawing(), [f"token {name}" for name in names]
    plane = drawing.panel("tokens", xlim=(-2.6, 2.6), ylim=(-1.8, 1.8), xlabel="$x_1$", ylabel="$x_2$")
    colours = [INK, BLUE, BLUE, VERMILION]
    plane.scatter(
        *tokens.T, keys=keys, color=colours, marker=["P", "o", "o", "D"], size=60, tell=("x₁", "x₂")
    )
    for j, name in enumerate(names):
        plane.annotate(
            f"${name}$",
            tokens[j],
            key=f"name of {name}",
            link=keys[j],
            offset=HELD_NAME_OFFSET if j == held else (12, 8),
        )
    words = {3: "share of $k$", 2: "log odds $k:l$", 1: "logit", 0: "logit, layer 2"}
    panel = drawing.panel("read-outs", xlim=(-1.3, 3.6), ylim=(-0.6, 3.6), title="four read-outs", yticks=[])
    heights = range(3, -1, -1)
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


def layers_drawing(
    path: NDArray,
    bottom: NDArray,
    hessian: NDArray,
    masked: NDArray | Sequence[float],
    unmasked: NDArray | Sequence[float],
    limits: tuple[float, float],
    now: int,
) -> Drawing:
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
    _answers_panel(drawing, masked, unmasked, limits, now)
    return drawing


def _answers_panel(
    drawing: Drawing,
    masked: NDArray | Sequence[float],
    unmasked: NDArray | Sequence[float],
    limits: tuple[float, float],
    now: int,
) -> None:
    """The query's answers after each layer, with and without a mask, each with its limit."""
    last = len(masked) - 1
    panel = drawing.panel(
        "answers", xlim=(0, last), ylim=(-0.25, 2.6), xlabel="layers", title="answer in the query's slot"
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
        panel.annotate(name, (last, limit), key=f"name of {name}", color=colour, offset=(-4, up), ha="right")


def tasks_drawing(
    line: NDArray,
    tasks: dict[str, NDArray],
    curves: dict[str, NDArray],
    x: NDArray,
    y: NDArray,
    held: int,
    query: float,
    sweep: NDArray,
    replies: dict[str, NDArray],
    weights: NDArray | Sequence[float],
) -> Drawing:
    """Two tasks, the examples and two answers over the `line`; and both answers at `query` over one value."""
    drawing = Drawing()
    plane = drawing.panel("prompt", xlim=(-2, 2), ylim=(-2.4, 2.4), xlabel="$x$", ylabel="value")
    for name, curve in tasks.items():
        plane.plot(line, curve, key=f"task {name}", color=MUTED, linestyle=":")
    plane.vlines(query, key="query", color=MUTED, linestyle="--", linewidth=1)
    for name, (colour, dashes) in TASK_LEARNERS.items():
        plane.plot(line, curves[name], key=f"answers of {name}", color=colour, linestyle=dashes)
    sizes = [60 if j == held else 26 for j in range(len(x))]
    plane.scatter(x, y, keys=point_keys(len(x), "example"), color=INK, size=sizes, tell=("x", "value"))
    _replies_panel(drawing, sweep, replies, y[held], weights[0])
    return drawing


def _replies_panel(
    drawing: Drawing, sweep: NDArray, replies: dict[str, NDArray], held: float, weight: float
) -> None:
    """Both answers at the query over the value of one example, and at the value `held` that it has now."""
    panel = drawing.panel(
        "answer at the query", xlim=(sweep[0], sweep[-1]), ylim=(-2.2, 2.2), xlabel="value held",
        title="answer at the query",
    )  # fmt: skip
    for name, (colour, dashes) in TASK_LEARNERS.items():
        panel.plot(sweep, replies[name], key=f"reply of {name}", color=colour, linestyle=dashes)
        here = np.interp(held, sweep, replies[name])
        panel.scatter(
            [held], [here], keys=[f"{name} now"], color=colour, edgecolor=INK, size=50,
            tell=("value", "answer"),
        )  # fmt: skip
    panel.annotate(f"weight of $g$: {weight:.2f}", (sweep[0], 2.2), key="weights", offset=(8, -18), ha="left")
