"""Drawing of six tokens and one query: discs, bars, and the support vector machine among them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorable import Drawing, Panel
from explorable.palette import BLUE, INK, VERMILION

NAMES = "ABCDEF"


def attention_drawing(
    tokens: NDArray, chosen: int, weights: NDArray, query: NDArray, target: NDArray
) -> Drawing:
    """Tokens in the plane with the query and the SVM's direction; a bar of attention for each."""
    drawing = Drawing()
    plane = drawing.panel(
        "tokens", xlim=(-3.2, 3.2), ylim=(-2.2, 2.45), height=262, xticks=[], yticks=[], frame=False)
    draw_tokens(plane, tokens, chosen, weights, query, target)
    bars = drawing.panel(
        "attention", xlim=(0, 1), ylim=(5.6, -0.6), height=262, title="attention",
        yticks=dict(enumerate(NAMES)))
    bars.barh(
        range(6), weights, keys=[f"weight of {name}" for name in NAMES],
        links=[f"token {name}" for name in NAMES], tell="attention")
    return drawing


def draw_tokens(
    panel: Panel, tokens: NDArray, chosen: int, weights: NDArray, query: NDArray, target: NDArray
) -> None:
    """Tokens as discs as large as their attention, the query as an arrow, the SVM's margin as two lines."""
    keys = [f"token {name}" for name in NAMES]
    panel.scatter(
        *tokens.T, keys=[f"attention on {name}" for name in NAMES], links=keys, size=1500 * weights + 1e-3,
        color=BLUE, alpha=0.3, z=1)
    panel.scatter(*tokens.T, keys=keys, size=20, color=INK, tell=("x₁", "x₂"))
    if query.any():
        draw_machine(panel, tokens, chosen, target)
        panel.arrow((0, 0), 1.3 * query / np.linalg.norm(query), key="query", color=BLUE, linewidth=3)
        tip = 1.3 * query / np.linalg.norm(query)
        panel.annotate("query", tip, key="name of query", color=BLUE, link="query")
    for name, token, key in zip(NAMES, tokens, keys, strict=True):
        outside: dict[str, Any] = {"offset": (0, 17), "ha": "center"} if name == "F" else {}  # of the handle
        panel.annotate(name, token, key=f"name of {key}", link=key, **outside)


def draw_machine(panel: Panel, tokens: NDArray, chosen: int, target: NDArray) -> None:
    """The SVM's direction as an arrow, the edges of its margin as two lines."""
    across = 9 * np.array([-target[1], target[0]])
    runner_up = np.sort(tokens @ target)[-2]
    edges = ((tokens[chosen] @ target, "margin", "--"), (runner_up, "edge of the others", ":"))
    for score, name, dashes in edges:
        line = score * target + np.outer([-1, 1], across)
        panel.plot(*line.T, key=name, color=VERMILION, linestyle=dashes, linewidth=1.5)
    panel.arrow((0, 0), 2.1 * target, key="SVM", color=VERMILION, linewidth=1.3)
    panel.annotate("SVM", 2.1 * target, key="name of SVM", color=VERMILION, link="SVM")
