"""A drawing as data: panels of keyed marks, each mark its look once and its place in tenths of a pixel.

The same few plain objects go into the baked table, over the wire from a live kernel, and into the
still picture. (book: How to read and run this book, Figures that move)
"""

import functools
import itertools
import math

import numpy as np

from margins.explore.errors import ExplorableError
from margins.explore.panel import Panel

TENTHS = 10  # places are whole tenths of a pixel: what no eye can tell apart is equal bytes


class Drawing:
    """What a moving figure shows at one position: panels, side by side where there is room.

    (book: How to read and run this book, Figures that move)

    >>> drawing = Drawing()
    >>> plane = drawing.panel("plane", xlim=(-2, 2), ylim=(-1, 1), xlabel="$x_1$", ylabel="$x_2$")
    >>> plane.scatter([0.5, -1], [0.2, 0.4], keys=["point 1", "point 2"])
    >>> drawing.frame("Two points.")["marks"][-1]["k"]
    'point 2'
    """

    def __init__(self):
        self.panels = []

    def panel(self, name, *, xlim, ylim, **settings):
        """A new panel, 360 pixels wide; everything about its axes is said here, before the first mark."""
        if any(panel.name == name for panel in self.panels):
            raise ExplorableError(f"two panels have the name {name!r}; give one another name")
        self.panels.append(Panel(name, xlim=xlim, ylim=ylim, **settings))
        return self.panels[-1]

    def frame(self, sentence):
        """The drawing and its sentence as plain data: {"panels", "marks" from back to front, "text"}."""
        if not self.panels:
            raise ExplorableError(
                "the drawing is empty: give it a panel, drawing.panel(name, xlim=..., ylim=...)"
            )
        finished = [panel.finished() for panel in self.panels]
        require_one_name([mark for _, own in finished for mark in own])
        marks = []
        for number, (around, own) in enumerate(finished):
            marks += as_data(number, around)
            marks += plain(number, own)
        return {"panels": [panel.described() for panel in self.panels], "marks": marks, "text": sentence}


@functools.lru_cache(256)
def as_data(panel, around):
    """What stands around the marks of a panel, as JSON: the same objects in every frame."""
    return plain(panel, around)


def plain(panel, marks):
    """The marks of a panel as JSON."""
    return [mark_as_data(panel, *each) for each in zip(marks, in_tenths(marks), strict=True)]


def require_one_name(marks):
    """What is tied must light up as one: a mark that others are tied to goes by its own key."""
    names = {}
    for mark in marks:
        names.setdefault(mark.key, set()).add(mark.link or mark.key)
    for mark in marks:
        if mark.link not in names.get(mark.link, (mark.link,)):
            other = min(names[mark.link])
            raise ExplorableError(
                f"mark {mark.key!r}: tied to {mark.link!r}, which is tied to {other!r} itself; "
                "one of them needs no link"
            )


def in_tenths(marks):
    """The numbers of each mark as whole tenths; a number that is not finite is refused by its mark's key."""
    numbers = np.fromiter(itertools.chain.from_iterable(mark.numbers for mark in marks), float)
    if not np.isfinite(numbers).all():
        bad = next(mark for mark in marks if not np.isfinite(mark.numbers).all())
        raise ExplorableError(
            f"mark {bad.key!r}: a coordinate is not finite, or has no place on its logarithmic axis"
        )
    whole, start, parts = np.round(TENTHS * numbers).astype(int).tolist(), 0, []
    for mark in marks:
        parts.append(whole[start : start + len(mark.numbers)])
        start += len(mark.numbers)
    return parts


def mark_as_data(panel, mark, places):
    """A mark as JSON: panel, key, type, link, style, numbers in tenths of a pixel, and what it tells."""
    data = {"p": panel, "k": mark.key, "t": mark.kind, "s": dict(mark.style), "n": places}
    if mark.link:
        data["l"] = mark.link
    if mark.told:
        data["told"] = [[name, *three_digits(value)] for name, value in mark.told.items()]
    return data


def three_digits(value):
    """A number that is told, as [whole, power of ten]: three significant digits, nothing below 1e-9."""
    if not abs(value) >= 1e-9:
        return [0, 0]
    power = math.floor(math.log10(abs(value))) - 2
    whole = round(value / 10.0**power)
    return [whole // 10, power + 1] if abs(whole) == 1000 else [whole, power]


def axis_lines(drawing, handle):
    """The panel of `handle` with its axes as [a, b, log]: v lies at a + b v, or a + b log10(v)."""
    if handle.panel >= len(drawing.panels):
        raise ExplorableError(
            f"handle: panel {handle.panel} asked for, but the drawing has {len(drawing.panels)}"
        )
    panel = drawing.panels[handle.panel]
    x, y = ([round(float(v), 4) for v in axis.line] + [axis.log] for axis in (panel.x, panel.y))
    return {"panel": handle.panel, "x": x, "y": y}
