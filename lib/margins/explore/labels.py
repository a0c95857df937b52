"""Places for labels: beside their point, clear of dots, bars, lines, other labels and the panel's edge."""

import functools
import itertools
from dataclasses import dataclass

import numpy as np

from margins.explore.lettering import width
from margins.explore.mark import WIDTH

SIDES = np.array([(1, -1), (-1, -1), (1, 1), (-1, 1), (0, -1), (0, 1), (1, 0), (-1, 0)], float)
DISTANCES = (3.0, 8.0, FARTHEST := 14.0)
OUTSIDE, COVERS, CROSSES = 100.0, 10.0, 4.0  # what a fault costs
EDGE = 2  # pixels that labels keep from the panel's

REACH = np.concatenate(
    [d * SIDES * np.where(np.abs(SIDES).sum(1) == 2, 0.8, 1.0)[:, None] for d in DISTANCES]
)
TURN = np.tile(SIDES, (len(DISTANCES), 1))  # (24, 2)
LATER = 0.1 * np.arange(len(REACH))  # later places cost a little (24,)


def settle(waiting, around, marks, bottom):
    """Labels `waiting` (mark, width, size) to the places near their points where they cover least.

    In the way are what stands `around` the panel's `marks`, and these; nothing goes below the `bottom`.
    """
    labels = tuple((*mark.numbers, wide, size) for mark, wide, size in waiting)
    found = chosen(places(labels, around, bottom), *obstacles(marks, {mark.key for mark, *_ in waiting}))
    for (mark, _, size), side, (x0, y0, x1, y1) in zip(waiting, *found, strict=True):
        mark.numbers[:] = [(x0 + x1) / 2, (y0 + y1) / 2 + 0.36 * size]
        mark.style = mark.style | {"side": side}  # a label that changes sides must jump, not fly


@dataclass(frozen=True, eq=False)
class Places:
    """The places that labels may take, and what they cost before the marks have come."""

    boxes: np.ndarray  # (l, 24, 4), each x0, y0, x1, y1
    rooms: np.ndarray  # (l, 4), around all places of a label
    cost: np.ndarray  # (l, 24)
    rivals: list  # (label, a later one nearby, which places of the first meet which of the other)


@functools.lru_cache(16)
def places(labels, around, bottom):
    """The `Places` of `labels` (x, y, width, height): where points stay while others move, made once."""
    points, sizes = np.hsplit(np.array(labels), 2)  # (l, 2) each
    middles, half = points[:, None] + REACH + TURN * sizes[:, None] / 2, sizes[:, None] / 2
    boxes = np.concatenate([middles - half, middles + half], axis=2)
    rooms = np.hstack([points - FARTHEST - sizes, points + FARTHEST + sizes])
    outside = (boxes[..., :2] < EDGE) | (boxes[..., 2:] > [WIDTH - EDGE, bottom])
    label, later = np.nonzero(np.triu(overlapping(rooms[:, None], rooms), 1))
    meet = overlapping(boxes[label][:, :, None], boxes[later][:, None])  # (pairs, 24, 24)
    cost = OUTSIDE * outside.any(2) + faults(boxes, rooms, *obstacles(around, ()))
    return Places(boxes, rooms, cost, list(zip(label.tolist(), later.tolist(), meet, strict=True)))


def chosen(places, boxes, segments):
    """The number of the place that each label takes, one after the other, and its box.

    In the way are `boxes` and `segments`.
    """
    cost = places.cost + faults(places.boxes, places.rooms, boxes, segments) + LATER
    for label, later, meet in places.rivals:
        cost[later] += COVERS * meet[cost[label].argmin()]
    best = cost.argmin(1)
    return best.tolist(), places.boxes[np.arange(len(best)), best].tolist()


def faults(places, rooms, boxes, segments):
    """What places (l, 24, 4) in `rooms` (l, 4) cost that cover `boxes` (m, 4) or cross `segments` (s, 4)."""
    rooms = rooms[:, None]
    covered = met(overlapping, places, boxes, overlapping(rooms, boxes))
    return COVERS * covered + CROSSES * met(crossed, places, segments, overlapping(rooms, room_of(segments)))


def met(meets, places, others, near):
    """How many of the `others` (m, 4) each place (l, 24, 4) meets, of those `near` its label (l, m)."""
    label, other = np.nonzero(near)
    hits = meets(places[label], others[other, None])  # (pairs, 24)
    return (np.arange(len(places))[:, None] == label).astype(float) @ hits.astype(float)


def room_of(segments):
    """The boxes (s, 4) that segments take, a pixel wider so that touching is near."""
    start, end = np.hsplit(segments, 2)
    return np.hstack([np.minimum(start, end) - 1, np.maximum(start, end) + 1])


def overlapping(a, b):
    """Which boxes (..., 4) share room."""
    ways = (a[..., :2] < b[..., 2:]) & (b[..., :2] < a[..., 2:])
    return ways[..., 0] & ways[..., 1]


def crossed(boxes, segments):
    """Which boxes (..., 4) a segment (..., 4) meets, by the separating axes of box and segment."""
    half_box, half = (boxes[..., 2:] - boxes[..., :2]) / 2, (segments[..., 2:] - segments[..., :2]) / 2
    between, long = (segments[..., :2] + half) - (boxes[..., :2] + half_box), np.abs(half)
    near = np.abs(between) <= half_box + long
    turn = np.abs(half[..., 0] * between[..., 1] - half[..., 1] * between[..., 0])
    clear = half_box[..., 0] * long[..., 1] + half_box[..., 1] * long[..., 0]
    return near[..., 0] & near[..., 1] & (turn <= clear)


def obstacles(marks, waiting):
    """Boxes (m, 4) of dots, bars and texts, but those `waiting` for a place, and all segments (s, 4)."""
    boxes, lines = [], []
    for mark in marks:
        n = mark.numbers
        if mark.kind == "dot":
            boxes.append([n[0] - n[2], n[1] - n[2], n[0] + n[2], n[1] + n[2]])
        elif mark.kind == "bar":
            boxes.append([min(n[0], n[2]), min(n[1], n[3]), max(n[0], n[2]), max(n[1], n[3])])
        elif mark.kind in ("line", "arrow"):
            lines.append(n)
        elif mark.kind == "text" and mark.key not in waiting:
            boxes.append(text_box(n, **mark.style))
    return np.array(boxes).reshape(-1, 4), segments_of(lines)


def segments_of(lines):
    """The segments (s, 4) of all `lines`, each a list x0, y0, x1, y1, ..."""
    points = np.array(list(itertools.chain.from_iterable(lines))).reshape(-1, 2)
    within, ends = np.ones(len(points), bool), np.cumsum([len(line) // 2 for line in lines], dtype=int) - 1
    within[ends] = False  # no line goes on in the next
    return np.hstack([points[:-1], points[1:]])[within[:-1]]


def text_box(at, *, runs, size, ha, **_):
    """The room of a text that has its place."""
    wide = sum(width(letters, size) for letters, _ in runs)
    left = at[0] - wide * {"left": 0, "center": 0.5, "right": 1}[ha]
    return [left, at[1] - size, left + wide, at[1] + 3]
