"""Widths of planes that follow the data.

(book: How to read and run this book, Figures that move)
"""

import numpy as np
from numpy.typing import ArrayLike

from margins_book.drawing.planes import PLANE_BOX
from margins_book.drawing.spans import span


def half_width_around(points: ArrayLike, least: float, centre: ArrayLike = (0, 0)) -> float:
    """The half width of a `new_plane` at `centre` that shows all points (n, 2): `least`, or more.

    (book: How to read and run this book, Figures that move)

    >>> half_width_around([[1.0, 1.0], [-2.0, 0.0]], 2.6)
    2.6
    >>> half_width_around([[1.0, 4.0], [-2.0, 0.0]], 2.6)
    6.3
    """
    left, top, right, bottom = PLANE_BOX
    x, y = np.abs(np.subtract(points, centre)).T
    return span([*x, *(y * (right - left) / (bottom - top))], (0, least))[1]
