"""Random points of two classes, and machines trained without one of their points.

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


def left_out(X: NDArray, y: NDArray, i: int) -> tuple[NDArray, NDArray, float]:
    """The machine without point i (with all for -1): its multipliers, 0 for i, its w and b.

    (book: SVM duality, Leave one out)

    >>> alpha, w, b = left_out(np.array([[1.0], [2.0], [-1.0]]), np.array([1.0, 1.0, -1.0]), 0)
    >>> alpha.round(3).tolist(), w.round(3).tolist(), round(b, 3)
    ([0.0, 0.222, 0.222], [0.667], -0.333)
    """
    rest = np.arange(len(y)) != i
    fit, alpha = svm.smo(linear(X[rest]), y[rest]), np.zeros(len(y))
    alpha[rest] = fit.alpha
    return alpha, (alpha * y) @ X, fit.b


def errors_without(X: NDArray, y: NDArray) -> NDArray:
    """Which points a machine trained without them gets wrong.

    (book: SVM duality, Leave one out)

    >>> errors_without(np.array([[1.0], [1.2], [-1.0], [-3.0]]), np.array([1.0, 1.0, -1.0, -1.0]))
    array([False, False,  True, False])
    """
    machines = [left_out(X, y, i) for i in range(len(y))]
    wrong = [y_i * (w @ x_i + b) <= 0 for x_i, y_i, (_, w, b) in zip(X, y, machines, strict=True)]
    return np.array(wrong)
