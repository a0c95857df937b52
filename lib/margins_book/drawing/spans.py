"""Limits of axes that follow data: the least that a figure shows, wider where its data lie outside.

(book: How to read and run this book, Figures that move)
"""

import numpy as np
from numpy.typing import ArrayLike


def span(values: ArrayLike, least: tuple[float, float], margin: float = 0.05) -> tuple[float, float]:
    """`least`, widened to `values` outside it and by `margin`, a share of their range, beyond them.

    >>> span([-1.0, 1.5], least=(-2, 2))
    (-2, 2)
    >>> span([-1.0, 4.0], least=(-2, 2), margin=0.1)
    (-2, 4.5)
    """
    low, high = float(np.min(values)), float(np.max(values))
    room = margin * (high - low)
    return (least[0] if low >= least[0] else low - room, least[1] if high <= least[1] else high + room)
