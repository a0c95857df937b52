"""What stands around a panel's marks: its two axes with their numbers, its title, the axes' names.

The same in every frame of a figure, so made once: whoever has looked at it need not look again.
"""

import functools

from margins.explore.errors import ExplorableError
from margins.explore.lettering import runs, width
from margins.explore.looks import look
from margins.explore.mark import WIDTH, Mark

TICK_SIZE, TEXT_SIZE, TITLE_SIZE = 12, 13, 14
LINE = look(stroke="ink", width=1, axis=1)


def ticks_of(axis, at):
    """The ticks as ((value, text), ...), which can be remembered by."""
    return tuple(axis.ticks(at).items())


def lettered(key, x, y, text, *, ha, size):
    """A text of the decoration, moved inwards where it would leave the panel."""
    style = look(fill="ink", size=size, axis=1, ha=ha, runs=runs(text))
    return Mark(key, "text", style, [inside(x, width(text, size), ha), y], -1)


def inside(x, wide, ha):
    """Where a text so wide must be anchored to stay in the panel, `x` if it can."""
    left = x - wide * {"left": 0, "center": 0.5, "right": 1}[ha]
    return x + min(max(left, 2), WIDTH - 2 - wide) - left


@functools.lru_cache(256)
def around(name, x, y, ticks, box, height, names):
    """All of it, one tuple for all panels alike: `ticks` of both axes or none, `names` (x, y, title)."""
    return axes_marks(x, y, *ticks, box=box) + names_marks(name, box, height, *names)


def axes_marks(x, y, xticks=None, yticks=None, *, box):
    """The two axes and the numbers along them; nothing for a panel without frame."""
    left, top, right, bottom = box
    if xticks is None:
        return ()
    marks = [Mark("axes", "line", LINE, [left, top, left, bottom, right, bottom], -1)]
    for value, text in xticks:
        at = float(x.pixels(value))
        marks.append(Mark(f"tick x {text}", "line", LINE, [at, bottom, at, bottom + 4], -1))
        marks.append(lettered(f"number x {text}", at, bottom + 18, text, ha="center", size=TICK_SIZE))
    for value, text in yticks:
        at = float(y.pixels(value))
        marks.append(Mark(f"tick y {text}", "line", LINE, [left - 4, at, left, at], -1))
        marks.append(lettered(f"number y {text}", left - 8, at + 4, text, ha="right", size=TICK_SIZE))
    return tuple(marks)


def names_marks(name, box, height, xlabel, ylabel, title):
    """The title in the middle above, the axes' names below and at the upper left."""
    left, top, right, _ = box
    middle, marks = (left + right) / 2, []
    if xlabel:
        marks.append(lettered("name x", middle, height - 5, xlabel, ha="center", size=TEXT_SIZE))
    if ylabel:
        marks.append(lettered("name y", 4, top - 10, ylabel, ha="left", size=TEXT_SIZE))
    if title:
        marks.append(lettered("title", middle, top - 10, title, ha="center", size=TITLE_SIZE))
    if title and ylabel and 8 + width(ylabel, TEXT_SIZE) > middle - width(title, TITLE_SIZE) / 2:
        raise ExplorableError(
            f"panel {name!r}: title {title!r} and ylabel {ylabel!r} do not fit beside each other; shorten one"
        )
    return tuple(marks)
