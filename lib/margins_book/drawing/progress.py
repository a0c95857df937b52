"""Curves over the steps of a training, pale where it has not come yet."""

from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray

from explorable import Panel


def draw_progress(
    panel: Panel, name: str, steps: NDArray | Sequence[int], values: NDArray, now: int, colour: str,
    dashes: str,
) -> None:
    """A curve, pale after the place `now`, with a dot there.

    (book: How to read and run this book, Figures that move)

    >>> from explorable import Panel
    >>> from explorable.palette import BLUE
    >>> panel = Panel("angle", xlim=(0, 2), ylim=(0, 90))
    >>> draw_progress(panel, "angle", [0, 1, 2], np.array([80, 30, 10]), 1, BLUE, "-")
    >>> sorted(mark.key for mark in panel.marks())
    ['angle', 'angle now', 'angle to come']
    """
    style: dict[str, Any] = {"color": colour, "linestyle": dashes}
    panel.plot(steps, values, key=f"{name} to come", link=name, alpha=0.4, linewidth=1.3, **style)
    panel.plot(steps[: now + 1], values[: now + 1], key=name, **style)
    panel.scatter([steps[now]], [values[now]], keys=[f"{name} now"], links=[name], color=colour,
                  tell=("step", "value"))
