"""Points, projections and vectors that do not fit are refused."""

import numpy as np
import pytest

from margins import random_features


def test_one_vector_is_no_list_of_points():
    for features in (random_features.softmax_features, random_features.fourier_features):
        with pytest.raises(ValueError, match=r"X .*shape \(2,\)"):
            features(np.ones(2), np.ones((3, 2)))


def test_vectors_that_do_not_broadcast_are_refused():
    with pytest.raises(ValueError, match="that broadcast"):
        random_features.softmax_feature_variance(np.ones((2, 3)), np.ones((4, 3)), 5)


@pytest.mark.parametrize(
    "ask",
    [
        lambda: random_features.performer_attention(np.ones((3, 4)), np.ones((3, 4)), np.ones((3, 1)), 256),
        lambda: random_features.softmax_features(np.ones((3, 4)), 256),
        lambda: random_features.fourier_features(np.ones((3, 4)), 256),
        lambda: random_features.damped_features(np.ones((3, 4)), 256, 0.0),
        lambda: random_features.relu_features(np.ones((3, 4)), 256),
    ],
)
def test_a_number_in_place_of_projections_is_answered_by_the_call_that_draws_them(ask):
    with pytest.raises(ValueError, match=r"got the number 256; use projections\(256, 4, rng=0\)"):
        ask()
