"""What the words of the figures of kernels are held by: plain numbers of a position, or of a line of them.

(book: Kernels)
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from margins import svm
from margins.kernels import linear


def lift_facts(x: NDArray, y: NDArray, alpha: NDArray | None = None, b: float = 0.0) -> dict[str, Any]:
    """How often the labels change along the line, and what becomes of the points when they are lifted.

    `alpha` and `b` are those of the machine on the parabola, if there is one.
    """
    powers = np.column_stack([x, x**2, x**3])
    facts: dict[str, Any] = {
        "changes": np.count_nonzero(np.diff(y[np.argsort(x)])),
        "by_cube": is_separated(powers, y),
        "parted": False,
    }
    if alpha is None:
        return facts
    w = (alpha * y) @ powers[:, :2]
    return facts | {
        "parted": (y * (powers[:, :2] @ w + b)).min() > 1 - 1e-6,
        "alpha": alpha * (alpha > 1e-6 * alpha.max()),
        "left": np.roots([w[1], w[0], b]).real.min(),
    }


def is_separated(X: NDArray, y: NDArray) -> bool:
    """Whether a plane has the points of each label on a side of its own."""
    try:
        svm.smo(linear(X), y, tol=1e-7)
    except svm.NotSeparableError:
        return False
    return True


def moves(line: Sequence[Any], name: str) -> NDArray:
    """How far each entry of the fact called `name` moves along a line of positions."""
    return np.ptp([getattr(facts, name) for facts in line], axis=0)


def smallest(line: Sequence[Any], name: str) -> Any:
    """The facts of the position on a line where the one called `name` is smallest."""
    return min(line, key=lambda facts: getattr(facts, name))
