"""The regularisation paths of two sequences in the plane, with their machines, and angles between matrices.

(book: Attention converges to an SVM, The regularisation path)
"""

from typing import NamedTuple

import numpy as np
from numpy.linalg import norm
from numpy.typing import NDArray

from margins import attention_svm as att

# R Gamma, at which paths are computed
REACHES = [1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 200, 300, 500, 1000, 2000, 5000, 10000]


class Path(NamedTuple):
    """A regularisation path beside the machine to which it turns."""

    data: att.TokenData
    machine: att.AttentionSVM
    radii: NDArray  # (r,)
    W: NDArray  # (r, d, d), the best of each radius
    lags: NDArray  # (r,), R times the distance of W / R from its limit


def angle(A: NDArray, B: NDArray) -> float:
    """The angle between two matrices in radians, exact where it is small.

    (book: Attention converges to an SVM)

    >>> round(float(angle(np.eye(2), np.diag([1.0, 0.0]))), 3)
    0.785
    """
    return 2 * np.arcsin(np.minimum(norm(A / norm(A) - B / norm(B)) / 2, 1))


def paths_of(data: att.TokenData) -> dict[str, Path]:
    """The path of W, the same with token 5 on the edge of its street, and the path of keys and queries.

    (book: Attention converges to an SVM, The regularisation path)
    """
    best = data.optimal_tokens
    machine, nuclear = att.frobenius_svm(data, best), att.nuclear_svm(data, best)
    edge, way = data.X.copy(), machine.W @ data.Z[0]
    edge[0, 5] += (machine.margins[0, 5] - 1) * way / norm(way) ** 2  # it supports, as the machine stays
    return {
        "W": _path(data, machine),
        "W, token 5 on the edge": _path(att.TokenData(edge, data.Z, data.Y, data.v), machine),
        "K and Q": _path(data, nuclear, width=2),
    }


def _path(data: att.TokenData, machine: att.AttentionSVM, width: int | None = None) -> Path:
    """The path of W, or of factors with `width` columns, to the machine of its norm."""
    rng, radii = np.random.default_rng(0), np.divide(REACHES, machine.margin)
    path = att.regularisation_path(data, radii, rng=rng, starts=2, width=width)
    limit = machine.W / norm(machine.W, "nuc" if width else None)
    lags = norm(path.W - path.radii[:, None, None] * limit, axis=(1, 2))
    return Path(data, machine, path.radii, path.W, lags)
