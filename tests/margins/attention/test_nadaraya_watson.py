"""Nadaraya-Watson regression against kernel averages by scikit-learn's kernels."""

import math
import sys

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.metrics.pairwise import laplacian_kernel, rbf_kernel

from margins import attention
from margins.attention import loo_errors, nadaraya_watson
from tests.margins.draws import normal


@pytest.mark.parametrize("d", [1, 3])
def test_nadaraya_watson_is_the_kernel_average(d):
    queries, keys, values = normal(40, d) + 5, normal(300, d, seed=1) + 5, normal(300, 2, seed=2)
    for h in (0.3, 2.0):
        K = rbf_kernel(queries, keys, gamma=1 / (2 * h**2))
        assert_allclose(
            nadaraya_watson(queries, keys, values, h), K @ values / K.sum(axis=1, keepdims=True), atol=1e-10
        )
        K = laplacian_kernel(queries, keys, gamma=1 / h)
        answer = nadaraya_watson(queries, keys, values[:, 0], h, kernel="laplacian")
        assert_allclose(answer, K @ values[:, 0] / K.sum(axis=1), atol=1e-10)


def test_nadaraya_watson_on_a_line_takes_vectors():
    x, y = np.linspace(0, 1, 9), np.arange(9.0)
    assert_allclose(nadaraya_watson(x, x, y, 0.1), nadaraya_watson(x[:, None], x[:, None], y, 0.1))


@pytest.mark.parametrize("kernel", ["gaussian", "laplacian"])
@pytest.mark.parametrize("h", [1e-300, 1e-160, 1e-9, 1e9, 1e300])
def test_any_bandwidth_gives_a_convex_combination(kernel, h):
    """Small: the value of the nearest key. Large: the mean of all. Never 0/0."""
    x, y = np.array([0.0, 1.0, 3.0]), np.array([1.0, 2.0, 6.0])
    answer = nadaraya_watson([0.1, 2.9, 1e6], x, y, h, kernel=kernel)
    assert_allclose(answer, [1, 6, 6] if h < 1 else [3, 3, 3], atol=1e-2 if h == 1e9 else 1e-12)


def test_nadaraya_watson_keeps_its_digits_for_two_far_clusters():
    """The energies of points a million apart from one product would have no digit left at this bandwidth."""
    keys = np.array([[0, 0], [0, 1e-3], [1e6, 0], [1e6, 1.2e-3]])
    h, (near, far) = 3e-4, ([0, 5e-4], [1e6, 5e-4])
    weights = [math.exp(-(distance**2) / (2 * h**2)) for distance in (5e-4, 7e-4)]
    answer = nadaraya_watson([near, far], keys, [0.0, 1.0, 0.0, 1.0], h)
    assert_allclose(answer, [0.5, weights[1] / sum(weights)], rtol=1e-11)


def test_smoothing_over_a_year_of_seconds():
    """Stamps of a clock, a tenth of a second the bandwidth: differences are exact, squares of stamps not."""
    stamps = 1.7e9 + np.array([0.0, 0.25, 0.5, 3e7, 3e7 + 0.25])
    values, h, query = np.array([0.0, 1.0, 0.0, 0.0, 1.0]), 0.1, 1.7e9 + 3e7 + 0.125
    answer = nadaraya_watson([query, 1.7e9 + 0.25], stamps, values, h)
    assert_allclose(answer, [0.5, 1 / (1 + 2 * math.exp(-(0.25**2) / 0.02))], rtol=1e-7)
    alone = loo_errors(stamps[:3] - 1.7e9, values[:3], [h])[1]
    assert_allclose(loo_errors(stamps[:3], values[:3], [h])[1], alone, rtol=1e-7)
    among = loo_errors(stamps, values, [h])[1][0]
    assert_allclose(among, (3 * alone[0] + 2) / 5, rtol=1e-7)


@pytest.mark.parametrize("kernel", ["gaussian", "laplacian"])
@pytest.mark.parametrize("exponent", [-1000, -515, 515, 1020])
def test_the_unit_of_length_does_not_matter(kernel, exponent):
    """Powers of two are exact; without rescaling the squares would leave the number range."""
    X, y, unit = normal(30, 2), normal(30, seed=1), 2.0**exponent
    assert_array_equal(
        nadaraya_watson(X * unit, X[::-1] * unit, y, 0.5 * unit, kernel=kernel),
        nadaraya_watson(X, X[::-1], y, 0.5, kernel=kernel),
    )
    bandwidths, errors = loo_errors(X, y, kernel=kernel)
    scaled_bandwidths, scaled_errors = loo_errors(X * unit, y, kernel=kernel)
    assert_array_equal(scaled_errors, errors)
    assert_array_equal(scaled_bandwidths, bandwidths * unit)


