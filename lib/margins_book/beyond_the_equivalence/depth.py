"""What layers of linear attention leave of the error if they may also write to their inputs.

(book: Beyond the equivalence, Layers that also write to their inputs)
"""

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.polynomial import Polynomial
from numpy.typing import NDArray

RANGE = 1.0, 30.0  # of the eigenvalues of the chapter's prompts
BOX = (
    (1 / 30, 1.0),
    (1 / 30, 1 / 3),
    (0.2, 2.3),
)  # e_1, g, e_2 of two layers that could be as good on [1, 30]
# the best that our searches have found on [1, 30]: e_1, g_1, e_2, g_2, ..., e_L
BEST_OVERWRITING = {
    1: (2 / 31,),
    2: (0.034714431, 0.059612268, 0.619070584),
    3: (0.03556896, 0.03524239, 0.26121716, 0.20195294, 1.50424589),
}


def steps_of(layers: int) -> int:
    """The number (3^L - 1) / 2 of steps of gradient descent that L layers with input slots amount to."""
    return (3**layers - 1) // 2


def least_left(degree: int, low: float, high: float) -> float:
    """The least maximum on [low, high] of a polynomial of this degree that is 1 at 0, by Chebyshev."""
    return 1 / float(np.cosh(degree * np.arccosh((high + low) / (high - low))))


def chebyshev_zeros(degree: int, low: float, high: float) -> NDArray:
    """The zeros (m,) of the Chebyshev polynomial of this degree, moved from [-1, 1] to [low, high]."""
    return (high + low) / 2 + (high - low) / 2 * np.cos(np.pi * (np.arange(degree) + 0.5) / degree)


def left_by_overwriting(parameters: Sequence[float] | NDArray, s: NDArray) -> NDArray:
    """What layers that overwrite their one input slot leave at the eigenvalues s: prod_l (1 - e_l s_l).

    The parameters are e_1, g_1, e_2, ..., e_L; s_1 = s and s_(l+1) = s_l (1 - g_l s_l)^2.
    """
    left, now = np.ones_like(s), s
    for e, g in zip(parameters[::2], [*parameters[1::2], 0.0], strict=True):
        left, now = left * (1 - e * now), now * (1 - g * now) ** 2
    return left


def eigenvalues(low: float, high: float) -> NDArray:
    """Places (3001,) on [low, high], closer together at both ends, where polynomials have narrow maxima."""
    return (high + low) / 2 - (high - low) / 2 * np.cos(np.linspace(0, np.pi, 3001))


@cache
def left_after(low: float, high: float) -> dict[tuple[str, int], NDArray]:
    """The sizes left at the `eigenvalues` by 1, 2 and 3 layers, {(what they write to, layers): (3001,)}."""
    s, sizes = eigenvalues(low, high), {}
    for layers, parameters in BEST_OVERWRITING.items():
        for kind, degree in (("values", layers), ("inputs, new slots", steps_of(layers))):
            zeros = chebyshev_zeros(degree, low, high)
            sizes[kind, layers] = np.abs(np.prod(1 - s[:, None] / zeros, axis=1))
        sizes["inputs, overwritten", layers] = np.abs(left_by_overwriting(parameters, s))
    return sizes


def times_reached(sizes: NDArray, share: float = 0.999) -> int:
    """How many separate stretches of the eigenvalues come to this share of the largest size or more."""
    high = sizes >= share * sizes.max()
    return int(np.count_nonzero(high[1:] & ~high[:-1]) + high[0])


def answers_by_overwriting(X: NDArray, y: NDArray, queries: NDArray, parameters: Sequence[float]) -> NDArray:
    """The answers (m,) of these layers, run on the tokens: values by e_l, then inputs by g_l."""
    slots, asked, inputs, places = y, np.zeros(len(queries)), X, queries
    for e, g in zip(parameters[::2], [*parameters[1::2], 0.0], strict=True):
        slots, asked = slots - e * inputs @ (inputs.T @ slots), asked - e * places @ (inputs.T @ slots)
        covariance = inputs.T @ inputs
        inputs, places = inputs - g * inputs @ covariance, places - g * places @ covariance
    return -asked


def grouped(zeros: NDArray, rng: np.random.Generator | None = None) -> list[NDArray]:
    """The zeros in groups of 1, 3, 9, ..., one for each layer, in the given or in a random order."""
    order = np.arange(len(zeros)) if rng is None else rng.permutation(len(zeros))
    sizes = [3**k for k in range(len(zeros)) if 3**k <= 2 * len(zeros) + 1][:-1]
    return np.split(np.asarray(zeros)[order], np.cumsum(sizes)[:-1])


