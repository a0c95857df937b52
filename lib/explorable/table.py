"""All frames of a figure as one table: what does not change is stored once, what varies as columns.

A column holds whole numbers, one for each position of the controls, as differences along every
axis of the grid; equal columns are stored once. `browser/table.js` reads it (`decode`, `frameAt`).
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from explorable.drawing import Frame

Slot = int | list[int]  # a number that is the same everywhere, or [column, offset]
Track = list[tuple[int, dict[str, Any]]]  # a mark through the frames: (number of the frame, mark)
MAX_DIGITS = 9  # of a number that is stored in a column; longer ones stay text

NUMBER = re.compile(r"\d+(?:\.\d+)?")


def pack_frames(frames: Sequence[Frame], grid: Sequence[int]) -> dict[str, Any]:
    """The table of `frames`, given in the order of the `grid` (sizes), the last axis varying fastest."""
    columns = Columns(grid)
    return {
        "grid": list(grid),
        "panels": frames[0]["panels"],
        "marks": [pack_mark(track, columns) for track in tracks(frames)],
        "texts": pack_sentences([frame["text"] for frame in frames], columns),
        "columns": columns.differences(),
    }


class Columns:
    """The columns that vary, each once."""

    def __init__(self, grid: Sequence[int]) -> None:
        self.grid = grid
        self.known: dict[bytes, int] = {}
        self.values: list[np.ndarray] = []

    def slot(self, values: np.ndarray) -> Slot:
        """A number if `values` (frames,) are all the same, else [column, offset]."""
        first = int(values[0])
        if (values == first).all():
            return first
        shifted = values - first
        key = shifted.tobytes()
        if key not in self.known:
            self.known[key] = len(self.values)
            self.values.append(shifted)
        return [self.known[key], first]

    def differences(self) -> list[list[int]]:
        """The columns as differences along each axis of the grid."""
        data = np.array(self.values, np.int64).reshape(len(self.values), *self.grid)
        for axis in range(1, data.ndim):
            data = np.diff(data, axis=axis, prepend=0)
        return [column.ravel().tolist() for column in data]


def tracks(frames: Sequence[Frame]) -> list[Track]:
    """Every mark through the frames, from back to front: [[(number of the frame, mark), ...], ...].

    A mark is the same in two frames if its panel, key, kind, link, aside and number of coordinates are.
    """
    found: dict[tuple[Any, ...], Track] = {}
    before: dict[tuple[Any, ...], Any] = {}
    former: list[tuple[Any, ...]] | None = None
    for number, frame in enumerate(frames):
        marks = frame["marks"]
        present = [(*map(mark.get, ("p", "k", "t", "l", "a")), len(mark["n"])) for mark in marks]
        if present != former:  # the next position mostly has the marks of this one
            for identity, last in zip(present, [None, *present], strict=False):
                before.setdefault(identity, last)
            current, former = [found.setdefault(identity, []) for identity in present], present
        for track, mark in zip(current, marks, strict=True):
            track.append((number, mark))
    return [found[identity] for identity in drawing_order(before)]


def drawing_order(before: Mapping[Any, Any]) -> list[Any]:
    """Identities so that each follows the one that stood before it when it first came."""
    order: list[Any] = []
    for identity, last in before.items():
        if identity not in order:
            order.insert(order.index(last) + 1 if last else 0, identity)
    return order


def pack_mark(track: Track, columns: Columns) -> dict[str, Any]:
    """One mark over the grid: its styles and where each is used, where it is present, numbers and values."""
    count, first = int(np.prod(columns.grid)), track[0][1]
    if len(track) == count and all(mark is first for _, mark in track):
        return {**first, "s": [first["s"]]}
    where = np.array([number for number, _ in track])
    row_of = np.searchsorted(where, np.arange(count), side="right").clip(1) - 1  # absent: as it was last
    styles, which = styles_of(track)
    entry: dict[str, Any] = {name: first[name] for name in ("p", "k", "t", "l", "a") if name in first}
    entry["s"] = styles
    if len(styles) > 1:
        entry["look"] = columns.slot(which[row_of])
    if len(track) < count:
        entry["on"] = columns.slot(np.isin(np.arange(count), where).astype(np.int64))
    entry["n"] = slots([mark["n"] for _, mark in track], row_of, columns)
    if "told" in first:
        told = slots([digits_of(mark["told"]) for _, mark in track], row_of, columns)
        entry["told"] = [[name, *told[2 * j : 2 * j + 2]] for j, (name, *_) in enumerate(first["told"])]
    return entry


def slots(rows: Sequence[Sequence[int]], row_of: np.ndarray, columns: Columns) -> list[Slot]:
    """The slots of the numbers in `rows`, a row for each frame with the mark.

    `row_of` gives for each frame of the table the row that counts there.
    """
    if all(row == rows[0] for row in rows):
        return list(rows[0])
    return [columns.slot(values) for values in np.array(rows, np.int64).T[:, row_of]]


def digits_of(told: Sequence[Sequence[Any]]) -> list[int]:
    """Reported values without the names: the digits of each number and its power of ten, in turn."""
    return [part for _, *number in told for part in number]


def styles_of(track: Track) -> tuple[list[dict[str, Any]], np.ndarray]:
    """The styles of a mark, and which it has in each of its frames (f,)."""
    first = track[0][1]["s"]
    if all(mark["s"] is first for _, mark in track):
        return [first], np.zeros(len(track), np.int64)
    styles: dict[tuple[Any, ...], int] = {}
    which = [styles.setdefault(tuple(mark["s"].items()), len(styles)) for _, mark in track]
    return [dict(style) for style in styles], np.array(which)


def pack_sentences(sentences: Sequence[str], columns: Columns) -> dict[str, Any]:
    """The sentences: templates with the decimals of their numbers, which template where, and the numbers."""
    templates: dict[tuple[Any, ...], int] = {}
    which, rows = [], []
    for sentence in sentences:
        pieces, decimals, row = split_numbers(sentence)
        which.append(templates.setdefault((pieces, decimals), len(templates)))
        rows.append(row)
    most = max(map(len, rows))
    numbers = np.array([row + [0] * (most - len(row)) for row in rows], np.int64).reshape(len(rows), most)
    return {
        "templates": list(templates),
        "which": columns.slot(np.array(which)),
        "n": [columns.slot(numbers[:, j]) for j in range(most)],
    }


def split_numbers(sentence: str) -> tuple[tuple[str, ...], tuple[int, ...], list[int]]:
    """(pieces, decimals, whole numbers): "x = 1.50." is ("x = ", "."), (2,), [150]."""
    pieces: list[str] = []
    decimals: list[int] = []
    numbers: list[int] = []
    start = 0
    for match in NUMBER.finditer(sentence):
        whole, _, rest = match[0].partition(".")
        if len(match[0]) > MAX_DIGITS or (len(whole) > 1 and whole[0] == "0"):
            continue  # a name rather than a number
        pieces.append(sentence[start : match.start()])
        decimals.append(len(rest))
        numbers.append(int(whole + rest))
        start = match.end()
    return (*pieces, sentence[start:]), tuple(decimals), numbers