@pytest.mark.parametrize(
    ("arguments", "options", "words"),
    [
        (([[1.0, 2.0]], [[1.0]], [1.0], 1.0), {}, "queries has 2 columns and keys has 1"),
        (([1.0], [1.0, 2.0], [1.0], 1.0), {}, "keys has 2, values has 1"),
        (([1.0], [1.0], [1.0], 0.0), {}, "bandwidth must be a number > 0, but got 0.0"),
        (([1.0], [1.0], [1.0], -2), {}, "bandwidth must be a number > 0"),
        (([1.0], [1.0], [1.0], "loo"), {}, "bandwidth must be a number > 0"),
        (([1.0], [1.0], [np.inf], 1.0), {}, "values contains NaN or infinity"),
        (([1.0], [1.0], np.ones((1, 2, 2)), 1.0), {}, r"values must have 1 or 2 axes, .* \(1, 2, 2\)"),
        (([1.0], [1.0], [1.0], 1.0), {"kernel": "box"}, "kernel must be one of 'gaussian', 'laplacian'"),
    ],
)
def test_nadaraya_watson_refuses(arguments, options, words):
    with pytest.raises(ValueError, match=words):
        nadaraya_watson(*arguments, **options)


def test_single_values_are_answered_in_double_precision():
    values = np.array([1, 2], np.float32)
    answer = attention.nadaraya_watson([0.3], [0.0, 1.0], values, 0.5)
    assert answer.dtype == np.float64
    weights = np.exp(-np.array([0.09, 0.49]) / 0.5)
    np.testing.assert_allclose(answer, (weights @ [1, 2]) / weights.sum(), rtol=1e-15)


def test_regression_tile_by_tile_is_the_same(monkeypatch):
    rng = np.random.default_rng(0)
    queries, keys, values = rng.normal(size=(50, 2)), rng.normal(size=(20, 2)), rng.normal(size=20)
    whole = attention.nadaraya_watson(queries, keys, values, 0.5)
    module = sys.modules["margins.attention.nadaraya_watson"]  # by its name the package has the function
    monkeypatch.setattr(module, "TILE", 7 * 20)  # so that 50 queries do not fit into one tile
    np.testing.assert_allclose(attention.nadaraya_watson(queries, keys, values, 0.5), whole, rtol=1e-13)


def test_weights_multiply_those_of_the_kernel():
    queries, keys, values = normal(5, 2), normal(9, 2, seed=1), normal(9, 3, seed=2)
    weights = np.arange(9.0)
    K = rbf_kernel(queries, keys, gamma=0.5 / 0.7**2) * weights
    expected = K @ values / K.sum(axis=1, keepdims=True)
    assert_allclose(nadaraya_watson(queries, keys, values, 0.7, weights=weights), expected, rtol=1e-12)


def test_a_kernel_that_vanishes_around_a_query_is_refused():
    box = lambda X, Y: (abs(X - Y.T) <= 1.0).astype(float)  # noqa: E731
    assert_allclose(nadaraya_watson([0.4], [0.0, 1.0, 9.0], [1.0, 2.0, 3.0], 1.0, kernel=box), [1.5])
    with pytest.raises(ValueError, match="must have a sum > 0, but it is 0 at one; choose a larger"):
        nadaraya_watson([0.4, 5.0], [0.0, 1.0, 9.0], [1.0, 2.0, 3.0], 1.0, kernel=box)


@pytest.mark.parametrize("h", [0.4, 3.0])
def test_a_function_is_called_with_points_in_units_of_the_bandwidth(h):
    queries, keys, values = normal(6, 2), normal(9, 2, seed=1), normal(9, 3, seed=2)
    by_function = nadaraya_watson(queries, keys, values, h, kernel=lambda X, Y: rbf_kernel(X, Y, gamma=0.5))
    assert_allclose(by_function, nadaraya_watson(queries, keys, values, h), rtol=1e-11)


def test_a_tiny_bandwidth_makes_no_noise():
    """Its temperature underflows and other keys' energies overflow: the nearest key has all weight."""
    with np.errstate(all="raise", under="ignore"):
        assert_array_equal(nadaraya_watson([0.1], [0.0, 1.0], [3.0, 5.0], 1e-300), [3.0])


def test_an_error_inside_a_kernel_says_what_a_kernel_takes():
    with pytest.raises(ValueError, match=r"broadcast|mismatch") as caught:
        nadaraya_watson(normal(3, 2), normal(4, 2), normal(4), 1.0, kernel=lambda x, y: float(x @ y))
    assert "takes two matrices (n, d), (m, d) and returns a matrix (n, m)" in caught.value.__notes__[0]
