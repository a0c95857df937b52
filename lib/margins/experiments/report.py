"""Tables of means with their standard errors beside numbers that are already known.

(book: Experiments, Statistical errors)
"""

import numpy as np


def mean_and_error(values):
    """The mean of `values` and its standard error, NaN where there are too few."""
    values = np.asarray(values, dtype=float)
    if len(values) < 2:
        return (values[0] if len(values) else np.nan), np.nan
    return values.mean(), values.std(ddof=1) / np.sqrt(len(values))


def beside(values, known, known_error=None):
    """The text `mean +- error (known, z = ...)`; z counts joint standard errors between the two.

    An unknown error of `known` is taken to be that of the values: a sample of the same size.
    """
    mean, error = mean_and_error(values)
    text = f"{mean:.4f} +- {error:.4f}"
    if known is None:
        return text
    joint = np.hypot(error, error if known_error is None else known_error)
    return f"{text} ({known:g}, z = {(mean - known) / joint if joint else np.nan:+.1f})"


def lines(header, rows):
    """Rows of texts as lines with aligned columns under their header."""
    texts = [list(map(str, row)) for row in (header, *rows)]
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    return ["  ".join(t.ljust(w) for t, w in zip(row, widths, strict=True)).rstrip() for row in texts]


def groups(table, *names):
    """Pairs of values that occur together in the columns `names`, and the part of the table that has them."""
    for values in sorted(set(zip(*(table[name].tolist() for name in names), strict=True))):
        yield values, where(table, **dict(zip(names, values, strict=True)))


def where(table, **values):
    """The columns of the rows whose entries equal the `values`."""
    chosen = np.logical_and.reduce([table[name] == value for name, value in values.items()])
    return {name: column[chosen] for name, column in table.items()}
