"""What marks look like, in matplotlib's words: each look is made once, and one object in all frames.

So nobody changes a look; whoever needs another makes it. The caches tell 2 from 2.0, which are written
differently.
"""

import functools

from margins.explore.colours import colour_name
from margins.explore.errors import ExplorableError
from margins.explore.lettering import runs

DASHES = {"-": "", "--": "6 4", ":": "2 3", "-.": "7 3 2 3"}
MARKERS = ("o", "s", "^", "D", "v", "P", "x", "+", "|")
BARE = ("x", "+", "|")  # strokes have no inside, so their edge takes the colour
remembered = functools.lru_cache(4096, typed=True)


def look(**style):
    """What the style says, without what it leaves open."""
    return {name: value for name, value in style.items() if value not in (None, "")}


@remembered
def stroke(color, linestyle, linewidth, alpha):
    """A line or an arrow."""
    if linestyle not in DASHES:
        raise ExplorableError(f"expected a linestyle of {list(DASHES)}, but {linestyle!r} came")
    opacity = alpha if alpha != 1 else None
    return look(stroke=colour_name(color), width=linewidth, dash=DASHES[linestyle], opacity=opacity)


@remembered
def filled(color, alpha=None):
    """An area or a bar."""
    return look(fill=colour_name(color), opacity=alpha)


@remembered
def dot(marker, color, edgecolor, linewidth, alpha):
    """A dot with its edge, if it has one."""
    edge, inside = (color, None) if marker in BARE else (edgecolor, colour_name(color))
    drawn = {"stroke": colour_name(edge), "width": linewidth} if edge else {}
    return look(marker=marker, fill=inside, **drawn, opacity=alpha if alpha != 1 else None)


@remembered
def heat(color, negative, columns):
    """A heat map, one colour above zero and one below."""
    return look(fill=colour_name(color), other=colour_name(negative), columns=columns)


@remembered
def label(text, color, size, ha):
    """A text among the marks, readable across lines."""
    return look(fill=colour_name(color), size=size, halo=1, ha=ha, runs=runs(text))
