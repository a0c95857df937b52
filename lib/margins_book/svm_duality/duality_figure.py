"""Figure of strong duality: streets of all directions, and segments that join the two classes.

(book: SVM duality, Weak and strong duality)
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorable import Drawing, Panel
from explorable.palette import GREEN, INK
from margins_book.drawing.planes import draw_points, draw_street, new_plane

CIRCLE, SQUARES = 0, (6, 7)  # the segment leads from the edge of these squares to this circle
TURNS = np.linspace(-18, 18, 49)  # degrees from the best direction
SHARES = np.linspace(0, 1, 25)


@dataclass(frozen=True)
class Street:
    """The widest street across one direction: where f(x) = w.x + b."""

    w: NDArray
    b: float


def widest(X: NDArray, y: NDArray, u: NDArray) -> Street:
    """The widest street across the unit vector `u`, its kerbs at f = 1 and f = -1.

    >>> street = widest(np.array([[2.0, 0.0], [-1.0, 0.0]]), np.array([1, -1]), np.array([1.0, 0.0]))
    >>> street.w.round(6).tolist(), round(street.b, 6)
    ([0.666667, 0.0], -0.333333)
    """
    along = X @ u  # (n,)
    low, high = along[y < 0].max(), along[y > 0].min()
    return Street(2 * u / (high - low), float(-(high + low) / (high - low)))


def segment(X: NDArray, share: float) -> NDArray:
    """The vector p from the squares' edge to the circle, where square 7 has this share.

    >>> segment(np.eye(8), 0.25)[[0, 6, 7]].tolist()
    [1.0, -0.75, -0.25]
    """
    one, other = SQUARES
    return X[CIRCLE] - (1 - share) * X[one] - share * X[other]


def duality_drawing(
    X: NDArray, y: NDArray, street: Street, alpha: NDArray, turn: float, best: float
) -> Drawing:
    """A street and the segment of the prices `alpha`; costs and bounds over their directions in degrees."""
    drawing = Drawing()
    plane = new_plane(drawing)
    draw_street(plane, street.w, street.b)
    draw_points(plane, X, y, alpha=alpha, names=True)
    share = alpha[SQUARES[1]] / alpha[CIRCLE]
    p = segment(X, share)
    ends = np.array([X[CIRCLE] - p, X[CIRCLE]])
    plane.plot(*ends.T, key="segment", color=GREEN, linewidth=2.6)
    with plane.aside("segment"):
        plane.annotate("p", ends.mean(axis=0), key="name of segment", link="segment", color=GREEN)
    panel = drawing.panel(
        "cost and bound", xlim=(5, 60), ylim=(0.5, 2.5), xlabel="direction, degrees",
        title="cost of streets, bound of segments",
    )  # fmt: skip
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
        [turn], [cost(street)], keys=["cost now"], links=["boundary"], color=INK, tell=("degrees", "cost")
    )


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
        tell=("degrees", "bound"),
    )  # fmt: skip


def cost(street: Street) -> float:
    """Half of the squared length of a street's w.

    >>> cost(Street(np.array([3.0, 4.0]), 0.0))
    12.5
    """
    return float(street.w @ street.w / 2)
