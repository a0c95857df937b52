"""Axes of a panel: the map from data to pixels, ticks, and the marks that draw axes, numbers and titles."""

import functools
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from explorable.errors import ExplorableError
from explorable.marks import PANEL_WIDTH, Mark, style_of
from explorable.text import text_runs, text_width

SCALES = ("linear", "log")
TICK_SIZE, TEXT_SIZE, TITLE_SIZE = 12, 13, 14  # pixels
TICK = 4  # pixels that a tick is long
MARGIN_RIGHT, MARGIN_LEFT, MARGIN_LEFT_WITH_NUMBERS = 14, 26, 46  # pixels
MARGIN_TOP, MARGIN_TOP_WITH_TITLE, MARGIN_BOTTOM, LINE_OF_TEXT = 12, 26, 8, 18  # pixels
EDGE = 2  # pixels that a text keeps from the panel's edge
LINE = style_of(stroke="ink", width=1, axis=1)
Ticks = tuple[tuple[float, str], ...]
Box = tuple[float, float, float, float]  # left, top, right, bottom


@dataclass(frozen=True)
class Axis:
    """The map that carries `limits` to the pixels `ends`: v lies at a + b v, or a + b log10(v)."""

    limits: tuple[float, float]
    ends: tuple[float, float]
    log: bool = False

    @functools.cached_property
    def line(self) -> tuple[float, float]:
        """(a, b): where 0 (on a logarithmic axis 1) lies, and the pixels of a unit (of a decade)."""
        low, high = map(math.log10, self.limits) if self.log else self.limits
        slope = (self.ends[1] - self.ends[0]) / (high - low)
        return self.ends[0] - slope * low, slope

    def pixels(self, values: ArrayLike) -> np.ndarray:
        """Where `values` lie; not finite where they have no place on this axis."""
        start, slope = self.line
        if not self.log:
            return start + slope * np.asarray(values, float)
        with np.errstate(divide="ignore", invalid="ignore"):
            return start + slope * np.log10(np.asarray(values, float))

    def pixel(self, value: float) -> float:
        """Where one value lies."""
        start, slope = self.line
        return float(self.pixels(value)) if self.log else start + slope * float(value)

    @property
    def start_of_bars(self) -> float:
        """The pixel at which bars begin: that of 0, or the lower end of a logarithmic axis."""
        return self.ends[0] if self.log else float(self.pixels(0))

    def ticks(self, at: Iterable[float] | Mapping[float, str] | None = None) -> Ticks:
        """((value, text), ...): `at` as asked for, or round numbers."""
        if isinstance(at, Mapping):
            return tuple(at.items())
        if at is None:
            low, high = sorted(self.limits)
            at = decades(low, high) if self.log and high >= 10 * low else round_numbers(low, high)
        return tuple({float(v): number_text(v, power=self.log) for v in at}.items())


def new_axis(name: str, limits: Any, ends: tuple[float, float], scale: str) -> Axis:
    """The axis of these limits, if there is one."""
    if scale not in SCALES:
        raise ExplorableError(f"{name}scale: expected one of {list(SCALES)}, but got {scale!r}")
    low, high = map(float, limits) if np.shape(limits) == (2,) else (math.nan, math.nan)
    if not (math.isfinite(low) and math.isfinite(high) and low != high):
        raise ExplorableError(f"{name}lim: expected two finite numbers that differ, but got {limits!r}")
    if scale == "log" and min(low, high) <= 0:
        raise ExplorableError(f"{name}lim: expected numbers > 0 on a log axis, but got {limits!r}")
    return Axis((low, high), ends, scale == "log")


def round_numbers(low: float, high: float, about: int = 5) -> list[float]:
    """Multiples of 1, 2, 2.5 or 5 times a power of ten from `low` to `high`, `about` so many."""
    raw = (high - low) / about
    power = 10.0 ** math.floor(math.log10(raw))
    step = power * next(m for m in (1, 2, 2.5, 5, 10) if m * power >= 0.9 * raw)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(k * step, 12) for k in range(first, last + 1)]


def decades(low: float, high: float, at_most: int = 5) -> list[float]:
    """Powers of ten from `low` to `high`, every second or third of them if there are many."""
    first, last = math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9)
    return [10.0**k for k in range(first, last + 1, math.ceil((last - first + 1) / at_most))]


