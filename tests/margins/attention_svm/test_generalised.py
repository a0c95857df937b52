"""The generalised SVM: two programs, the mixture it promises, and the mixtures that heads want."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

from conftest import full
from margins import attention_svm as att
from margins.attention_svm import is_silenced, nearest_mixture, silence_probability, sparsemax
from tests.margins.draws import separable


def draw(seed=0):
    """Token data, a matrix, its attention weights, and the tokens that it gives more than a tenth."""
    rng = np.random.default_rng(seed)
    data = att.random_token_data(3, 4, 6, rng=rng)
    W = 3 * rng.normal(size=(6, 6))
    weights = att.softmax_weights(data, W)
    return data, W, weights, weights > 0.1


@pytest.mark.parametrize("seed", range(4))
def test_general_solvers_agree(seed):
    data, _, weights, selected = draw(seed=seed)
    ours = att.generalised_svm(data, selected, weights)
    finite, directional = att.generalised_program(data, selected, weights)
    assert ours.status == finite.status == directional.status == "optimal"
    np.testing.assert_allclose(ours.finite, finite.W, atol=1e-5)
    np.testing.assert_allclose(ours.directional.W, directional.W, atol=1e-5 * np.abs(directional.W).max())
    assert ours.directional.gap < 1e-10


@given(st.integers(0, 10**6))
def test_finite_part_is_orthogonal_and_is_the_projection_of_what_was_measured(seed):
    data, W, weights, selected = draw(seed=seed)
    if selected.all():
        return
    svm = att.generalised_svm(data, selected, weights)
    assert svm.status == "optimal"
    F, M = svm.finite, svm.directional.W
    assert abs(np.vdot(F, M)) < 1e-9 * np.linalg.norm(M) * max(1.0, np.linalg.norm(F))
    assert abs(np.vdot(F, W) - np.vdot(F, F)) < 1e-8 * np.vdot(W, W)
    kept = weights * selected / (weights * selected).sum(axis=1, keepdims=True)
    reached = att.softmax_weights(data, svm.equivalent(40.0))
    np.testing.assert_allclose(reached, kept, atol=1e-12)


def test_both_coefficients_maximise_what_they_say():
    data, W, weights, selected = draw(seed=1)
    svm = att.generalised_svm(data, selected, weights)
    grid = np.linspace(0, 100, 10_001)
    line = svm.finite + grid[:, None, None] * svm.directional.W
    nearest = grid[np.linalg.norm(line - W, axis=(1, 2)).argmin()]
    assert svm.coefficient(W) == pytest.approx(nearest, abs=0.011)
    other = W + np.random.default_rng(2).normal(size=W.shape)  # not the source of the mixture: the two differ
    aligned = grid[att.correlation(line, other).argmax()]
    assert svm.best_correlated_coefficient(other) == pytest.approx(aligned, abs=0.011)
    assert abs(svm.best_correlated_coefficient(other) - svm.coefficient(other)) > 0.05


def test_single_tokens_reduce_to_the_frobenius_svm():
    data, W, weights, _ = draw()
    tokens = weights.argmax(axis=1)
    svm = att.generalised_svm(data, np.arange(4) == tokens[:, None], weights)
    np.testing.assert_array_equal(svm.finite, 0.0)
    np.testing.assert_allclose(svm.directional.W, att.frobenius_svm(data, tokens).W, atol=1e-9)
    assert np.isnan(svm.best_correlated_coefficient(W))


def test_mixtures_that_no_matrix_has_are_inconsistent():
    """Tokens 0, 1, 2 on a line: the logits are affine along it, equal ends force an equal middle."""
    data = att.TokenData([[[0.0, 0], [1, 0], [2, 0], [0, -5]]], [[1.0, 0]], [1], [1.0, 0])
    selected = np.array([[True, True, True, False]])
    assert att.generalised_svm(data, selected, np.array([[0.4, 0.2, 0.4, 0]])).status == "inconsistent"
    uneven = np.array([[0.2, 0.3 * (1 + 1e-6), 0.45, 0]])
    assert att.generalised_svm(data, selected, uneven).status == "inconsistent"
    even = att.generalised_svm(data, selected, np.array([[0.2, 0.3, 0.45, 0]]))
    assert even.status == "optimal"
    np.testing.assert_allclose(even.finite, [[np.log(1.5), 0], [0, 0]], atol=1e-12)


def test_duplicates_may_share_but_not_differ():
    data = att.TokenData([[[1.0, 0], [1, 0], [0, 1]]], [[1.0, 0]], [1], [1.0, 0])
    selected = np.array([[True, True, False]])
    assert att.generalised_svm(data, selected, np.array([[0.5, 0.5, 0]])).status == "optimal"
    assert att.generalised_svm(data, selected, np.array([[0.6, 0.4, 0]])).status == "inconsistent"


def test_selection_keeps_the_clear_sets_only():
    s = np.array(
        [[[0.6, 0.4 - 1e-9, 1e-9]], [[0.6, 0.4 - 1e-5, 1e-5]], [[0.3, 0.3, 0.4]], [[1 - 2e-7, 1e-7, 1e-7]]]
    )
    selected, clear = att.selected_tokens(s)
    assert clear.tolist() == [True, False, False, True]
    assert selected[:, 0].tolist() == [[True, True, False]] * 2 + [[True] * 3, [True, False, False]]


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
        reached += separable(rows)
    assert silence_probability(units, tokens) == reached / 2 ** (units + tokens)


@pytest.mark.parametrize(("lean", "silenced"), [(1e-7, False), (-1e-7, True)])
def test_a_unit_that_a_token_hardly_wakes_is_awake(lean, silenced):
    assert is_silenced([[1.0, 1.0], [1.0, -1.0]], [[1.0, lean - 1.0]]) == silenced
