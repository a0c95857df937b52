"""Reports: the estimates of an experiment as a table, one row a setting, beside published values."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from margins_book.experiments.estimates import Cell, Estimate, Estimates, Table
from margins_book.experiments.published import Published, published


def report(name: str, estimates: Estimates) -> list[str]:
    """The lines of a table of the `estimates` of the experiment `name`."""
    header, rows = table_of(name, estimates)
    return [*lines(header, rows), "intervals: 95 %; {...}: published"]


def table_of(name: str, estimates: Estimates) -> tuple[list[str], list[list[str]]]:
    """The header and the rows, texts, of pairs of a setting and its named estimates."""
    known = published(name)
    settings = list(dict.fromkeys(key for setting, _ in estimates for key in setting))
    quantities = list(dict.fromkeys(key for _, values in estimates for key in values))
    rows = []
    for setting, values in estimates:
        texts = [
            _text(values.get(quantity), known.get((label(setting), quantity))) for quantity in quantities
        ]
        rows.append([*(str(setting.get(key, "")) for key in settings), *texts])
    return [*settings, *quantities], rows


def _text(estimate: Estimate | None, known: Published | None) -> str:
    """The text of one entry: the estimate, and behind it what was published."""
    if estimate is None:
        return ""
    return str(estimate) if known is None else f"{estimate} {{{known.value:g}}}"


def label(cell: Cell) -> str:
    """The name of a cell or a setting.

    >>> label({"n": 5, "T": 5, "d": 10, "seed": 25})
    'n=5 T=5 d=10 seed=25'
    """
    return " ".join(f"{name}={value}" for name, value in cell.items())


def largest_gap(table: Table) -> float:
    """The largest relative duality gap in a table, NaN if the experiment solves no problem."""
    gaps = table.get("gap", np.array([np.nan]))
    return float(np.nanmax(gaps)) if np.isfinite(gaps).any() else np.nan


def lines(header: list[str], rows: list[list[str]]) -> list[str]:
    """Rows of texts as lines with aligned columns under their header."""
    texts = [list(map(str, row)) for row in (header, *rows)]
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    return ["  ".join(t.ljust(w) for t, w in zip(row, widths, strict=True)).rstrip() for row in texts]


def groups(table: Table, *names: str) -> Iterator[tuple[tuple, Table]]:
    """Pairs of values that occur together in the columns `names`, and the part of the table that has them."""
    for values in sorted(set(zip(*(table[name].tolist() for name in names), strict=True))):
        yield values, where(table, **dict(zip(names, values, strict=True)))


def where(table: Table, **values: Any) -> Table:
    """The columns of the rows whose entries equal the `values`."""
    chosen = np.logical_and.reduce([table[name] == value for name, value in values.items()])
    return {name: column[chosen] for name, column in table.items()}
