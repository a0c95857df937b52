"""Drawings of prompts and layers, several kernels at once, what layers leave, and trained networks."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from explorable import Drawing
from explorable.palette import BLUE, GREEN, INK, MUTED, ORANGE, PAPER, PURPLE, SKY, VERMILION
from explorable.panel import Panel
from margins_book.drawing.planes import HANDLE_OFFSET, point_keys
from margins_book.experiments.estimates import Estimate

Limits: TypeAlias = tuple[tuple[float, float], tuple[float, float]]  # of both axes
LEARNERS = {"attention": (BLUE, "o", "-"), "ridge": (VERMILION, "s", "--"), "layers": (GREEN, "^", "-.")}
TASK_LEARNERS = {"attention over tasks": (BLUE, "-"), "best linear": (VERMILION, "--")}
SHAPES = {"o": "dots", "s": "squares", "^": "triangles", "D": "diamonds"}
STYLES = {  # of a learner: colour, marker, line
    "network": (BLUE, "o", "-"),
    "posterior mean": (PURPLE, "D", "-."),
    "best linear learner": (VERMILION, "s", "--"),
    "ridge": (VERMILION, "s", "--")}
PARTS = {  # of a network, which are trained: colour, marker, line
    "all trained": (BLUE, "o", "-"),
    "heads trained": (GREEN, "^", "-."),
    "nothing trained": (VERMILION, "s", "--")}
SOURCES = {  # of what a network has learnt before: colour, marker, line
    "nothing": (INK, "o", "-"),
    "2 tasks": (VERMILION, "s", "--"),
    "16 tasks": (BLUE, "^", "-."),
    "1024 tasks": (GREEN, "D", ":")}
KINDS = {  # what the layers write to: the colour, marker and place of its name beside the dots
    "values": (MUTED, "o", "values alone"),
    "inputs, overwritten": (VERMILION, "s", "inputs, overwritten"),
    "inputs, new slots": (BLUE, "^", "inputs, new slots")}
FLOOR = 1e-3  # what is left near a zero of the polynomial is drawn at the lower edge


def prompt_drawing(
    x: NDArray, y: NDArray, dragged: int, lines: dict[str, tuple[NDArray, NDArray]], query: float,
    coefficients: dict[str, NDArray], limits: Limits = ((-2.2, 2.2), (-2, 2)),
) -> Drawing:
    """A prompt and three learners' curves {name: (x, y)}; and the coefficient of every example at `query`."""
    drawing, names = Drawing(), point_keys(len(x), "example")
    plane = drawing.panel("prompt", xlim=limits[0], ylim=limits[1], xlabel="$x$", ylabel="value")
    plane.vlines(query, key="query", color=MUTED, linestyle=":")
    for name, (colour, _, dashes) in LEARNERS.items():
        plane.plot(*lines[name], key=f"curve of {name}", color=colour, linestyle=dashes)
    sizes = [60 if j == dragged else 26 for j in range(len(x))]
    plane.scatter(x, y, keys=names, color=INK, size=sizes, tell=("x", "value"))
    low, high = -0.5, 1.05
    panel = drawing.panel(
        "coefficients", xlim=(-0.5, len(x) - 0.5), ylim=(low, high), xlabel="example $j$",
        title="coefficients $a_j$ at the query", xticks=range(len(x)))
    panel.hlines(0, key="zero", color=MUTED, linestyle="-")
    for k, (name, (colour, marker, _)) in enumerate(LEARNERS.items()):
        panel.scatter(
            np.arange(len(x)) + 0.22 * (k - 1), np.clip(coefficients[name], low, high), color=colour,
            keys=[f"{name} {j}" for j in range(len(x))], links=names, marker=marker, size=34,
            tell={"coefficient": coefficients[name]})
        panel.annotate(
            f"{name}: {SHAPES[marker]}", (-0.5, high), key=f"name of {name}", color=colour,
            offset=(8, -16 - 17 * k), ha="left")
    return drawing


