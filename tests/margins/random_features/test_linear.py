"""Linear attention against a loop over tokens."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margins import random_features as rf
from margins.softmax_kernel import elu_features
from tests.margins.draws import normal


def token_by_token(phi_q, phi_k, V, causal):
    out = np.empty((len(phi_q), V.shape[1]))
    for i, q in enumerate(phi_q):
        weights = phi_k[: i + 1 if causal else None] @ q
        out[i] = weights @ V[: len(weights)] / weights.sum()
    return out


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("n", [1, 63, 64, 65, 200])
def test_linear_attention_is_the_loop_over_tokens(n, causal):
    phi_q, phi_k, V = elu_features(normal(n, 5)), elu_features(normal(n, 5, seed=1)), normal(n, 3, seed=2)
    answer = rf.linear_attention(phi_q, phi_k, V, causal=causal)
    assert_allclose(answer, token_by_token(phi_q, phi_k, V, causal), atol=1e-12)


@pytest.mark.parametrize("causal", [False, True])
def test_linear_attention_broadcasts(causal):
    phi_q, phi_k, V = elu_features(normal(2, 1, 70, 5)), elu_features(normal(3, 70, 5)), normal(70, 3)
    answer = rf.linear_attention(phi_q, phi_k, V.astype(np.float32), causal=causal)
    assert answer.shape == (2, 3, 70, 3)
    for a in range(2):
        for b in range(3):
            assert_allclose(answer[a, b], token_by_token(phi_q[a, 0], phi_k[b], V, causal), atol=1e-6)
