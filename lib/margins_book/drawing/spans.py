"""Limits of axes that follow the data.

(book: How to read and run this book, Figures that move)
"""

import numpy as np
from numpy.typing import ArrayLike


def span(values: ArrayLike, least: tuple[float, float], margin: float = 0.05) -> tuple[float, float]:
    """The limits `least`, moved out to values beyond them and by a share `margin` of the whole width.

    >>> span([0.0, 1.0], least=(-2, 2))
    (-2, 2)
    >>> span([0.0, 3.0], least=(-2, 2))
    (-2, 3.25)
    """
    low, high = float(np.min(values)), float(np.max(values))
    room = margin * (max(high, least[1]) - min(low, least[0]))
    return low - room if low < least[0] else least[0], high + room if high > least[1] else least[1]
