"""A panel of a drawing: axes that are set first, then keyed marks by methods that are named as matplotlib's.

(book: How to read and run this book, Figures that move)
"""

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any, NoReturn

import numpy as np
from numpy.typing import ArrayLike

from explorable import marks as m
from explorable.axes import TEXT_SIZE, axes_and_titles, new_axis, panel_box, within_panel
from explorable.errors import ExplorableError
from explorable.label_placement import place_labels
from explorable.marks import PANEL_WIDTH, Mark
from explorable.palette import BLUE, INK, VERMILION
from explorable.text import plain_text, text_width

NOT_FOR_AUTHORS = ("metadata", "marks", "marks_as_json")
HEAT_LEVELS = 20  # of a heat map, to either side of zero


class Panel:
    """A picture of its own, 360 pixels wide, which `drawing.panel(...)` makes; its methods add marks.

    A mark has a `key` that says what it is, unique in its panel and the same at all positions; `link` ties
    marks of several panels together, `tell` names the numbers that the reader may ask for.
    (book: How to read and run this book, Figures that move)

    >>> plane = Drawing().panel("plane", xlim=(1, 100), ylim=(0, 1), xscale="log", yticks=[0, 1])
    >>> plane.plot([1, 10, 100], [0, 0.5, 1], key="growth", tell=("R", "weight"))
    >>> plane.hlines(0.5, key="half")
    """

    def __init__(
        self, name: str, *, xlim: Any, ylim: Any, xlabel: str = "", ylabel: str = "", title: str = "",
        xscale: str = "linear", yscale: str = "linear", xticks: Any = None, yticks: Any = None,
        height: int = 270, frame: bool = True,
    ) -> None:  # fmt: skip
        self.name, self.height, self.title, self.xlabel, self.ylabel = name, height, title, xlabel, ylabel
        numbers = [frame and (ticks is None or len(ticks) > 0) for ticks in (xticks, yticks)]
        self.box = left, top, right, bottom = panel_box(height, numbers, bool(xlabel), bool(title or ylabel))
        self.x = new_axis("x", xlim, (left, right), xscale)
        self.y = new_axis("y", ylim, (bottom, top), yscale)
        ticks = (self.x.ticks(xticks), self.y.ticks(yticks)) if frame else ()
        texts = (xlabel, ylabel, title)
        self.axes = axes_and_titles(name, self.x, self.y, ticks, self.box, height, texts)
        self._marks: list[Mark] = []
        self._labels: list[tuple[Mark, float, float]] = []  # without a place yet: mark, width, size
        self._keys = {mark.key for mark in self.axes}
        self._json: dict[int, list[dict[str, Any]]] = {}
        self._aside = ""  # the name under which new marks are shown

    def __getattr__(self, name: str) -> NoReturn:
        """Refuses methods that matplotlib has and a panel has not."""
        if name.startswith("__"):
            raise AttributeError(name)
        if name.startswith("set"):
            raise ExplorableError(
                f"panel {self.name!r} has no {name!r}: limits, scales, ticks and names are given to "
                "drawing.panel(...), before the first mark"
            )
        known = [word for word in vars(Panel) if word[0] != "_" and word not in NOT_FOR_AUTHORS]
        raise ExplorableError(f"panel {self.name!r} has no {name!r}; it knows {', '.join(known)}")

    # -- marks -------------------------------------------------------------------------------------

    def plot(
        self, x: ArrayLike, y: ArrayLike, *, key: str, color: str = BLUE, linestyle: str = "-",
        linewidth: float = 2, alpha: float = 1, link: str = "", tell: Any = None, z: float = 2,
    ) -> None:  # fmt: skip
        """A line through the points; `tell` names its last point's coordinates, (name of x, name of y)."""
        xs, ys = m.same_length(key, x, y)
        style = m.stroke_style(color, linestyle, linewidth, alpha)
        values = m.named_values(key, tell, (xs[-1], ys[-1])) if tell else None
        self._add(key, "line", style, self._path(xs, ys), z, link, values)

    def fill(
        self, x: ArrayLike, y: ArrayLike, *, key: str, color: str = BLUE, alpha: float = 0.2, link: str = "",
        z: float = 0,
    ) -> None:  # fmt: skip
        """The polygon with these corners."""
        xs, ys = m.same_length(key, x, y)
        self._add(key, "area", m.fill_style(color, alpha), self._path(xs, ys), z, link)

    def scatter(
        self, x: ArrayLike, y: ArrayLike, *, keys: Sequence[str], size: ArrayLike = 26, marker: Any = "o",
        color: Any = BLUE, edgecolor: Any = None, alpha: float = 1, linewidth: float = 1.3, links: Any = None,
        tell: Any = None, z: float = 3,
    ) -> None:  # fmt: skip
        """A dot a key; style and size one for all or one each; areas in square points as in matplotlib.

        `tell` is a pair of names for the coordinates, or {name: values}.
        """
        xs, ys = m.same_length(keys, x, y, count=len(keys))
        given = {"marker": marker, "color": color, "edgecolor": edgecolor, "links": links}
        each = [m.one_each(value, len(keys), name) for name, value in given.items()]
        radius = np.sqrt(np.broadcast_to(np.asarray(size, float), len(keys))) * (2 / 3)
        places = np.column_stack([self.x.pixels(xs), self.y.pixels(ys), radius]).tolist()
        values = m.values_of_each(keys, tell, (xs, ys))
        for i, (key, shape, colour, edge, link) in enumerate(zip(keys, *each, strict=True)):
            if shape not in m.ALL_MARKERS:
                expected = f"expected a marker of {list(m.ALL_MARKERS)}"
                raise ExplorableError(f"mark {key!r}: {expected}, but got {shape!r}")
            style = m.dot_style(shape, colour, edge, linewidth, alpha)
            self._add(key, "dot", style, places[i], z, link or "", values[i])

    def bar(
        self, x: ArrayLike, height: ArrayLike, *, keys: Sequence[str], width: float = 0.7, color: Any = BLUE,
        links: Any = None, tell: Any = None, z: float = 1,
    ) -> None:  # fmt: skip
        """An upright bar a key, from 0 (from the lower edge on a logarithmic axis) to its `height`."""
        middles, heights = m.same_length(keys, x, height, count=len(keys))
        a, b = self.x.pixels(middles - width / 2), self.x.pixels(middles + width / 2)
        foot = np.full(len(keys), self.y.start_of_bars)
        self._bars(keys, (a, foot, b, self.y.pixels(heights)), heights, color, links, tell, z)

    def barh(
        self, y: ArrayLike, width: ArrayLike, *, keys: Sequence[str], height: float = 0.62, color: Any = BLUE,
        links: Any = None, tell: Any = None, z: float = 1,
    ) -> None:  # fmt: skip
        """A bar a key to the right, from 0 to its `width`."""
        middles, widths = m.same_length(keys, y, width, count=len(keys))
        a, b = self.y.pixels(middles - height / 2), self.y.pixels(middles + height / 2)
        foot = np.full(len(keys), self.x.start_of_bars)
        self._bars(keys, (foot, a, self.x.pixels(widths), b), widths, color, links, tell, z)

    def hlines(
        self, y: float, xmin: float | None = None, xmax: float | None = None, *, key: str, color: str = INK,
        linestyle: str = "--", linewidth: float = 1.3, **settings: Any,
    ) -> None:  # fmt: skip
        """A level line, across the whole panel where no ends are given; the other settings are of `plot`."""
        low, high = self.x.limits
        ends = [low if xmin is None else xmin, high if xmax is None else xmax]
        style: dict[str, Any] = {"color": color, "linestyle": linestyle, "linewidth": linewidth, "z": 1}
        self.plot(ends, [y, y], key=key, **style | settings)

    def vlines(
        self, x: float, ymin: float | None = None, ymax: float | None = None, *, key: str, color: str = INK,
        linestyle: str = "--", linewidth: float = 1.3, **settings: Any,
    ) -> None:  # fmt: skip
        """An upright line, as high as the panel where no ends are given; other settings are of `plot`."""
        low, high = self.y.limits
        ends = [low if ymin is None else ymin, high if ymax is None else ymax]
        style: dict[str, Any] = {"color": color, "linestyle": linestyle, "linewidth": linewidth, "z": 1}
        self.plot([x, x], ends, key=key, **style | settings)

    def annotate(
        self, text: str, xy: m.Pair, *, key: str, offset: m.Pair | None = None,
        ha: str = "center", color: str = INK, size: float = TEXT_SIZE, link: str = "", z: float = 5,
    ) -> None:  # fmt: skip
        """`text` at the data point `xy`: `offset` pixels right and upwards, or where it covers least."""
        if not isinstance(text, str) or not text.strip():
            raise ExplorableError(f"mark {key!r}: expected a text, but got {text!r}")
        if ha not in ("left", "center", "right"):
            raise ExplorableError(f"mark {key!r}: expected ha left, center or right, but got {ha!r}")
        x, y, width = self.x.pixel(xy[0]), self.y.pixel(xy[1]), text_width(text, size)
        if offset is None:
            mark = self._add(key, "text", m.label_style(text, color, size, "center"), [x, y], z, link)
            self._labels.append((mark, width, size))
            return
        place = [within_panel(x + offset[0], width, ha), y - offset[1]]
        self._add(key, "text", m.label_style(text, color, size, ha), place, z, link)

    def arrow(
        self, start: m.Pair, end: m.Pair, *, key: str, color: str = INK,
        linewidth: float = 2, linestyle: str = "-", link: str = "", tell: Any = None, z: float = 2,
    ) -> None:  # fmt: skip
        """An arrow between two data points; `tell` names the coordinates of its tip."""
        xs, ys = m.same_length(key, [start[0], end[0]], [start[1], end[1]])
        values = m.named_values(key, tell, (xs[1], ys[1])) if tell else None
        style = m.stroke_style(color, linestyle, linewidth, 1)
        self._add(key, "arrow", style, self._path(xs, ys), z, link, values)

    def image(
        self, values: ArrayLike, *, key: str, extent: Any, vmax: float | None = None,
        color: str = BLUE, negative: str = VERMILION, link: str = "", z: float = -0.5,
    ) -> None:  # fmt: skip
        """A heat map of `values`, rows from the top, over `extent` (x0, x1, y0, y1); strong is far from 0."""
        cells = np.asarray(values, float)
        if cells.ndim != 2 or not cells.size:
            raise ExplorableError(
                f"mark {key!r}: expected an array of rows and columns, but got {cells.shape}"
            )
        top = vmax or max(np.abs(cells).max(), 1e-300)
        edges = [*self.x.pixels(extent[:2]), *self.y.pixels(extent[2:])]
        strength = np.clip(cells / top, -1, 1).ravel() * HEAT_LEVELS
        numbers = [edges[0], edges[3], edges[1], edges[2], *strength.tolist()]
        self._add(key, "image", m.heat_style(color, negative, cells.shape[1]), numbers, z, link)

    def contour(
        self, x: ArrayLike, y: ArrayLike, values: ArrayLike, *, levels: Any, key: str,
        color: str = INK, vertices: int = 60, link: str = "", **settings: Any,
    ) -> None:  # fmt: skip
        """Level lines of `values` (len(y), len(x)), each of as many vertices, so that it can move."""
        from contourpy import contour_generator

        lines: Any = contour_generator(x, y, np.asarray(values, float)).lines
        settings = {"color": color, "linewidth": 1.3, "z": 1, "link": link or key, **settings}
        for level in levels:
            for i, line in enumerate(lines(level)):
                name = f"{key} {level:g}" + (f" part {i + 1}" if i else "")
                self.plot(*m.resampled(line, vertices).T, key=name, **settings)

    @contextlib.contextmanager
    def aside(self, name: str) -> Iterator[None]:
        """A block whose marks are shown only while the text speaks of them, under `name`."""
        if not isinstance(name, str) or not name.isidentifier():
            raise ExplorableError(f"panel {self.name!r}: expected aside, one word, but got {name!r}")
        self._aside = name
        try:
            yield
        finally:
            self._aside = ""

    # -- what a drawing reads ------------------------------------------------------------------------

    def metadata(self) -> dict[str, Any]:
        """Name, size and names of the axes as JSON."""
        size = {"w": PANEL_WIDTH, "h": self.height, "box": self.box}
        names = {"x": plain_text(self.xlabel), "y": plain_text(self.ylabel)}
        return {"name": plain_text(self.name), **size, **names}

    def marks(self) -> list[Mark]:
        """The marks from back to front, every label at its place."""
        for name in dict.fromkeys(label[0].aside for label in self._labels):  # asides give way to the others
            waiting = [label for label in self._labels if label[0].aside == name]
            seen = [mark for mark in self._marks if mark.aside in ("", name)]
            place_labels(waiting, self.axes, seen, self.box[3])
        self._labels = []
        return sorted(self._marks, key=lambda mark: mark.z)

    def marks_as_json(self, number: int) -> list[dict[str, Any]]:
        """The marks as JSON of panel `number`, made once for all drawings that have this panel."""
        if number not in self._json:
            self._json[number] = m.marks_as_json(number, self.marks())
        return self._json[number]

    def _add(
        self, key: str, kind: str, style: m.Style, numbers: list[float], z: float, link: str = "",
        values: dict[str, float] | None = None,
    ) -> Mark:  # fmt: skip
        """A new mark under `key`."""
        m.check_key(self.name, key, link, self._keys)
        self._keys.add(key)
        mark = Mark(key, kind, style, numbers, z, link, values, self._aside)
        self._marks.append(mark)
        self._json.clear()
        return mark

    def _path(self, x: np.ndarray, y: np.ndarray) -> list[float]:
        return m.interleaved(self.x.pixels(x), self.y.pixels(y))

    def _bars(
        self, keys: Sequence[str], sides: Sequence[np.ndarray], lengths: np.ndarray, color: Any, links: Any,
        tell: Any, z: float,
    ) -> None:  # fmt: skip
        """Rectangles between `sides` (left, one end, right, other end), each reporting its length."""
        colours, links = m.one_each(color, len(keys), "color"), m.one_each(links, len(keys), "links")
        corners, values = np.column_stack(sides).tolist(), m.values_of_each(keys, tell, (lengths,))
        for i, key in enumerate(keys):
            self._add(key, "bar", m.fill_style(colours[i]), corners[i], z, links[i] or "", values[i])
