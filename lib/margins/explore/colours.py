"""The palette's colours as CSS variables, which follow the reader's theme, and back."""

import re

from margins.explore.errors import ExplorableError
from margins.figures.palette import INK, MUTED, PALETTE, PAPER

NAMES = {INK: "ink", PAPER: "paper", MUTED: "muted", **{colour: f"c{i}" for i, colour in enumerate(PALETTE)}}
VARIABLES = {
    "ink": "currentColor",
    "paper": f"var(--m-paper, {PAPER})",
    "muted": f"var(--muted, {MUTED})",
    **{f"c{i}": f"var(--m-c{i}, {colour})" for i, colour in enumerate(PALETTE)},
}

BY_HEX = {colour: VARIABLES[name] for colour, name in NAMES.items()}


def colour_name(colour):
    """The name of a colour of the palette; any other would stay as it is on dark paper."""
    if colour in NAMES:
        return NAMES[colour]
    raise ExplorableError(
        "expected a colour of margins.figures (BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY, "
        f"INK, PAPER, MUTED), but {colour!r} came"
    )


def plain(svg):
    """The same drawing with literal colours on white paper, for places without our style sheet."""
    svg = re.sub(r"var\(--[\w-]+, ([^()]+)\)", r"\1", svg).replace("currentColor", INK)
    paper = f"stroke-linecap:butt;background:{PAPER};font-family:sans-serif"
    return svg.replace("stroke-linecap:butt", paper, 1)
