"""The drawings of SVM duality: streets among points, the dual, the solver, paths over C, two descents."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from explorable import Drawing, Panel
from explorable.palette import BLUE, GREEN, INK, MUTED, ORANGE, PAPER, SKY, VERMILION
from explorable.style import in_style, new_axes
from explorable.text import plain_text
from margins_book.drawing.multipliers import key_panel, multipliers_panel
from margins_book.drawing.planes import (
    CLASS_COLOURS,
    CLASS_MARKERS,
    draw_hulls,
    draw_points,
    draw_slack,
    draw_street,
    half_width_around,
    level_ends,
    new_plane,
    point_keys,
    span,
)

DASHES, DOTS = (0, (5, 2)), (0, (1, 1.6))
DESCENTS = (("plain", VERMILION, "--", 1.5), ("normalised", BLUE, "-", 1.2))
CIRCLE, SQUARES = 0, (6, 7)  # the segment leads from the edge of these squares to this circle
TURNS = np.linspace(-18, 18, 49)  # degrees from the best direction
SHARES = np.linspace(0, 1, 25)
SLOPE_LIMITS = (-3.5, 3.5)  # of the panel; slopes beyond are drawn at its edge
MARKERS_OF_MOVES = {  # (may grow, may shrink): (marker, colour)
    (True, False): ("^", BLUE),
    (False, True): ("v", VERMILION),
    (True, True): ("D", INK)}


def street_drawing(
    X: NDArray, y: NDArray, w: NDArray, b: float, alpha: NDArray, *, C: float = np.inf,
    top: float | None = None, names: bool = True, dragged: int | None = None, half_width: float = 3.4,
) -> Drawing:
    """The street of f(x) = w.x + b among the points, slack as whiskers, and every multiplier as a bar."""
    drawing = Drawing()
    plane = new_plane(drawing, half_width=half_width)
    draw_street(plane, w, b)
    if np.isfinite(C):
        draw_slack(plane, X, y, w, b)
    draw_points(plane, X, y, alpha=alpha, C=C, names=names, dragged=dragged)
    multipliers_panel(drawing, alpha, y, C=C, top=top)
    drawing.add(key_panel(crossed=bool(np.isfinite(C))))
    return drawing


def draw_half_width(plane: Panel, w: NDArray, b: float) -> None:
    """The aside "halfwidth": an arrow along w from the boundary to the kerb f = 1, clear of circle 0."""
    foot = -b * w / (w @ w) + 0.9 * np.array([-w[1], w[0]]) / np.linalg.norm(w)
    tip = foot + w / (w @ w)
    with plane.aside("halfwidth"):
        plane.arrow(foot, tip, key="half width", color=GREEN, linewidth=1.6)
        plane.annotate("1/‖w‖", tip, key="name of half width", link="half width", color=GREEN)


def hulls_drawing(
    X: NDArray, y: NDArray, *, top: float, dragged: int | None = None, half_width: float = 3.4
) -> Drawing:
    """The points with the convex hull of each class, and why there are no multipliers."""
    drawing = Drawing()
    plane = new_plane(drawing, half_width=half_width)
    draw_hulls(plane, X, y)
    draw_points(plane, X, y, names=True, dragged=dragged)
    panel = multipliers_panel(drawing, np.zeros(len(y)), y, top=top)
    for row, line in enumerate(("The hulls overlap:", "no street, and no", "finite multipliers.")):
        panel.annotate(line, (0.5 * top, 4 + 1.2 * row), key=f"note {row + 1}", offset=(0, 0))
    drawing.add(key_panel(crossed=False))
    return drawing


def transformed_street_drawing(
    X: NDArray, y: NDArray, w: NDArray, b: float, alpha: NDArray, rows: dict[str, tuple[float, float]], *,
    half_width: float = 4.2,
) -> Drawing:
    """The street of transformed points, and `rows`, {name: (now, at the start)}, as bars and ticks."""
    drawing = Drawing()
    plane = new_plane(drawing, half_width=half_width)
    draw_street(plane, w, b)
    draw_points(plane, X, y, alpha=alpha)
    places, names = np.arange(len(rows)), list(rows)
    now, start = np.array(list(rows.values())).T
    panel = drawing.panel(
        "numbers", xlim=(-2.2, 2.2), ylim=(len(rows) - 0.4, -0.6), title="now, and (|) at the start",
        yticks=dict(enumerate(names)))
    colours = [VERMILION if abs(a - b) > 1e-9 else BLUE for a, b in zip(now, start, strict=True)]
    plain_names = [plain_text(name) for name in names]
    panel.barh(places, now, keys=plain_names, color=colours, tell="now")
    before = [f"{name} at the start" for name in plain_names]
    panel.scatter(
        start, places, keys=before, links=plain_names, marker="|", size=140, color=INK,
        tell={"at the start": start}, linewidth=2)
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
            text, (multiples[-1], values[-1]), offset, textcoords="offset points", ha="right", color=colour)
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
            f"$w_{k + 1}$", (C[-1], w[-1, k]), (-4, 6), textcoords="offset points", ha="right", color=colour)
    ax.axvline(critical, color=INK, linestyle=DOTS, linewidth=1.2)
    ax.annotate("$C^*$", (critical, 0), (4, 6), textcoords="offset points")
    return figure


@in_style
def losses_figure() -> Figure:
    """Hinge and logistic loss over the margin."""
    figure, ax = new_axes(2.6, xlabel="margin m", ylabel="loss", xlim=(-2, 4), ylim=(-0.1, 3))
    margins = np.linspace(-2, 4, 121)
    ax.plot(margins, np.maximum(0, 1 - margins), color=BLUE)
    ax.plot(margins, np.logaddexp(0, -margins), color=VERMILION, linestyle=DASHES)
    ax.text(-0.75, 2.05, "hinge, max(0, 1 − m)", color=BLUE)
    ax.text(1.05, 0.5, "logistic, log(1 + e$^{−m}$)", color=VERMILION)
    return figure


def forces_drawing(
    X: NDArray, y: NDArray, w: NDArray, b: float, pushes: NDArray, share: float, torque: float
) -> Drawing:
    """A circle and two squares (3, 2) that push against their street, and the torque of their pushes (3, 2).

    The second square has this share of the squares' push.
    """
    drawing = Drawing()
    plane = new_plane(drawing, half_width=2.1, centre=(-0.1, -0.5))
    draw_street(plane, w, b)
    ends = X[0] + np.array([[-1.5], [1.5]]) * w / np.linalg.norm(w)
    plane.plot(*ends.T, key="line of circle 0", color=MUTED, linestyle=":")
    colours = [CLASS_COLOURS[int(label)] for label in y]
    names = [f"point {i}" for i in (CIRCLE, *SQUARES)]
    plane.scatter(
        *X.T, keys=names, size=70, marker=[CLASS_MARKERS[int(label)] for label in y], color=colours,
        edgecolor=INK)
    for name, x, push, colour in zip(names, X, pushes, colours, strict=True):
        plane.arrow(x, x + 0.6 * push, key=f"push of {name}", link=name, color=colour)
        plane.annotate(name.removeprefix("point "), x, key=f"name of {name}", link=name)
    joint = (1 - share) * X[1] + share * X[2]
    plane.scatter(*joint[:, None], keys=["joint push"], marker="D", size=80, color=GREEN, z=4)
    panel = drawing.panel("torque", xlim=(-1, 1), ylim=(0.6, -0.6), height=80, title="torque", yticks=[])
    panel.vlines(0, key="no torque", color=MUTED)
    panel.barh([0], [torque], keys=["torque"], color=GREEN, tell="torque")
    return drawing


@dataclass(frozen=True)
class Street:
    """The widest street across one direction: where f(x) = w.x + b."""

    w: NDArray
    b: float


def widest(X: NDArray, y: NDArray, u: NDArray) -> Street:
    """The widest street across the unit vector `u`, its kerbs at f = 1 and f = -1."""
    along = X @ u  # (n,)
    low, high = along[y < 0].max(), along[y > 0].min()
    return Street(2 * u / (high - low), float(-(high + low) / (high - low)))


def segment(X: NDArray, share: float) -> NDArray:
    """The vector p from the squares' edge to the circle, where square 7 has this share."""
    one, other = SQUARES
    return X[CIRCLE] - (1 - share) * X[one] - share * X[other]


