"""The kernel on tokens: verdicts that two tokens prove, and the spectrum of tied attention."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from margins import kernels, softmax_kernel
from tests.margins.draws import normal


def test_token_kernel_is_the_direct_loop():
    X, W_Q, W_K = normal(5, 4), normal(4, 3, seed=1), normal(4, 3, seed=2)
    expected = [[math.exp((x @ W_Q) @ (y @ W_K) / math.sqrt(3)) for y in X] for x in X]
    assert_allclose(softmax_kernel.token_kernel(X, W_Q, W_K), expected, rtol=1e-12)
    assert_allclose(
        softmax_kernel.token_kernel(X, W_Q, W_K, scale=0.2),
        np.array(expected) ** (0.2 * math.sqrt(3)),
        rtol=1e-12,
    )


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


def test_rows_of_any_positive_sum_are_normalised():
    np.testing.assert_allclose(softmax_kernel.attention_of(0.1 * np.eye(2)), np.eye(2))
