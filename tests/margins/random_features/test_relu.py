"""The arc-cosine kernel against a wide ReLU layer."""

import math

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from margins import random_features
from margins import random_features as rf
from tests.margins.draws import normal


def test_arc_cosine_is_the_kernel_of_a_wide_relu_layer():
    """In the plane the expectation is a one-dimensional integral over angles: E |omega|^2 = 2."""
    X, Y = normal(4, 2), normal(3, 2, seed=1)
    angles = np.arange(100_000) * 2 * math.pi / 100_000
    circle = math.sqrt(2) * np.column_stack([np.cos(angles), np.sin(angles)])
    expected = rf.relu_features(X, circle) @ rf.relu_features(Y, circle).T
    assert_allclose(rf.arc_cosine(X, Y), expected, atol=1e-8)
    assert_array_equal(rf.arc_cosine(np.zeros((1, 2)), Y), 0)


def test_parallel_vectors_have_the_largest_arc_cosine():
    """Rounding may lift their cosine above 1."""
    X = np.random.default_rng(0).normal(size=(200, 3))
    diagonal = [random_features.arc_cosine(x[None], 3 * x[None])[0, 0] for x in X]
    np.testing.assert_allclose(diagonal, 3 * np.square(X).sum(axis=1), rtol=1e-12)
