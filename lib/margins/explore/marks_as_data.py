"""Marks as JSON: the look once, the place in whole tenths of a pixel, the numbers told to three digits."""

import functools
import itertools
import math

import numpy as np

from margins.explore.errors import ExplorableError

TENTHS = 10  # places are whole tenths of a pixel: what no eye can tell apart is equal bytes


def as_data(panel, marks):
    """The marks of a panel as JSON."""
    return [mark_as_data(panel, *each) for each in zip(marks, in_tenths(marks), strict=True)]


def in_tenths(marks):
    """The numbers of each mark as whole tenths; a number that is not finite is refused by its mark's key."""
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


def mark_as_data(panel, mark, places):
    """A mark as JSON: panel, key, type, link, style, numbers in tenths of a pixel, and what it tells."""
    data = {"p": panel, "k": mark.key, "t": mark.kind, "s": mark.style, "n": places}
    if mark.link:
        data["l"] = mark.link
    if mark.told:
        data["told"] = [[name, *three_digits(value)] for name, value in mark.told.items()]
    return data


@functools.lru_cache(4096)
def three_digits(value):
    """A number that is told, as [whole, power of ten]: three significant digits, nothing below 1e-9."""
    if not abs(value) >= 1e-9:
        return [0, 0]
    power = math.floor(math.log10(abs(value))) - 2
    whole = round(value / 10.0**power)
    return [whole // 10, power + 1] if abs(whole) == 1000 else [whole, power]
