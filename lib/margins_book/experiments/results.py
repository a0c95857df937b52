"""A table of results that grows cell by cell in a CSV file and survives an interruption at any moment.

The first line holds the settings as JSON behind a `#`, the second the names of the columns. Every row names
its cell, says how many rows that cell has, so that a cell that was cut off in mid-write is recognised, and
how many seconds of processor time it took.
(book: The paper in a minute, What ran)
"""

import csv
import io
import json
import os
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from margins_book.experiments.types import Row, Settings, Table


class Results:
    """The file of one experiment's results, to which finished cells are added.

    Opening it only reads; the first cell that is added removes what an interruption left behind. Settings
    that differ from those in the file are refused, because their results would be mixed
    (book: The paper in a minute, What ran).

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     results = Results(f"{folder}/squares.csv", {"factor": 10})
    ...     results.append("seed=2", [{"square": 40}])
    ...     Results(f"{folder}/squares.csv", {"factor": 10}).done
    {'seed=2'}
    """

    def __init__(self, path: Path | str, settings: Settings) -> None:
        self.path, self.settings = Path(path), json.loads(json.dumps(settings))
        self.rows: list[Row] = []
        self.whole = False
        if self.path.exists():
            self._read()
        self.done = {row["cell"] for row in self.rows}

    def append(self, cell: str, rows: list[Row], seconds: float = 0.0) -> None:
        """The rows (dicts of equal keys) of a finished cell, written at once and safely on the disk."""
        if cell in self.done:
            raise ValueError(f"cell {cell!r} is already in {self.path}")
        head = {"cell": cell, "rows": len(rows), "seconds": round(seconds, 3)}
        rows = [head | row for row in rows]
        if self.rows:
            self._same_columns(rows)
        if self.whole:
            _append_safely(self.path, _lines(rows))
        else:
            _replace_safely(self.path, self._text([*self.rows, *rows]))
        self.whole = True
        self.rows += [{name: str(value) for name, value in row.items()} for row in rows]
        self.done.add(cell)

    @property
    def seconds(self) -> float:
        """The processor time of all cells."""
        return sum({row["cell"]: float(row["seconds"]) for row in self.rows}.values())

    def table(self) -> Table:
        """The columns as arrays of integers, floats or strings."""
        names = list(self.rows[0]) if self.rows else []
        return {name: typed([row[name] for row in self.rows]) for name in names}

    def _read(self) -> None:
        text = text_of_file(self.path)
        first, _, body = text.partition("\n")
        self._same_settings(first)
        ended = body[: body.rfind("\n") + 1]  # a line without its end was cut off
        self.rows = _complete_cells(_uncut(self.path, csv.DictReader(io.StringIO(ended))))
        self.whole = bool(self.rows) and self._text(self.rows) == text

    def _text(self, rows: list[Row]) -> str:
        return f"# {json.dumps(self.settings, sort_keys=True)}\n{','.join(rows[0])}\n{_lines(rows)}"

    def _same_settings(self, line: str) -> None:
        try:
            found = json.loads(line.removeprefix("# "))
        except json.JSONDecodeError:
            raise ValueError(
                f"{self.path} does not begin with the settings of an experiment: {line[:60]!r}"
            ) from None
        if found != self.settings:
            raise ValueError(
                f"{self.path} holds results of other settings: {found}, but got {self.settings}; "
                "choose another file or delete this one"
            )

    def _same_columns(self, rows: list[Row]) -> None:
        expected = list(self.rows[0])
        for row in rows:
            if list(row) != expected:
                raise ValueError(f"the columns of {self.path} are {expected}, but got a row with {list(row)}")


def text_of_file(path: Path) -> str:
    """The text of a table of results, refused where `path` is a folder or its file holds no text."""
    if path.is_dir():
        raise ValueError(f"{path} is a folder, but a file for the table was expected")
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise ValueError(f"{path} holds no text, but a table of results was expected") from None


def _uncut(path: Path, lines: Iterable[Row]) -> list[Row]:
    """The rows that were not cut off, refused where they are not those of an experiment."""
    rows = [row for row in lines if None not in row and None not in row.values()]
    for row in rows:
        try:
            row["cell"], int(row["rows"]), float(row["seconds"])
        except (KeyError, ValueError):
            raise ValueError(
                f"{path} must have the columns cell, rows and seconds, with numbers in the last two, but it "
                f"holds {row}; choose another file"
            ) from None
    return rows


def _complete_cells(rows: list[Row]) -> list[Row]:
    """The rows of the cells that are all there, each cell once."""
    cells: dict[str, list[Row]] = {}
    for row in rows:
        cells.setdefault(row["cell"], []).append(row)
    kept: list[Row] = []
    for held in cells.values():
        wanted = int(held[0]["rows"])
        kept += held[:wanted] if len(held) >= wanted else []
    return kept


def _lines(rows: list[Row]) -> str:
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\n").writerows(row.values() for row in rows)
    return buffer.getvalue()


def _append_safely(path: Path, text: str) -> None:
    """`text` at the end of the file, in one write that has reached the disk on return."""
    with open(path, "ab", buffering=0) as file:
        file.write(text.encode())
        os.fsync(file.fileno())


def _replace_safely(path: Path, text: str) -> None:
    """A file that holds `text`: the old one or the new one is there at any moment, never half of one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(path.name + ".new")
    with open(beside, "wb") as file:
        file.write(text.encode())
        file.flush()
        os.fsync(file.fileno())
    os.replace(beside, path)


def typed(values: list[str]) -> NDArray:
    """An array of integers if all values are such, else of floats, else of strings."""
    for kind in (int, float):
        try:
            return np.array([kind(value) for value in values])
        except ValueError:
            continue
    return np.array(values)
