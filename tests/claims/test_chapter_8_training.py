"""Chapter 8, Nonlinear heads: the claims that need training."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margins.attention_svm import (
    CORRELATION,
    TokenData,
    concave_head,
    correlation,
    frobenius_svm,
    generalised_svm,
    increasing_head,
    random_token_data,
    relu_head,
    selected_tokens,
    train,
)

EPS = float(np.finfo(float).eps)


def draw(seed, n, T, d, **options):
    return random_token_data(n, T, d, rng=np.random.default_rng(seed), **options)


def test_c8_01_correction_a_nonlinear_head_may_keep_one_token():
    """An increasing g(v.x) ends at one token a sequence and the attention SVM, as a linear head does."""
    data = draw(1, 4, 5, 8, batch=10)
    head = increasing_head(np.sinh, np.cosh)
    run = train(data, iterations=3000, head=head, record=1)
    assert (run.weights[-1].max(axis=-1) > 1 - 1e-6).all(axis=-1).mean() >= 0.8
    svms = np.array([solution.W for solution in frobenius_svm(data, run.tokens)])
    assert np.median(correlation(run.W[-1], svms)) > 0.999


def test_c8_01_a_concave_head_keeps_several():
    """v.x - lambda ||x||^2 is not order preserving under mixing: weights stay spread."""
    data = draw(1, 4, 5, 8, batch=10)
    run = train(data, iterations=3000, head=concave_head(1.0), normalised=False, step=1.0, record=1)
    assert (run.weights[-1].max(axis=-1) < 0.9).mean() > 0.5


# --- C8.02, C8.07, C8.09 ReLU heads and the generalised SVM ------------------------------------


@pytest.fixture(scope="module")
def mixtures():
    """ReLU-head runs at 500 and 2000 steps whose selection is clear and the same, with their SVMs."""
    rng = np.random.default_rng(8)
    data = random_token_data(3, 4, 4, rng=rng, batch=240)
    V = rng.normal(size=(240, 4, 4))
    V /= np.linalg.norm(V, axis=(1, 2), keepdims=True)
    run = train(data, head=relu_head(V), record=[500, 2000], gradient="textbook", guard=EPS, iterations=2000)
    selected, clear = selected_tokens(run.weights)
    found = []
    for b in np.flatnonzero(clear.all(axis=0) & (selected[0] == selected[1]).all(axis=(1, 2))):
        svms = [generalised_svm(data[b], selected[k, b], run.weights[k, b]) for k in range(2)]
        if svms[0].status == svms[1].status == "optimal" and selected[0, b].sum() > 3:
            found.append((run.W[:, b], svms))
    return clear[1].mean(), found


def test_c8_02_correction_the_approximation_is_one_of_directions(mixtures):
    """W(k) - W^fin - C W^mm does not vanish, but its share of ||W(k)|| does: the angle is what tends to 0."""
    _, found = mixtures
    assert len(found) >= 10
    rests = np.array(
        [
            [np.linalg.norm(W[k] - s.equivalent(s.coefficient(W[k]))) for k, s in enumerate(svms)]
            for W, svms in found
        ]
    )
    norms = np.array([np.linalg.norm(W, axis=(1, 2)) for W, _ in found])
    assert np.median(rests[:, 1]) > 0.5
    assert np.median(rests[:, 1] / norms[:, 1]) < 0.15


def test_c8_07_correction_what_is_not_automatic_off_the_finite_part(mixtures):
    """Off span(W^fin) the trained matrix points to W^mm, and the finite part stays bounded while W grows."""
    _, found = mixtures
    across = [
        [1 - correlation(W[k] - s.finite, s.directional.W) for k, s in enumerate(svms)] for W, svms in found
    ]
    assert np.median(across, axis=0)[1] < 0.02
    finite = np.array([[np.linalg.norm(s.finite) for s in svms] for _, svms in found])
    assert (finite[:, 1] < 2 * finite[:, 0] + 1).mean() >= 0.9
    growth = [np.linalg.norm(W[1]) / np.linalg.norm(W[0]) for W, _ in found]
    assert np.median(growth) > 1.1


def test_c8_07_correction_the_mixture_of_step_500_predicts_step_2000(mixtures):
    """W^fin and W^mm from the early weights describe the later matrix, better than W^mm alone does."""
    _, found = mixtures
    predicted = [1 - correlation(W[1], svms[0].equivalent(svms[0].coefficient(W[1]))) for W, svms in found]
    alone = [1 - correlation(W[1], svms[0].directional.W) for W, svms in found]
    assert np.median(predicted) < 0.02
    assert np.median(predicted) < np.median(alone)


def test_c8_09_correction_most_candidates_are_thrown_away(mixtures):
    """Runs with weights between 1e-6 and 1e-3, or none suppressed, are left out: about 3 of 4 at d = 4."""
    share, _ = mixtures
    assert 0.1 < share < 0.4


# --- C8.05 sparsemax ---------------------------------------------------------------------------


def sparsemax(a):
    """The Euclidean projection of a on the simplex."""
    u = np.sort(a)[::-1]
    shift = (np.cumsum(u) - 1) / np.arange(1, len(a) + 1)
    return np.maximum(a - shift[u > shift][-1], 0.0)


def trained_on_orthonormal_tokens(scores, curvature, record):
    """Weights and W after plain descent on one sequence of orthonormal tokens of these scores a problem."""
    B, T = scores.shape
    data = TokenData(
        np.broadcast_to(np.eye(T), (B, 1, T, T)),
        np.broadcast_to(np.eye(T)[:1], (B, 1, T)),
        np.ones((B, 1)),
        scores,
    )
    run = train(
        data,
        head=concave_head(curvature),
        loss=CORRELATION,
        normalised=False,
        step=1.0,
        iterations=record[-1],
        record=record,
    )
    return run.weights[:, :, 0], run.W  # (R, B, T), (R, B, T, T)


@pytest.mark.parametrize("curvature", [0.2, 0.5, 1.5])
def test_c8_05_attention_with_a_concave_head_becomes_sparsemax(curvature):
    """s tends to sparsemax(gamma / 2 lambda); zeros decay like 1/(c t), c the gap of their KKT condition."""
    scores = np.random.default_rng(5).normal(size=(40, 6))
    target = np.array([sparsemax(row / (2 * curvature)) for row in scores])
    slopes = scores - 2 * curvature * target
    level = np.where(target > 0, slopes, -np.inf).max(axis=1)
    gap = (level[:, None] - np.where(target > 0, -np.inf, slopes)).min(axis=1)
    least = np.where(target > 0, target, np.inf).min(axis=1)
    clear = (gap > 0.1) & np.isfinite(gap) & (least > 0.2)  # near-ties take their time
    record = [3000, 12_000]
    weights, _ = trained_on_orthonormal_tokens(scores[clear], curvature, record)
    errors = np.abs(weights - target[clear]).max(axis=-1)  # (2, B)
    assert clear.sum() >= 4
    assert (errors * gap[clear] * np.array(record)[:, None] < 6).all()
    assert_allclose(errors[0] / errors[1], 4.0, rtol=0.35)


def test_c8_05_correction_a_strong_curvature_is_served_at_finite_w():
    """2 lambda > sum_t (gamma_t - min gamma): softmax attains the optimum, and W stops."""
    scores = np.random.default_rng(6).normal(size=(8, 4))
    curvature = 0.55 * (scores - scores.min(axis=1, keepdims=True)).sum(axis=1).max()
    weights, W = trained_on_orthonormal_tokens(scores, curvature, [2000, 8000])
    target = np.array([sparsemax(row / (2 * curvature)) for row in scores])
    assert (target > 0).all()
    assert_allclose(weights[1], target, atol=1e-6)
    assert_allclose(W[1], W[0], atol=1e-4)


def test_c8_05_one_token_wins_iff_the_gap_is_at_least_two_lambda():
    """gamma_(1) - gamma_(2) on both sides of 2 lambda."""
    scores = np.array([[1.0, 0.5, 0.0, -0.3]])
    for curvature, one in ((0.2, True), (0.3, False)):
        weights, _ = trained_on_orthonormal_tokens(scores, curvature, [8000])
        assert (weights.max() > 0.99) == one
