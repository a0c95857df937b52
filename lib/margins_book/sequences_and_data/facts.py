"""What holds the words about figures of sequences and data: facts of a position, or of a line of them.

(book: Sequences, causality, depth and real data)
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import nnls


def off_shortest(rows: NDArray, w: NDArray, p: float) -> float:
    """How far `w` is from the least p-norm with rows @ w >= 1, 0 where it is: by the conditions of Karush.

    The gradient of the p-norm must be a sum of the active rows with multipliers that are not negative.
    """
    gradient = np.sign(w) * np.abs(w) ** (p - 1)
    gradient /= np.linalg.norm(gradient)
    return float(nnls(rows[np.isclose(rows @ w, 1)].T, gradient)[1])


def falls_in_proportion(line: Sequence[Any]) -> bool:
    """Whether margin / distance is steady for near twins, and the arrow turns to them as they come nearer."""
    near = [f.margin / f.distance for f in line if f.distance < 0.1]
    turning = all(a.cosine > b.cosine for a, b in pairwise(line))
    return max(near) < 1.1 * min(near) and turning


def forgets_the_twin(line: Sequence[Any]) -> bool:
    """Whether the margin is nearer to that without the twin, the nearer the twin is, and at last the same."""
    change = [abs(f.margin - f.plain) for f in line]
    return change[0] < 1e-3 and all(a <= b + 1e-12 for a, b in pairwise(change))
