"""Label placement: beside their point, clear of dots, bars, lines, other labels and the panel's edge.

A label tries 24 positions, eight directions at three distances. Each costs what it covers and crosses, and
more where it is nearer to the point of another label. Labels choose in turn, knowing where the others stand,
until none moves or all have chosen three times.
"""

import functools
import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from explorable.marks import PANEL_WIDTH, Mark
from explorable.text import text_width

DIRECTIONS = np.array([(1, -1), (-1, -1), (1, 1), (-1, 1), (0, -1), (0, 1), (1, 0), (-1, 0)], float)
DISTANCES = (3.0, 8.0, FARTHEST := 14.0)  # pixels
COST_OUTSIDE, COST_COVERS, COST_CROSSES, COST_STRAYS, COST_TOUCHES = 100.0, 10.0, 4.0, 3.0, 2.0
ENLARGED = 1.25  # by what factor a page may enlarge the letters of a small panel: labels keep as far apart
ROUNDS = 3
EDGE = 2  # pixels that labels keep from the panel's edge
BASELINE = 0.36  # of the size: from a box's middle down to the line that letters stand on

OFFSETS = np.concatenate(
    [d * DIRECTIONS * np.where(np.abs(DIRECTIONS).sum(1) == 2, 0.8, 1.0)[:, None] for d in DISTANCES]
)
TURNS = np.tile(DIRECTIONS, (len(DISTANCES), 1))  # (24, 2)
COST_OF_ORDER = 0.1 * np.arange(len(OFFSETS))  # earlier positions are preferred (24,)


def place_labels(
    waiting: Sequence[tuple[Mark, float, float]],
    fixed: tuple[Mark, ...],
    marks: Sequence[Mark],
    bottom: float,
) -> None:
    """Moves the labels `waiting` (mark, width, size) to the positions that cover least.

    In the way are the `fixed` marks of the panel's axes, its `marks`, and these; nothing goes below `bottom`.
    """
    labels = tuple((*mark.numbers, width, size) for mark, width, size in waiting)
    options = positions(labels, fixed, bottom)
    found = choose(options, *obstacles(marks, {mark.key for mark, *_ in waiting}))
    for (mark, _, size), side, (x0, y0, x1, y1) in zip(waiting, *found, strict=True):
        mark.numbers[:] = [(x0 + x1) / 2, (y0 + y1) / 2 + BASELINE * size]
        mark.style = mark.style | {"side": side}  # a label that changes sides must jump, not fly


@dataclass(frozen=True, eq=False)
class Positions:
    """The positions that labels may take, and what they cost before the marks are known."""

    boxes: np.ndarray  # (l, 24, 4), each x0, y0, x1, y1
    rooms: np.ndarray  # (l, 4), around all positions of a label
    cost: np.ndarray  # (l, 24)
    rivals: np.ndarray  # (l, l, 24, 24), what a label's position costs where another label has one of its own


@functools.lru_cache(16)
def positions(labels: tuple[tuple[float, ...], ...], fixed: tuple[Mark, ...], bottom: float) -> Positions:
    """The `Positions` of `labels` (x, y, width, height), kept for frames in which their points stay."""
    points, sizes = np.hsplit(np.array(labels), 2)  # (l, 2) each
    middles, half = points[:, None] + OFFSETS + TURNS * sizes[:, None] / 2, sizes[:, None] / 2
    boxes = np.concatenate([middles - half, middles + half], axis=2)
    rooms = np.hstack([points - FARTHEST - sizes, points + FARTHEST + sizes])
    outside = (boxes[..., :2] < EDGE) | (boxes[..., 2:] > [PANEL_WIDTH - EDGE, bottom])
    label, later = np.nonzero(np.triu(overlapping(rooms[:, None], rooms), 1))
    beside = COST_COVERS * meeting(boxes, label, later)
    beside += COST_TOUCHES * meeting(enlarged(boxes, ENLARGED), label, later)
    rivals = np.zeros((len(points), len(points), len(OFFSETS), len(OFFSETS)), np.float32)
    rivals[label, later], rivals[later, label] = beside, beside.transpose(0, 2, 1)
    cost = COST_OUTSIDE * outside.any(2) + COST_STRAYS * straying(boxes, points)
    return Positions(boxes, rooms, cost + faults(boxes, rooms, *obstacles(fixed, set())), rivals)


