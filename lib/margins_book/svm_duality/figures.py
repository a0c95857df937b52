"""Figures of SVM duality: the street among its points, the dual, paths over C, two descents.

(book: SVM duality)
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from explorable import Drawing, Panel
from explorable.palette import BLUE, GREEN, INK, MUTED, PAPER, VERMILION
from explorable.style import in_style, new_axes
from explorable.text import plain_text
from margins_book.drawing.multipliers import key_panel, multipliers_panel
from margins_book.drawing.planes import (
    draw_hulls,
    draw_points,
    draw_slack,
    draw_street,
    new_plane,
)

DASHES, DOTS = (0, (5, 2)), (0, (1, 1.6))


def street_drawing(
    X: NDArray,
    y: NDArray,
    w: NDArray,
    b: float,
    alpha: NDArray,
    *,
    C: float = np.inf,
    top: float | None = None,
    names: bool = True,
    held: int | None = None,
) -> Drawing:
    """The street of f(x) = w.x + b among the points, slack as whiskers, and every multiplier as a bar."""
    drawing = Drawing()
    plane = new_plane(drawing)
    draw_street(plane, w, b)
    if np.isfinite(C):
        draw_slack(plane, X, y, w, b)
    draw_points(plane, X, y, alpha=alpha, C=C, names=names, held=held)
    multipliers_panel(drawing, alpha, y, C=C, top=top)
    drawing.add(key_panel(crossed=bool(np.isfinite(C))))
    return drawing


def draw_half_width(plane: Panel, w: NDArray, b: float) -> None:
    """The aside "halfwidth": an arrow along w from the boundary to the kerb f = 1, near the origin."""
    foot = -b * w / (w @ w)
    tip = foot + w / (w @ w)
    with plane.aside("halfwidth"):
        plane.arrow(foot, tip, key="half width", color=GREEN, linewidth=1.6)
        plane.annotate("1/‖w‖", tip, key="name of half width", link="half width", color=GREEN)


def hulls_drawing(X: NDArray, y: NDArray, *, top: float, held: int | None = None) -> Drawing:
    """The points with the convex hull of each class, and why there are no multipliers."""
    drawing = Drawing()
    plane = new_plane(drawing)
    draw_hulls(plane, X, y)
    draw_points(plane, X, y, names=True, held=held)
    panel = multipliers_panel(drawing, np.zeros(len(y)), y, top=top)
    for row, line in enumerate(("The hulls overlap:", "no street, and no", "finite multipliers.")):
        panel.annotate(line, (0.5 * top, 4 + 1.2 * row), key=f"note {row + 1}", offset=(0, 0))
    drawing.add(key_panel(crossed=False))
    return drawing


def transformed_street_drawing(
    X: NDArray, y: NDArray, w: NDArray, b: float, alpha: NDArray, rows: dict[str, tuple[float, float]]
) -> Drawing:
    """The street of transformed points, and `rows`, {name: (now, at the start)}, as bars and ticks."""
    drawing = Drawing()
    plane = new_plane(drawing, half_width=4.2)
    draw_street(plane, w, b)
    draw_points(plane, X, y, alpha=alpha)
    places, names = np.arange(len(rows)), list(rows)
    now, start = np.array(list(rows.values())).T
    panel = drawing.panel(
        "numbers", xlim=(-2.2, 2.2), ylim=(len(rows) - 0.4, -0.6), title="now, and (|) at the start",
        yticks=dict(enumerate(names)),
    )  # fmt: skip
    colours = [VERMILION if abs(a - b) > 1e-9 else BLUE for a, b in zip(now, start, strict=True)]
    plain_names = [plain_text(name) for name in names]
    panel.barh(places, now, keys=plain_names, color=colours, tell="now")
    before = [f"{name} at the start" for name in plain_names]
    panel.scatter(
        start,
        places,
        keys=before,
        links=plain_names,
        marker="|",
        size=140,
        color=INK,
        tell={"at the start": start},
        linewidth=2,
    )
    return drawing


@in_style
def dual_plane_figure() -> Figure:
    """The dual of the points 1, 2, 3 over (alpha_2, alpha_3), where alpha_1 = alpha_2 + alpha_3."""
    figure, ax = new_axes(3.3, xlabel=r"$\alpha_2$", ylabel=r"$\alpha_3$", xlim=(0, 4), ylim=(-1, 2))
    second, third = np.meshgrid(np.linspace(0, 4, 81), np.linspace(-1, 2, 61))
    value = 2 * (second + third) - (second + 2 * third) ** 2 / 2
    heights = ax.contour(second, third, value, levels=[-3, 0, 1, 1.5, 2, 3], colors=MUTED, linewidths=0.8)
    names, places = {-3: "−3", 0: "0"}, [(2.41, 0.5), (2.45, 1)]
    ax.clabel(heights, levels=[-3, 0], fmt=names, fontsize="medium", manual=places)
    ax.set_yticks([-1, 0, 1, 2])
    ax.axhspan(-1, 0, color=MUTED, alpha=0.18, linewidth=0)
    ax.text(3.95, -0.92, "forbidden", ha="right")
    ax.plot(2, 0, marker="o", markersize=8, color=BLUE, zorder=3)
    white = {"facecolor": PAPER, "linewidth": 0, "pad": 1}
    note: dict[str, Any] = {"textcoords": "offset points", "bbox": white}
    ax.annotate("maximum", (2, 0), (8, 9), color=BLUE, **note)
    ax.annotate("", (2, -0.75), (2, -0.07), arrowprops={"arrowstyle": "->", "color": INK, "linewidth": 1.4})
    ax.annotate("gradient", (2, -0.75), (8, 2), **note)
    return figure


@in_style
def ray_figure(multiples: NDArray, curves: dict[str, NDArray]) -> Figure:
    """The dual objective at the multiples of a ray of multipliers, one labelled line for each of `curves`."""
    figure, ax = new_axes(xlabel="multiple of the ray", ylabel="dual objective")
    styles = ((VERMILION, "-", (-28, -6)), (BLUE, DASHES, (-34, 8)))
    for (text, values), (colour, dashes, offset) in zip(curves.items(), styles, strict=True):
        ax.plot(multiples, values, color=colour, linestyle=dashes)
        ax.annotate(
            text, (multiples[-1], values[-1]), offset, textcoords="offset points", ha="right", color=colour
        )
    return figure


@in_style
def staircase_figure(margins: NDArray, alpha: NDArray, C: float) -> Figure:
    """Every point at its margin y f(x) and its multiplier: the staircase of complementary slackness."""
    figure, ax = new_axes(3.3, xlabel="margin y f(x)", ylabel="multiplier α")
    low, high = min(margins.min(), 0) - 0.2, margins.max() + 0.2
    ax.set(xlim=(low, high), ylim=(-0.08 * C, 1.2 * C), yticks=[0, C / 2, C], yticklabels=["0", "C/2", "C"])
    ax.plot([low, 1, 1, high], [C, C, 0, 0], color=MUTED, linewidth=4, alpha=0.35, solid_joinstyle="miter")
    at_zero, at_bound = alpha <= 1e-8 * C, alpha >= (1 - 1e-8) * C
    styles = ((at_zero, "o", GREEN), (~at_zero & ~at_bound, "D", BLUE), (at_bound, "x", VERMILION))
    for mask, marker, colour in styles:
        ax.scatter(margins[mask], alpha[mask], marker=marker, color=colour, s=26, zorder=3)
    ax.text(low + 0.05, 1.07 * C, "at the bound", color=VERMILION)
    ax.text(1.06, 0.5 * C, "free, on the kerb", color=BLUE)
    ax.text(high - 0.05, 0.07 * C, "margin above 1", color=GREEN, ha="right")
    return figure


@in_style
def path_figure(C: NDArray, w: NDArray, critical: float) -> Figure:
    """Both coordinates of w(C) over C, and the value of C from which on w(C) is constant."""
    figure, ax = new_axes(xlabel="C", ylabel="coordinates of w(C)", xscale="log")
    ax.set(xlim=(C[0], C[-1]), ylim=(min(0, 1.1 * w.min()), 1.15 * w.max()))
    for k, (colour, dashes) in enumerate(((BLUE, "-"), (VERMILION, DASHES))):
        ax.plot(C, w[:, k], color=colour, linestyle=dashes)
        ax.annotate(
            f"$w_{k + 1}$", (C[-1], w[-1, k]), (-4, 6), textcoords="offset points", ha="right", color=colour
        )
    ax.axvline(critical, color=INK, linestyle=DOTS, linewidth=1.2)
    ax.annotate("$C^*$", (critical, 0), (4, 6), textcoords="offset points")
    return figure


DESCENTS = (("plain", VERMILION, "--", 1.5), ("normalised", BLUE, "-", 1.2))


def two_descents_drawing(
    Z: NDArray,
    y: NDArray,
    target: NDArray,
    steps: NDArray,
    paths: Sequence[NDArray],
    angles: Sequence[NDArray],
    now: int,
) -> Drawing:
    """Where two descents point after `now` steps, their boundaries, and each one's angle to `target`.

    `Z` holds the points y_i x_i, each drawn with the colour and the shape of its class in `y`. `paths`
    and `angles` hold one array for each descent, over `steps`; angles are in degrees.
    """
    drawing, last = Drawing(), np.flatnonzero(steps <= now)[-1]
    plane = new_plane(drawing, half_width=2.4, centre=(0.8, 0.5))
    draw_points(plane, Z, y, alpha=np.zeros(len(Z)), names=True)
    plane.arrow((0, 0), 2.0 * target, key="max margin", linestyle=":")
    plane.annotate("max margin", 2.0 * target, key="name of max margin", link="max margin")
    panel = drawing.panel(
        "angle to max margin", xlim=(1, steps[-1]), ylim=(1e-3, 180), xscale="log", yscale="log",
        xlabel="step", title="angle to max margin, degrees", xticks=[1, 100, 10_000],
        yticks=[1e-2, 1, 100],
    )  # fmt: skip
    for descent, path, angle in zip(DESCENTS, paths, angles, strict=True):
        _draw_iterate(plane, descent, path[last] / np.linalg.norm(path[last]))
        _draw_angle(panel, descent, steps, angle, last)
    return drawing


def _draw_iterate(plane: Panel, descent: tuple[str, str, str, float], way: NDArray) -> None:
    """The unit vector `way` along the iterate of a descent, and the boundary that belongs to it."""
    name, colour, dashes, length = descent
    plane.arrow((0, 0), length * way, key=name, color=colour, linestyle=dashes)
    ends = 6 * np.array([[way[1], -way[0]], [-way[1], way[0]]])
    style: dict[str, Any] = {"color": colour, "linestyle": dashes, "linewidth": 1.3, "z": 1}
    plane.plot(*ends.T, key=f"boundary of {name}", link=name, **style)


def _draw_angle(
    panel: Panel, descent: tuple[str, str, str, float], steps: NDArray, angle: NDArray, last: int
) -> None:
    """The angle of a descent over the steps, pale after the step `last`."""
    name, colour, dashes, _ = descent
    line: dict[str, Any] = {"link": name, "color": colour, "linestyle": dashes}
    panel.plot(steps, angle, key=f"{name} to come", linewidth=1.3, alpha=0.4, **line)
    panel.plot(steps[: last + 1], angle[: last + 1], key=f"{name} so far", **line)
    now: dict[str, Any] = {"keys": [f"{name} now"], "links": [name], "tell": ("step", "angle in degrees")}
    panel.scatter([steps[last]], [angle[last]], color=colour, **now)
    at = 300, np.interp(300, steps, angle)
    panel.annotate(name, at, key=f"name of {name}", color=colour, link=name)
