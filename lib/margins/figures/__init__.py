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

_OF_MATPLOTLIB = ("STYLE", "new_axes", "use_style")
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
    "new_axes",
    "use_style",
]


def __getattr__(name):
    """What draws still figures, with matplotlib behind it."""
    if name not in _OF_MATPLOTLIB:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from margins.figures.style import STYLE, new_axes, use_style

    return {"STYLE": STYLE, "new_axes": new_axes, "use_style": use_style}[name]
