"""The drawings of the chapter on SVM duality, each from plain arrays.

(book: SVM duality)
"""

import numpy as np
from matplotlib.ticker import FixedLocator, NullLocator

from margins.figures.planes import (
    draw_direction,
    draw_hulls,
    draw_multipliers,
    draw_points,
    draw_slack,
    draw_street,
    new_plane,
)
from margins.figures.style import BLUE, GREEN, INK, MUTED, PAPER, VERMILION, new_axes

DASHES, DOTS = (0, (5, 2)), (0, (1, 1.6))


def street_figure(X, y, w, b, alpha, *, C=np.inf, top=None, names=True):
    """The street of f(x) = w.x + b among the points, slack as whiskers, and every multiplier as a bar."""
    figure, plane, panel = new_plane()
    draw_street(plane, w, b)
    if np.isfinite(C):
        draw_slack(plane, X, y, w, b)
    draw_points(plane, X, y, alpha=alpha, C=C, names=names)
    draw_multipliers(panel, alpha, y, C=C, top=top)
    return figure


def hulls_figure(X, y):
    """The points with the convex hull of each class, and why there are no multipliers."""
    figure, plane, panel = new_plane()
    draw_hulls(plane, X, y)
    draw_points(plane, X, y, names=True)
    panel.set_axis_off()
    panel.text(0, 0.5, "The hulls overlap:\nno street, and no\nfinite multipliers.", va="center")
    return figure


def dual_plane_figure():
    """The dual of the points 1, 2, 3 over (alpha_2, alpha_3), where alpha_1 = alpha_2 + alpha_3."""
    figure, ax = new_axes(5.2, 3.0, xlabel=r"$\alpha_2$", ylabel=r"$\alpha_3$", xlim=(0, 4), ylim=(-1, 2))
    second, third = np.meshgrid(np.linspace(0, 4, 81), np.linspace(-1, 2, 61))
    value = 2 * (second + third) - (second + 2 * third) ** 2 / 2
    heights = ax.contour(second, third, value, levels=[-3, 0, 1, 1.5, 2, 3], colors=MUTED, linewidths=0.8)
    ax.clabel(heights, levels=[-3, 0], fmt="%g", fontsize=8)
    ax.set_yticks([-1, 0, 1, 2])
    ax.axhspan(-1, 0, color=MUTED, alpha=0.18, linewidth=0)
    ax.text(3.95, -0.92, "forbidden", ha="right", fontsize=9)
    ax.plot(2, 0, marker="o", markersize=8, color=BLUE, zorder=3)
    note = {"textcoords": "offset points", "bbox": {"facecolor": PAPER, "linewidth": 0, "pad": 1}}
    ax.annotate("maximum", (2, 0), (8, 9), color=BLUE, **note)
    ax.annotate("", (2, -0.75), (2, -0.07), arrowprops={"arrowstyle": "->", "color": INK, "linewidth": 1.4})
    ax.annotate("gradient", (2, -0.75), (8, 2), **note)
    return figure


def ray_figure(t, curves):
    """The dual objective along a ray of multipliers, one labelled line for each of `curves`."""
    figure, ax = new_axes(5.2, 2.8, xlabel="distance t along the ray", ylabel="dual objective")
    looks = ((VERMILION, "-", (-20, -14)), (BLUE, DASHES, (-34, 8)))
    for (text, values), (colour, dashes, offset) in zip(curves.items(), looks, strict=True):
        ax.plot(t, values, color=colour, linestyle=dashes)
        ax.annotate(text, (t[-1], values[-1]), offset, textcoords="offset points", ha="right", color=colour)
    return figure


def staircase_figure(margins, alpha, C):
    """Every point at its margin y f(x) and its multiplier: the staircase of complementary slackness."""
    figure, ax = new_axes(5.2, 3.0, xlabel="margin y f(x)", ylabel="multiplier α")
    low, high = min(margins.min(), 0) - 0.2, margins.max() + 0.2
    ax.set(xlim=(low, high), ylim=(-0.08 * C, 1.2 * C), yticks=[0, C / 2, C], yticklabels=["0", "C/2", "C"])
    ax.plot([low, 1, 1, high], [C, C, 0, 0], color=MUTED, linewidth=4, alpha=0.35, solid_joinstyle="miter")
    at_zero, at_bound = alpha <= 1e-8 * C, alpha >= (1 - 1e-8) * C
    looks = ((at_zero, "o", GREEN), (~at_zero & ~at_bound, "D", BLUE), (at_bound, "x", VERMILION))
    for mask, marker, colour in looks:
        ax.scatter(margins[mask], alpha[mask], marker=marker, color=colour, s=26, zorder=3)
    ax.text(low + 0.05, 1.07 * C, "at the bound", color=VERMILION)
    ax.text(1.06, 0.5 * C, "free, on the kerb", color=BLUE)
    ax.text(high - 0.05, 0.07 * C, "outside the street", color=GREEN, ha="right")
    return figure


