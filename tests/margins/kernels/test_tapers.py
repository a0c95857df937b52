"""Masks and tapers over positions."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from margins import kernels


def test_masks_and_taper_on_integers():
    s = np.arange(6)
    distance = np.abs(np.subtract.outer(s, s))
    assert_array_equal(kernels.band_mask(s, width=2), distance <= 2)
    assert_array_equal(kernels.causal_mask(s), np.tril(np.ones((6, 6), bool)))
    taper = kernels.triangle_taper(s, width=2)
    assert_allclose(taper, np.clip(1 - distance / 3, 0, None))
    assert_array_equal(taper > 0, kernels.band_mask(s, width=2))
    assert kernels.band_mask(s, [0.0], width=1).shape == (6, 1)


@given(st.lists(st.floats(-50, 50), min_size=1, max_size=15), st.floats(0, 20))
def test_triangle_taper_is_psd_on_any_positions(positions, width):
    assert kernels.smallest_eigenvalue(kernels.triangle_taper(positions, width=width)) > -1e-12


def test_a_band_of_width_zero_is_the_diagonal():
    np.testing.assert_array_equal(kernels.band_mask(np.arange(3), width=0), np.eye(3, dtype=bool))
