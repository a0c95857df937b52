"""The constants that training finds, and the steps of Chebyshev; claim C10.06 holds the layers themselves."""

import numpy as np
import pytest

from margins.in_context import best_single_layer, chebyshev_steps


def test_chebyshev_steps_equal_the_inverse_middle_for_one_layer_and_vanish_at_their_inverses():
    assert chebyshev_steps(1, 3, 1)[0] == pytest.approx(0.5)
    steps = chebyshev_steps(1, 30, 5)
    assert ((steps > 1 / 30) & (steps < 1)).all()
    ends = np.prod(1 - np.outer([1.0, 30.0], steps), axis=1)
    assert np.abs(ends[0]) == pytest.approx(np.abs(ends[1]))


def test_the_best_layer_inverts_its_matrix_off_the_diagonal_too():
    S = np.array([[2.0, 0.5], [0.5, 1.0]])
    M = best_single_layer(S, n=4, noise=0.5)
    np.testing.assert_allclose(np.linalg.inv(M), [[13.25, 2.5], [2.5, 8.25]], rtol=1e-12)