def duality_drawing(
    X: NDArray, y: NDArray, street: Street, alpha: NDArray, turn: float, best: float
) -> Drawing:
    """A street, the segment of the multipliers `alpha`, costs and bounds over their directions in degrees."""
    drawing = Drawing()
    plane = new_plane(drawing, half_width=half_width_around(X, 3.4))
    draw_street(plane, street.w, street.b)
    draw_points(plane, X, y, alpha=alpha, names=True)
    share = alpha[SQUARES[1]] / alpha[CIRCLE]
    p = segment(X, share)
    ends = np.array([X[CIRCLE] - p, X[CIRCLE]])
    plane.plot(*ends.T, key="segment", color=GREEN, linewidth=2.6)
    with plane.aside("segment"):
        plane.annotate("p", ends.mean(axis=0), key="name of segment", link="segment", color=GREEN)
    panel = drawing.panel(
        "cost and bound", xlim=span(best + TURNS, (5, 60)), ylim=(0.5, 2.5), xlabel="direction, degrees",
        title="cost of streets, bound of segments")
    _draw_costs(panel, X, y, street, turn, best)
    _draw_bounds(panel, X, share)
    return drawing


def _draw_costs(panel: Panel, X: NDArray, y: NDArray, street: Street, turn: float, best: float) -> None:
    """What streets cost over their directions, and the one that is drawn."""
    turns = best + TURNS
    ways = np.column_stack([np.cos(np.deg2rad(turns)), np.sin(np.deg2rad(turns))])
    costs = [cost(widest(X, y, way)) for way in ways]
    panel.plot(turns, costs, key="costs", link="boundary", color=INK)
    panel.annotate("cost", (turns[3], costs[3]), key="name of costs", link="boundary", offset=(12, 6))
    panel.scatter(
        [turn], [cost(street)], keys=["cost now"], links=["boundary"], color=INK, tell=("degrees", "cost"))


