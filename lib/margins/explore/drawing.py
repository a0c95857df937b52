"""A drawing as data: panels of keyed marks, each mark its look once and its place in tenths of a pixel.

The same few plain objects go into the baked table, over the wire from a live kernel, and into the
still picture. (book: How to read and run this book, Figures that move)
"""

import functools

from margins.explore.errors import ExplorableError
from margins.explore.marks_as_data import as_data
from margins.explore.panel import Panel


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
        return self.add(Panel(name, xlim=xlim, ylim=ylim, **settings))

    def add(self, panel):
        """A panel that was drawn before: what no control moves is drawn once, for all positions."""
        if any(panel.name == other.name for other in self.panels):
            raise ExplorableError(f"two panels have the name {panel.name!r}; give one another name")
        self.panels.append(panel)
        return panel

    def frame(self, sentence):
        """The drawing and its sentence as plain data: {"panels", "marks" from back to front, "text"}."""
        if not self.panels:
            raise ExplorableError(
                "the drawing is empty: give it a panel, drawing.panel(name, xlim=..., ylim=...)"
            )
        require_one_name([mark for panel in self.panels for mark in panel.finished()])
        marks = []
        for number, panel in enumerate(self.panels):
            marks += around_as_data(number, panel.around)
            marks += panel.as_data(number)
        return {"panels": [panel.described() for panel in self.panels], "marks": marks, "text": sentence}


@functools.lru_cache(256)
def around_as_data(panel, around):
    """What stands around the marks of a panel, as JSON: the same objects in every frame."""
    return as_data(panel, around)


def require_one_name(marks):
    """What is tied must light up as one: a mark that others are tied to goes by its own key."""
    own = {mark.key for mark in marks if mark.link in ("", mark.key)}
    tied = {mark.key: mark.link for mark in marks if mark.key not in own}
    for mark in marks:
        if other := tied.get(mark.link):
            raise ExplorableError(
                f"mark {mark.key!r}: tied to {mark.link!r}, which is tied to {other!r} itself; "
                "one of them needs no link"
            )


def axis_lines(drawing, handle):
    """The panel of `handle` with its axes as [a, b, log]: v lies at a + b v, or a + b log10(v)."""
    if handle.panel >= len(drawing.panels):
        raise ExplorableError(
            f"handle: panel {handle.panel} asked for, but the drawing has {len(drawing.panels)}"
        )
    panel = drawing.panels[handle.panel]
    x, y = ([round(float(v), 4) for v in axis.line] + [axis.log] for axis in (panel.x, panel.y))
    return {"panel": handle.panel, "x": x, "y": y}
