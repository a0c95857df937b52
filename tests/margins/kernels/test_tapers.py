"""Masks and tapers over positions."""

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from margins import kernels


def test_masks_and_taper():
    s = np.array([0, 1, 2, 3.5, 3.75, 9])
    distance = np.abs(np.subtract.outer(s, s))
    assert_array_equal(kernels.band_mask(s, width=2), distance <= 2)
    assert_array_equal(kernels.causal_mask(s), np.tril(np.ones((6, 6), bool)))
    taper = kernels.triangle_taper(s, width=2)
    assert_allclose(taper, np.clip(1 - distance / 3, 0, None))
    assert kernels.band_mask(s, [0.0], width=1).shape == (6, 1)
