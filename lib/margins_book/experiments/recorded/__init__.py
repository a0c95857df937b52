"""Recorded results: whole runs of the experiments at the paper's sizes, in plain files beside this one.

`python -m margins_book.experiments paper` writes them. The first line holds the settings and the largest
duality gap as JSON behind a `#`, the rest is a CSV table with rounded numbers. Where problems are many and
alike, the rows of a block that agree are one row with their `count`; `seed` is the first seed of the block.
(book: The paper in a minute)
"""

import csv
import io
import json
from collections import Counter
from pathlib import Path

import numpy as np

from margins.validation import one_of
from margins_book.experiments.results import typed
from margins_book.experiments.types import Cell, Row, Settings, Table

__all__ = ["recorded"]

FOLDER = Path(__file__).parent


def recorded(name: str) -> Table:
    """The table of the recorded results of the experiment `name`, a row for each problem and measurement.

    Columns are those of the experiment's rows, as arrays; the `gap` of all is the largest one
    (book: The paper in a minute).

    >>> table = recorded("ranks")
    >>> sorted(table)[:3], len(table["n"]) == len(table["seed"])
    (['T', 'bound', 'd'], True)
    """
    head, rows = read(name)
    columns = {column: typed([row[column] for row in rows]) for column in rows[0]}
    counts = columns.pop("count", np.ones(len(rows), dtype=int))
    table = {column: np.repeat(values, counts) for column, values in columns.items()}
    return table | {"gap": np.full(counts.sum(), head["gap"] if head["gap"] is not None else np.nan)}


def read(name: str) -> tuple[Settings, list[Row]]:
    """The settings and the gap of a recorded run, and its rows of texts."""
    one_of("name", name, sorted(file.stem for file in FOLDER.glob("*.csv")))
    text = (FOLDER / f"{name}.csv").read_text(encoding="utf8")
    first, _, body = text.partition("\n")
    return json.loads(first.removeprefix("# ")), list(csv.DictReader(io.StringIO(body)))


def compact(cell: Cell, rows: list[Row], *, digits: int = 4, pooled: bool = False) -> list[Row]:
    """The rows of one cell as they are recorded: without gaps, rounded, and counted if `pooled`."""
    texts = [{name: _rounded(str(row[name]), digits) for name in row if name != "gap"} for row in rows]
    if not pooled:
        return texts
    counts = Counter(tuple((text | {"seed": str(cell["seed"])}).items()) for text in texts)
    return [dict(items) | {"count": str(count)} for items, count in sorted(counts.items())]


def text_of(settings: Settings, gap: float, rows: list[Row]) -> str:
    """The text of a file with the `settings`, the largest `gap` (NaN: no SVM) and the compact `rows`."""
    head = {"settings": settings, "gap": None if np.isnan(gap) else float(f"{gap:.1e}")}
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\n").writerows([rows[0].keys(), *(row.values() for row in rows)])
    return f"# {json.dumps(head, sort_keys=True)}\n{buffer.getvalue()}"


def _rounded(text: str, digits: int) -> str:
    """A text, to some digits if it is that of a float."""
    try:
        int(text)
    except ValueError:
        try:
            return f"{float(text):.{digits}g}"
        except ValueError:
            pass
    return text
