"""Curves as lists of coordinates: x and y in turn, and vertices at even distances."""

import numpy as np


def in_turn(x, y):
    """The coordinates x0, y0, x1, y1, ... as a list."""
    both = np.empty(2 * len(x))
    both[::2], both[1::2] = x, y
    return both.tolist()


def evenly(line, count):
    """`count` points at equal distances along a polygon (m, 2)."""
    along = np.concatenate([[0], np.cumsum(np.hypot(*np.diff(line, axis=0).T))])
    at = np.linspace(0, along[-1], count)
    return np.column_stack([np.interp(at, along, line[:, k]) for k in (0, 1)])
