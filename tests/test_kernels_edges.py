"""Edges of the kernels that a comparison in the middle of the range does not reach."""

import warnings

import numpy as np
import pytest

from margins import kernels
from margins.kernels.distances import negated_squares


def test_an_endless_kernel_is_refused_without_another_word():
    endless = kernels.summed(kernels.linear, lambda X, Y: -np.inf * np.ones((len(X), len(X))))
    undefined = kernels.multiplied(lambda X, Y: np.full((2, 2), np.inf), lambda X, Y: np.zeros((2, 2)))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for kernel in (endless, undefined):
            with pytest.raises(ValueError, match="not finite on these X and Y"):
                kernel(np.ones((2, 1)))


@pytest.mark.parametrize("size", [1e-9, 1e9])
def test_weights_of_kernels_do_not_depend_on_the_size_of_the_labels(size):
    X, y = np.array([[1.0, 0.5], [2.0, -0.3], [-1.0, 0.4], [-2.0, -0.6]]), np.array([1.0, 1, -1, -1])
    grams = [kernels.linear(X[:, [0]]), kernels.linear(X[:, [1]]), np.eye(4)]
    np.testing.assert_allclose(
        kernels.alignment_weights(grams, size * y), kernels.alignment_weights(grams, y), atol=1e-9
    )


def test_a_function_of_norm_zero_with_negative_coefficients():
    """x = 1 and 2 on the line: -2 k(1, .) + k(2, .) = 0."""
    assert kernels.rkhs_norm([-2.0, 1.0], [[1.0, 2.0], [2.0, 4.0]]) == 0


def test_a_band_of_width_zero_is_the_diagonal():
    np.testing.assert_array_equal(kernels.band_mask(np.arange(3), width=0), np.eye(3, dtype=bool))


def test_a_sharp_use_of_squared_distances_keeps_their_digits():
    """Two far clusters: what one product makes is blurred by more than a narrow kernel may lose."""
    X, Y = np.array([[0.0, 5e-4], [1e3, 5e-4]]), np.array([[0.0, 0.0], [1e3, 1.2e-3]])
    tile, squares = negated_squares(X, Y, scale=1.0, sharpest=1e8), np.empty((2, 2))
    tile(slice(None), slice(None), squares)
    np.testing.assert_allclose(np.diag(squares), [-(5e-4**2), -(7e-4**2)], rtol=1e-12)
