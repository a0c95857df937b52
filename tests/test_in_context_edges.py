"""The best single layer of correlated inputs, entry by entry."""

import numpy as np

from margins.in_context import best_single_layer


def test_the_best_layer_inverts_its_matrix_off_the_diagonal_too():
    S = np.array([[2.0, 0.5], [0.5, 1.0]])
    M = best_single_layer(S, n=4, noise=0.5)
    np.testing.assert_allclose(np.linalg.inv(M), [[13.25, 2.5], [2.5, 8.25]], rtol=1e-12)
