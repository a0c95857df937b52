"""Partitions of the plane into convex cells: where one of several affine functions is the largest.

(book: Attention as Nadaraya-Watson regression, Nearest neighbours and exposed points)
"""

import numpy as np
from numpy.typing import NDArray

CORNERS = 12  # of every drawn cell, so that a cell whose shape changes can still move


def cell(keys: NDArray, offsets: NDArray, j: int, corners: NDArray) -> NDArray:
    """The part of the convex polygon `corners` where <x, k_j> + b_j is the largest of all <x, k_i> + b_i."""
    for i in range(len(keys)):
        if i != j and len(corners):
            corners = clipped(corners, keys[j] - keys[i], offsets[j] - offsets[i])
    return corners if len(corners) > 2 else np.empty((0, 2))  # a point or an edge is no part of the plane


def clipped(corners: NDArray, normal: NDArray, offset: float) -> NDArray:
    """The part of a convex polygon (m, 2) where <x, normal> + offset >= 0."""
    heights, kept = corners @ normal + offset, []
    for k in range(len(corners)):
        here, there = heights[k], heights[(k + 1) % len(corners)]
        if here >= 0:
            kept.append(corners[k])
        if here * there < 0:
            way = here / (here - there)
            kept.append((1 - way) * corners[k] + way * corners[(k + 1) % len(corners)])
    return np.array(kept).reshape(-1, 2)


def padded(corners: NDArray) -> NDArray:
    """A closed polygon of `CORNERS` corners, the last repeated."""
    ring = np.vstack([corners, corners[:1]])
    return np.vstack([ring, np.repeat(ring[-1:], CORNERS - len(ring), axis=0)])
