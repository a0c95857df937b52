"""The keys that can win, against scipy's convex hull, and the Gaussian lift."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial import ConvexHull

from margins.attention import gaussian_lift, winning_keys
from margins.least_distance import least_distance
from tests.margins.draws import normal


@pytest.mark.parametrize("d", [2, 3])
def test_winning_keys_are_the_vertices_of_the_hull(d):
    K = normal(40, d) + 7
    vertices = np.zeros(40, bool)
    vertices[ConvexHull(K).vertices] = True
    assert_array_equal(winning_keys(K), vertices)


@pytest.mark.parametrize("seed", range(4))
def test_winning_keys_of_a_grid_are_those_that_all_others_let_win(seed):
    """Grids have points on edges and in corners, met once or twice; here every key is asked every time."""
    K = np.random.default_rng(seed).integers(0, 9, size=(40, 2 + seed % 3)).astype(float)
    separated = [least_distance(np.delete(key - K, j, axis=0)).certificate is None for j, key in enumerate(K)]
    assert_array_equal(winning_keys(K), separated)
    assert 2 <= sum(separated) < 40


def test_winning_keys_beside_a_far_key():
    """The corners next to the far key win by an angle of 5e-8, which ConvexHull confirms."""
    square = np.array([[0, 0], [0, 1], [1, 0], [1, 1], [0.5, 0.5], [1e7, 0.5]])
    assert_array_equal(winning_keys(square), [True, True, True, True, False, True])
    assert_array_equal(np.sort(ConvexHull(square).vertices), [0, 1, 2, 3, 5])


def test_gaussian_lift_makes_logits_distances():
    Q, K, h = normal(5, 3), normal(7, 3, seed=1), 0.4
    q, k = gaussian_lift(Q, K, bandwidth=h)
    logits = q @ k.T - (Q**2).sum(axis=1, keepdims=True) / (2 * h**2)
    squares = ((Q[:, None] - K) ** 2).sum(axis=-1)
    assert_allclose(logits, -squares / (2 * h**2), atol=1e-12)
    far_q, far_k = gaussian_lift(Q * 2.0**600, K * 2.0**600, bandwidth=h * 2.0**600)
    assert_allclose(far_q[:, :3] * 2.0**600, q[:, :3])
    assert_array_equal(far_k[:, 3], k[:, 3])
