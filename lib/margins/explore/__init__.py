"""Figures that the reader moves: one Python function, still a figure where nothing runs.

A function from parameters to `(drawing, sentence)` becomes an explorable by one decorator. In the
built page its frames are computed ahead; in a live kernel the same cell draws what is asked for.
(book: How to read and run this book, Figures that move)
"""

from margins.explore.controls import choice, handle, play, slider, toggle
from margins.explore.drawing import Drawing
from margins.explore.explorable import baking, explore
from margins.explore.panel import Panel
from margins.explore.prompts import prompt
from margins.explore.still import show

__all__ = [
    "Drawing",
    "Panel",
    "baking",
    "choice",
    "explore",
    "handle",
    "play",
    "prompt",
    "show",
    "slider",
    "toggle",
]
