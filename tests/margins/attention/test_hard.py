"""Hard attention: means over ties, which rounding must not break."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margins import attention
from margins.attention import hard_attention
from tests.margins.draws import normal


def test_hard_attention_takes_the_mean_over_ties():
    K = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0], [0.5, 0.0]])
    V = np.array([[1.0], [2.0], [4.0], [8.0]])
    Q = np.array([[1.0, 0.0], [0.0, 2.0], [1.0, 1.0], [-1.0, -1.0]])
    assert_allclose(hard_attention(Q, K, V), [[2.5], [2.0], [7 / 3], [8.0]], atol=1e-15)
    mask = np.array([True, False, False, True])
    assert_array_equal(hard_attention(Q, K, V, mask=mask), [[1.0], [4.5], [1.0], [8.0]])
    assert_array_equal(hard_attention(Q, K, V, mask=np.zeros(4, bool)), np.zeros((4, 1)))


@pytest.mark.parametrize("length", [1e-6, 1.0, 1e6])
def test_hard_attention_knows_equal_keys_whatever_the_rounding(length):
    """A key repeated a hundred times ties with itself at every position of the product."""
    K = np.tile(normal(1, 64), (100, 1))
    V = np.arange(100.0)[:, None]
    Q = length * (normal(5, 64, seed=1) + K[0])
    assert_allclose(hard_attention(Q, K, V), np.full((5, 1), 49.5), rtol=1e-12)


def test_keys_are_told_apart_beyond_rounding_whatever_the_length_of_a_query():
    keys = np.array([[1.0], [1.0 + 1e-14]])
    for length in (1e-6, 1e6):
        np.testing.assert_array_equal(attention.hard_attention([[length]], keys, [[0.0], [1.0]]), [[1.0]])
