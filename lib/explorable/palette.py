"""Colours and markers of figures: six colours, ink, paper and a muted tone that follow the theme.

(book: How to read and run this book, Figures that move)
"""

import re

from explorable.errors import ExplorableError

__all__ = [
    "BLUE", "GREEN", "INK", "MARKERS", "MUTED", "ORANGE", "PALETTE", "PAPER", "PURPLE", "SKY", "VERMILION",
]  # fmt: skip

BLUE = "#0072b2"
VERMILION = "#d55e00"
GREEN = "#009e73"
PURPLE = "#cc79a7"
ORANGE = "#e69f00"
SKY = "#56b4e9"
PALETTE = (BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY)  # Okabe and Ito: told apart by colour-blind readers
INK = "#000000"
PAPER = "#ffffff"
MUTED = "#767676"
MARKERS = ("o", "s", "^", "D", "v", "P")  # the i-th class has its colour and its marker: some see no colours

# a colour in a frame is one of these names; the style sheet says what each is in the reader's theme
NAMES = {INK: "ink", PAPER: "paper", MUTED: "muted", **{colour: f"c{i}" for i, colour in enumerate(PALETTE)}}
CSS_VALUES = {
    "ink": "currentColor",
    "paper": f"var(--m-paper, {PAPER})",
    "muted": f"var(--muted, {MUTED})",
    **{f"c{i}": f"var(--m-c{i}, {colour})" for i, colour in enumerate(PALETTE)},
}
CSS_OF_HEX = {colour: CSS_VALUES[name] for colour, name in NAMES.items()}


def colour_name(colour: str) -> str:
    """The name of a colour of the palette; any other colour would not change with the theme."""
    if colour in NAMES:
        return NAMES[colour]
    raise ExplorableError(
        "expected a colour of explorable.palette (BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY, "
        f"INK, PAPER, MUTED), but got {colour!r}"
    )


def with_literal_colours(svg: str) -> str:
    """The same drawing with the light theme's colours on white, for places without the style sheet."""
    svg = re.sub(r"var\(--[\w-]+, ([^()]+)\)", r"\1", svg).replace("currentColor", INK)
    paper = f"stroke-linecap:butt;background:{PAPER};font-family:sans-serif"
    return svg.replace("stroke-linecap:butt", paper, 1)