def answers_by_slots(
    X: NDArray, y: NDArray, queries: NDArray, groups: list[NDArray], scale: float
) -> NDArray:
    """The answers (m,) of layers with input slots whose factors vanish at the zeros of each group.

    The slots hold X (X'X / scale)^k. A layer multiplies what is left by 1 - s theta(s), a product over the
    zeros of its group; its scores are sums of products of two slots.
    """
    slots, asked = y, np.zeros(len(queries))
    inputs, places = [X], [queries]
    for zeros in groups:
        top = len(inputs) - 1  # powers 0, ..., top are in the slots; theta has degree 2 top
        pairs = [(min(p, top), p - min(p, top)) for p in range(2 * top + 1)]
        theta = _theta(zeros, scale)
        weights = [c * inputs[k].T @ slots for c, (_, k) in zip(theta, pairs, strict=True)]
        asked = asked - sum(places[j] @ g for g, (j, _) in zip(weights, pairs, strict=True))
        slots = slots - sum(inputs[j] @ g for g, (j, _) in zip(weights, pairs, strict=True))
        _write_powers(inputs, places, scale)
    return -asked


def _theta(zeros: NDArray, scale: float) -> NDArray:
    """The coefficients of theta, in powers of s / scale, with 1 - s theta(s) = prod (1 - s / zero)."""
    product = Polynomial([1.0])
    for zero in zeros:
        product = product * Polynomial([1.0, -scale / zero])
    return -np.asarray(product.coef[1:], dtype=np.float64) / scale


def _write_powers(inputs: list[NDArray], places: list[NDArray], scale: float) -> None:
    """One layer's heads write the powers above the highest, D, up to 3 D + 1, to new input slots."""
    top = len(inputs) - 1
    for power in range(top, 3 * top + 1):  # of the scores' two slots and of the slot that they are applied to
        i = min(power, top)
        j = min(power - i, top)
        scores = inputs[power - i - j].T @ inputs[i] / scale
        inputs.append(inputs[j] @ scores)
        places.append(places[j] @ scores)


def lower_bounds(boxes: NDArray, s: NDArray) -> NDArray:
    """Lower bounds (m,) of max |P| over `s` for all (e_1, g, e_2) in each of the boxes (m, 3, 2).

    P(s) = (1 - e_1 s)(1 - e_2 s (1 - g s)^2); each bound is one of interval arithmetic.
    """
    low, high = boxes[:, :, :1], boxes[:, :, 1:]  # (m, 3, 1) each
    first = 1 - high[:, 0] * s, 1 - low[:, 0] * s  # (m, len(s)) each
    ends = 1 - high[:, 1] * s, 1 - low[:, 1] * s
    most = np.maximum(ends[0] ** 2, ends[1] ** 2)
    least = np.where(ends[0] * ends[1] <= 0, 0, np.minimum(ends[0] ** 2, ends[1] ** 2))
    second = 1 - high[:, 2] * s * most, 1 - low[:, 2] * s * least
    products = np.stack([a * b for a in first for b in second])
    below, above = products.min(axis=0), products.max(axis=0)
    return np.where(below * above <= 0, 0, np.minimum(np.abs(below), np.abs(above))).max(axis=1)


def boxes_left(threshold: float, s: NDArray, limit: int = 100_000) -> tuple[NDArray, int]:
    """The boxes of parameters that may leave less than `threshold`, after `limit` bounds, and their number.

    Branch and bound on BOX: a box whose lower bound is the threshold or more is dropped, others are halved.
    """
    boxes, looked = np.array([BOX]), 0
    while len(boxes) and looked < limit:
        looked += len(boxes)
        parts = np.array_split(boxes, len(boxes) // 500 + 1)
        boxes = np.concatenate([part[lower_bounds(part, s) < threshold] for part in parts])
        boxes = _halved(boxes)
    return boxes, looked


def _halved(boxes: NDArray) -> NDArray:
    """Each box cut into two across its longest side, the three sides in units of 0.05, 0.03 and 0.6."""
    axis = ((boxes[:, :, 1] - boxes[:, :, 0]) / [0.05, 0.03, 0.6]).argmax(axis=1)
    each, middle = np.arange(len(boxes)), boxes.mean(axis=2)
    lower, upper = boxes.copy(), boxes.copy()
    lower[each, axis, 1] = upper[each, axis, 0] = middle[each, axis]
    return np.concatenate([lower, upper])
