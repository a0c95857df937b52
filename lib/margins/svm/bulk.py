"""Bulk moves: many multipliers to C at once, where pair steps would take them there one by one.

(book: SVM duality, Sequential minimal optimisation)
"""

import numpy as np

FIRST = 16  # points of either side in the first move
FEWEST, MOST = 8, 128
SAFE = 1.2  # how often the slope has to outweigh the curvature at the end of a move


def move_in_bulk(point):
    """Takes the points of a `BoxPoint` that violate optimality most to C, many at once.

    A move is made while the dual still climbs at its end, so that it never passes its best length; else half
    as many points are tried.
    """
    C, size = point.width, FIRST
    while size >= FEWEST:
        sides = _outermost(point, size)
        size = min(map(len, sides))
        if size < FEWEST:
            return
        rows = point.gram.full_rows(np.concatenate(sides))  # (2 size, n)
        size, easily = _move(point, sides, rows, C)
        if easily:
            size = min(2 * size, MOST)


def _outermost(point, size):
    """The `size` points at lower bounds that ask most to grow, and at upper bounds that ask to shrink."""
    middle = sum(point.intercepts) / 2
    asking = (
        np.where(point.beta == point.low, point.gradient - middle, 0),
        np.where(point.beta == point.high, middle - point.gradient, 0),
    )
    size = min(size, *(np.count_nonzero(side > 0) for side in asking))
    return [_largest(side, size) for side in asking]


def _largest(values, size):
    """The indices of the `size` largest values, largest first."""
    largest = np.argpartition(values, -size)[-size:] if size else np.empty(0, int)
    return largest[np.argsort(-values[largest], kind="stable")]


def _move(point, sides, rows, C):
    """The number of points of either side that were moved (0: none), and whether twice as many might be."""
    while len(sides[0]) >= FEWEST:
        size, moved = len(sides[0]), np.concatenate(sides)
        delta = np.repeat(np.array([C, -C], rows.dtype), size)
        change = delta @ rows  # (n,)
        slope, curvature = float(delta @ point.gradient[moved]), float(delta @ change[moved])
        if slope >= SAFE * curvature:
            beta = point.beta.copy()
            beta[moved] = np.concatenate([point.high[sides[0]], point.low[sides[1]]])
            point.beta, point.gradient = beta, point.gradient - change
            return size, slope >= 2 * SAFE * curvature
        half = size // 2
        sides, rows = [side[:half] for side in sides], np.concatenate([rows[:half], rows[size:][:half]])
    return 0, False
