"""What tests of several chapters draw and compute: points, token data, slopes, Cover's probability."""

from math import comb
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from margins.attention_svm import TokenData, random_token_data

# four labelled points of the plane with multipliers and a line
X = np.array([[2.0, 0.0], [0.5, 1.0], [-1.0, 0.0], [0.2, -1.0]])
Y = np.array([1.0, 1.0, -1.0, -1.0])
W, B = np.array([1.5, 0.5]), -0.25
ALPHA = np.array([0.0, 1.0, 0.3, 0.7])

SIX = np.array([[1.3, 1.2], [-0.1, -1.2], [-1.3, 0.6], [1.1, 0], [1.7, -1.2], [-1.1, -0.5]])  # tokens A to F
# from 3 (1/2, 1) descent ends at (second, first), where the best tokens are the first ones
TRAP = TokenData([[[0.5, -4], [0, 0]], [[0.5, 1], [0, 0]]], [[1, 0], [1, 0]], [1, 1], [1, 0])
# of chapter 6: six circles and six squares, which are the twelve points of chapter 1
TWELVE = TokenData(
    [
        [[0.5, 0.0], [1.2, -0.6], [2.3, 0.2], [1.9, 1.3], [2.6, -0.9], [0.6, 1.6]],
        [[-0.9, -0.3], [-0.4, -1.3], [-1.6, 0.9], [-2.2, -0.5], [-1.5, -1.4], [-2.6, 0.6]],
    ],
    [[1.0, 0.0], [-1.2, 1.6]],
    [1, -1],
    [2, 1],
)


def normal(*shape: int, seed: int = 0) -> NDArray:
    return np.random.default_rng(seed).normal(size=shape)


def problem(seed: int, n: int, T: int, d: int, **options: Any) -> TokenData:
    """Random token data of a seed."""
    return random_token_data(n, T, d, rng=np.random.default_rng(seed), **options)


def slope(x: ArrayLike, y: ArrayLike) -> float:
    """The slope of log y against log x by least squares."""
    return float(np.polyfit(np.log(x), np.log(y), 1)[0])


def cover(n: int, dimension: int) -> float:
    """The probability 2^(1-n) sum_{k < D} C(n-1, k) that fair labels of n general points are separable."""
    return sum(comb(n - 1, k) for k in range(min(n, dimension))) / 2 ** (n - 1)
