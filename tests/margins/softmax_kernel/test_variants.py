"""Variants of attention against their formulas."""

import warnings

import numpy as np
import pytest

from margins import softmax_kernel
from margins.kernels import linear, numerical_rank


def test_traits_of_a_similarity_are_those_of_its_matrix():
    X = np.array([[1.0, 0.0], [0.6, 0.8], [-1.0, 0.2]])
    K = linear(X)
    seen = softmax_kernel.traits(linear, X)
    assert seen.smallest_eigenvalue == pytest.approx(np.linalg.eigvalsh(K)[0], abs=1e-12)
    assert seen.smallest_entry == K.min()
    assert seen.rank == numerical_rank(K) == 2
    assert 0 < seen.rounding < 1e-14
    assert seen.positive_definite
    assert not softmax_kernel.traits(lambda X: -linear(X), X).positive_definite


def test_traits_call_rounding_no_evidence():
    assert softmax_kernel.Traits(-1e-16, 1e-15, 0.0, 1).positive_definite
    assert softmax_kernel.Traits(1e-16, 1e-15, 0.0, 1).positive_definite
    assert softmax_kernel.Traits(-1e-15, 1e-15, 0.0, 1).positive_definite
    assert not softmax_kernel.Traits(-1e-14, 1e-15, 0.0, 1).positive_definite


def test_positive_features_of_long_vectors_make_no_noise():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        np.testing.assert_allclose(softmax_kernel.elu_features([[1e3, 0.5, -1.0]]), [[1001, 1.5, np.exp(-1)]])


def test_the_kernel_that_is_zero_is_positive_definite():
    seen = softmax_kernel.traits(lambda X: np.zeros((len(X), len(X))), np.eye(3))
    assert (seen.smallest_eigenvalue, seen.rounding, seen.rank) == (0.0, 0.0, 0)
    assert seen.positive_definite
