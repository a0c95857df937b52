"""Edges of the softmax kernel's diagnostics: rounding is no asymmetry, size is no evidence."""

import warnings
from fractions import Fraction

import numpy as np
import pytest

from margins import softmax_kernel
from margins.kernels import linear, numerical_rank
from margins.softmax_kernel.positivity import exponential_below


@pytest.mark.parametrize("size", [1e-8, 1.0, 1e8])
def test_a_factor_is_symmetric_up_to_rounding_at_any_size(size):
    factor = size * softmax_kernel.alibi(np.arange(4), slope=0.5)
    blurred = factor * (1 + np.triu(np.full((4, 4), 4e-15), 1))
    assert softmax_kernel.factor_verdict(blurred).symmetric
    assert not softmax_kernel.factor_verdict(factor * (1 + 1e-9 * np.triu(np.ones((4, 4)), 1))).symmetric


def test_asymmetric_weights_are_told_by_two_tokens():
    """Their symmetric part is positive definite, so that asymmetry is all there is."""
    W_Q, W_K = np.array([[1.0, 0.5], [-0.5, 1.0]]), np.eye(2)
    verdict = softmax_kernel.token_verdict(W_Q, W_K)
    assert not verdict.symmetric
    assert not verdict.positive_definite
    kappa = softmax_kernel.token_kernel(verdict.tokens, W_Q, W_K)
    assert abs(kappa[0, 1] - kappa[1, 0]) > 0.1


def test_fractions_below_the_exponential_have_few_digits():
    low = exponential_below(Fraction(1, 3), 20)
    assert 2**20 % low.denominator == 0
    assert 0 <= np.exp(1 / 3) - float(low) < 2.0**-18


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
    assert not softmax_kernel.Traits(-1e-14, 1e-15, 0.0, 1).positive_definite


def test_positive_features_of_long_vectors_make_no_noise():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        np.testing.assert_allclose(softmax_kernel.elu_features([[1e3, 0.5, -1.0]]), [[1001, 1.5, np.exp(-1)]])


def test_enclosures_of_a_determinant_are_nested_and_as_close_as_asked():
    x, y = [0, Fraction(1, 3), 1], [Fraction(-1, 2), 0, 2]
    tight = softmax_kernel.exponential_determinant(x, y, digits=30)
    for digits in (1, 3, 12):
        low, high = softmax_kernel.exponential_determinant(x, y, digits=digits)
        assert 0 < low <= tight[0] <= tight[1] <= high
        assert high / low - 1 <= Fraction(1, 10**digits)
    exact = np.linalg.det(np.exp(np.outer([float(a) for a in x], [float(b) for b in y])))
    assert float(tight[1]) == pytest.approx(exact, rel=1e-10)


def test_the_past_decays_and_the_future_has_no_weight():
    positions, slope = np.array([0.0, 1.0, 4.0]), 0.3
    factor = softmax_kernel.alibi(positions, slope=slope, causal=True)
    for i, s in enumerate(positions):
        for j, t in enumerate(positions):
            assert factor[i, j] == pytest.approx(np.exp(-slope * (s - t)) if s >= t else 0.0)


def test_rows_of_any_positive_sum_are_normalised():
    np.testing.assert_allclose(softmax_kernel.attention_of(0.1 * np.eye(2)), np.eye(2))


@pytest.mark.parametrize("matrix", [None, 3, "ab", [1, 2], [[1, 2]], [[1, "a"], [2, 3]], [[np.nan]]])
def test_only_square_matrices_of_numbers_have_a_determinant(matrix):
    with pytest.raises(ValueError, match=r"matrix must be n rows of n finite numbers, but .* came"):
        softmax_kernel.determinant(matrix)


def test_determinants_of_floats_are_exact():
    assert softmax_kernel.determinant([[0.1, 1], [0, 1]]) == Fraction(0.1)
    assert softmax_kernel.exponential_series(0.5, 1) == Fraction(3, 2)


@pytest.mark.parametrize(("s", "degree", "named"), [("a", 2, "s"), (1, -1, "degree"), (1, 1.5, "degree")])
def test_a_series_names_what_it_cannot_sum(s, degree, named):
    with pytest.raises(ValueError, match=f"^{named} must be"):
        softmax_kernel.exponential_series(s, degree)


def test_traits_are_those_of_a_function():
    with pytest.raises(ValueError, match=r"a kernel must be a function .*, but 'cosine' came"):
        softmax_kernel.traits("cosine", np.eye(2))
