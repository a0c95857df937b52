"""The figure of the twelve points of chapter 1, smoothed: a query, weights as areas, where the answer is 0.

(book: Attention as Nadaraya-Watson regression, An estimator of 1964)
"""

from numpy.typing import NDArray

from explorable import Drawing
from explorable.palette import INK
from margins_book.drawing.planes import CLASS_COLOURS, CLASS_MARKERS, new_plane, point_keys

SMALLEST, LARGEST = 26, 426  # areas of a point of weight 0 and of weight 1


def smoothed_drawing(
    points: NDArray,
    labels: NDArray,
    weights: NDArray,
    query: NDArray,
    grid: tuple[NDArray, NDArray],
    field: NDArray,
) -> Drawing:
    """Labelled points with areas that show their weights, the query, and the line where `field` is 0.

    `points` (n, 2), `labels` and `weights` (n,), `query` (2,), `grid` x (k,) and y (l,), `field` (l, k).
    """
    drawing, names = Drawing(), point_keys(len(points))
    plane = new_plane(drawing)
    plane.contour(*grid, field, key="answer 0", levels=[0], vertices=30, color=INK, linestyle="--")
    plane.scatter(
        *points.T, keys=names, size=SMALLEST + (LARGEST - SMALLEST) * weights, tell={"weight": weights},
        marker=[CLASS_MARKERS[int(label)] for label in labels],
        color=[CLASS_COLOURS[int(label)] for label in labels],
    )  # fmt: skip
    for i, point in enumerate(points):
        plane.annotate(f"{i}", point, key=f"name {i}", size=12, link=names[i])
    plane.scatter(*query[:, None], keys=["query"], marker="P", size=50, color=INK, tell=("q₁", "q₂"), z=4)
    return drawing
