"""Recorded results: whole runs of the experiments at the paper's sizes, in plain files beside this one.

`python -m margins_book.experiments paper` writes them. The first line holds the settings and the largest
duality gap as JSON behind a `#`, the rest is a CSV table. A line describes a block of problems, the first of
them drawn from `seed`: it names what they share, and lists a rounded number a problem in each other column,
`0.5; 1*3` for 0.5, 1, 1, 1. Lists are in the order of the seeds, or sorted where problems are many and alike.
(book: The paper in a minute)
"""

import csv
import io
import json
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from margins.validation import one_of
from margins_book.experiments.estimates import Row, Settings, Table

__all__ = ["recorded"]

FOLDER = Path(__file__).parent
SHARED = (
    "picture",
    "n",
    "T",
    "d",
    "tokens",
    "form",
    "iteration",
    "radius",
)  # besides `seed`, by a whole line


def recorded(name: str) -> Table:
    """The table of the recorded results of the experiment `name`, a row for each problem and measurement.

    Columns are those of the experiment's rows, as arrays; the `gap` of all is the largest one
    (book: The paper in a minute).

    >>> table = recorded("ranks")
    >>> sorted(table)[:3], len(table["n"]) == len(table["seed"])
    (['T', 'bound', 'd'], True)
    """
    head, lines = read(name)
    rows = [row for line in lines for row in unpacked(line, in_order=not head["sorted"])]
    table = {column: typed([row[column] for row in rows]) for column in rows[0]}
    return table | {"gap": np.full(len(rows), np.nan if head["gap"] is None else head["gap"])}


def read(name: str) -> tuple[Settings, list[Row]]:
    """The head of a recorded run, and its lines as texts by column."""
    one_of("name", name, sorted(file.stem for file in FOLDER.glob("*.csv")))
    first, _, body = (FOLDER / f"{name}.csv").read_text(encoding="utf8").partition("\n")
    return json.loads(first.removeprefix("# ")), list(csv.DictReader(io.StringIO(body)))


def unpacked(line: Row, *, in_order: bool) -> list[Row]:
    """The rows of the problems of a line; `in_order` each has its own seed, otherwise the first one."""
    columns = {column: _values(text) for column, text in line.items() if column not in (*SHARED, "seed")}
    shared = {column: line[column] for column in line if column in SHARED}
    return [
        shared | {"seed": int(line["seed"]) + k * in_order} | dict(zip(columns, values, strict=True))
        for k, values in enumerate(zip(*columns.values(), strict=True))
    ]


def _values(text: str) -> list[str]:
    """The values of a list such as "0.5; 1*3"."""
    parts = [part.partition("*") for part in text.split("; ")]
    return [value for value, _, times in parts for _ in range(int(times or 1))]


def packed(rows: Iterable[Row], *, digits: int = 4, in_order: bool = True) -> list[Row]:
    """The lines for the rows of one block, which are sorted unless they shall stay `in_order`."""
    lines: dict[tuple, list[Row]] = {}
    for row in rows:
        shared = tuple((name, _rounded(row[name], digits)) for name in SHARED if name in row)
        lines.setdefault(shared, []).append(row)
    return [_line(dict(shared), alike, digits, in_order) for shared, alike in lines.items()]


def _line(shared: Row, rows: list[Row], digits: int, in_order: bool) -> Row:
    """What the rows share, and the lists of all else but their gaps."""
    names = [name for name in rows[0] if name not in (*SHARED, "seed", "gap")]
    values = [tuple(_rounded(row[name], digits) for name in names) for row in rows]
    columns = zip(*(values if in_order else sorted(values)), strict=True)
    return (
        shared
        | {"seed": min(row["seed"] for row in rows)}
        | dict(zip(names, map(_list, columns), strict=True))
    )


def _list(values: Iterable[str]) -> str:
    """The values behind each other, those that repeat with a number of times."""
    runs = [(value, len(list(same))) for value, same in groupby(values)]
    return "; ".join(value if times == 1 else f"{value}*{times}" for value, times in runs)


def text_of(settings: Settings, gap: float, lines: list[Row], *, in_order: bool) -> str:
    """The text of a file with the `settings`, the largest `gap` (NaN: no SVM) and the packed `lines`."""
    largest = None if np.isnan(gap) else float(f"{gap:.1e}")
    head = {"settings": settings, "gap": largest, "sorted": not in_order}
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\n").writerows([lines[0].keys(), *(line.values() for line in lines)])
    return f"# {json.dumps(head, sort_keys=True)}\n{buffer.getvalue()}"


def _rounded(value: object, digits: int) -> str:
    return f"{value:.{digits}g}" if isinstance(value, float) else str(value)


def typed(texts: list[str]) -> NDArray:
    """An array of integers if all texts are such, else of floats, else of texts."""
    for kind in (int, float):
        try:
            return np.array([kind(text) for text in texts])
        except ValueError:
            continue
    return np.array(texts)
