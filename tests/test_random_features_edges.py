"""Edges of the random features: shapes, names, and angles that a float cannot hold."""

import warnings

import numpy as np
import pytest

from margins import random_features


def test_cauchy_projections_have_the_quartiles_of_the_distribution():
    omega = random_features.cauchy_projections(20_000, 2, rng=0)
    assert omega.shape == (20_000, 2)
    np.testing.assert_allclose(
        np.quantile(omega, [0.25, 0.5, 0.75], axis=0), [[-1] * 2, [0] * 2, [1] * 2], atol=0.06
    )


@pytest.mark.parametrize(("m", "d", "named"), [(0, 2, "m"), (2, 0.5, "d")])
def test_numbers_of_projections_are_refused_by_name(m, d, named):
    for draw in (random_features.cauchy_projections, random_features.projections):
        with pytest.raises(ValueError, match=f"^{named} must be an integer"):
            draw(m, d, rng=0)


def test_projections_are_independent_unless_asked():
    omega = random_features.projections(3, 3, rng=0)
    np.testing.assert_array_equal(omega, random_features.projections(3, 3, rng=0, orthogonal=False))
    assert np.abs(omega @ omega.T - np.diag(np.diag(omega @ omega.T))).max() > 0.1


def test_parallel_vectors_have_the_largest_arc_cosine():
    """Rounding may lift their cosine above 1."""
    X = np.random.default_rng(0).normal(size=(200, 3))
    diagonal = [random_features.arc_cosine(x[None], 3 * x[None])[0, 0] for x in X]
    np.testing.assert_allclose(diagonal, 3 * np.square(X).sum(axis=1), rtol=1e-12)


def test_angles_are_endless_on_either_side_of_zero():
    omega = np.array([[1e200]])
    for x in (1e200, -1e200):
        with pytest.raises(ValueError, match="X"):
            random_features.fourier_features([[0.0], [x]], omega)


def test_one_vector_is_no_list_of_points():
    for features in (random_features.softmax_features, random_features.fourier_features):
        with pytest.raises(ValueError, match=r"X .*shape \(2,\)"):
            features(np.ones(2), np.ones((3, 2)))


def test_damped_features_of_stacks_are_those_of_their_members():
    X, omega = np.random.default_rng(0).normal(size=(2, 4, 3)), random_features.projections(5, 3, rng=1)
    stacked = random_features.damped_features(X, omega, -0.1)
    for one, features in zip(X, stacked, strict=True):
        np.testing.assert_allclose(random_features.damped_features(one, omega, -0.1), features, rtol=1e-12)


def test_products_that_overflow_are_refused_without_another_word():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(ValueError, match="overflow"):
            random_features.softmax_features([[1e200, 1.0]], [[1e200, 1.0]])


def test_vectors_that_do_not_broadcast_are_refused():
    with pytest.raises(ValueError, match="that broadcast"):
        random_features.softmax_feature_variance(np.ones((2, 3)), np.ones((4, 3)), 5)


def test_a_variance_of_no_kind_is_refused():
    with pytest.raises(ValueError, match="kind must be one of"):
        random_features.softmax_feature_variance([1.0], [1.0], 5, kind="negative")


def test_angles_are_bounded_in_double_precision():
    """In single precision the bounds themselves would overflow: one angle is refused, the other is none."""
    single = np.array([[1e38, -3e38]], np.float32)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(ValueError, match=r"may reach 1.2e\+40, which overflows float32"):
            random_features.fourier_features(single, np.array([[20.0, -20.0]], np.float32))
        tiny = np.array([[2e-38, -2e-38]], np.float32)
        features = random_features.fourier_features(tiny, single)  # an angle of 8
    np.testing.assert_allclose(features, [[np.cos(8), np.sin(8)]], atol=1e-5)
