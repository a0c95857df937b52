"""Places for labels: beside their point, clear of dots, bars, lines, other labels and the panel's edge."""

import functools

import numpy as np

from margins.explore.lettering import width
from margins.explore.mark import WIDTH

SIDES = np.array([(1, -1), (-1, -1), (1, 1), (-1, 1), (0, -1), (0, 1), (1, 0), (-1, 0)], float)
DISTANCES = (3.0, 8.0, 14.0)
OUTSIDE, COVERS, CROSSES, LATER = 100.0, 10.0, 4.0, 0.1  # what a fault costs; later places cost a little


REACH = np.concatenate(
    [d * SIDES * np.where(np.abs(SIDES).sum(1) == 2, 0.8, 1.0)[:, None] for d in DISTANCES]
)
TURN = np.tile(SIDES, (len(DISTANCES), 1))  # (24, 2)


def settle(waiting, around, marks, bottom):
    """Labels `waiting` (mark, width, size) to the places near their points where they cover least.

    In the way are what stands `around` the panel's `marks`, and these; nothing goes below the `bottom`.
    """
    points = np.array([mark.numbers for mark, *_ in waiting])
    sizes = np.array([[wide, size] for _, wide, size in waiting])
    in_the_way = zip(standing(around), obstacles(marks, {mark.key for mark, *_ in waiting}), strict=True)
    found = placed(points, sizes, np.array([2, 2, WIDTH - 2, bottom]), *map(np.vstack, in_the_way))
    for (mark, _, size), (side, (x0, y0, x1, y1)) in zip(waiting, found, strict=True):
        mark.numbers[:] = [(x0 + x1) / 2, (y0 + y1) / 2 + 0.36 * size]
        mark.style = mark.style | {"side": side}  # a label that changes sides must jump, not fly


def placed(points, sizes, frame, obstacles, segments):
    """For each label, in the order given, the number of its place and its box (x0, y0, x1, y1).

    Labels of these `sizes` (l, 2) stand near `points` (l, 2) where they cover least of the
    `obstacles` (m, 4), cross the fewest `segments` (s, 4), and stay inside `frame`.
    """
    middles = points[:, None] + REACH + TURN * sizes[:, None] / 2  # (l, 24, 2)
    boxes = np.concatenate([middles - sizes[:, None] / 2, middles + sizes[:, None] / 2], axis=2)
    reach = np.concatenate([boxes[..., :2].min(1), boxes[..., 2:].max(1)], axis=1)  # (l, 4)
    cost = OUTSIDE * ((boxes[..., :2] < frame[:2]).any(2) | (boxes[..., 2:] > frame[2:]).any(2))
    cost += COVERS * met(overlapping, boxes, obstacles, overlapping(reach[:, None], obstacles))
    cost += CROSSES * met(crossed, boxes, segments, overlapping(reach[:, None], room_of(segments)))
    cost += LATER * np.arange(len(REACH))
    neighbours, found = overlapping(reach[:, None], reach), []  # (l, l)
    for label, own in enumerate(boxes):
        best = int(np.argmin(cost[label]))
        found.append((best, own[best].tolist()))
        near = np.flatnonzero(neighbours[label, label + 1 :]) + label + 1
        cost[near] += COVERS * overlapping(boxes[near], own[best])
    return found


def met(meets, boxes, others, near):
    """How many of the `others` (m, 4) each box (l, 24, 4) meets, of those `near` its label (l, m)."""
    label, other = np.nonzero(near)
    counts = np.zeros(boxes.shape[:2])
    np.add.at(counts, label, meets(boxes[label], others[other, None]))
    return counts


def room_of(segments):
    """The boxes (s, 4) that segments take, a pixel wider so that touching is near."""
    ends = segments.reshape(-1, 2, 2)
    return np.hstack([ends.min(1) - 1, ends.max(1) + 1])


def overlapping(a, b):
    """Which boxes (..., 4) share room."""
    return (
        (a[..., 0] < b[..., 2]) & (b[..., 0] < a[..., 2]) & (a[..., 1] < b[..., 3]) & (b[..., 1] < a[..., 3])
    )


def crossed(boxes, segments):
    """Which boxes (..., 4) a segment (..., 4) meets, by the separating axes of box and segment."""
    half_box = (boxes[..., 2:] - boxes[..., :2]) / 2
    half = (segments[..., 2:] - segments[..., :2]) / 2
    between = (segments[..., :2] + half) - (boxes[..., :2] + half_box)
    near = (np.abs(between[..., 0]) <= half_box[..., 0] + np.abs(half[..., 0])) & (
        np.abs(between[..., 1]) <= half_box[..., 1] + np.abs(half[..., 1])
    )
    turn = np.abs(half[..., 0] * between[..., 1] - half[..., 1] * between[..., 0])
    return near & (turn <= half_box[..., 0] * np.abs(half[..., 1]) + half_box[..., 1] * np.abs(half[..., 0]))


@functools.lru_cache(256)
def standing(marks):
    """The obstacles that the marks around a panel's own are."""
    return obstacles(marks, ())


def obstacles(marks, waiting):
    """Boxes (m, 4) of dots, bars and texts, but those `waiting` for a place, and all segments (s, 4)."""
    boxes, segments = [], [np.zeros((0, 4))]
    for mark in marks:
        n = mark.numbers
        if mark.kind == "dot":
            boxes.append([n[0] - n[2], n[1] - n[2], n[0] + n[2], n[1] + n[2]])
        elif mark.kind == "bar":
            boxes.append([min(n[0], n[2]), min(n[1], n[3]), max(n[0], n[2]), max(n[1], n[3])])
        elif mark.kind in ("line", "arrow"):
            points = np.array(n).reshape(-1, 2)
            segments.append(np.hstack([points[:-1], points[1:]]))
        elif mark.kind == "text" and mark.key not in waiting:
            boxes.append(text_box(n, **mark.style))
    return np.array(boxes).reshape(-1, 4), np.vstack(segments)


def text_box(at, *, runs, size, ha, **_):
    """The room of a text that has its place."""
    wide = sum(width(letters, size) for letters, _ in runs)
    left = at[0] - wide * {"left": 0, "center": 0.5, "right": 1}[ha]
    return [left, at[1] - size, left + wide, at[1] + 3]
