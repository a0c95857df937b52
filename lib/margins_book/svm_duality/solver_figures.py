"""Figures of the solver SMO: pairs that violate optimality, and the duality gap that bounds the solution.

(book: SVM duality, Sequential minimal optimisation)
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from explorable import Drawing, Panel
from explorable.palette import BLUE, INK, MUTED, SKY, VERMILION
from margins_book.drawing.multipliers import multipliers_panel
from margins_book.drawing.planes import new_plane, point_keys

SLOPE_LIMITS = (-3.5, 3.5)  # of the panel; slopes beyond are drawn at its edge
MARKERS_OF_MOVES = {  # (may grow, may shrink): (marker, colour)
    (True, False): ("^", BLUE),
    (False, True): ("v", VERMILION),
    (True, True): ("D", INK),
}


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
        title="slope $v_i$ of the dual in $\\alpha_i y_i$",
    )  # fmt: skip
    styles = [MARKERS_OF_MOVES[bool(up), bool(down)] for up, down in zip(may_grow, may_shrink, strict=True)]
    panel.scatter(
        np.clip(slopes, *SLOPE_LIMITS), places, keys=[f"slope {i}" for i in places], links=point_keys(count),
        marker=[shape for shape, _ in styles], color=[colour for _, colour in styles], size=50,
        tell={"v": slopes},
    )  # fmt: skip
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
            text, (x, row), key=f"{text}, in words", offset=(18, -4), ha="left", size=12, link=text
        )


def gap_drawing(
    steps: NDArray,
    primal: NDArray,
    dual: NDArray,
    now: int,
    ball: tuple[Sequence[float], Sequence[float], float],
) -> Drawing:
    """Both objectives up to step `now`, their difference, and the `ball` of answer, centre and radius."""
    drawing, shown = Drawing(), steps <= now
    low, high = dual[0], np.ceil(1.05 * max(primal[1:]))
    panel = drawing.panel(
        "objective", xlim=(0, steps[-1]), ylim=(low - 0.04 * (high - low), high), xlabel="step",
        title="objective",
    )  # fmt: skip
    outline_x = np.concatenate([steps[shown], steps[shown][::-1]])
    outline_y = np.concatenate([np.minimum(primal[shown], high), dual[shown][::-1]])
    panel.fill(outline_x, outline_y, key="what is still possible", color=MUTED)
    for name, values, colour, dashes, lift in (
        ("primal", primal, VERMILION, "--", 14), ("dual", dual, BLUE, "-", -20),
    ):  # fmt: skip
        draw_objective(panel, name, steps[shown], np.minimum(values[shown], 2 * high), colour, dashes)
        panel.annotate(
            name,
            (0.72 * steps[-1], primal[-1]),
            key=f"name of {name}",
            offset=(0, lift),
            color=colour,
            link=name,
        )
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
        color=colour, tell={"value": values[-1:]},
    )  # fmt: skip


def gap_panel(drawing: Drawing, steps: NDArray, gaps: NDArray, shown: NDArray) -> None:
    """Primal minus dual on a logarithmic axis: dark up to now, pale afterwards."""
    panel = drawing.panel(
        "gap", xlim=(0, steps[-1]), ylim=(1e-3, 30), yscale="log", xlabel="step", title="primal − dual"
    )
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
        tell=("w₁", "w₂"),
    )  # fmt: skip
    panel.annotate("$w^*$", answer, key="name of the answer", link="the answer", offset=(12, 6), ha="left")
