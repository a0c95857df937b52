"""The convex hull in the plane."""

import numpy as np

from . import names_missing_from

__all__ = ["ConvexHull"]
__getattr__ = names_missing_from(__name__)


class ConvexHull:
    """The hull of points in the plane.

    `vertices` are the numbers of its corners, counterclockwise, and `equations` its sides: outer normal n of
    length 1 and offset c, with n.x + c <= 0 inside.
    """

    def __init__(self, points):
        points = np.asarray(points, float)
        if points.ndim != 2 or points.shape[1] != 2:
            raise NotImplementedError(f"the page has hulls in the plane, but got shape {points.shape}")
        self.vertices = _corners(points)
        ring = points[self.vertices]
        along = np.roll(ring, -1, axis=0) - ring
        normals = np.column_stack([along[:, 1], -along[:, 0]]) / np.linalg.norm(along, axis=1)[:, None]
        self.equations = np.column_stack([normals, -(normals * ring).sum(axis=1)])


def _corners(points):
    """Andrew's monotone chain: below from the left to the right, then back above."""
    order = np.lexsort(points.T[::-1]).tolist()
    ring = []
    for way in (order, order[::-1]):
        chain = []
        for i in way:
            while len(chain) > 1 and _turn(points, *chain[-2:], i) <= 0:
                chain.pop()
            chain.append(i)
        ring += chain[:-1]
    return np.array(ring)


def _turn(points, i, j, k):
    """Positive where the way from i by j to k turns left."""
    (ax, ay), (bx, by) = points[j] - points[i], points[k] - points[i]
    return ax * by - ay * bx
