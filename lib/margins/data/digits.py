"""Handwritten digits as sequences of patches."""

from __future__ import annotations

import numpy as np

from margins._extras import extra
from margins._types import Array, ArrayLike
from margins.validation import finite_array

PATCH_SIDE = 2  # of a patch, in pixels


def digits_of(*classes: int) -> tuple[Array, Array]:
    """The images (N, 8, 8) of these digits in scikit-learn's set, values from 0 to 1, and their digits (N,).

    (book: Sequences, causality, depth and real data, Digits)

    >>> images, digits = digits_of(3, 8)
    >>> images.shape, np.unique(digits)
    ((357, 8, 8), array([3, 8]))
    """
    with extra("sklearn", "margins.data.digits_of"):
        from sklearn.datasets import load_digits

    images, digits = load_digits(return_X_y=True)
    kept = np.isin(digits, classes)
    return images[kept].reshape(-1, 8, 8) / 16, digits[kept]


def digit_patches(images: ArrayLike) -> Array:
    """Images (N, H, W) of even sides cut into patches of 2 x 2 pixels, row by row: (N, H W / 4, 4).

    (book: Sequences, causality, depth and real data, Digits)

    >>> digit_patches(np.arange(16.0).reshape(1, 4, 4))
    array([[[ 0.,  1.,  4.,  5.],
            [ 2.,  3.,  6.,  7.],
            [ 8.,  9., 12., 13.],
            [10., 11., 14., 15.]]])
    """
    images = finite_array("images", images, ndim=3, dtype=np.float64)
    N, H, W = images.shape
    if H % PATCH_SIDE or W % PATCH_SIDE:
        raise ValueError(f"images must have even sides, but they are {H} x {W}")
    cut = images.reshape(N, H // PATCH_SIDE, PATCH_SIDE, W // PATCH_SIDE, PATCH_SIDE).transpose(0, 1, 3, 2, 4)
    return cut.reshape(N, -1, PATCH_SIDE * PATCH_SIDE)
