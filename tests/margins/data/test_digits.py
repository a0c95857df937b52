"""Digits as sequences of patches."""

import numpy as np

from margins import data


def test_patches_come_row_by_row_and_hold_every_pixel_once():
    image = np.arange(64.0).reshape(1, 8, 8)
    patches = data.digit_patches(image)
    assert patches.shape == (1, 16, 4)
    assert patches[0, 0].tolist() == [0, 1, 8, 9]
    assert patches[0, 5].tolist() == [18, 19, 26, 27]
    assert sorted(patches.ravel().tolist()) == list(range(64))


def test_digits_are_those_asked_for_between_zero_and_one():
    images, digits = data.digits_of(3, 8)
    assert set(digits) == {3, 8}
    assert images.shape == (len(digits), 8, 8)
    assert images.min() == 0
    assert images.max() == 1
