"""Recorded results: whole runs of the experiments at the paper's sizes, in plain files beside this one.

`python -m margins.experiments paper --record` writes them. The first line holds the settings as JSON behind a
`#`, the rest is a CSV table. Numbers are rounded to four digits. Where problems are many and alike, rows of a
block that agree are one row with their `count`, and `seed` is the first seed of the block.
(book: The paper in a minute)
"""

import csv
import io
import json
from collections import Counter
from pathlib import Path

import numpy as np

from margins.experiments.results import typed
from margins.validation import one_of

FOLDER = Path(__file__).parent


def recorded(name):
    """The table of the recorded results of the experiment `name`, a row for each problem and measurement.

    Columns are those of the experiment's rows, as arrays (book: The paper in a minute).
    """
    _, rows = read(name)
    columns = {column: typed([row[column] for row in rows]) for column in rows[0]}
    counts = columns.pop("count", np.ones(len(rows), dtype=int))
    return {column: np.repeat(values, counts) for column, values in columns.items()}


def read(name):
    """The settings of a recorded run, and its rows of texts."""
    one_of("name", name, sorted(file.stem for file in FOLDER.glob("*.csv")))
    text = (FOLDER / f"{name}.csv").read_text(encoding="utf8")
    first, _, body = text.partition("\n")
    return json.loads(first.removeprefix("# ")), list(csv.DictReader(io.StringIO(body)))


def compact(cell, rows, *, pooled):
    """The rows of one cell as they are recorded: rounded, the largest gap for all; counted if `pooled`."""
    texts = [{name: _rounded(str(value)) for name, value in row.items()} for row in rows]
    if "gap" in texts[0]:
        gap = _rounded_up(np.nanmax([*(float(row["gap"]) for row in rows), 0.0]))
        texts = [text | {"gap": gap} for text in texts]
    if not pooled:
        return texts
    counts = Counter(tuple((text | {"seed": str(cell["seed"])}).items()) for text in texts)
    return [dict(items) | {"count": str(count)} for items, count in sorted(counts.items())]


def text_of(settings, rows):
    """The text of a file with the `settings` and the compact `rows`."""
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\n").writerows([rows[0].keys(), *(row.values() for row in rows)])
    return f"# {json.dumps(settings, sort_keys=True)}\n{buffer.getvalue()}"


def _rounded_up(gap):
    """The text of a number of one digit that is not below `gap`."""
    unit = 10.0 ** np.floor(np.log10(gap)) if gap > 0 else 1.0
    return f"{np.ceil(gap / unit) * unit:.0e}"


def _rounded(text):
    """A text, to four digits if it is that of a float."""
    try:
        int(text)
    except ValueError:
        try:
            return f"{float(text):.4g}"
        except ValueError:
            pass
    return text
