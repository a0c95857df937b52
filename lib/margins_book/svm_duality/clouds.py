"""Random points of two classes, for the checks of the chapter and of its exercises.

(book: SVM duality, The primal)
"""

import numpy as np
from numpy.typing import NDArray

from margins import svm
from margins.kernels import linear


def two_clouds(n: int, shift: tuple[float, float], seed: int, spread: float = 0.8) -> tuple[NDArray, NDArray]:
    """n labelled points, half of them around `shift`, half around its opposite.

    (book: SVM duality, The soft margin)

    >>> X, y = two_clouds(4, (1.0, 0.0), seed=0)
    >>> X.shape, y
    ((4, 2), array([ 1.,  1., -1., -1.]))
    """
    y = np.repeat([1.0, -1.0], n // 2)
    noise = np.random.default_rng(seed).normal(size=(n, 2))
    return spread * noise + np.outer(y, shift), y


def separable_clouds(
    n: int, shift: tuple[float, float], seed: int, spread: float = 0.8
) -> tuple[NDArray, NDArray]:
    """Such clouds that a line separates: of this seed, or of a later one.

    (book: SVM duality, The primal)

    >>> X, y = separable_clouds(12, (0.9, 0.6), seed=0)
    >>> bool(svm.smo(linear(X), y).gap < 1e-6)
    True
    """
    X, y = two_clouds(n, shift, seed, spread)
    try:
        svm.smo(linear(X), y)
    except svm.NotSeparableError:
        return separable_clouds(n, shift, seed + 100, spread)
    return X, y
