"""Two moons, as scikit-learn draws them, without scikit-learn: a page's Python has none.

(book: Kernels)
"""

import numpy as np
from numpy.typing import NDArray


def two_moons(n: int, *, noise: float, seed: int) -> tuple[NDArray, NDArray]:
    """Points (n, 2) on two half circles, shuffled, with noise, and their labels, -1 and 1.

    >>> X, y = two_moons(4, noise=0.0, seed=0)
    >>> sorted(y.tolist())
    [-1.0, -1.0, 1.0, 1.0]
    """
    rng = np.random.RandomState(seed)
    upper, lower = np.linspace(0, np.pi, n // 2), np.linspace(0, np.pi, n - n // 2)
    X = np.r_[np.c_[np.cos(upper), np.sin(upper)], np.c_[1 - np.cos(lower), 1 - np.sin(lower) - 0.5]]
    order = np.arange(n)
    rng.shuffle(order)
    return X[order] + rng.normal(scale=noise, size=X.shape), np.where(order < n // 2, -1.0, 1.0)