def _draw_bounds(panel: Panel, X: NDArray, share: float) -> None:
    """What bounds segments give over their directions, and the one that is drawn."""
    vectors = np.array([segment(X, one) for one in [*SHARES, share]])  # (26, 2)
    ways = np.rad2deg(np.arctan2(vectors[:, 1], vectors[:, 0]))
    bounds = 2 / (vectors**2).sum(axis=1)
    style: dict[str, Any] = {"link": "segment", "color": GREEN}
    panel.plot(ways[:-1], bounds[:-1], key="bounds", linestyle="--", **style)
    panel.annotate("bound", (ways[-4], bounds[-4]), key="name of bounds", offset=(0, -18), **style)
    panel.scatter(
        ways[-1:], bounds[-1:], keys=["bound now"], links=["segment"], color=GREEN, marker="D",
        tell=("degrees", "bound"))


def cost(street: Street) -> float:
    """Half of the squared length of a street's w."""
    return float(street.w @ street.w / 2)


def left_out_drawing(
    X: NDArray, y: NDArray, everyone: tuple[NDArray, float], now: tuple[NDArray, float], alpha: NDArray,
    out: int, *, limits: tuple[float, float] = (-1, 8),
) -> Drawing:
    """The street `now` (w, b) of the machine without the point `out`, that of `everyone`, and all margins.

    `alpha` holds 0 for the point left out; `out` is -1 where all are there. `limits` are those of margins.
    """
    drawing = Drawing()
    plane = new_plane(drawing, half_width=half_width_around(X, 3.4))
    draw_street(plane, *now)
    plane.plot(*level_ends(plane, *everyone, 0).T, key="boundary with all", color=MUTED, linestyle=":")
    draw_points(plane, X, y, alpha=alpha, names=True)
    w, b = now
    margins_panel(drawing, y * (X @ w + b), y, out, limits)
    if out >= 0:
        plane.scatter(
            *X[[out]].T, keys=["left out"], links=[f"point {out}"], size=330, color=PAPER, edgecolor=ORANGE,
            linewidth=3, z=2)
    return drawing


def margins_panel(
    drawing: Drawing, margins: NDArray, y: NDArray, out: int, limits: tuple[float, float]
) -> None:
    """A bar for the margin of each point, with the kerb at 1 and the boundary at 0; `out` is named."""
    count, places = len(y), np.arange(len(y))
    panel = drawing.panel(
        "margins", xlim=limits, ylim=(count - 0.4, -0.6), title="margins $y_i f(x_i)$",
        yticks={i: f"{i}" for i in places}, xticks=[0, 1, 2, 4, 6, 8])
    panel.barh(
        places, margins, keys=[f"bar {i}" for i in places], links=point_keys(count),
        color=[CLASS_COLOURS[int(label)] for label in y], tell={"margin": margins})
    panel.vlines(0, key="error below", color=INK, linestyle="-")
    panel.vlines(1, key="kerb", color=INK, linestyle="--")
    if out >= 0:
        right = margins[out] > 0
        words, colour = ("left out, still right", INK) if right else ("left out: an error", VERMILION)
        at = max(margins[out], 1), out
        panel.annotate(words, at, key="verdict", offset=(8, -4), ha="left", color=colour, link=f"point {out}")


