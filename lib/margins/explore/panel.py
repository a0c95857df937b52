"""One panel of a drawing: axes that are set first, then keyed marks in matplotlib's words.

(book: How to read and run this book, Figures that move)
"""

import numpy as np

from margins.explore import looks
from margins.explore.arguments import each, named, same_length, told_by_each
from margins.explore.axes import new_axis
from margins.explore.curves import evenly, in_turn
from margins.explore.decoration import TEXT_SIZE, around, inside, ticks_of
from margins.explore.errors import ExplorableError
from margins.explore.labels import settle
from margins.explore.lettering import plainly, width
from margins.explore.mark import WIDTH, Mark
from margins.explore.marks_as_data import as_data
from margins.figures.palette import BLUE, INK, VERMILION

NO_WORDS = ("described", "finished", "as_data")
LEVELS = 20  # of a heat map, to either side of zero


class Panel:
    """A picture of its own, 360 pixels wide, which `drawing.panel(...)` makes: these are its words.

    A mark has a `key` that says what it is, unique in its panel and the same at all positions; `link` ties
    marks of several panels together, `tell` names the numbers that the reader may ask for.
    (book: How to read and run this book, Figures that move)

    >>> plane = Drawing().panel("plane", xlim=(1, 100), ylim=(0, 1), xscale="log", yticks=[0, 1])
    >>> plane.plot([1, 10, 100], [0, 0.5, 1], key="growth", tell=("R", "weight"))
    >>> plane.hlines(0.5, key="half")
    """

    def __init__(
        self, name, *, xlim, ylim, xlabel="", ylabel="", title="", xscale="linear", yscale="linear",
        xticks=None, yticks=None, height=270, frame=True,
    ):  # fmt: skip
        self.name, self.height, self.title = name, height, title
        self.xlabel, self.ylabel = xlabel, ylabel
        shows = [ticks is None or len(ticks) > 0 for ticks in (xticks, yticks)]
        left = 46 if shows[1] and frame else 26
        top = 26 if title or ylabel else 12
        bottom = height - 8 - 18 * (shows[0] and frame) - 18 * bool(xlabel)
        self.box = (left, top, WIDTH - 14, bottom)
        self.x = new_axis("x", xlim, (left, WIDTH - 14), xscale)
        self.y = new_axis("y", ylim, (bottom, top), yscale)
        ticks = (ticks_of(self.x, xticks), ticks_of(self.y, yticks)) if frame else ()
        self.around = around(name, self.x, self.y, ticks, self.box, height, (xlabel, ylabel, title))
        self._marks, self._labels, self._keys = [], [], {mark.key for mark in self.around}
        self._data = {}

    def __getattr__(self, name):
        """Words that are matplotlib's but not this panel's, refused."""
        if name.startswith("__"):
            raise AttributeError(name)
        if name.startswith("set"):
            raise ExplorableError(
                f"panel {self.name!r} has no {name!r}: limits, scales, ticks and names are given to "
                "drawing.panel(...), before the first mark"
            )
        words = [word for word in vars(Panel) if word[0] != "_" and word not in NO_WORDS]
        raise ExplorableError(f"panel {self.name!r} has no {name!r}; it knows {', '.join(words)}")

    # -- the words ---------------------------------------------------------------------------------

    def plot(self, x, y, *, key, color=BLUE, linestyle="-", linewidth=2, alpha=1, link="", tell=None, z=2):
        """A line through the points; `tell` names its last point's coordinates, (name of x, name of y)."""
        x, y = same_length(key, x, y)
        look = looks.stroke(color, linestyle, linewidth, alpha)
        told = named(key, tell, (x[-1], y[-1])) if tell else None
        self._add(key, "line", look, self._path(x, y), z, link, told)

    def fill(self, x, y, *, key, color=BLUE, alpha=0.2, link="", z=0):
        """The polygon with these corners."""
        x, y = same_length(key, x, y)
        self._add(key, "area", looks.filled(color, alpha), self._path(x, y), z, link)

    def scatter(
        self, x, y, *, keys, size=26, marker="o", color=BLUE, edgecolor=None, alpha=1, linewidth=1.3,
        links=None, tell=None, z=3,
    ):  # fmt: skip
        """A dot a key; look and size one for all or one each; areas in square points as in matplotlib.

        `tell` is a pair of names for the coordinates, or {name: values}.
        """
        x, y = same_length(keys, x, y, count=len(keys))
        many = [
            each(v, len(keys), w)
            for v, w in ((marker, "marker"), (color, "color"), (edgecolor, "edgecolor"), (links, "links"))
        ]
        radius = np.sqrt(np.broadcast_to(np.asarray(size, float), len(keys))) * (2 / 3)
        places = np.column_stack([self.x.pixels(x), self.y.pixels(y), radius]).tolist()
        told = told_by_each(keys, tell, (x, y))
        for i, (key, shape, colour, edge, link) in enumerate(zip(keys, *many, strict=True)):
            if shape not in looks.MARKERS:
                raise ExplorableError(
                    f"mark {key!r}: expected a marker of {list(looks.MARKERS)}, but {shape!r} came"
                )
            look = looks.dot(shape, colour, edge, linewidth, alpha)
            self._add(key, "dot", look, places[i], z, link or "", told[i])

    def bar(self, x, height, *, keys, width=0.7, color=BLUE, links=None, tell=None, z=1):
        """An upright bar a key, from 0 (from the lower edge on a logarithmic axis) to its `height`."""
        x, height = same_length(keys, x, height, count=len(keys))
        a, b = self.x.pixels(x - width / 2), self.x.pixels(x + width / 2)
        foot = np.full(len(keys), self._foot(self.y))
        self._bars(keys, (a, foot, b, self.y.pixels(height)), height, color, links, tell, z)

    def barh(self, y, width, *, keys, height=0.62, color=BLUE, links=None, tell=None, z=1):
        """A bar a key to the right, from 0 to its `width`."""
        y, width = same_length(keys, y, width, count=len(keys))
        a, b = self.y.pixels(y - height / 2), self.y.pixels(y + height / 2)
        foot = np.full(len(keys), self._foot(self.x))
        self._bars(keys, (foot, a, self.x.pixels(width), b), width, color, links, tell, z)

    def hlines(self, y, xmin=None, xmax=None, *, key, color=INK, linestyle="--", linewidth=1.3, **look):
        """A level line, across the whole panel where no ends are given; the rest is for `plot`."""
        low, high = self.x.limits
        ends = [low if xmin is None else xmin, high if xmax is None else xmax]
        look = {"color": color, "linestyle": linestyle, "linewidth": linewidth, "z": 1} | look
        self.plot(ends, [y, y], key=key, **look)

    def vlines(self, x, ymin=None, ymax=None, *, key, color=INK, linestyle="--", linewidth=1.3, **look):
        """An upright line, as high as the panel where no ends are given; the rest is for `plot`."""
        low, high = self.y.limits
        ends = [low if ymin is None else ymin, high if ymax is None else ymax]
        look = {"color": color, "linestyle": linestyle, "linewidth": linewidth, "z": 1} | look
        self.plot([x, x], ends, key=key, **look)

    def annotate(self, text, xy, *, key, offset=None, ha="center", color=INK, size=TEXT_SIZE, link="", z=5):
        """`text` at the data point `xy`: `offset` pixels right and upwards, or where it covers least."""
        if not isinstance(text, str) or not text.strip():
            raise ExplorableError(f"mark {key!r}: expected a text, but {text!r} came")
        x, y = self.x.pixel(xy[0]), self.y.pixel(xy[1])
        if offset is None:
            mark = self._add(key, "text", looks.label(text, color, size, "center"), [x, y], z, link)
            self._labels.append((mark, width(text, size), size))
            return
        if ha not in ("left", "center", "right"):
            raise ExplorableError(f"mark {key!r}: expected ha left, center or right, but {ha!r} came")
        x, y = inside(x + offset[0], width(text, size), ha), y - offset[1]
        self._add(key, "text", looks.label(text, color, size, ha), [x, y], z, link)

    def arrow(self, start, end, *, key, color=INK, linewidth=2, linestyle="-", link="", tell=None, z=2):
        """An arrow between two data points; `tell` names the coordinates of its tip."""
        x, y = same_length(key, [start[0], end[0]], [start[1], end[1]])
        told = named(key, tell, (x[1], y[1])) if tell else None
        look = looks.stroke(color, linestyle, linewidth, 1)
        self._add(key, "arrow", look, self._path(x, y), z, link, told)

    def image(self, values, *, key, extent, vmax=None, color=BLUE, negative=VERMILION, link="", z=-0.5):
        """A heat map of `values`, rows from the top, over `extent` (x0, x1, y0, y1); strong is far from 0."""
        values = np.asarray(values, float)
        if values.ndim != 2 or not values.size:
            raise ExplorableError(
                f"mark {key!r}: expected an array of rows and columns, but {values.shape} came"
            )
        top = vmax or max(np.abs(values).max(), 1e-300)
        edges = [*self.x.pixels(extent[:2]), *self.y.pixels(extent[2:])]
        strength = np.clip(values / top, -1, 1).ravel() * LEVELS
        look = looks.heat(color, negative, values.shape[1])
        self._add(key, "image", look, [edges[0], edges[3], edges[1], edges[2], *strength.tolist()], z, link)

    def contour(self, x, y, values, *, levels, key, color=INK, vertices=60, link="", **look):
        """Level lines of `values` (len(y), len(x)), each of as many vertices, so that it can move."""
        from contourpy import contour_generator

        lines = contour_generator(x, y, np.asarray(values, float)).lines
        look = {"color": color, "linewidth": 1.3, "z": 1, "link": link or key} | look
        for level in levels:
            for i, line in enumerate(lines(level)):
                name = f"{key} {level:g}" + (f" part {i + 1}" if i else "")
                self.plot(*evenly(line, vertices).T, key=name, **look)

    # -- what the drawing asks for -----------------------------------------------------------------

    def described(self):
        """The panel as JSON: what the picture and its description need."""
        across, up = plainly(self.xlabel), plainly(self.ylabel)
        return {
            "name": plainly(self.name),
            "w": WIDTH,
            "h": self.height,
            "box": self.box,
            "x": across,
            "y": up,
        }

    def finished(self):
        """The marks from back to front, every label at its place."""
        if self._labels:
            settle(self._labels, self.around, self._marks, self.box[3])
            self._labels = []
        return sorted(self._marks, key=lambda mark: mark.z)

    def as_data(self, number):
        """The same as JSON of panel `number`, made once for all drawings that have this panel."""
        if number not in self._data:
            self._data[number] = as_data(number, self.finished())
        return self._data[number]

    # -- how it is done ----------------------------------------------------------------------------

    def _add(self, key, kind, look, numbers, z, link="", told=None):
        """A new mark under `key`."""
        if not isinstance(key, str) or not key:
            raise ExplorableError(f"panel {self.name!r}: expected a key, a text, but {key!r} came")
        if key in self._keys:
            raise ExplorableError(
                f"panel {self.name!r}: two marks have the key {key!r}; a key says what a mark is"
            )
        if not isinstance(link, str):
            raise ExplorableError(f"mark {key!r}: expected link, the name of one mark, but {link!r} came")
        self._keys.add(key)
        mark = Mark(key, kind, look, numbers, z, link, told)
        self._marks.append(mark)
        self._data.clear()
        return mark

    def _path(self, x, y):
        return in_turn(self.x.pixels(x), self.y.pixels(y))

    def _bars(self, keys, sides, values, color, links, tell, z):
        """Rectangles between `sides` (left, one end, right, other end), each telling its value."""
        looks_and_links = each(color, len(keys), "color"), each(links, len(keys), "links")
        each_bar = zip(keys, np.column_stack(sides).tolist(), *looks_and_links, strict=True)
        told = told_by_each(keys, tell, (values,))
        for i, (key, corners, colour, link) in enumerate(each_bar):
            self._add(key, "bar", looks.filled(colour), corners, z, link or "", told[i])

    @staticmethod
    def _foot(axis):
        """Where bars begin."""
        return axis.ends[0] if axis.log else float(axis.pixels(0))
