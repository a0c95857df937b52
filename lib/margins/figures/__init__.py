"""The book's drawings: one palette for all of them, and the pictures that several cells share.

Moving figures are drawn with `margins.explore.Drawing`, still ones with matplotlib, which is
imported when they first ask for it. Colours follow the reader's theme, and none carries a meaning
alone. (book: How to read and run this book, Figures that move)
"""

from margins.figures.palette import (
    BLUE,
    GREEN,
    INK,
    MARKERS,
    MUTED,
    ORANGE,
    PALETTE,
    PAPER,
    PURPLE,
    SKY,
    VERMILION,
)

_OF_MATPLOTLIB = ("STYLE", "in_style", "new_axes")
__all__ = [
    "BLUE",
    "GREEN",
    "INK",
    "MARKERS",
    "MUTED",
    "ORANGE",
    "PALETTE",
    "PAPER",
    "PURPLE",
    "SKY",
    "STYLE",
    "VERMILION",
    "in_style",
    "new_axes",
]


def __getattr__(name):
    """What draws still figures, with matplotlib behind it."""
    if name not in _OF_MATPLOTLIB:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from margins.figures.style import STYLE, in_style, new_axes

    return {"STYLE": STYLE, "in_style": in_style, "new_axes": new_axes}[name]