def kerb_drawing(X: NDArray, y: NDArray, w: NDArray, b: float, alpha: NDArray) -> Drawing:
    """Four points, two of them equal: the street, and the multiplier of each."""
    drawing = Drawing()
    centre = (0.2, 0.6)
    plane = new_plane(drawing, half_width=half_width_around(X, 3.4, centre), centre=centre)
    draw_street(plane, w, b)
    draw_points(plane, X, y, alpha=alpha)
    for i, offset in enumerate(((9, 8), (9, -18), (22, 13), (-14, 8))):
        plane.annotate(f"{i}", X[i], key=f"name {i}", offset=offset, size=12, link=f"point {i}")
    multipliers_panel(drawing, alpha, y, top=0.6)
    return drawing


def pairs_drawing(
    slopes: NDArray, may_grow: NDArray, may_shrink: NDArray, alpha: NDArray, y: NDArray, C: float
) -> Drawing:
    """The slope of the dual in every alpha_i y_i, whether that may grow or shrink, and the multipliers.

    The solver stops when the highest slope that may grow is not above the lowest that may shrink.
    """
    drawing = Drawing()
    count, places = len(y), np.arange(len(y))
    panel = drawing.panel(
        "slopes", xlim=SLOPE_LIMITS, ylim=(count - 0.4, -0.6), yticks={i: f"{i}" for i in range(0, count, 2)},
        title="slope $v_i$ of the dual in $\\alpha_i y_i$")
    styles = [MARKERS_OF_MOVES[bool(up), bool(down)] for up, down in zip(may_grow, may_shrink, strict=True)]
    panel.scatter(
        np.clip(slopes, *SLOPE_LIMITS), places, keys=[f"slope {i}" for i in places], links=point_keys(count),
        marker=[shape for shape, _ in styles], color=[colour for _, colour in styles], size=50,
        tell={"v": slopes})
    draw_violation(panel, slopes[may_grow].max(), slopes[may_shrink].min())
    multipliers_panel(drawing, alpha, y, C=C, top=1.1 * C)
    slopes_key(drawing)
    return drawing


def draw_violation(panel: Panel, highest: float, lowest: float) -> None:
    """The highest slope that may grow, the lowest that may shrink, and by how much they are out of order."""
    panel.vlines(highest, key="highest that may grow", color=BLUE, linestyle="-")
    panel.vlines(lowest, key="lowest that may shrink", color=VERMILION, linestyle="--")
    bottom, top = panel.y.limits
    ends = [lowest, highest, highest, lowest]
    panel.fill(ends, [bottom, bottom, top, top], key="violation", color=MUTED)


def slopes_key(drawing: Drawing) -> None:
    """What the three markers of a slope mean."""
    panel = drawing.panel("key", xlim=(0, 1), ylim=(2, 0), height=68, frame=False)
    words = ("may grow", "may shrink", "free: may do both")
    for (marker, colour), text, x, row in zip(
        MARKERS_OF_MOVES.values(), words, (0.02, 0.45, 0.02), (0.5, 0.5, 1.5), strict=True
    ):
        panel.scatter([x], [row], keys=[text], marker=marker, color=colour, size=50)
        panel.annotate(
            text, (x, row), key=f"{text}, in words", offset=(18, -4), ha="left", size=12, link=text)


def gap_drawing(
    steps: NDArray, primal: NDArray, dual: NDArray, now: int,
    ball: tuple[Sequence[float], Sequence[float], float],
) -> Drawing:
    """Both objectives up to step `now`, their difference, and the `ball` of answer, centre and radius."""
    drawing, shown = Drawing(), steps <= now
    low, high = dual[0], np.ceil(1.05 * max(primal[1:]))
    panel = drawing.panel(
        "objective", xlim=(0, steps[-1]), ylim=(low - 0.04 * (high - low), high), xlabel="step",
        title="objective")
    outline_x = np.concatenate([steps[shown], steps[shown][::-1]])
    outline_y = np.concatenate([np.minimum(primal[shown], high), dual[shown][::-1]])
    panel.fill(outline_x, outline_y, key="what is still possible", color=MUTED)
    for name, values, colour, dashes, lift in (
        ("primal", primal, VERMILION, "--", 14), ("dual", dual, BLUE, "-", -20),
    ):
        draw_objective(panel, name, steps[shown], np.minimum(values[shown], 2 * high), colour, dashes)
        panel.annotate(
            name, (0.72 * steps[-1], primal[-1]), key=f"name of {name}", offset=(0, lift), color=colour,
            link=name)
    gap_panel(drawing, steps, np.maximum(primal - dual, 1e-4), shown)
    ball_panel(drawing, *ball)
    return drawing


