"""The figure of a trained head: a text, a letter that asks, and the letters to which it attends.

(book: The softmax kernel, A trained head)
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorable import Drawing, Panel
from explorable.palette import GREEN, INK, MUTED, PAPER, VERMILION

ACROSS = 16  # letters in a line
LARGEST = 640  # area of a disc of weight 1


def letter_keys(text: str) -> list[str]:
    """The names of the letters as marks.

    >>> letter_keys("ab")
    ['letter 0', 'letter 1']
    """
    return [f"letter {place}" for place in range(len(text))]


def head_drawing(
    text: str,
    row: int,
    weights: NDArray,
    prior: NDArray,
    temperatures: NDArray,
    attended: NDArray,
    now: float,
) -> Drawing:
    """A text whose letter `row` asks, discs as large as its `weights`, and the keys attended by temperature.

    Letters that may not be asked have the weight 0 in `weights` and in `prior` (n,). The keys attended by the
    last letters of the text, `row` among them, are the columns of `attended` (len(temperatures), letters).
    """
    drawing = Drawing()
    panel, places = _text_panel(drawing, text)
    asks = [places[0][row]], [places[1][row]]
    frame: dict[str, Any] = {"marker": "s", "color": PAPER, "edgecolor": GREEN, "linewidth": 2.4}
    panel.scatter(*asks, keys=["query"], size=260, z=1, **frame)
    names, sizes = letter_keys(text), LARGEST * weights
    panel.scatter(*places, keys=names, size=sizes, alpha=0.5, tell={"weight": weights}, z=2)
    with panel.aside("prior"):
        rings: dict[str, Any] = {"color": PAPER, "edgecolor": VERMILION, "links": names, "z": 1.5}
        panel.scatter(*places, keys=[f"prior of {name}" for name in names], size=LARGEST * prior, **rings)
    _attended_panel(drawing, row - len(text), temperatures, attended, now)
    return drawing


def _text_panel(drawing: Drawing, text: str) -> tuple[Panel, tuple[NDArray, NDArray]]:
    """A panel with a text in lines, and the places of its letters; spaces are dots."""
    lines = -(-len(text) // ACROSS)
    settings: dict[str, Any] = {"xticks": [], "yticks": [], "height": 150, "frame": False}
    panel = drawing.panel("text", xlim=(-0.7, ACROSS - 0.3), ylim=(lines - 0.3, -0.7), **settings)
    rows, columns = np.divmod(np.arange(len(text)), ACROSS)
    for letter, name, at in zip(text, letter_keys(text), zip(columns, rows, strict=True), strict=True):
        shown = "·" if letter == " " else letter
        panel.annotate(shown, at, key=f"name of {name}", offset=(0, -5), size=14, link=name)
    return panel, (columns, rows)


def _attended_panel(
    drawing: Drawing, column: int, temperatures: NDArray, attended: NDArray, now: float
) -> Panel:
    """The keys attended over the temperatures: by the letter that asks, and on average."""
    panel = drawing.panel(
        "keys attended", xlim=(temperatures[0], temperatures[-1]), ylim=(0, attended.max() + 1), xscale="log",
        xlabel="temperature $\\tau$", title="keys attended, $e^H$",
    )  # fmt: skip
    panel.plot(temperatures, attended.mean(axis=1), key="mean of the letters", color=MUTED, linewidth=2.4)
    panel.plot(temperatures, attended[:, column], key="keys attended", color=INK)
    at = np.interp(np.log(now), np.log(temperatures), attended[:, column])
    panel.scatter([now], [at], keys=["now"], links=["keys attended"], size=60, tell=("τ", "keys attended"))
    return panel