def swap_drawing(
    tokens: NDArray, names: Sequence[str], dragged: int, start: NDArray, now: NDArray
) -> Drawing:
    """Tokens in the plane, one of them dragged; four read-outs now (filled) and at the `start` (hollow)."""
    drawing, keys = Drawing(), [f"token {name}" for name in names]
    plane = drawing.panel("tokens", xlim=(-2.6, 2.6), ylim=(-1.8, 1.8), xlabel="$x_1$", ylabel="$x_2$")
    colours = [INK, BLUE, BLUE, VERMILION]
    plane.scatter(
        *tokens.T, keys=keys, color=colours, marker=["P", "o", "o", "D"], size=60, tell=("x₁", "x₂"))
    for j, name in enumerate(names):
        plane.annotate(
            f"${name}$", tokens[j], key=f"name of {name}", link=keys[j],
            offset=HANDLE_OFFSET if j == dragged else (12, 8))
    words = {3: "weight of $k$", 2: "log odds $k:l$", 1: "logit", 0: "logit, layer 2"}
    panel = drawing.panel("read-outs", xlim=(-1.3, 3.6), ylim=(-0.6, 3.6), title="four read-outs", yticks=[])
    heights = range(3, -1, -1)
    low, high = panel.x.limits
    for values, size, fill, name in ((start, 80, PAPER, "start"), (now, 34, VERMILION, "now")):
        panel.scatter(
            np.clip(values, low, high), heights, keys=[f"{name} {i}" for i in range(4)], size=size,
            color=fill, edgecolor=INK, tell={"value": values}, z=3 if name == "start" else 4)
    for height in heights:
        panel.hlines(height, key=f"row {height}", color=MUTED, linestyle=":", linewidth=0.8)
        panel.annotate(
            words[height], (low, height), key=f"name of row {height}", offset=(6, 10), ha="left", size=12)
    return drawing


def layers_drawing(
    path: NDArray, bottom: NDArray, hessian: NDArray, masked: NDArray | Sequence[float],
    unmasked: NDArray | Sequence[float], limits: tuple[float, float], now: int,
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
        *path[now : now + 1].T, keys=["weights now"], color=BLUE, edgecolor=INK, size=50, tell=("w₁", "w₂"))
    plane.scatter(
        *bottom[:, None], keys=["least squares"], color=VERMILION, marker="D", size=44, tell=("w₁", "w₂"))
    _answers_panel(drawing, masked, unmasked, limits, now)
    return drawing


def _answers_panel(
    drawing: Drawing, masked: NDArray | Sequence[float], unmasked: NDArray | Sequence[float],
    limits: tuple[float, float], now: int,
) -> None:
    """The query's answers after each layer, with and without a mask, each with its limit."""
    last = len(masked) - 1
    panel = drawing.panel(
        "answers", xlim=(0, last), ylim=(-0.25, 2.6), xlabel="layers", title="answer in the query's slot")
    for name, values, limit, colour, dashes, up in (
        ("masked", masked, limits[0], BLUE, "-", 5), ("not masked", unmasked, limits[1], ORANGE, "--", -15),
    ):
        panel.plot(range(len(values)), values, key=f"{name} answers", color=colour, linestyle=dashes)
        panel.hlines(limit, key=f"limit {name}", color=colour, linestyle=":")
        panel.scatter(
            [now], [values[now]], keys=[f"{name} now"], color=colour, edgecolor=INK, size=50,
            tell=("layers", "answer"))
        panel.annotate(name, (last, limit), key=f"name of {name}", color=colour, offset=(-4, up), ha="right")