def number_text(value: float, *, power: bool = False) -> str:
    """A number as it stands beside a tick; powers of ten beyond 100 and 1/100 as powers."""
    exponent = round(math.log10(value)) if power else 0
    if abs(exponent) > 2:
        return f"$10^{{{exponent}}}$"
    return f"{value:g}".replace("-", "\N{MINUS SIGN}")


def panel_box(height: int, numbers: Sequence[bool], named: bool, titled: bool) -> Box:
    """The box of the axes, with room for the `numbers` along x and y, the name of x, and a line above."""
    left = MARGIN_LEFT_WITH_NUMBERS if numbers[1] else MARGIN_LEFT
    top = MARGIN_TOP_WITH_TITLE if titled else MARGIN_TOP
    bottom = height - MARGIN_BOTTOM - LINE_OF_TEXT * (numbers[0] + named)
    return left, top, PANEL_WIDTH - MARGIN_RIGHT, bottom


# -- the marks of the axes ---------------------------------------------------------------------------


@functools.lru_cache(256)
def axes_and_titles(
    name: str, x: Axis, y: Axis, ticks: tuple[Ticks, ...], box: Box, height: int, names: tuple[str, str, str]
) -> tuple[Mark, ...]:
    """The marks of both axes, their numbers, names and the panel's title; `names` are of x, y and panel.

    Kept, because they are the same in every frame of a figure. Without `ticks` no axes are drawn.
    """
    return axes_marks(x, y, *ticks, box=box) + title_marks(name, box, height, *names)


def axes_marks(
    x: Axis, y: Axis, xticks: Ticks | None = None, yticks: Ticks = (), *, box: Box
) -> tuple[Mark, ...]:
    """The two axes and the numbers along them; nothing for a panel without frame."""
    left, _, _, bottom = box
    if xticks is None:
        return ()
    across = [(float(x.pixels(value)), text) for value, text in xticks]
    up = [(float(y.pixels(value)), text) for value, text in yticks]
    marks = [Mark("axes", "line", LINE, axes_line([at for at, _ in across], [at for at, _ in up], box), -1)]
    for at, text in across:
        marks.append(text_mark(f"number x {text}", at, bottom + 18, text, ha="center", size=TICK_SIZE))
    for at, text in up:
        marks.append(text_mark(f"number y {text}", left - 8, at + 4, text, ha="right", size=TICK_SIZE))
    return tuple(marks)


def axes_line(across: Sequence[float], up: Sequence[float], box: Box) -> list[float]:
    """Both axes with their ticks as one line, which goes to the end of each tick and back: one element."""
    left, top, right, bottom = box
    down = [number for at in sorted(up) for number in (left, at, left - TICK, at, left, at)]
    along = [number for at in sorted(across) for number in (at, bottom, at, bottom + TICK, at, bottom)]
    return [left, top, *down, left, bottom, *along, right, bottom]


def title_marks(name: str, box: Box, height: int, xlabel: str, ylabel: str, title: str) -> tuple[Mark, ...]:
    """The title in the middle above, the axes' names below and at the upper left."""
    left, top, right, _ = box
    middle, marks = (left + right) / 2, []
    if xlabel:
        marks.append(text_mark("name x", middle, height - 5, xlabel, ha="center", size=TEXT_SIZE))
    if ylabel:
        marks.append(text_mark("name y", 4, top - 10, ylabel, ha="left", size=TEXT_SIZE))
    if title:
        marks.append(text_mark("title", middle, top - 10, title, ha="center", size=TITLE_SIZE))
    if title and ylabel and 8 + text_width(ylabel, TEXT_SIZE) > middle - text_width(title, TITLE_SIZE) / 2:
        raise ExplorableError(
            f"panel {name!r}: title {title!r} and ylabel {ylabel!r} do not fit beside each other; shorten one"
        )
    return tuple(marks)


def text_mark(key: str, x: float, y: float, text: str, *, ha: str, size: int) -> Mark:
    """A text of the axes, moved inwards where it would leave the panel."""
    style = style_of(fill="ink", size=size, axis=1, ha=ha, runs=text_runs(text))
    return Mark(key, "text", style, [within_panel(x, text_width(text, size), ha), y], -1)


def within_panel(x: float, width: float, ha: str) -> float:
    """`x`, moved so far that a text of this width, aligned at it by `ha`, stays in the panel."""
    left = x - width * {"left": 0, "center": 0.5, "right": 1}[ha]
    return x + min(max(left, EDGE), PANEL_WIDTH - EDGE - width) - left
