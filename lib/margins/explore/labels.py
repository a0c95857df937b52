"""Places for labels: beside their point, clear of dots, bars, lines, other labels and the panel's edge."""

import functools

import numpy as np

from margins.explore.lettering import width

SIDES = np.array([(1, -1), (-1, -1), (1, 1), (-1, 1), (0, -1), (0, 1), (1, 0), (-1, 0)], float)
DISTANCES = (3.0, 8.0, 14.0)
OUTSIDE, COVERS, CROSSES, LATER = 100.0, 10.0, 4.0, 0.1  # what a fault costs; later places cost a little


REACH = np.concatenate(
    [d * SIDES * np.where(np.abs(SIDES).sum(1) == 2, 0.8, 1.0)[:, None] for d in DISTANCES]
)
TURN = np.tile(SIDES, (len(DISTANCES), 1))  # (24, 2)


def placed(points, sizes, frame, obstacles, segments):
    """For each label, in the order given, the number of its place and its box (x0, y0, x1, y1).

    Labels of these `sizes` (l, 2) stand near `points` (l, 2) where they cover least of the
    `obstacles` (m, 4), cross the fewest `segments` (s, 4), and stay inside `frame`.
    """
    middles = points[:, None] + REACH + TURN * sizes[:, None] / 2  # (l, 24, 2)
    boxes = np.concatenate([middles - sizes[:, None] / 2, middles + sizes[:, None] / 2], axis=2)
    flat = boxes.reshape(-1, 4)
    cost = OUTSIDE * ((flat[:, :2] < frame[:2]).any(1) | (flat[:, 2:] > frame[2:]).any(1))
    cost += COVERS * overlapping(flat, obstacles).sum(1) + CROSSES * crossed(flat, segments).sum(1)
    cost = cost.reshape(boxes.shape[:2]) + LATER * np.arange(len(REACH))
    found = []
    for label, own in enumerate(boxes):
        best = int(np.argmin(cost[label]))
        found.append((best, own[best].tolist()))
        later = boxes[label + 1 :].reshape(-1, 4)
        cost[label + 1 :] += COVERS * overlapping(later, own[best : best + 1]).reshape(-1, len(REACH))
    return found


def overlapping(boxes, others):
    """(k, m): which boxes share room."""
    a, b = boxes[:, None], others[None]
    return (
        (a[..., 0] < b[..., 2]) & (b[..., 0] < a[..., 2]) & (a[..., 1] < b[..., 3]) & (b[..., 1] < a[..., 3])
    )


def crossed(boxes, segments):
    """(k, s): which boxes a segment meets, by the separating axes of box and segment."""
    half_box = (boxes[:, None, 2:] - boxes[:, None, :2]) / 2  # (k, 1, 2)
    half = (segments[None, :, 2:] - segments[None, :, :2]) / 2  # (1, s, 2)
    between = (segments[None, :, :2] + half) - (boxes[:, None, :2] + half_box)  # (k, s, 2)
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
            boxes.append(text_box(n, **dict(mark.style)))
    return np.array(boxes).reshape(-1, 4), np.vstack(segments)


def text_box(at, *, runs, size, ha, **_):
    """The room of a text that has its place."""
    wide = sum(width(letters, size) for letters, _ in runs)
    left = at[0] - wide * {"left": 0, "center": 0.5, "right": 1}[ha]
    return [left, at[1] - size, left + wide, at[1] + 3]
