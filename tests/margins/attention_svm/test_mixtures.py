"""The mixtures that heads want: sparsemax, nearest points, silence, against linear and convex programs."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

from conftest import full
from margins.attention_svm import is_silenced, nearest_mixture, silence_probability, sparsemax

seeds = st.integers(0, 10**6)


@given(seeds, st.integers(1, 7), st.floats(0.05, 20))
def test_sparsemax_meets_the_conditions_of_a_projection(seed, T, size):
    y = size * np.random.default_rng(seed).normal(size=T).round(1)  # ties too
    s = sparsemax(y)
    assert s.min() >= 0
    assert s.sum() == pytest.approx(1, abs=1e-12)
    residual = y - s
    assert np.ptp(residual[s > 0]) < 1e-9
    assert (residual <= residual[s > 0].max() + 1e-9).all()


@given(seeds)
def test_sparsemax_is_the_nearest_mixture_of_orthonormal_tokens(seed):
    rng = np.random.default_rng(seed)
    Q = np.linalg.qr(rng.normal(size=(6, 6)))[0][:4]  # 4 orthonormal tokens in 6 dimensions
    point = rng.normal(size=6)
    np.testing.assert_allclose(nearest_mixture(Q, point), sparsemax(Q @ point), atol=1e-9)


@pytest.mark.parametrize("seed", range(30))
def test_silence_against_a_linear_program(seed):
    rng = np.random.default_rng(seed)
    X, V = rng.normal(size=(4, 5)), 1e3 ** rng.uniform(-1, 1) * rng.normal(size=(int(rng.integers(1, 8)), 5))
    program = linprog(np.zeros(4), A_ub=V @ X.T, b_ub=np.zeros(len(V)), A_eq=np.ones((1, 4)), b_eq=[1.0])
    assert is_silenced(X, V) == (program.status == 0)


@pytest.mark.parametrize("sizes", [(1, 1), (2, 1), (1, 2), (3, 2), *full((4, 4), (5, 3))])
def test_silence_probability_is_the_share_of_sign_patterns_that_occur(sizes):
    """Of the 2^p orthants of the units' values and the 2^T of the weights, those that some weights reach."""
    units, tokens = sizes
    activity = np.random.default_rng(1).normal(size=(units, tokens))
    reached = 0
    for signs in product([-1.0, 1.0], repeat=units + tokens):
        rows = np.array(signs)[:, None] * np.vstack([activity, np.eye(tokens)])
        free = [(None, None)] * tokens
        reached += linprog(np.zeros(tokens), A_ub=-rows, b_ub=-np.ones(len(rows)), bounds=free).status == 0
    assert silence_probability(units, tokens) == reached / 2 ** (units + tokens)


@pytest.mark.parametrize(("lean", "silenced"), [(1e-7, False), (-1e-7, True)])
def test_a_unit_that_a_token_hardly_wakes_is_awake(lean, silenced):
    assert is_silenced([[1.0, 1.0], [1.0, -1.0]], [[1.0, lean - 1.0]]) == silenced
