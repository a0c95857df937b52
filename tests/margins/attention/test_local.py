"""Attention in a window against attention under the band mask."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margins import kernels
from margins.attention import local_attention, softmax_attention
from tests.margins.draws import normal


@pytest.mark.parametrize("width", [0, 1, 7, 64, 100, 300, 10**6])
def test_local_attention_is_attention_under_the_band_mask(width):
    Q, K, V = normal(2, 150, 4), normal(150, 4, seed=1), normal(2, 150, 3, seed=2)
    mask = kernels.band_mask(np.arange(150), width=width)
    assert_allclose(local_attention(Q, K, V, width), softmax_attention(Q, K, V, mask=mask), atol=1e-12)
