"""Squared distances keep their digits."""

import numpy as np

from margins.kernels.distances import negated_squares


def test_a_sharp_use_of_squared_distances_keeps_their_digits():
    """Two far clusters: what one product makes is blurred by more than a narrow kernel may lose."""
    X, Y = np.array([[0.0, 5e-4], [1e3, 5e-4]]), np.array([[0.0, 0.0], [1e3, 1.2e-3]])
    tile, squares = negated_squares(X, Y, scale=1.0, sharpest=1e8), np.empty((2, 2))
    tile(slice(None), slice(None), squares)
    np.testing.assert_allclose(np.diag(squares), [-(5e-4**2), -(7e-4**2)], rtol=1e-12)