def guess_drawing(
    w: NDArray, curves: dict[str, NDArray], guess: float, guesses: tuple[NDArray, NDArray], sigma: float
) -> Drawing:
    """How likely each slope is, by three `curves`; and the best guess over the size of the error."""
    drawing = Drawing()
    plane = drawing.panel(
        "slopes", xlim=(w[0], w[-1]), ylim=(0, 1.3), xlabel="slope $w$", yticks=[],
        title="how likely a slope is", height=220)
    plane.vlines(guess, key="guess", color=BLUE, linestyle=":")
    for name, colour, dashes, peak, side in (
        ("before", MUTED, ":", 0, "right"), ("example", VERMILION, "--", 2, "left"),
        ("now", BLUE, "-", guess, "center"),
    ):
        plane.plot(w, curves[name], key=name, color=colour, linestyle=dashes)
        plane.annotate(
            name, (peak, 1), key=f"name of {name}", link=name, color=colour, ha=side,
            offset=(0, 20 if name == "now" else 4))
    panel = drawing.panel(
        "best guess", xlim=(0, 3), ylim=(0, 2.2), xlabel="standard deviation of the error",
        title="best guess", height=220)
    panel.plot(*guesses, key="guesses", color=MUTED)
    panel.scatter([sigma], [guess], keys=["guess now"], color=BLUE, size=46, tell=("deviation", "guess"))
    return drawing


def function_drawing(
    line: NDArray, tasks: NDArray, chosen: int, example: tuple[float, float], stretched: NDArray,
    attended: NDArray, errors: NDArray,
) -> Drawing:
    """Tasks (3, m), an example of the `chosen` one and two answers over the `line`; errors of three tasks."""
    drawing, names = Drawing(), [f"task {letter}" for letter in "ABC"]
    plane = drawing.panel(
        "prompt", xlim=(-2, 2.25), ylim=(-1.6, 1.6), xticks=range(-2, 3), xlabel="$x$", ylabel="value")
    plane.plot(line, attended, key="attention over tasks", color=BLUE, linewidth=3, alpha=0.6)
    for name, task in zip(names, tasks, strict=True):
        plane.plot(line, task, key=name, color=INK, linestyle=":")
        plane.annotate(
            name[-1], (line[-1], task[-1]), key=f"name of {name}", link=name, offset=(5, -4), ha="left",
            size=12)
    plane.plot(line, stretched, key="stretched kernel", color=VERMILION, linestyle="--")
    plane.scatter(*np.array([example]).T, keys=["example"], color=INK, size=60, tell=("x", "value"))
    panel = drawing.panel(
        "errors", xlim=(-0.6, 2.6), ylim=(0, 0.8), xticks=dict(enumerate("ABC")), xlabel="task",
        title="missed by the stretched kernel")
    colours = [VERMILION if j == chosen else MUTED for j in range(3)]
    panel.bar(
        range(3), errors, keys=[f"error of {name}" for name in names], links=names, color=colours,
        tell="error")
    return drawing


