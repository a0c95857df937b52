"""Marks: what a panel draws under one key, with its style, its coordinates in pixels and its JSON.

A style is made once for equal arguments and is one object in all frames, so a table of frames stores it once
and nobody may change it.
"""

import functools
import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from explorable.errors import ExplorableError
from explorable.palette import MARKERS, colour_name
from explorable.text import text_runs

PANEL_WIDTH = 360  # pixels: a phone's, so that no text is scaled down until it cannot be read
TENTHS = 10  # coordinates are stored as whole tenths of a pixel: finer differences cannot be seen
SMALLEST_REPORTED = 1e-9  # smaller values are reported as 0

DASHES = {"-": "", "--": "6 4", ":": "2 3", "-.": "7 3 2 3"}
MARKERS_OF_STROKES = ("x", "+", "|")  # they have no inside, so their edge takes the colour
ALL_MARKERS = (*MARKERS, *MARKERS_OF_STROKES)
Style = dict[str, Any]
Pair = Any  # two numbers: a tuple, a list or an array
cached = functools.lru_cache(4096, typed=True)  # typed: 2 and 2.0 are written differently


@dataclass(slots=True, eq=False)
class Mark:
    """What is drawn under one key of a panel."""

    key: str
    kind: str  # line, area, dot, bar, text, arrow or image
    style: Style
    numbers: list[float]  # pixels
    z: float  # marks with a larger z are drawn later
    link: str = ""  # the name under which it is highlighted together with others
    values: dict[str, float] | None = None  # what it reports to the reader (`tell`)
    aside: str = ""  # the name under which it is shown, only while something speaks of it


# -- styles ------------------------------------------------------------------------------------------


def style_of(**style: Any) -> Style:
    """The style without entries that are None or empty."""
    return {name: value for name, value in style.items() if value not in (None, "")}


@cached
def stroke_style(color: str, linestyle: str, linewidth: float, alpha: float) -> Style:
    """The style of a line or an arrow."""
    if linestyle not in DASHES:
        raise ExplorableError(f"expected a linestyle of {list(DASHES)}, but got {linestyle!r}")
    opacity = alpha if alpha != 1 else None
    return style_of(stroke=colour_name(color), width=linewidth, dash=DASHES[linestyle], opacity=opacity)


@cached
def fill_style(color: str, alpha: float | None = None) -> Style:
    """The style of an area or a bar."""
    return style_of(fill=colour_name(color), opacity=alpha)


@cached
def dot_style(marker: str, color: str, edgecolor: str | None, linewidth: float, alpha: float) -> Style:
    """The style of a dot, with that of its edge if it has one."""
    edge, inside = (color, None) if marker in MARKERS_OF_STROKES else (edgecolor, colour_name(color))
    stroke = {"stroke": colour_name(edge), "width": linewidth} if edge else {}
    return style_of(marker=marker, fill=inside, **stroke, opacity=alpha if alpha != 1 else None)


@cached
def heat_style(color: str, negative: str, columns: int) -> Style:
    """The style of a heat map, one colour above zero and one below."""
    return style_of(fill=colour_name(color), other=colour_name(negative), columns=columns)


@cached
def label_style(text: str, color: str, size: float, ha: str) -> Style:
    """The style of a text among the marks, with a halo that keeps it readable across lines."""
    return style_of(fill=colour_name(color), size=size, halo=1, ha=ha, runs=text_runs(text))


# -- arguments of a panel's methods ------------------------------------------------------------------


def check_key(panel: str, key: Any, link: Any, used: set[str]) -> None:
    """Refuses a key that is no text or is `used` in the panel, and a link that is no text."""
    if not isinstance(key, str) or not key:
        raise ExplorableError(f"panel {panel!r}: expected a key, a text, but got {key!r}")
    if key in used:
        raise ExplorableError(f"panel {panel!r}: two marks have the key {key!r}; a key says what a mark is")
    if not isinstance(link, str):
        raise ExplorableError(f"mark {key!r}: expected link, the name of one mark, but got {link!r}")


