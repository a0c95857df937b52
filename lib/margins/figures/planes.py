"""Drawings of labelled points in the plane: the street between two classes, hulls, slack, directions.

(book: SVM duality)
"""

import numpy as np
from matplotlib import rc_context
from matplotlib.figure import Figure
from matplotlib.ticker import MultipleLocator

from margins.figures.style import BLUE, INK, MARKERS, MUTED, PAPER, SKY, STYLE, VERMILION

CLASS_COLOURS = {1: BLUE, -1: VERMILION}
CLASS_MARKERS = {1: MARKERS[0], -1: MARKERS[1]}


def new_plane(*, half_width=3.4, centre=(0, 0), height=3.1, panel=1.6, width=5.4):
    """A figure with a plane of equal scales on its left and a panel `panel` inches wide on its right.

    The plane spans `half_width` to either side of its `centre`, and upwards what its box allows.
    Without a panel (`panel=0`) the plane fills the figure.
    """
    left, right, bottom, top, gap = 0.42, 0.1, 0.42, 0.26, 0.5
    box = width - left - right - (panel + gap if panel else 0), height - bottom - top
    with rc_context(STYLE):
        figure = Figure(figsize=(width, height))
        plane = figure.add_axes((left / width, bottom / height, box[0] / width, box[1] / height))
        (x, y), reach = centre, half_width * box[1] / box[0]
        plane.set(xlim=(x - half_width, x + half_width), ylim=(y - reach, y + reach))
        plane.xaxis.set_major_locator(MultipleLocator(1))
        plane.yaxis.set_major_locator(MultipleLocator(1))
        plane.set_xlabel("$x_1$", labelpad=1)
        plane.set_ylabel("$x_2$", labelpad=-4)
        if not panel:
            return figure, plane
        place = ((width - right - panel) / width, bottom / height, panel / width, box[1] / height)
        return figure, plane, figure.add_axes(place)


def draw_points(ax, X, y, *, alpha=None, C=np.inf, names=False):
    """The points, a circle for y = +1 and a square for -1; support vectors larger, with a ring.

    The area grows with `alpha`; a multiplier at the bound C fills the point with its class's colour
    and crosses it. Without `alpha` all points are alike.
    """
    weights = np.zeros(len(y)) if alpha is None else alpha
    supported = weights > 1e-6 * max(weights.max(), 1e-300)
    at_bound = supported & (weights > (1 - 1e-6) * C)
    sizes = 26 + 190 * np.sqrt(weights / max(weights.max(), 1e-300)) * supported
    for label in (-1, 1):
        look = {"marker": CLASS_MARKERS[label], "edgecolors": CLASS_COLOURS[label]}
        plain, rest = (y == label) & ~supported, (y == label) & supported
        fill = CLASS_COLOURS[label] if alpha is None else PAPER
        ax.scatter(*X[plain].T, s=26, facecolors=fill, linewidths=1.3, zorder=3, **look)
        look["edgecolors"] = INK
        ax.scatter(
            *X[rest].T, s=sizes[rest], facecolors=CLASS_COLOURS[label], linewidths=1.3, zorder=3, **look
        )
    ax.scatter(*X[at_bound].T, s=22, marker="x", color=PAPER, linewidths=1.3, zorder=4)
    if names:
        for i, (place, size) in enumerate(zip(X, sizes, strict=True)):
            clear = 3 + np.sqrt(size) / 2.8
            ax.annotate(f"{i}", place, (clear, clear), textcoords="offset points", fontsize=8, zorder=5)


def draw_street(ax, w, b):
    """The boundary f = 0, the two kerbs f = 1 and f = -1, and the street between them, for f(x) = w.x + b."""
    kerbs = np.array([level_ends(w, b, c) for c in (-1, 1)])  # (2, 2, 2)
    ax.fill(*np.concatenate([kerbs[0], kerbs[1][::-1]]).T, color=SKY, alpha=0.22, linewidth=0, zorder=0)
    for level, dashes in ((-1, (0, (4, 3))), (0, "-"), (1, (0, (4, 3)))):
        ends = level_ends(w, b, level)
        ax.plot(*ends.T, color=INK, linestyle=dashes, linewidth=1.5 if level == 0 else 1.0, zorder=1)
        if level == 0 or np.linalg.norm(w) < 2.2:  # the names of a narrow street's kerbs would collide
            name_level(ax, ends, f"$f={level:+d}$" if level else "$f=0$")


