"""Figure of a sequence whose query two normalisers send elsewhere (book: Attention converges to an SVM)."""

import numpy as np
from numpy.typing import NDArray

from explorable import Drawing
from explorable.palette import BLUE, GREEN, INK, MUTED, VERMILION
from margins_book.drawing.planes import new_plane, point_keys

NORMALISED = {"exp": (BLUE, "o", 2.0), "softplus": (VERMILION, "s", 1.6)}


def some_way_fits(tokens: NDArray) -> bool:
    """Whether some direction has token 0 ahead of all others, and these on its negative side; by search."""
    turns = np.linspace(-np.pi, np.pi, 3601)
    logits = np.column_stack([np.cos(turns), np.sin(turns)]) @ tokens.T  # (m, T)
    others = logits[:, 1:].max(axis=1)
    return bool(((others < 0) & (others < logits[:, 0])).any())


def shift_drawing(
    tokens: NDArray, ways: dict[str, NDArray], aims: dict[str, NDArray | None], attention: dict[str, float]
) -> Drawing:
    """A sequence and where two normalisers send its query: `ways` trained, `aims` of the machines or None.

    Token 0 is the best one; `attention` holds its share by normaliser.
    """
    drawing, keys = Drawing(), point_keys(len(tokens), "token")
    plane = new_plane(drawing, "tokens", half_width=3.0)
    plane.scatter([0], [0], keys=["origin"], marker="+", color=MUTED, size=60)
    plane.scatter(
        *tokens.T, keys=keys, size=[70, *[30] * (len(tokens) - 1)], tell=("x₁", "x₂"),
        color=[GREEN, *[INK] * (len(tokens) - 1)],
    )  # fmt: skip
    plane.annotate(
        "best", tokens[0], key="name of token 0", color=GREEN, offset=(10, 4), ha="left", link="token 0"
    )
    for name, (colour, _, length) in NORMALISED.items():
        if (aim := aims[name]) is not None:
            ray = 2.5 * aim / np.linalg.norm(aim)
            plane.plot(
                *np.array([[0, 0], ray]).T, key=f"machine of {name}", color=colour, linestyle=":", link=name
            )
        tip = length * ways[name] / np.linalg.norm(ways[name])
        plane.arrow((0, 0), tip, key=name, color=colour, linewidth=3)
        plane.annotate(name, tip, key=f"name of {name}", color=colour, link=name)
    bars = drawing.panel(
        "attention", xlim=(0, 1), ylim=(1.6, -0.6), height=110, title="attention to the best token",
        yticks=[],
    )  # fmt: skip
    for place, (name, (colour, *_)) in enumerate(NORMALISED.items()):
        bars.barh(
            [place], [attention[name]], keys=[f"attention of {name}"], links=[name], color=colour,
            tell="attention",
        )  # fmt: skip
        bars.annotate(
            name, (0, place), key=f"name of {name}", color=INK, offset=(6, -5), ha="left", link=name
        )
    return drawing
