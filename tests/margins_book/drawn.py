"""What a drawing holds, for the tests of figures: its marks, and where they lie in data coordinates."""

import numpy as np
from numpy.typing import NDArray

from explorable import Drawing, Panel


def marks(drawing: Drawing) -> dict[tuple[int, str], dict]:
    """The marks of a drawing by the number of their panel and their key."""
    return {(mark["p"], mark["k"]): mark for mark in drawing.frame("a sentence")["marks"]}


def marks_by_key(drawing: Drawing) -> dict[str, dict]:
    """The marks of a drawing by their key alone, for drawings in which no two panels share a key."""
    return {key: mark for (_, key), mark in marks(drawing).items()}


def data(panel: Panel, numbers: list[float]) -> NDArray:
    """The points (m, 2) in data coordinates that a mark holds as a flat list in tenths of a pixel."""
    (a, b), (c, d) = panel.x.line, panel.y.line
    pixels = np.reshape(numbers, (-1, 2)) / 10
    x, y = (pixels[:, 0] - a) / b, (pixels[:, 1] - c) / d
    return np.column_stack([10**x if panel.x.log else x, 10**y if panel.y.log else y])


def points(drawing: Drawing, panel: int, key: str) -> NDArray:
    """The points of a line, or the middle of a dot, in data coordinates."""
    mark = marks(drawing)[panel, key]
    return data(drawing.panels[panel], mark["n"][:2] if mark["t"] == "dot" else mark["n"])


def facts(figure, **values):
    """What a figure knows of the state that a text shows."""
    copy = figure.at(**values)
    return copy.function(**copy.default)[2]