def level_ends(w, b, level, reach=30.0):
    """Two far points (2, 2) of the line w.x + b = level."""
    w = np.asarray(w, dtype=float)
    foot = (level - b) * w / (w @ w)
    along = np.array([-w[1], w[0]]) / np.linalg.norm(w)
    return np.array([foot - reach * along, foot + reach * along])


def name_level(ax, ends, text):
    """`text` where the line through `ends` leaves the drawing at its top or its right."""
    (x_low, x_high), (y_low, y_high) = ax.get_xlim(), ax.get_ylim()
    box = np.array([[x_low, x_high], [y_low, y_high]])
    start, step = ends[0], ends[1] - ends[0]
    with np.errstate(divide="ignore", invalid="ignore"):
        crossings = np.sort((box - start[:, None]) / step[:, None], axis=1)  # (2, 2): enters, leaves
    enters, leaves = np.nanmax(crossings[:, 0]), np.nanmin(crossings[:, 1])
    x, y = max((start + leaves * step, start + enters * step), key=lambda p: (round(p[1], 6), p[0]))
    if enters >= leaves or x < x_low + 0.1 * (x_high - x_low):  # unseen, or where the axis has its numbers
        return
    above = abs(y - y_high) < 1e-6 * (y_high - y_low)
    place = {"ha": "center", "va": "bottom"} if above else {"ha": "right", "va": "bottom"}
    offset = (0, 2) if above else (-2, 3)
    ax.annotate(text, (x, y), offset, textcoords="offset points", fontsize=8, annotation_clip=False, **place)


def draw_slack(ax, X, y, w, b):
    """A whisker from each point with y f(x) < 1 to its own kerb: its length is slack / ||w||."""
    slack = np.maximum(0, 1 - y * (X @ w + b))
    for i in np.flatnonzero(slack > 1e-6):
        kerb = X[i] + y[i] * slack[i] * w / (w @ w)
        ax.plot(*np.array([X[i], kerb]).T, color=CLASS_COLOURS[int(y[i])], linewidth=1.1, zorder=2)
        ax.plot(*kerb, marker="|", color=CLASS_COLOURS[int(y[i])], markersize=4, zorder=2)


def draw_hulls(ax, X, y):
    """The convex hull of each class, shaded."""
    from scipy.spatial import ConvexHull

    for label in (-1, 1):
        corners = X[y == label]
        ring = corners[ConvexHull(corners).vertices]
        ax.fill(*ring.T, color=CLASS_COLOURS[label], alpha=0.18, linewidth=0, zorder=0)
        ax.plot(*np.vstack([ring, ring[:1]]).T, color=CLASS_COLOURS[label], linewidth=1, zorder=1)


def draw_direction(ax, w, text, *, length, colour=INK, linestyle="-"):
    """A ray from the origin along w, `length` long, named at its tip."""
    tip = length * np.asarray(w) / np.linalg.norm(w)
    ax.plot([0, tip[0]], [0, tip[1]], color=colour, linestyle=linestyle, linewidth=1.8, zorder=2)
    outwards = 9 * tip / length
    ax.annotate(
        text, tip, outwards, textcoords="offset points", fontsize=9, color=colour, ha="center", va="center"
    )


def draw_multipliers(ax, alpha, y, *, C=np.inf, top=None):
    """A bar for each multiplier, the first point's at the top; a line at the bound C.

    A bar that is longer than `top` is cut there and tells its value.
    """
    places = np.arange(len(y))
    top = top or 1.1 * max(alpha.max(), 1e-12)
    ax.barh(places, np.minimum(alpha, top), height=0.62, color=[CLASS_COLOURS[int(label)] for label in y])
    ax.set(xlim=(0, top), ylim=(len(y) - 0.4, -0.6), title="multipliers α")
    ax.set_yticks([])
    beside = ax.get_yaxis_transform()
    for i in places if len(y) <= 16 else []:  # texts, for ticks take long to draw
        ax.text(-0.05, i, f"{i}", transform=beside, fontsize=8, ha="right", va="center")
    ax.title.set_fontsize(10)
    for label, marker in CLASS_MARKERS.items():
        rows = places[y == label]
        ax.plot(0 * rows, rows, marker, markersize=3.5, color=CLASS_COLOURS[label], clip_on=False, zorder=3)
    for i in np.flatnonzero(alpha > top):
        ax.text(0.97 * top, i, f"{alpha[i]:.1f}", color=PAPER, fontsize=8, ha="right", va="center")
    if np.isfinite(C) and top >= C:
        ax.axvline(C, color=MUTED, linestyle=(0, (2, 2)), linewidth=1)
        ax.annotate("$C$", (C, -0.6), (0, 2), textcoords="offset points", ha="center", fontsize=9)
