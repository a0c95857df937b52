"""The book's drawings: one style for all of them, and the pictures that several cells share.

(book: How to read and run this book, Figures that move)
"""

from margins.figures.style import (
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
    STYLE,
    VERMILION,
    new_axes,
    use_style,
)

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