def gap_figure(steps, primal, dual, now, alpha, y, C):
    """Primal and dual objective up to the step `now`, beside the multipliers of that step."""
    figure, axes = new_axes(5.4, 3.1, columns=2, xlabel="step")
    curves, bars = axes
    low, high = dual[0], np.ceil(1.05 * max(primal[1:]))
    curves.set(xlim=(0, steps[-1]), ylim=(low - 0.04 * (high - low), high))
    curves.set_title("objective", fontsize=10)
    shown = steps <= now
    curves.fill_between(steps[shown], dual[shown], primal[shown], color=MUTED, alpha=0.2, linewidth=0)
    curves.plot(steps[shown], primal[shown], color=VERMILION, linestyle=DASHES)
    curves.plot(steps[shown], dual[shown], color=BLUE)
    for values, text, colour, lift in ((primal, "primal", VERMILION, 8), (dual, "dual", BLUE, -13)):
        curves.plot(now, values[shown][-1], marker="o", color=colour, clip_on=False, zorder=3)
        curves.text(
            0.98, 0.72 if lift > 0 else 0.3, text, transform=curves.transAxes, ha="right", color=colour
        )
    draw_multipliers(bars, alpha, y, C=C, top=1.1 * C)
    bars.set(xlabel="")
    return figure


def path_figure(C, w, critical):
    """Both coordinates of w(C) over C, and the value of C from which on nothing moves."""
    figure, ax = new_axes(5.2, 3.0, xlabel="C", ylabel="coordinates of w(C)", xscale="log")
    ax.set(xlim=(C[0], C[-1]), ylim=(min(0, 1.1 * w.min()), 1.15 * w.max()))
    for k, (colour, dashes) in enumerate(((BLUE, "-"), (VERMILION, DASHES))):
        ax.plot(C, w[:, k], color=colour, linestyle=dashes)
        ax.annotate(
            f"$w_{k + 1}$", (C[-1], w[-1, k]), (-4, 6), textcoords="offset points", ha="right", color=colour
        )
    ax.axvline(critical, color=INK, linestyle=DOTS, linewidth=1.2)
    ax.annotate("$C^*$", (critical, 0), (4, 6), textcoords="offset points")
    return figure


RACERS = (("plain", VERMILION, DASHES), ("normalised", BLUE, "-"))


def race_figure(Z, target, steps, paths, angles, now):
    """Where two descents point after `now` steps, and each one's angle to the max-margin direction `target`.

    `paths` and `angles` hold one array for each racer, over `steps`.
    """
    figure, plane, panel = new_plane(half_width=1.8, centre=(0.9, 0.8), panel=2.1)
    plane.scatter(*Z.T, s=24, facecolors="none", edgecolors=GREEN, linewidths=1.2)
    draw_direction(plane, target, "max margin", length=1.7, colour=INK, linestyle=DOTS)
    panel.set(xscale="log", yscale="log", xlim=(1, 1.4 * steps[-1]), ylim=(1e-6, 3))
    panel.xaxis.set(major_locator=FixedLocator([1, 1e2, 1e4]), minor_locator=NullLocator())  # half the time
    panel.yaxis.set(major_locator=FixedLocator([1e-6, 1e-4, 1e-2, 1]), minor_locator=NullLocator())
    panel.set_title("angle to max margin", fontsize=10)
    panel.set_xlabel("step", labelpad=1)
    last = np.flatnonzero(steps <= now)[-1]
    looks = zip(RACERS, paths, angles, (1.2, 1.5), (9, 40), strict=True)
    for (name, colour, dashes), path, angle, length, lift in looks:
        draw_direction(plane, path[last], "", length=length, colour=colour, linestyle=dashes)
        panel.plot(steps, angle, color=colour, linestyle=dashes, linewidth=1, alpha=0.35)
        panel.plot(steps[: last + 1], angle[: last + 1], color=colour, linestyle=dashes)
        panel.plot(steps[last], angle[last], marker="o", color=colour, zorder=3)
        tip = steps[-1], angle[-1]
        panel.annotate(name, tip, (0, lift), textcoords="offset points", ha="right", color=colour)
    return figure
