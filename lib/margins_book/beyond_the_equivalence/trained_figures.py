"""Figures of networks that were trained to answer prompts.

(book: Beyond the equivalence, Trained in context)
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from explorable import Drawing
from explorable.palette import BLUE, GREEN, INK, MUTED, PURPLE, VERMILION
from explorable.panel import Panel
from margins_book.experiments.estimates import Estimate

STYLES = {  # of a learner: colour, marker, line
    "network": (BLUE, "o", "-"),
    "posterior mean": (PURPLE, "D", "-."),
    "ridge": (VERMILION, "s", "--"),
}
SOURCES = {  # of what a network has learnt before: colour, marker, line
    "nothing": (INK, "o", "-"),
    "2 tasks": (VERMILION, "s", "--"),
    "16 tasks": (BLUE, "^", "-."),
    "1024 tasks": (GREEN, "D", ":"),
}


def heads_drawing(
    blocks: NDArray, steps: NDArray, errors: NDArray, now: int, levels: Mapping[str, float]
) -> Drawing:
    """The blocks (2, d, d) of two heads between inputs, and the error over the `steps` with level lines."""
    drawing, d = Drawing(), blocks.shape[-1]
    top = 1.0
    for h, block in enumerate(blocks):
        panel = drawing.panel(
            f"head {h + 1}", xlim=(0, d), ylim=(0, d), title=f"head {h + 1}: from $x_q$ to $x_j$",
            xticks=[], yticks=[], height=200,
        )  # fmt: skip
        panel.image(block, key=f"matrix of head {h + 1}", extent=(0, d, 0, d), vmax=top)
    panel = drawing.panel(
        "error", xlim=(steps[0], steps[-1]), ylim=(0.3, 1.2), xscale="log", xlabel="steps of training",
        title="squared error on new tasks", height=200,
    )  # fmt: skip
    panel.plot(steps, np.clip(errors, 0.3, 1.2), key="errors", color=BLUE)
    for name, level in levels.items():
        panel.hlines(level, key=name, color=MUTED, linestyle=":")
        panel.annotate(name, (steps[0], level), key=f"name of {name}", offset=(4, 4), ha="left", size=12)
    panel.scatter(
        [steps[now]], [np.clip(errors[now], 0.3, 1.2)], keys=["error now"], color=BLUE, edgecolor=INK,
        size=50, tell={"step": [steps[now]], "error": [errors[now]]},
    )  # fmt: skip
    return drawing


def tasks_drawing(
    numbers: Sequence[int], stored: Mapping[str, list[Estimate]], new: Mapping[str, list[Estimate]]
) -> Drawing:
    """The errors of the network, the posterior mean and ridge over the number of tasks, stored and new."""
    drawing = Drawing()
    for title, of_learners in (("tasks of the training", stored), ("new tasks", new)):
        panel = drawing.panel(
            title, xlim=(1.6, 1280), ylim=(5e-5, 3), xscale="log", yscale="log",
            xlabel="tasks $M$ in training", title=f"squared error, {title}",
            xticks={m: str(m) for m in (2, 8, 32, 128, 1024)},
        )  # fmt: skip
        for name, estimates in of_learners.items():
            estimate_line(panel, name, numbers, estimates, STYLES[name])
        low = panel.y.limits[0]
        for k, (name, (colour, marker, _)) in enumerate(STYLES.items()):
            words = f"{name}: {SHAPES[marker]}"
            panel.annotate(
                words, (1.6, low), key=f"name of {name}", offset=(8, 44 - 17 * k), ha="left", color=colour,
                size=12, link=name,
            )  # fmt: skip
    return drawing


SHAPES = {"o": "dots", "s": "squares", "^": "triangles", "D": "diamonds"}


def estimate_line(
    panel: Panel, name: str, x: Sequence[float], estimates: Sequence[Estimate], style: tuple[str, str, str]
) -> None:
    """A line through estimates, a dot each, and bars for their intervals, cut at the panel's edges."""
    colour, marker, dashes = style
    low, high = panel.y.limits
    values, bottoms, tops = (
        np.clip([getattr(e, part) for e in estimates], low, high) for part in ("value", "low", "high")
    )
    panel.plot(x, values, key=f"curve of {name}", color=colour, linestyle=dashes, link=name)
    for k, place in enumerate(x):
        if tops[k] > bottoms[k]:
            panel.vlines(
                place, bottoms[k], tops[k], key=f"interval {k} of {name}", color=colour, linestyle="-",
                link=name,
            )  # fmt: skip
    panel.scatter(
        x, values, keys=[f"{name} {k}" for k in range(len(x))], links=name, color=colour, marker=marker,
        size=30, tell={"value": [e.value for e in estimates]},
    )  # fmt: skip


def widths_drawing(
    widths: Sequence[int],
    errors: Mapping[str, list[Estimate]],
    dimensions: Mapping[str, list[Estimate]],
    now: int,
    level: float,
) -> Drawing:
    """Errors and effective dimensions over the width, of features that are trained and that are not."""
    drawing = Drawing()
    styles = {"trained": (BLUE, "o", "-"), "not trained": (VERMILION, "s", "--")}
    ticks = {m: str(m) for m in widths}
    for title, found, ylim, scale in (
        ("squared error", errors, (0.05, 1), "log"),
        ("effective dimension", dimensions, (0, 90), "linear"),
    ):
        panel = drawing.panel(
            title, xlim=(3.2, 320), ylim=ylim, xscale="log", yscale=scale, title=title, xticks=ticks,
            xlabel="width of the feed-forward layer",
        )  # fmt: skip
        panel.vlines(widths[now], key="width now", color=MUTED, linestyle=":")
        for name, estimates in found.items():
            estimate_line(panel, name, widths, estimates, styles[name])
            panel.annotate(
                name, (widths[-1], np.clip(estimates[-1].value, *ylim)), key=f"name of {name}",
                offset=(-6, 10), ha="right", color=styles[name][0], link=name,
            )  # fmt: skip
        if found is errors:
            panel.hlines(level, key="no layer", color=MUTED, linestyle="-.")
            panel.annotate(
                "no layer", (widths[0], level), key="name of no layer", offset=(0, 5), ha="left", size=12
            )
    return drawing


def transfer_drawing(
    steps: Sequence[int],
    errors: Mapping[str, list[Estimate]],
    machines: Mapping[str, tuple[Estimate, Estimate]],
) -> Drawing:
    """Errors over the steps on the target; norm and error of kernel machines with what was learnt before."""
    drawing = Drawing()
    panel = drawing.panel(
        "training goes on", xlim=(7, 7000), ylim=(0, 1.3), xscale="log", xlabel="steps counted",
        title="squared error on the target",
    )  # fmt: skip
    for name, estimates in errors.items():
        estimate_line(panel, name, steps, estimates, SOURCES[name])
    plane = drawing.panel(
        "kernel machine",
        xlim=(0, 60),
        ylim=(0, 1.3),
        xlabel="scaled norm",
        title="kernel machine, 200 prompts",
    )
    for name, (norm, error) in machines.items():
        colour, marker, _ = SOURCES[name]
        at = np.clip(norm.value, 0, 60), np.clip(error.value, 0, 1.3)
        plane.scatter(*np.array([at]).T, keys=[f"machine of {name}"], links=name, color=colour,
                      marker=marker, size=50, tell=("scaled norm", "error"))  # fmt: skip
        plane.annotate(name, at, key=f"name of {name}", color=colour, link=name)
    return drawing