def straying(boxes: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Which positions (l, 24) are half a pixel nearer to the point of another label than to their own."""
    start, end = boxes[:, :, None, :2] - points, points - boxes[:, :, None, 2:]
    gaps = np.linalg.norm(np.maximum(np.maximum(start, end), 0), axis=-1)  # (l, 24, l)
    label = np.arange(len(points))
    own = gaps[label, :, label]
    gaps[label, :, label] = np.inf
    return gaps.min(axis=2) < own - 0.5


def enlarged(boxes: np.ndarray, factor: float) -> np.ndarray:
    """The boxes (..., 4), so many times as large around their middles."""
    start, end = boxes[..., :2], boxes[..., 2:]
    middle, half = (start + end) / 2, factor * (end - start) / 2
    return np.concatenate([middle - half, middle + half], axis=-1)


def meeting(boxes: np.ndarray, label: np.ndarray, later: np.ndarray) -> np.ndarray:
    """Which positions of each `label` share area with which of the `later` one (pairs, 24, 24)."""
    return overlapping(boxes[label][:, :, None], boxes[later][:, None])


def choose(
    options: Positions, boxes: np.ndarray, segments: np.ndarray
) -> tuple[list[int], list[list[float]]]:
    """The number of the position that each label takes, and its box, clear of `boxes` and `segments`."""
    alone = options.cost + faults(options.boxes, options.rooms, boxes, segments) + COST_OF_ORDER
    best, labels = alone.argmin(1), np.arange(len(alone))
    for _ in range(ROUNDS):
        before = best.copy()
        for label in labels:
            best[label] = (alone[label] + options.rivals[label][labels, :, best].sum(0)).argmin()
        if (best == before).all():
            break
    return best.tolist(), options.boxes[labels, best].tolist()


def faults(options: np.ndarray, rooms: np.ndarray, boxes: np.ndarray, segments: np.ndarray) -> np.ndarray:
    """The cost (l, 24) of positions (l, 24, 4) in `rooms` (l, 4).

    Counted are the `boxes` (m, 4) that they cover and the `segments` (s, 4) that they cross.
    """
    rooms = rooms[:, None]
    covered = count_met(overlapping, options, boxes, overlapping(rooms, boxes))
    met = count_met(crossed, options, segments, overlapping(rooms, bounds_of(segments)))
    return COST_COVERS * covered + COST_CROSSES * met


def count_met(
    meets: Callable[..., np.ndarray], options: np.ndarray, others: np.ndarray, near: np.ndarray
) -> np.ndarray:
    """How many of the `others` (m, 4) each position (l, 24, 4) meets, of those `near` its label (l, m)."""
    label, other = np.nonzero(near)
    hits = meets(options[label], others[other, None])  # (pairs, 24)
    return (np.arange(len(options))[:, None] == label).astype(float) @ hits.astype(float)


def bounds_of(segments: np.ndarray) -> np.ndarray:
    """The boxes (s, 4) around segments, a pixel wider so that touching counts as near."""
    start, end = np.hsplit(segments, 2)
    return np.hstack([np.minimum(start, end) - 1, np.maximum(start, end) + 1])


def overlapping(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Which boxes (..., 4) share area."""
    ways = (a[..., :2] < b[..., 2:]) & (b[..., :2] < a[..., 2:])
    return ways[..., 0] & ways[..., 1]


def crossed(boxes: np.ndarray, segments: np.ndarray) -> np.ndarray:
    """Which boxes (..., 4) a segment (..., 4) meets, by the separating axes of box and segment."""
    half_box, half = (boxes[..., 2:] - boxes[..., :2]) / 2, (segments[..., 2:] - segments[..., :2]) / 2
    between, extent = (segments[..., :2] + half) - (boxes[..., :2] + half_box), np.abs(half)
    near = np.abs(between) <= half_box + extent
    turn = np.abs(half[..., 0] * between[..., 1] - half[..., 1] * between[..., 0])
    clear = half_box[..., 0] * extent[..., 1] + half_box[..., 1] * extent[..., 0]
    return near[..., 0] & near[..., 1] & (turn <= clear)


def obstacles(marks: Iterable[Mark], waiting: set[str]) -> tuple[np.ndarray, np.ndarray]:
    """Boxes (m, 4) of dots, bars and texts, but those `waiting` for a position, and all segments (s, 4)."""
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


def segments_of(lines: Sequence[Sequence[float]]) -> np.ndarray:
    """The segments (s, 4) of all `lines`, each a list x0, y0, x1, y1, ..."""
    points = np.array(list(itertools.chain.from_iterable(lines))).reshape(-1, 2)
    within, ends = np.ones(len(points), bool), np.cumsum([len(line) // 2 for line in lines], dtype=int) - 1
    within[ends] = False  # the last point of a line is not joined to the first of the next
    return np.hstack([points[:-1], points[1:]])[within[:-1]]


def text_box(at: Sequence[float], *, runs: Any, size: float, ha: str, **_: Any) -> list[float]:
    """The box of a text whose position is given."""
    width = sum(text_width(characters, size) for characters, _ in runs)
    left = at[0] - width * {"left": 0, "center": 0.5, "right": 1}[ha]
    return [left, at[1] - size, left + width, at[1] + 3]
