"""Edges of the kernels that a comparison in the middle of the range does not reach."""

import warnings

import numpy as np
import pytest

from margins import kernels
from margins.kernels.diagnostics import is_symmetric
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


def test_a_constant_in_the_labels_does_not_count():
    """Years as labels, say: the centred kernels do not see 2000, but what is left of the digits does."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(30, 2)), rng.normal(size=30)
    grams = [kernels.gaussian(X, gamma=gamma) for gamma in (0.1, 1.0, 10.0)]
    shifted = kernels.alignment_weights(grams, 1e8 + y)
    np.testing.assert_allclose(shifted, kernels.alignment_weights(grams, y), atol=1e-6)


def test_an_eigenvalue_below_the_rounding_level_is_zero():
    eps = np.finfo(float).eps
    assert kernels.rkhs_norm([0.0] * 9 + [1.0], np.diag([1.0] * 9 + [-5 * eps])) == 0
    with pytest.raises(ValueError, match="K must be positive semi-definite, but alpha' K alpha is -"):
        kernels.rkhs_norm([0.0] * 9 + [1.0], np.diag([1.0] * 9 + [-15 * eps]))


@pytest.mark.parametrize(("roundings", "symmetric"), [(900, True), (1100, False)])
def test_rounding_a_thousand_times_is_no_asymmetry(roundings, symmetric):
    """In units of the largest entry in modulus, here a negative one."""
    K = np.array([[0.0, 0.5], [0.5 + roundings * np.finfo(float).eps * 4, -4.0]])
    assert is_symmetric(K) == symmetric


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


def test_a_map_of_points_gets_arrays_whatever_came():
    kernel = kernels.pulled_back(kernels.linear, lambda X: X**2)
    np.testing.assert_array_equal(kernel([[2.0], [3.0]], [[1.0]]), [[4.0], [9.0]])


@pytest.mark.parametrize(
    "rule",
    [
        kernels.summed,
        kernels.multiplied,
        kernels.normalised,
        lambda kernel: kernels.scaled(kernel, 2.0),
        lambda kernel: kernels.modulated(kernel, np.ravel),
        lambda kernel: kernels.pulled_back(kernel, np.abs),
        lambda kernel: kernels.power_series(kernel, [1.0]),
    ],
)
def test_the_name_of_a_kernel_is_no_kernel(rule):
    with pytest.raises(ValueError, match=r"a kernel must be a function .*, but 'gaussian' came"):
        rule("gaussian")
