"""Figures of real data: the attention to the patches of a digit and to the words of a text.

(book: Sequences, causality, depth and real data)
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from explorable import Drawing
from explorable.palette import BLUE, GREEN, INK, MUTED, ORANGE, VERMILION


def digit_drawing(image: NDArray, weights: NDArray, scores: NDArray, limits: tuple[float, float]) -> Drawing:
    """A digit with a disc on each of its 16 patches, and the attention of the patches over their scores."""
    drawing, names = Drawing(), [f"patch {t + 1}" for t in range(len(weights))]
    side = len(image)
    panel = drawing.panel(
        "image", xlim=(-side / 4, side * 1.25), ylim=(side, 0), height=256, xticks=[], yticks=[], frame=False
    )
    panel.image(image, key="digit", extent=(0, side, side, 0), color=INK, vmax=1.6)
    rows, columns = np.divmod(np.arange(len(weights)), side // 2)
    panel.scatter(
        2 * columns + 1, 2 * rows + 1, keys=names, size=500 * weights + 1e-3, color=VERMILION, alpha=0.75,
        tell={"attention": weights},
    )  # fmt: skip
    plot = drawing.panel(
        "scores", xlim=limits, ylim=(0, 1), xlabel="score $\\gamma_t$", title="attention $s_t$", height=256
    )
    plot.vlines(0, key="no help", color=MUTED)
    plot.scatter(
        scores, weights, keys=[f"{n} among the scores" for n in names], links=names, size=36, color=VERMILION,
        tell=("score", "attention"),
    )  # fmt: skip
    return drawing


def sentence_drawing(
    words: Sequence[str], weights: NDArray, scores: NDArray, limits: tuple[float, float]
) -> Drawing:
    """A text, a word a row, with its attention and its scores as bars."""
    drawing, T = Drawing(), len(words)
    names = [f"{t + 1} {word}" for t, word in enumerate(words)]
    rows = {"ylim": (T - 0.4, -0.6), "yticks": [], "height": 26 * T + 60}
    left = drawing.panel("attention", xlim=(-0.75, 1), title="attention $s_t$", xticks=[0, 0.5, 1], **rows)
    left.barh(range(T), weights, keys=names, color=BLUE, tell="attention")
    for t, word in enumerate(words):
        left.annotate(
            word, (-0.75, t), key=f"word {t + 1} {word}", offset=(4, -4), ha="left", size=12, link=names[t]
        )
    right = drawing.panel("scores", xlim=limits, title="score $\\gamma_t$", **rows)
    right.barh(
        range(T), scores, keys=[f"score of {n}" for n in names], links=names, tell="score",
        color=[GREEN if score > 0 else ORANGE for score in scores],
    )  # fmt: skip
    return drawing
