"""All frames of a figure as one table: what stays is stored once, what varies as columns over the grid.

A column holds whole numbers, one for each position of the controls, as differences along every
axis of the grid; equal columns are stored once. The reader's side undoes it (explorable.js, decode).
"""

import re

import numpy as np

NUMBER = re.compile(r"\d+(?:\.\d+)?")


def packed(frames, grid):
    """The table of `frames`, given in the order of the `grid` (sizes), the last axis varying fastest."""
    columns = Columns(grid)
    return {
        "grid": list(grid),
        "panels": frames[0]["panels"],
        "marks": [mark_over(found, columns) for found in tracks(frames)],
        "texts": texts_over([frame["text"] for frame in frames], columns),
        "columns": columns.differences(),
    }


class Columns:
    """The columns that vary, each once."""

    def __init__(self, grid):
        self.grid, self.known, self.values = grid, {}, []

    def slot(self, values):
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

    def differences(self):
        """The columns as differences along each axis of the grid."""
        data = np.array(self.values, np.int64).reshape(len(self.values), *self.grid)
        for axis in range(1, data.ndim):
            data = np.diff(data, axis=axis, prepend=0)
        return [column.ravel().tolist() for column in data]


def tracks(frames):
    """Every mark through the frames, from back to front: [[(number of the frame, mark), ...], ...].

    A mark is the same in two frames if its panel, key, kind, link and number of coordinates are.
    """
    found, before, former = {}, {}, None
    for number, frame in enumerate(frames):
        marks = frame["marks"]
        present = [(mark["p"], mark["k"], mark["t"], mark.get("l", ""), len(mark["n"])) for mark in marks]
        if present != former:  # the next position mostly has the marks of this one
            for identity, last in zip(present, [None, *present], strict=False):
                before.setdefault(identity, last)
            ways, former = [found.setdefault(identity, []) for identity in present], present
        for way, mark in zip(ways, marks, strict=True):
            way.append((number, mark))
    return [found[identity] for identity in drawing_order(before)]


def drawing_order(before):
    """Identities so that each follows the one that stood before it when it first came."""
    order = []
    for identity, last in before.items():
        if identity not in order:
            order.insert(order.index(last) + 1 if last else 0, identity)
    return order


def mark_over(found, columns):
    """One mark over the grid: its looks and which where, whether it is there, its numbers, what it tells."""
    count, first = int(np.prod(columns.grid)), found[0][1]
    if len(found) == count and all(mark is first for _, mark in found):
        return {**first, "s": [first["s"]]}
    where = np.array([number for number, _ in found])
    held = np.searchsorted(where, np.arange(count), side="right").clip(1) - 1  # absent: as it was last
    looks, which = looks_of(found)
    entry = {name: first[name] for name in ("p", "k", "t", "l") if name in first}
    entry["s"] = looks
    if len(looks) > 1:
        entry["look"] = columns.slot(which[held])
    if len(found) < count:
        entry["on"] = columns.slot(np.isin(np.arange(count), where).astype(np.int64))
    entry["n"] = slots([mark["n"] for _, mark in found], held, columns)
    if "told" in first:
        told = slots([digits_told(mark["told"]) for _, mark in found], held, columns)
        entry["told"] = [[name, *told[2 * j : 2 * j + 2]] for j, (name, *_) in enumerate(first["told"])]
    return entry


def slots(rows, held, columns):
    """The slot of each number of `rows`, one row a frame that has it, over the frames that `held` fills."""
    if all(row == rows[0] for row in rows):
        return list(rows[0])
    return [columns.slot(values) for values in np.array(rows, np.int64).T[:, held]]


def digits_told(told):
    """What a mark tells without the names: the digits of each number and its power of ten, in turn."""
    return [part for _, *number in told for part in number]


def looks_of(found):
    """The looks of a mark, and which it has in each of its frames (f,)."""
    first = found[0][1]["s"]
    if all(mark["s"] is first for _, mark in found):
        return [first], np.zeros(len(found), np.int64)
    looks = {}
    which = [looks.setdefault(tuple(mark["s"].items()), len(looks)) for _, mark in found]
    return [dict(look) for look in looks], np.array(which)


def texts_over(sentences, columns):
    """The sentences: templates with the decimals of their numbers, which template where, and the numbers."""
    templates, which, rows = {}, [], []
    for sentence in sentences:
        pieces, decimals, numbers = apart(sentence)
        which.append(templates.setdefault((pieces, decimals), len(templates)))
        rows.append(numbers)
    most = max(map(len, rows))
    numbers = np.array([row + [0] * (most - len(row)) for row in rows], np.int64).reshape(len(rows), most)
    return {
        "templates": list(templates),
        "which": columns.slot(np.array(which)),
        "n": [columns.slot(numbers[:, j]) for j in range(most)],
    }


def apart(sentence):
    """(pieces, decimals, whole numbers): "x = 1.50." is ("x = ", "."), (2,), [150]."""
    pieces, decimals, numbers, start = [], [], [], 0
    for match in NUMBER.finditer(sentence):
        whole, _, rest = match[0].partition(".")
        if len(match[0]) > 9 or (len(whole) > 1 and whole[0] == "0"):
            continue  # a name rather than a number
        pieces.append(sentence[start : match.start()])
        decimals.append(len(rest))
        numbers.append(int(whole + rest))
        start = match.end()
    return (*pieces, sentence[start:]), tuple(decimals), numbers