def draw_objective(
    panel: Panel, name: str, steps: NDArray, values: NDArray, colour: str, dashes: str
) -> None:
    """One objective up to now, with a dot at its end."""
    panel.plot(steps, values, key=name, color=colour, linestyle=dashes)
    panel.scatter(
        steps[-1:], np.minimum(values[-1:], panel.y.limits[1]), keys=[f"{name} now"], links=[name],
        color=colour, tell={"value": values[-1:]})


def gap_panel(drawing: Drawing, steps: NDArray, gaps: NDArray, shown: NDArray) -> None:
    """Primal minus dual on a logarithmic axis: dark up to now, pale afterwards."""
    panel = drawing.panel(
        "gap", xlim=(0, steps[-1]), ylim=(1e-3, 30), yscale="log", xlabel="step", title="primal − dual")
    panel.plot(steps, gaps, key="gap to come", color=MUTED, linewidth=1.3, alpha=0.6)
    panel.plot(steps[shown], gaps[shown], key="gap", color=INK)
    now = {"value": gaps[shown][-1:]}
    panel.scatter(steps[shown][-1:], gaps[shown][-1:], keys=["gap now"], links=["gap"], color=INK, tell=now)


def ball_panel(
    drawing: Drawing, answer: NDArray | Sequence[float], centre: NDArray | Sequence[float], radius: float
) -> None:
    """The w with ||w - centre|| <= radius, among which the `answer` must be."""
    panel = new_plane(drawing, "where w* may be", half_width=2.4, centre=answer, of="w")
    turn = np.linspace(0, 2 * np.pi, 91)
    ring = np.array(centre) + radius * np.column_stack([np.cos(turn), np.sin(turn)])  # (91, 2)
    panel.fill(*ring.T, key="ball", color=SKY)
    panel.plot(*ring.T, key="edge of the ball", link="ball", color=INK, linewidth=1.3)
    panel.scatter(*np.reshape(centre, (2, 1)), keys=["best w so far"], color=BLUE, tell=("w₁", "w₂"))
    panel.scatter(
        *np.reshape(answer, (2, 1)), keys=["the answer"], color=VERMILION, marker="+", size=110, linewidth=2,
        tell=("w₁", "w₂"))
    panel.annotate("$w^*$", answer, key="name of the answer", link="the answer", offset=(12, 6), ha="left")


def two_descents_drawing(
    Z: NDArray, y: NDArray, target: NDArray, steps: NDArray, paths: Sequence[NDArray],
    angles: Sequence[NDArray], now: int,
) -> Drawing:
    """Where two descents point after `now` steps, their boundaries, and each one's angle to `target`.

    `Z` holds the points y_i x_i, each drawn with the colour and the shape of its class in `y`. `paths`
    and `angles` hold one array for each descent, over `steps`; angles are in degrees.
    """
    drawing, last = Drawing(), np.flatnonzero(steps <= now)[-1]
    centre = (0.8, 0.5)
    plane = new_plane(drawing, half_width=half_width_around(Z, 2.4, centre), centre=centre)
    draw_points(plane, Z, y, alpha=np.zeros(len(Z)), names=True)
    with plane.aside("widest"):
        plane.arrow((0, 0), 2.0 * target, key="max margin", linestyle=":")
        plane.annotate(
            "max margin", 1.45 * target, key="name of max margin", link="max margin", offset=(0, -18))
    panel = drawing.panel(
        "angle still to turn", xlim=(1, steps[-1]), ylim=(1e-3, 180), xscale="log", yscale="log",
        xlabel="step", title="angle still to turn, degrees", xticks=[1, 100, 10_000],
        yticks=[1e-2, 1, 100])
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
    """The angle of a descent up to the step `last`."""
    name, colour, dashes, _ = descent
    line: dict[str, Any] = {"link": name, "color": colour, "linestyle": dashes}
    panel.plot(steps[: last + 1], angle[: last + 1], key=f"{name} so far", **line)
    now: dict[str, Any] = {"keys": [f"{name} now"], "links": [name], "tell": ("step", "angle in degrees")}
    panel.scatter([steps[last]], [angle[last]], color=colour, **now)
    panel.annotate(name, (steps[last], angle[last]), key=f"name of {name}", color=colour, link=name)
