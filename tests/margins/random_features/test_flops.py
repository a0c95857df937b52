"""Numbers of operations."""

import pytest

from margins import random_features as rf


def test_operation_counts():
    assert rf.attention_flops(10, 3) == 2 * 100 * 6
    assert rf.attention_flops(10, 3, 5) == 2 * 100 * 8
    assert rf.linear_attention_flops(10, 3, 7) == 4 * 10 * 7 * (3 + 3 + 1)
    assert rf.linear_attention_flops(10, 3, 7, 5) == 4 * 10 * 7 * (3 + 5 + 1)
    with pytest.raises(ValueError, match="n_features must be an integer >= 1"):
        rf.linear_attention_flops(10, 3, 0)
