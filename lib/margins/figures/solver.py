"""The drawings of the solver at work: who moves next and when to stop, and how the gap bounds the answer.

(book: SVM duality, Sequential minimal optimisation)
"""

import numpy as np

from margins.explore import Drawing
from margins.figures.palette import BLUE, INK, MUTED, SKY, VERMILION
from margins.figures.planes import multipliers_panel, new_plane, point_keys

SLOPES = (-3.5, 3.5)  # what the panel of slopes shows; what lies beyond stands at its edge
MAY = {(True, False): ("^", BLUE), (False, True): ("v", VERMILION), (True, True): ("D", INK)}


def pairs_drawing(slopes, may_grow, may_shrink, alpha, y, C):
    """The slope of the dual in every alpha_i y_i, who may follow it which way, and the multipliers.

    The solver stops when the highest slope that may grow is not above the lowest that may shrink.
    """
    drawing = Drawing()
    count, places = len(y), np.arange(len(y))
    panel = drawing.panel(
        "slopes", xlim=SLOPES, ylim=(count - 0.4, -0.6), title="slope $v_i$ of the dual in $\\alpha_i y_i$",
        yticks={i: f"{i}" for i in range(0, count, 2)},
    )  # fmt: skip
    looks = [MAY[bool(up), bool(down)] for up, down in zip(may_grow, may_shrink, strict=True)]
    panel.scatter(
        np.clip(slopes, *SLOPES), places, keys=[f"slope {i}" for i in places], links=point_keys(count),
        marker=[shape for shape, _ in looks], color=[colour for _, colour in looks], size=50,
        tell={"v": slopes},
    )  # fmt: skip
    draw_violation(panel, slopes[may_grow].max(), slopes[may_shrink].min())
    multipliers_panel(drawing, alpha, y, C=C, top=1.1 * C)
    slopes_key(drawing)
    return drawing


def draw_violation(panel, highest, lowest):
    """The highest slope that may grow, the lowest that may shrink, and by how much they are out of order."""
    panel.vlines(highest, key="highest that may grow", color=BLUE, linestyle="-")
    panel.vlines(lowest, key="lowest that may shrink", color=VERMILION, linestyle="--")
    bottom, top = panel.y.limits
    ends = [lowest, highest, highest, lowest]
    panel.fill(ends, [bottom, bottom, top, top], key="violation", color=MUTED)


def slopes_key(drawing):
    """What the three markers of a slope mean."""
    panel = drawing.panel("key", xlim=(0, 1), ylim=(2, 0), height=68, frame=False)
    words = ("may grow", "may shrink", "free: may do both")
    for (marker, colour), text, x, row in zip(
        MAY.values(), words, (0.02, 0.45, 0.02), (0.5, 0.5, 1.5), strict=True
    ):
        panel.scatter([x], [row], keys=[text], marker=marker, color=colour, size=50)
        panel.annotate(
            text, (x, row), key=f"{text}, in words", offset=(18, -4), ha="left", size=12, link=text
        )


def gap_drawing(steps, primal, dual, now, ball):
    """Both objectives up to step `now`, their difference, and the `ball` of answer, centre and radius."""
    drawing, shown = Drawing(), steps <= now
    low, high = dual[0], np.ceil(1.05 * max(primal[1:]))
    panel = drawing.panel(
        "objective", xlim=(0, steps[-1]), ylim=(low - 0.04 * (high - low), high), xlabel="step",
        title="objective",
    )  # fmt: skip
    around = np.concatenate([steps[shown], steps[shown][::-1]])
    between = np.concatenate([np.minimum(primal[shown], high), dual[shown][::-1]])
    panel.fill(around, between, key="what is still possible", color=MUTED)
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


def draw_objective(panel, name, steps, values, colour, dashes):
    """One objective up to now, with a dot at its end."""
    panel.plot(steps, values, key=name, color=colour, linestyle=dashes)
    panel.scatter(
        steps[-1:], np.minimum(values[-1:], panel.y.limits[1]), keys=[f"{name} now"], links=[name],
        color=colour, tell={"value": values[-1:]},
    )  # fmt: skip


def gap_panel(drawing, steps, gaps, shown):
    """Primal minus dual on a logarithmic axis: up to now, and faintly what is to come."""
    panel = drawing.panel(
        "gap", xlim=(0, steps[-1]), ylim=(1e-3, 30), yscale="log", xlabel="step", title="primal − dual"
    )
    panel.plot(steps, gaps, key="gap to come", color=MUTED, linewidth=1.3, alpha=0.6)
    panel.plot(steps[shown], gaps[shown], key="gap", color=INK)
    now = {"value": gaps[shown][-1:]}
    panel.scatter(steps[shown][-1:], gaps[shown][-1:], keys=["gap now"], links=["gap"], color=INK, tell=now)


def ball_panel(drawing, answer, centre, radius):
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
