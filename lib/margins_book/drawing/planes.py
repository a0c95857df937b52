"""Labelled points in the plane: the street between two classes, convex hulls, slack, directions, limits.

A function `draw_...` draws on a panel of an `explorable.Drawing`. (book: SVM duality)
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorable import Drawing, Panel
from explorable.palette import BLUE, INK, MARKERS, PAPER, SKY, VERMILION

CLASS_COLOURS = {1: BLUE, -1: VERMILION}
CLASS_MARKERS = {1: MARKERS[0], -1: MARKERS[1]}
HANDLE_OFFSET = (20, 17)  # pixels right and up, clear of a handle's ring
PLANE_BOX = (46, 26, 346, 226)  # pixels of a panel with both axes named: left, top, right, bottom


def new_plane(
    drawing: Drawing, name: str = "plane", *, half_width: float = 3.4,
    centre: NDArray | Sequence[float] = (0, 0), of: str = "x",
) -> Panel:
    """A panel with a plane of vectors `of`, of equal scales, `half_width` to either side of its `centre`.

    (book: How to read and run this book, Figures that move)

    >>> from explorable import Drawing
    >>> new_plane(Drawing(), half_width=2).x.limits
    (-2.0, 2.0)
    """
    left, top, right, bottom = PLANE_BOX
    (x, y), half = centre, half_width * (bottom - top) / (right - left)
    whole = [range(int(np.ceil(c - r)), int(np.floor(c + r)) + 1) for c, r in ((x, half_width), (y, half))]
    return drawing.panel(
        name, xlim=(x - half_width, x + half_width), ylim=(y - half, y + half), xlabel=f"${of}_1$",
        ylabel=f"${of}_2$", xticks=whole[0], yticks=whole[1])


def point_keys(count: int, name: str = "point") -> list[str]:
    """Names of the points, the same in every panel.

    (book: How to read and run this book, Figures that move)

    >>> point_keys(2)
    ['point 0', 'point 1']
    """
    return [f"{name} {i}" for i in range(count)]


def draw_points(
    panel: Panel, X: NDArray, y: NDArray, *, alpha: NDArray | None = None, C: float = np.inf,
    names: bool = False, dragged: int | None = None,
) -> None:
    """The points, a circle for y = +1 and a square for -1; support vectors filled, larger, with a ring.

    The area grows with `alpha`; a multiplier at the bound C is crossed. Without `alpha` all are alike.
    The name of the point number `dragged`, which the reader drags, stands clear of its handle
    (book: How to read and run this book, Figures that move).

    >>> from explorable import Drawing
    >>> panel = new_plane(Drawing())
    >>> X, y = np.array([[1.0, 1.0], [2.0, 0.0], [-1.0, 0.0]]), np.array([1, 1, -1])
    >>> draw_points(panel, X, y, alpha=np.array([0.5, 0.0, 0.5]), C=0.5)
    >>> [mark.key for mark in panel.marks()]
    ['point 0', 'point 1', 'point 2', 'cross 0', 'cross 2']
    """
    weights = np.zeros(len(y)) if alpha is None else alpha
    shares = weights / max(weights.max(), 1e-300)
    supported = shares > 1e-6
    sizes = 26 + 190 * np.sqrt(shares) * supported
    own, keys = [CLASS_COLOURS[int(label)] for label in y], point_keys(len(y))
    filled = supported | (alpha is None)
    panel.scatter(
        *X.T, keys=keys, size=sizes, marker=[CLASS_MARKERS[int(label)] for label in y], tell=("x₁", "x₂"),
        color=[c if f else PAPER for c, f in zip(own, filled, strict=True)],
        edgecolor=[INK if s else c for c, s in zip(own, supported, strict=True)])
    _cross(panel, X, np.flatnonzero(supported & (weights > (1 - 1e-6) * C)))
    for i in range(len(y)) if names else ():
        beside: dict[str, Any] = {"offset": HANDLE_OFFSET} if i == dragged else {}
        panel.annotate(f"{i}", X[i], key=f"name {i}", size=12, link=keys[i], **beside)


def _cross(panel: Panel, X: NDArray, crossed: NDArray) -> None:
    """A cross in each of the points whose numbers are in `crossed`."""
    panel.scatter(
        *X[crossed].T, keys=[f"cross {i}" for i in crossed], links=[f"point {i}" for i in crossed],
        size=22, marker="x", color=PAPER, z=4)


def draw_street(panel: Panel, w: NDArray, b: float) -> None:
    """The boundary f = 0, the two kerbs f = 1 and f = -1, and the street between them, for f(x) = w.x + b.

    (book: How to read and run this book, Figures that move)

    >>> from explorable import Drawing
    >>> panel = new_plane(Drawing())
    >>> draw_street(panel, np.array([1.0, 0.0]), 0.5)
    >>> [mark.key for mark in panel.marks()]
    ['street', 'kerb −1', 'boundary', 'kerb +1', 'name of kerb −1', 'name of boundary', 'name of kerb +1']
    """
    ends = {level: level_ends(panel, w, b, level) for level in (-1, 0, 1)}  # each (2, 2)
    panel.fill(*np.concatenate([ends[-1], ends[1][::-1]]).T, key="street", color=SKY)
    for level, dashes, name in ((-1, "--", "kerb −1"), (0, "-", "boundary"), (1, "--", "kerb +1")):
        panel.plot(*ends[level].T, key=name, color=INK, linestyle=dashes, linewidth=1.3 if level else 2, z=1)
        if level == 0 or np.linalg.norm(w) < 2.2:  # the names of a narrow street's kerbs would collide
            name_level(panel, ends[level], f"$f={level:+d}$" if level else "$f=0$", name)


def level_ends(panel: Panel, w: NDArray | Sequence[float], b: float, level: float) -> NDArray:
    """Two points (2, 2) of the line w.x + b = level, a little outside the panel wherever it is seen.

    (book: How to read and run this book, Figures that move)

    >>> from explorable import Drawing
    >>> level_ends(new_plane(Drawing()), [2.0, 0.0], 0.0, level=1)[:, 0]  # the line x_1 = 1/2
    array([0.5, 0.5])
    """
    (w1, w2), (left, right), (low, high) = map(float, w), panel.x.limits, panel.y.limits
    x, y, length = (left + right) / 2, (low + high) / 2, math.hypot(w1, w2)
    along, half = (-w2 / length, w1 / length), 0.51 * math.hypot(right - left, high - low)
    shift = (level - b - x * w1 - y * w2) / length
    foot = x + shift * along[1], y - shift * along[0]
    return np.array([[f + way * half * a for f, a in zip(foot, along, strict=True)] for way in (-1, 1)])


def name_level(panel: Panel, ends: NDArray, text: str, name: str) -> None:
    """`text` where the line through `ends` leaves the panel at its top or its right, if it is seen.

    (book: How to read and run this book, Figures that move)

    >>> from explorable import Drawing
    >>> panel = new_plane(Drawing())
    >>> name_level(panel, level_ends(panel, [1.0, 0.0], 0.0, level=1), "$f=+1$", "kerb")
    >>> [mark.key for mark in panel.marks()]
    ['name of kerb']
    """
    (left, right), (low, high) = sorted(panel.x.limits), sorted(panel.y.limits)
    seen = _part_inside(ends, (left, low), (right, high))
    x, y = max(seen, key=lambda p: (round(p[1], 6), p[0]), default=(left, low))
    if x < left + 0.02 * (right - left):  # unseen, or where the axis has its numbers
        return
    above = abs(y - high) < 1e-6 * (high - low)
    panel.annotate(text, (x, y), key=f"name of {name}", link=name, size=12, **(
        {"offset": (0, 6)} if above else {"offset": (-2, 6), "ha": "right"}))


def _part_inside(
    ends: NDArray, lowest: tuple[float, float], highest: tuple[float, float]
) -> list[tuple[float, float]]:
    """The ends of the part of a line through `ends` that lies in a box, or none."""
    (x, y), enters, leaves = map(float, ends[0]), -math.inf, math.inf
    steps = [float(b - a) for a, b in zip(*ends, strict=True)]
    for start, step, low, high in zip((x, y), steps, lowest, highest, strict=True):
        if step:
            first, last = sorted(((low - start) / step, (high - start) / step))
            enters, leaves = max(enters, first), min(leaves, last)
        elif not low < start < high:
            return []
    return [(x + t * steps[0], y + t * steps[1]) for t in (enters, leaves)] if enters < leaves else []


def draw_slack(panel: Panel, X: NDArray, y: NDArray, w: NDArray, b: float) -> None:
    """A whisker from each point with y f(x) < 1 to its own kerb: its length is slack / ||w||.

    (book: How to read and run this book, Figures that move)

    >>> from explorable import Drawing
    >>> panel = new_plane(Drawing())
    >>> X, y = np.array([[1.0, 1.0], [2.0, 0.0], [-1.0, 0.0]]), np.array([1, 1, -1])
    >>> draw_slack(panel, X, y, np.array([1.0, 0.0]), -0.5)
    >>> [mark.key for mark in panel.marks()]
    ['slack 0']
    """
    slack = np.maximum(0, 1 - y * (X @ w + b))
    for i in np.flatnonzero(slack > 1e-6):
        kerb = X[i] + y[i] * slack[i] * w / (w @ w)
        style: dict[str, Any] = {"color": CLASS_COLOURS[int(y[i])], "link": f"point {i}"}
        panel.plot(*np.array([X[i], kerb]).T, key=f"slack {i}", linewidth=1.4, **style)


def draw_hulls(panel: Panel, X: NDArray, y: NDArray) -> None:
    """The convex hull of each class, shaded.

    (book: How to read and run this book, Figures that move)

    >>> from explorable import Drawing
    >>> panel = new_plane(Drawing())
    >>> X = np.array([[1.0, 1.0], [2.0, 0.0], [1.0, 0.0], [-1.0, 0.0], [-2.0, 0.0], [-1.0, 1.0]])
    >>> y = np.repeat([1, -1], 3)
    >>> draw_hulls(panel, X, y)
    >>> [mark.key for mark in panel.marks()]
    ['hull of the squares', 'hull of the circles',
     'edge of the hull of the squares', 'edge of the hull of the circles']
    """
    from scipy.spatial import ConvexHull

    for label in (-1, 1):
        corners = X[y == label]
        ring = corners[ConvexHull(corners).vertices]
        name = f"hull of the {'circles' if label > 0 else 'squares'}"
        panel.fill(*ring.T, key=name, color=CLASS_COLOURS[label], alpha=0.18)
        edge = np.vstack([ring, ring[:1]])
        panel.plot(*edge.T, key=f"edge of the {name}", color=CLASS_COLOURS[label], linewidth=1.3, z=1)


def draw_head(plane: Panel, head: NDArray, length: float = 3.0, color: str = INK) -> None:
    """The aside "head": an arrow through the origin along the head v, `length` to either side, with its name.

    (book: How to read and run this book, Figures that move)

    >>> from explorable import Drawing
    >>> panel = new_plane(Drawing())
    >>> draw_head(panel, np.array([2.0, 1.0]))
    >>> [mark.key for mark in panel.marks()]
    ['head', 'head name']
    """
    along = length * head / np.linalg.norm(head)
    with plane.aside("head"):
        plane.arrow(-along, along, key="head", color=color, linewidth=1.4)
        plane.annotate("$v$", along, key="head name", offset=(9, -3), color=color, link="head")


def span(values: ArrayLike, least: tuple[float, float], margin: float = 0.05) -> tuple[float, float]:
    """`least`, widened to `values` outside it and by `margin`, a share of their range, beyond them.

    (book: How to read and run this book, Figures that move)

    >>> span([-1.0, 1.5], least=(-2, 2))
    (-2, 2)
    >>> span([-1.0, 4.0], least=(-2, 2), margin=0.1)
    (-2, 4.5)
    """
    low, high = float(np.min(values)), float(np.max(values))
    beyond = margin * (high - low)
    return (least[0] if low >= least[0] else low - beyond, least[1] if high <= least[1] else high + beyond)


def half_width_around(points: ArrayLike, least: float, centre: ArrayLike = (0, 0)) -> float:
    """The half width of a `new_plane` at `centre` that shows all points (n, 2): `least`, or more.

    (book: How to read and run this book, Figures that move)

    >>> half_width_around([[1.0, 1.0], [-2.0, 0.0]], 2.6)
    2.6
    >>> half_width_around([[1.0, 4.0], [-2.0, 0.0]], 2.6)
    6.3
    """
    left, top, right, bottom = PLANE_BOX
    x, y = np.abs(np.subtract(points, centre)).T
    return span([*x, *(y * (right - left) / (bottom - top))], (0, least))[1]