def tasks_drawing(
    line: NDArray, tasks: dict[str, NDArray], curves: dict[str, NDArray], x: NDArray, y: NDArray,
    dragged: int, query: float, sweep: NDArray, replies: dict[str, NDArray],
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
    sizes = [60 if j == dragged else 26 for j in range(len(x))]
    plane.scatter(x, y, keys=point_keys(len(x), "example"), color=INK, size=sizes, tell=("x", "value"))
    _replies_panel(drawing, sweep, replies, y[dragged], weights[0])
    return drawing


def _replies_panel(
    drawing: Drawing, sweep: NDArray, replies: dict[str, NDArray], value: float, weight: float
) -> None:
    """Both answers at the query over the value of one example, and at the `value` that it has now."""
    panel = drawing.panel(
        "answer at the query", xlim=(sweep[0], sweep[-1]), ylim=(-2.2, 2.2), xlabel="value held",
        title="answer at the query")
    for name, (colour, dashes) in TASK_LEARNERS.items():
        panel.plot(sweep, replies[name], key=f"reply of {name}", color=colour, linestyle=dashes)
        here = np.interp(value, sweep, replies[name])
        panel.scatter(
            [value], [here], keys=[f"{name} now"], color=colour, edgecolor=INK, size=50,
            tell=("value", "answer"))
    panel.annotate(f"weight of $g$: {weight:.2f}", (sweep[0], 2.2), key="weights", offset=(8, -18), ha="left")


def heads_drawing(
    keys: NDArray, values: NDArray, line: NDArray, heads: Sequence[NDArray], mixture: NDArray,
    smoother: NDArray, now: int, shares: Sequence[NDArray], limits: Limits = ((-3, 3), (-1.6, 1.9)),
) -> Drawing:
    """Two heads, their mixture and the smoother with the mixed kernel, over a line of queries."""
    drawing = Drawing()
    plane = drawing.panel("heads", xlim=limits[0], ylim=limits[1], xlabel="query", ylabel="value")
    plane.scatter(
        keys, values, keys=point_keys(len(keys), "key"), color=MUTED, size=22, tell=("key", "value"))
    for i, (head, dashes) in enumerate(zip(heads, (":", "-."), strict=True), 1):
        plane.plot(line, head, key=f"head {i}", color=MUTED, linestyle=dashes)
    plane.plot(line, mixture, key="mixture of heads", color=BLUE)
    plane.plot(line, smoother, key="mixed kernel", color=VERMILION, linestyle="--")
    panel = drawing.panel(
        "share of head 1", xlim=limits[0], ylim=(0, 1), xlabel="query", title="how much head 1 counts")
    panel.plot(line, shares[0], key="in the mixture", color=BLUE)
    panel.plot(line, shares[1], key="in the mixed kernel", color=VERMILION, linestyle="--")
    for p, curves in ((plane, (mixture, smoother)), (panel, shares)):
        p.scatter(
            [line[now]] * 2, [curves[0][now], curves[1][now]], keys=["mixture now", "kernel now"],
            color=[BLUE, VERMILION], edgecolor=INK, size=44, tell=("query", "value"))
    return drawing


def metric_drawing(
    X: NDArray, y: NDArray, A: NDArray, relevant: NDArray, errors: NDArray, angles: NDArray | Sequence[float],
    now: int, floor: float,
) -> Drawing:
    """Points, lines of equal weight of the metric A; and the error left out over the angle of the metric.

    An aside is the direction in which a metric that is not round looks farthest.
    """
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
    if np.linalg.cond(A) > 1 + 1e-9:
        with plane.aside("farthest"):
            plane.arrow((0, 0), farthest(A), key="farthest", color=INK, linewidth=3)
    panel = drawing.panel(
        "error left out", xlim=(angles[0], angles[-1]), ylim=(0, 0.9), xlabel="angle of the metric, degrees",
        title="mean squared error left out", xticks=[-60, -30, 0, 30, 60, 90])
    panel.plot(angles, errors, key="errors", color=BLUE)
    panel.hlines(floor, key="round metric", color=MUTED, linestyle=":")
    panel.annotate(
        "round", (angles[-1], floor), key="name of the round metric", offset=(-4, 5), ha="right", size=12)
    panel.scatter([angles[now]], [errors[now]], keys=["error now"], color=BLUE, edgecolor=INK, size=50,
                  tell=("angle in degrees", "error"))
    return drawing


def farthest(A: NDArray) -> NDArray:
    """The point of the upper half plane with ||A x|| = 1 that is farthest from 0, for A (2, 2)."""
    _, sizes, ways = np.linalg.svd(A)
    point = ways[-1] / sizes[-1]
    return point if point[1] > 0 else -point


def depth_drawing(
    s: NDArray, left: NDArray, worst: Mapping[tuple[str, int], float], layers: int, write: str
) -> Drawing:
    """Sizes `left` over the eigenvalues s and their maximum; the maxima of all kinds of layers."""
    drawing = Drawing()
    colour = KINDS[write][0]
    plane = drawing.panel(
        "what is left", xlim=(s[0], s[-1]), ylim=(FLOOR, 2), yscale="log", xlabel="eigenvalue $s$",
        title="share of the error left", xticks=[1, 10, 20, 30], yticks={1: "1", 0.1: "0.1", 0.01: "0.01"})
    thinned = slice(None, None, 12)
    plane.plot(s[thinned], np.clip(left[thinned], FLOOR, 2), key="left", color=colour)
    plane.hlines(left.max(), key="maximum", color=GREEN, linestyle=":")
    _maxima_panel(drawing, worst, layers, write)
    return drawing


def _maxima_panel(drawing: Drawing, worst: Mapping[tuple[str, int], float], layers: int, write: str) -> None:
    """The maximum that each kind of layers leaves after one, two and three; the chosen one is larger."""
    panel = drawing.panel(
        "largest share left", xlim=(0.7, 4.6), ylim=(0.01, 1.6), yscale="log", xlabel="layers",
        title="largest share left", xticks=[1, 2, 3], yticks={1: "1", 0.1: "0.1", 0.01: "0.01"})
    for kind, (colour, marker, name) in KINDS.items():
        values = [worst[kind, n] for n in (1, 2, 3)]
        panel.plot([1, 2, 3], values, key=f"line of {kind}", color=colour, link=kind)
        sizes = [80 if (kind, n) == (write, layers) else 30 for n in (1, 2, 3)]
        panel.scatter(
            [1, 2, 3], values, keys=[f"{kind} {n}" for n in (1, 2, 3)], links=[kind] * 3, color=colour,
            marker=marker, size=sizes, edgecolor=INK, tell=("layers", "largest share left"))
        panel.annotate(name, (3, values[-1]), key=f"name of {kind}", link=kind, color=colour,
                       offset=(8, 0), ha="left", size=12)


def trained_heads_drawing(
    blocks: NDArray, steps: NDArray, errors: NDArray, now: int, levels: Mapping[str, float]
) -> Drawing:
    """The blocks (2, d, d) of two heads between inputs, and the error over the `steps` with level lines."""
    drawing, d = Drawing(), blocks.shape[-1]
    top = 1.0
    for h, block in enumerate(blocks):
        panel = drawing.panel(
            f"head {h + 1}", xlim=(0, d), ylim=(0, d), title=f"head {h + 1}: from $x_q$ to $x_j$",
            xticks=[], yticks=[], height=200)
        panel.image(block, key=f"matrix of head {h + 1}", extent=(0, d, 0, d), vmax=top)
    panel = drawing.panel(
        "error", xlim=(steps[0], steps[-1]), ylim=(0.3, 1.2), xscale="log", xlabel="steps of training",
        title="squared error on new tasks", height=200)
    panel.plot(steps, np.clip(errors, 0.3, 1.2), key="errors", color=BLUE)
    for name, level in levels.items():
        panel.hlines(level, key=name, color=MUTED, linestyle=":")
        panel.annotate(name, (steps[0], level), key=f"name of {name}", offset=(4, 4), ha="left", size=12)
    panel.scatter(
        [steps[now]], [np.clip(errors[now], 0.3, 1.2)], keys=["error now"], color=BLUE, edgecolor=INK,
        size=50, tell={"step": [steps[now]], "error": [errors[now]]})
    return drawing


def trained_tasks_drawing(
    numbers: Sequence[int], stored: Mapping[str, list[Estimate]], new: Mapping[str, list[Estimate]]
) -> Drawing:
    """The errors of learners over the number of tasks, on stored and on new ones."""
    drawing = Drawing()
    _tasks_panel(drawing, "tasks of the training", numbers, stored, (5e-5, 3))
    _tasks_panel(drawing, "new tasks", numbers, new, (5e-5, 3))
    return drawing


def own_tasks_drawing(numbers: Sequence[int], errors: Mapping[str, list[Estimate]]) -> Drawing:
    """The errors of learners on the tasks of the training, over the number of tasks."""
    drawing = Drawing()
    _tasks_panel(drawing, "tasks of the training", numbers, errors, (1e-3, 1))
    return drawing


def _tasks_panel(
    drawing: Drawing, title: str, numbers: Sequence[int], errors: Mapping[str, list[Estimate]],
    ylim: tuple[float, float],
) -> None:
    """A panel of errors over the number of tasks, with the names of the lines in a corner."""
    panel = drawing.panel(
        title, xlim=(1.6, 1280), ylim=ylim, xscale="log", yscale="log", xlabel="tasks $M$ in training",
        title=f"squared error, {title}", xticks={m: str(m) for m in (2, 8, 32, 128, 1024)})
    for k, (name, estimates) in enumerate(errors.items()):
        estimate_line(panel, name, numbers, estimates, STYLES[name])
        colour, marker, _ = STYLES[name]
        panel.annotate(
            f"{name}: {SHAPES[marker]}", (1280, ylim[0]), key=f"name of {name}", offset=(-8, 44 - 17 * k),
            ha="right", color=colour, size=12, link=name)


def estimate_line(
    panel: Panel, name: str, x: Sequence[float], estimates: Sequence[Estimate], style: tuple[str, str, str]
) -> None:
    """A line through estimates, a dot each, and bars for their intervals, cut at the panel's edges."""
    colour, marker, dashes = style
    low, high = panel.y.limits
    values, bottoms, tops = (
        np.clip([getattr(e, part) for e in estimates], low, high) for part in ("value", "low", "high"))
    panel.plot(x, values, key=f"curve of {name}", color=colour, linestyle=dashes, link=name)
    for k, place in enumerate(x):
        if tops[k] > bottoms[k]:
            panel.vlines(
                place, bottoms[k], tops[k], key=f"interval {k} of {name}", color=colour, linestyle="-",
                link=name)
    panel.scatter(
        x, values, keys=[f"{name} {k}" for k in range(len(x))], links=name, color=colour, marker=marker,
        size=30, tell={"value": [e.value for e in estimates]})


def widths_drawing(
    widths: Sequence[int], errors: Mapping[str, list[Estimate]], dimensions: Mapping[str, list[Estimate]],
    now: int, level: float,
) -> Drawing:
    """Errors and effective dimensions over the width, by what is trained; `level`: of heads alone."""
    drawing = Drawing()
    ticks = {m: str(m) for m in widths}
    for title, found, ylim, scale in (
        ("squared error", errors, (0.05, 1), "log"),
        ("effective dimension", dimensions, (0, 90), "linear"),
    ):
        panel = drawing.panel(
            title, xlim=(3.2, 320), ylim=ylim, xscale="log", yscale=scale, title=title, xticks=ticks,
            xlabel="width of the feed-forward layer")
        panel.vlines(widths[now], key="width now", color=MUTED, linestyle=":")
        for name, estimates in found.items():
            estimate_line(panel, name, widths, estimates, PARTS[name])
            panel.annotate(
                name, (widths[-1], np.clip(estimates[-1].value, *ylim)), key=f"name of {name}",
                offset=(-6, 10), ha="right", color=PARTS[name][0], link=name)
        if found is errors:
            panel.hlines(level, key="heads alone", color=MUTED, linestyle=":")
            panel.annotate(
                "heads alone", (widths[0], level), key="name of heads alone", offset=(0, 5), ha="left",
                size=12)
    return drawing


def transfer_drawing(
    steps: Mapping[str, Sequence[int]],
    errors: Mapping[str, list[Estimate]],
    machines: Mapping[str, tuple[Estimate, Estimate]],
) -> Drawing:
    """Errors over the steps on the target; norm and error of kernel machines with what was learnt before."""
    drawing = Drawing()
    panel = drawing.panel(
        "training goes on", xlim=(7, 9000), ylim=(0, 1.6), xscale="log", xlabel="steps counted",
        title="squared error on the target")
    for name, estimates in errors.items():
        estimate_line(panel, name, steps[name], estimates, SOURCES[name])
    plane = drawing.panel(
        "kernel machine", xlim=(0, 60), ylim=(0, 1.3), xlabel="scaled norm",
        title="kernel machine, 200 prompts")
    for name, (norm, error) in machines.items():
        colour, marker, _ = SOURCES[name]
        at = np.clip(norm.value, 0, 60), np.clip(error.value, 0, 1.3)
        plane.scatter(*np.array([at]).T, keys=[f"machine of {name}"], links=name, color=colour,
                      marker=marker, size=50, tell=("scaled norm", "error"))
        plane.annotate(name, at, key=f"name of {name}", color=colour, link=name)
    return drawing
