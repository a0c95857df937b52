"""Losses far below rounding."""

import numpy as np

from margins.attention_svm import LOGISTIC


def test_the_slope_of_a_loss_far_below_rounding_is_found_in_silence():
    with np.errstate(over="raise"):
        slopes = LOGISTIC.slope(np.array([0.0, 30.0, 1e4]))
    np.testing.assert_allclose(slopes, [-0.5, -np.exp(-30), 0], atol=1e-25)
