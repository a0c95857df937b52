"""Verdicts of the softmax kernel on tokens, positions and variants, with what proves them."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from margins import kernels, softmax_kernel
from margins.kernels import linear, numerical_rank
from tests.margins.draws import normal


@given(
    st.integers(1, 5), st.integers(1, 6), st.integers(0, 10**6), st.sampled_from(["tied", "free", "minus"])
)
def test_verdict_is_proved_by_its_tokens(d, d_k, seed, kind):
    W_Q = normal(d, d_k, seed=seed)
    W_K = {"tied": W_Q, "free": normal(d, d_k, seed=seed + 1), "minus": -W_Q}[kind]
    verdict = softmax_kernel.token_verdict(W_Q, W_K)
    if verdict.positive_definite:
        A = softmax_kernel.token_metric(W_Q, W_K)
        assert_allclose(A, A.T, atol=1e-10)
        assert np.linalg.eigvalsh((A + A.T) / 2).min() > -1e-10
        return
    kappa = softmax_kernel.token_kernel(verdict.tokens, W_Q, W_K)
    assert kernels.asymmetry(kappa) > 0 if not verdict.symmetric else np.linalg.det(kappa) < 0


def test_factor_verdict_of_an_indefinite_factor_holds_its_witness():
    factor = softmax_kernel.relative_bias(np.arange(10), [0.0, 1.0, 1.0, 1.0, 0.0])
    verdict = softmax_kernel.factor_verdict(factor)
    assert verdict.symmetric
    assert not verdict.safe_for_every_content
    u = verdict.witness
    assert_allclose(u @ factor @ u, verdict.smallest_eigenvalue, rtol=1e-10)


@pytest.mark.parametrize("size", [1e-8, 1.0, 1e8])
def test_a_factor_is_symmetric_up_to_rounding_at_any_size(size):
    factor = size * softmax_kernel.alibi(np.arange(4), slope=0.5)
    blurred = factor * (1 + np.triu(np.full((4, 4), 4e-15), 1))
    assert softmax_kernel.factor_verdict(blurred).symmetric
    assert not softmax_kernel.factor_verdict(factor * (1 + 1e-9 * np.triu(np.ones((4, 4)), 1))).symmetric


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
