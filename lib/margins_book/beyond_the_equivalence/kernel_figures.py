"""Figures of several kernels at once: mixtures of attention heads, and metrics that are learned.

(book: Beyond the equivalence)
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from explorable import Drawing
from explorable.palette import BLUE, INK, MUTED, PURPLE, SKY, VERMILION
from margins_book.drawing.planes import point_keys


def heads_drawing(
    keys: NDArray,
    values: NDArray,
    line: NDArray,
    heads: Sequence[NDArray],
    mixture: NDArray,
    smoother: NDArray,
    now: int,
    shares: Sequence[NDArray],
) -> Drawing:
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


def metric_drawing(
    X: NDArray,
    y: NDArray,
    A: NDArray,
    relevant: NDArray,
    errors: NDArray,
    angles: NDArray | Sequence[float],
    now: int,
    floor: float,
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
        title="mean squared error left out", xticks=[-60, -30, 0, 30, 60, 90],
    )  # fmt: skip
    panel.plot(angles, errors, key="errors", color=BLUE)
    panel.hlines(floor, key="round metric", color=MUTED, linestyle=":")
    panel.annotate(
        "round", (angles[-1], floor), key="name of the round metric", offset=(-4, 5), ha="right", size=12
    )
    panel.scatter([angles[now]], [errors[now]], keys=["error now"], color=BLUE, edgecolor=INK, size=50,
                  tell=("angle in degrees", "error"))  # fmt: skip
    return drawing


def farthest(A: NDArray) -> NDArray:
    """The point of the upper half plane with ||A x|| = 1 that is farthest from 0, for A (2, 2)."""
    _, sizes, ways = np.linalg.svd(A)
    point = ways[-1] / sizes[-1]
    return point if point[1] > 0 else -point
