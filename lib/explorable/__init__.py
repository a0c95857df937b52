"""Figures that the reader moves: each is one Python function, and a picture where nothing runs.

A function from parameters to `(drawing, sentence)` becomes an explorable by one decorator. In the
built page its frames are computed ahead; in a live kernel the same cell draws what is asked for.
(book: How to read and run this book, Figures that move)
"""

from explorable.conditions import along, everywhere, somewhere
from explorable.controls import choice, handle, play, prompt, slider, toggle
from explorable.drawing import Drawing
from explorable.figures import baking, explore, show
from explorable.panel import Panel

__all__ = [
    "Drawing",
    "Panel",
    "along",
    "baking",
    "choice",
    "everywhere",
    "explore",
    "handle",
    "play",
    "prompt",
    "show",
    "slider",
    "somewhere",
    "toggle",
]