def same_length(key: Any, x: ArrayLike, y: ArrayLike, count: int | None = None) -> tuple[Any, Any]:
    """The two coordinates as arrays of one length, of `count` where there are as many keys."""
    x, y = np.atleast_1d(np.asarray(x, float)), np.atleast_1d(np.asarray(y, float))
    if x.ndim != 1 or x.shape != y.shape or (count is not None and len(x) != count):
        expected = f"{count} x and y, one a key" if count is not None else "as many x as y"
        raise ExplorableError(f"mark {key!r}: expected {expected}, but got shapes {x.shape} and {y.shape}")
    return x, y


def one_each(value: Any, count: int, name: str) -> list[Any]:
    """`value` for each of `count` marks: one for all, or a list of as many."""
    if value is None or isinstance(value, str):
        return [value] * count
    if len(value) != count:
        raise ExplorableError(f"{name}: expected one or {count}, but got {len(value)}")
    return list(value)


def named_values(key: Any, names: Any, values: Sequence[Any]) -> dict[str, Any]:
    """What a mark reports: each of the values by its name."""
    given = (names,) if isinstance(names, str) else names
    if not isinstance(given, tuple | list) or len(given) != len(values):
        expected = "one name" if len(values) == 1 else "two names"
        raise ExplorableError(f"mark {key!r}: expected tell, {expected}, but got {names!r}")
    return dict(zip(given, values, strict=True))


def values_of_each(keys: Sequence[str], tell: Any, values: Sequence[Any]) -> list[dict[str, float] | None]:
    """What each of many marks reports: its `values` by their names, or {name: numbers, one a key}."""
    if not tell:
        return [None] * len(keys)
    reported = tell if isinstance(tell, dict) else named_values(keys, tell, values)
    for name, numbers in reported.items():
        if np.shape(numbers) != (len(keys),):
            expected = f"tell {name!r}, {len(keys)} numbers, one a key"
            raise ExplorableError(f"mark {keys!r}: expected {expected}, but got {numbers!r}")
    return [{name: float(numbers[i]) for name, numbers in reported.items()} for i in range(len(keys))]


def interleaved(x: np.ndarray, y: np.ndarray) -> list[float]:
    """The coordinates x0, y0, x1, y1, ... as a list."""
    both = np.empty(2 * len(x))
    both[::2], both[1::2] = x, y
    return both.tolist()


def resampled(line: np.ndarray, count: int) -> np.ndarray:
    """`count` points at equal distances along a polygon (m, 2)."""
    along = np.concatenate([[0], np.cumsum(np.hypot(*np.diff(line, axis=0).T))])
    at = np.linspace(0, along[-1], count)
    return np.column_stack([np.interp(at, along, line[:, k]) for k in (0, 1)])


# -- JSON --------------------------------------------------------------------------------------------


def marks_as_json(panel: int, marks: Sequence[Mark]) -> list[dict[str, Any]]:
    """The marks of panel number `panel` as JSON."""
    return [mark_as_json(panel, *each) for each in zip(marks, in_tenths(marks), strict=True)]


def in_tenths(marks: Iterable[Mark]) -> list[list[int]]:
    """The numbers of each mark as whole tenths of a pixel; one that is not finite is refused."""
    marks = list(marks)
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


def mark_as_json(panel: int, mark: Mark, numbers: list[int]) -> dict[str, Any]:
    """A mark as JSON: panel, key, type, link, aside, style, numbers in tenths of a pixel, reported values."""
    data: dict[str, Any] = {"p": panel, "k": mark.key, "t": mark.kind, "s": mark.style, "n": numbers}
    if mark.link:
        data["l"] = mark.link
    if mark.aside:
        data["a"] = mark.aside
    if mark.values:
        data["told"] = [[name, *three_digits(value)] for name, value in mark.values.items()]
    return data


@functools.lru_cache(4096)
def three_digits(value: float) -> list[int]:
    """A reported value as [whole number, power of ten]: three significant digits."""
    if not abs(value) >= SMALLEST_REPORTED:
        return [0, 0]
    power = math.floor(math.log10(abs(value))) - 2
    whole = round(value / 10.0**power)
    return [whole // 10, power + 1] if abs(whole) == 1000 else [whole, power]
