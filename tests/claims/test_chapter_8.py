"""Chapter 8, Nonlinear heads: the claims that need no training, with their corrections."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from margins.attention_svm import (
    CORRELATION,
    TokenData,
    concave_head,
    correlation,
    generalised_svm,
    loss_gradient,
    random_token_data,
    softmax_weights,
)

seeds = st.integers(0, 10**6)
quick = settings(derandomize=True, deadline=None, max_examples=25)


def measured_mixture(seed, n=3, T=4, d=6, kept=0.1):
    """Token data, a random matrix W, its attention weights, and the tokens with weight above `kept`."""
    rng = np.random.default_rng(seed)
    data = random_token_data(n, T, d, rng=rng)
    W = 3 * rng.normal(size=(d, d))
    weights = softmax_weights(data, W)
    return data, W, weights, weights > kept


def mixture_svm(seed, **options):
    """The generalised SVM of a measured mixture with some token left out, and its source."""
    data, W, weights, selected = measured_mixture(seed, **options)
    assume(not selected.all())
    svm = generalised_svm(data, selected, weights)
    assume(svm.status == "optimal")
    return data, W, weights, selected, svm


# --- C8.01 which heads select one token ---------------------------------------------------------


@quick
@given(seeds)
def test_c8_01_correction_increasing_heads_still_prefer_a_single_token(seed):
    """For h = g(v.x) with g increasing no mixture beats the best token: nonlinear does not mean several."""
    rng = np.random.default_rng(seed)
    X, v, mixtures = rng.normal(size=(5, 3)), rng.normal(size=3), rng.dirichlet(np.ones(5), size=200)

    def head(x):
        return np.tanh(2 * x @ v) + 0.2 * (x @ v) ** 3

    assert head(mixtures @ X).max() < head(X).max() + 1e-12


def test_c8_01_a_concave_head_prefers_a_mixture():
    """h(x) = v.x - ||x||^2 with two equally good orthonormal tokens: their mean beats both."""
    X, v = np.eye(2), np.ones(2)

    def head(x):
        return x @ v - (x**2).sum(axis=-1)

    assert head(X.mean(axis=0)) > head(X).max() + 0.4


# --- C8.02, C8.03, C8.04 a direction and a finite part ------------------------------------------


@quick
@given(seeds)
def test_c8_02_finite_part_and_direction_produce_the_mixture(seed):
    """W^fin + R W^mm gives the selected tokens their probabilities up to O(e^-R)."""
    data, _, weights, selected, svm = mixture_svm(seed)
    target = np.where(selected, weights, 0.0)
    target /= target.sum(axis=1, keepdims=True)
    logits = np.einsum("ntd,de,ne->nt", data.X, svm.finite, data.Z)
    spread = np.exp(logits.max() - logits.min())
    for R in (2.0, 10.0, 25.0):
        reached = softmax_weights(data, svm.equivalent(R))
        assert np.abs(reached - target).max() <= 4 * spread * np.exp(-R) + 1e-12


@quick
@given(seeds)
def test_c8_02_correction_the_trained_matrix_contains_the_finite_part_exactly(seed):
    """The projection of W on span{(x_t - x_tau) z'} is W^fin, for every W that has the measured mixture."""
    data, W, _, selected, svm = mixture_svm(seed)
    rows = [
        np.outer(data.X[i, t] - data.X[i, tau], data.Z[i]).reshape(-1)
        for i in range(3)
        for t in np.flatnonzero(selected[i])
        for tau in np.flatnonzero(selected[i])
    ]
    projected = np.linalg.pinv(np.array(rows), rcond=1e-10) @ (np.array(rows) @ W.reshape(-1))
    assert_allclose(projected.reshape(6, 6), svm.finite, atol=1e-8)


@quick
@given(seeds, st.floats(0.1, 30.0))
def test_c8_03_the_direction_masks_and_the_finite_part_mixes(seed, R):
    """Along W^mm ratios inside the selection stay fixed, and those across it fall at least as e^-R."""
    data, _, _, selected, svm = mixture_svm(seed)
    before = np.einsum("ntd,de,ne->nt", data.X, svm.finite, data.Z)
    change = np.einsum("ntd,de,ne->nt", data.X, R * svm.directional.W, data.Z)
    for i in range(3):
        inside, outside = change[i, selected[i]], change[i, ~selected[i]]
        assert np.ptp(inside) < 1e-8 * (1 + np.abs(change).max())
        assert len(outside) == 0 or outside.max() <= inside.min() - R * (1 - 1e-9)
        logits = before[i, selected[i]]
        ratios = np.log(softmax_weights(data, svm.finite)[i, selected[i]])
        assert_allclose(ratios - ratios[0], logits - logits[0], atol=1e-9)


@quick
@given(seeds, st.floats(0.1, 20.0))
def test_c8_04_finite_matrices_leave_every_token_some_weight(seed, scale):
    """s_t >= e^(-2 max |a|) / T > 0: exact zeros need ||W|| -> infinity."""
    data, W, _, _ = measured_mixture(seed)
    logits = np.einsum("ntd,de,ne->nt", data.X, scale * W, data.Z)
    log_weights = logits - np.logaddexp.reduce(logits, axis=1, keepdims=True)
    assert (log_weights >= -2 * np.abs(logits).max() - np.log(4) - 1e-9).all()


# --- C8.05 the concave head and sparsemax -------------------------------------------------------


def sparsemax(y):
    """The point of the probability simplex nearest to y."""
    ordered = np.sort(y)[::-1]
    excess = np.cumsum(ordered) - 1
    count = np.flatnonzero(ordered * np.arange(1, len(y) + 1) > excess)[-1] + 1
    return np.maximum(y - excess[count - 1] / count, 0.0)


def concave_value(s, gamma, curvature):
    """h of a mixture s of orthonormal tokens: gamma.s - lambda ||s||^2."""
    return s @ gamma - curvature * (s * s).sum(axis=-1)


@quick
@given(seeds, st.floats(0.02, 2.0))
def test_c8_05_sparsemax_maximises_the_concave_head(seed, curvature):
    """For orthonormal tokens the best mixture is the projection of gamma / 2 lambda on the simplex."""
    rng = np.random.default_rng(seed)
    gamma, rivals = rng.normal(size=6), rng.dirichlet(np.full(6, 0.4), size=500)
    best = sparsemax(gamma / (2 * curvature))
    assert best.sum() == pytest.approx(1.0)
    assert concave_value(rivals, gamma, curvature).max() <= concave_value(best, gamma, curvature) + 1e-12
    slope = gamma - 2 * curvature * best
    assert np.ptp(slope[best > 0]) < 1e-9
    assert (slope[best == 0] <= slope[best > 0].max() + 1e-12).all()


@quick
@given(seeds)
def test_c8_05_curvature_decides_how_many_tokens_share(seed):
    """One token iff gamma_(1) - gamma_(2) >= 2 lambda; all iff 2 lambda > sum (gamma_t - min gamma)."""
    gamma = np.random.default_rng(seed).normal(size=6)
    ordered = np.sort(gamma)[::-1]
    alone, together = ordered[0] - ordered[1], (gamma - gamma.min()).sum()

    def selected(twice_curvature):
        return (sparsemax(gamma / twice_curvature) > 0).sum()

    assert selected(0.999 * alone) == 1 < selected(1.001 * alone)
    assert selected(0.999 * together) < 6 == selected(1.001 * together)


@pytest.mark.parametrize("seed", range(5))
def test_c8_05_correction_strong_curvature_is_served_by_a_finite_matrix(seed):
    """Beyond 2 lambda = sum (gamma_t - min gamma) softmax attains the optimum; the gradient is zero there."""
    v = np.random.default_rng(seed).normal(size=5)
    curvature = 0.6 * (v - v.min()).sum()
    data = TokenData(np.eye(5)[None], np.eye(5)[:1], [1], v)
    best = sparsemax(v / (2 * curvature))
    W = np.outer(np.log(best), np.eye(5)[0])
    head = concave_head(curvature)
    choices = {"head": head, "loss": CORRELATION}
    assert_allclose(softmax_weights(data, W)[0], best, atol=1e-12)
    assert_allclose(loss_gradient(data, W, **choices), 0.0, atol=1e-12)
    assert np.abs(loss_gradient(data, np.zeros((5, 5)), **choices)).max() > 1e-3


@quick
@given(seeds, st.floats(0.05, 2.0))
def test_c8_05_finite_stationary_points_are_global(seed, curvature):
    """s_t (g_t - s.g) = 0 with all s_t > 0 makes the slopes equal: the optimum of a concave problem."""
    gamma = np.random.default_rng(seed).normal(size=5)
    level = (gamma.sum() - 2 * curvature) / 5
    stationary = (gamma - level) / (2 * curvature)  # the only point of the plane sum s = 1 with equal slopes
    assert stationary.sum() == pytest.approx(1.0)
    if stationary.min() > 0:
        assert_allclose(stationary, sparsemax(gamma / (2 * curvature)), atol=1e-12)
    else:
        assert sparsemax(gamma / (2 * curvature)).min() == 0.0


# --- C8.06, C8.07 the coefficient ---------------------------------------------------------------


@quick
@given(seeds)
def test_c8_06_correction_the_printed_coefficient_is_unbounded(seed):
    """C = argmax <W^fin + C W^mm, W> maximises a linear function of C: it grows without end."""
    _, W, _, _, svm = mixture_svm(seed)
    products = [np.vdot(svm.equivalent(C), W) for C in (0.0, 1e3, 1e6)]
    slope = np.vdot(svm.directional.W, W)
    assert slope > 0
    assert_allclose(np.diff(products), [1e3 * slope, 999e3 * slope], rtol=1e-9)


@quick
@given(seeds)
def test_c8_06_correction_most_correlated_and_closest_coefficients_coincide(seed):
    """<W^fin, W^mm> = 0 and <W^fin, W> = ||W^fin||^2, hence both are <W^mm, W> / ||W^mm||^2."""
    _, W, _, _, svm = mixture_svm(seed)
    assume(np.linalg.norm(svm.finite) > 1e-3)
    M = svm.directional.W
    expected = np.vdot(M, W) / np.vdot(M, M)
    assert svm.coefficient(W) == pytest.approx(expected, rel=1e-9)
    assert svm.best_correlated_coefficient(W) == pytest.approx(expected, rel=1e-7)
    best = correlation(svm.equivalent(expected), W)
    assert all(correlation(svm.equivalent(C), W) <= best + 1e-12 for C in expected * np.linspace(0, 3, 31))


@quick
@given(seeds)
def test_c8_07_correction_adding_the_finite_part_always_helps(seed):
    """corr(F + C M, W)^2 = (|F|^2 + <M, W>^2 / |M|^2) / |W|^2 >= corr(M, W)^2 for every W, trained or not."""
    _, W, _, _, svm = mixture_svm(seed)
    F, M = svm.finite, svm.directional.W
    joint = correlation(svm.equivalent(svm.coefficient(W)), W)
    pythagoras = (np.vdot(F, F) + np.vdot(M, W) ** 2 / np.vdot(M, M)) / np.vdot(W, W)
    assert joint**2 == pytest.approx(pythagoras, rel=1e-8)
    assert joint >= correlation(M, W) - 1e-12


# --- C8.08 what the generalised SVM can and cannot know -----------------------------------------


def test_c8_08_correction_no_head_enters_only_the_measured_mixture():
    """The direction follows from the masks, the finite part from the probabilities: both must be measured."""
    data, _, weights, selected = measured_mixture(0)
    tempered = weights**0.5
    first, second = generalised_svm(data, selected, weights), generalised_svm(data, selected, tempered)
    assert_allclose(first.directional.W, second.directional.W, atol=1e-12)
    assert_allclose(second.finite, first.finite / 2, atol=1e-9)
    assert np.linalg.norm(first.finite) > 0.1


def test_c8_08_real_limits():
    """No token suppressed: W stays finite. Or equalities contradict, or a mixture holds a token inside."""
    line = TokenData([[[0.0, 0], [1, 0], [2, 0]]], [[1.0, 0]], [1], [1.0, 0])
    everything = np.ones((1, 3), dtype=bool)
    with pytest.raises(ValueError, match="selected must leave out some token, or W needs no direction"):
        generalised_svm(line, everything, np.full((1, 3), 1 / 3))
    ends = np.array([[True, False, True]])
    assert generalised_svm(line, ends, np.array([[0.5, 0, 0.5]])).status == "infeasible"
    longer = TokenData(np.append(line.X, [[[0.0, 1]]], axis=1), line.Z, [1], line.v)
    first_three = np.array([[True, True, True, False]])
    assert generalised_svm(longer, first_three, np.array([[0.4, 0.2, 0.4, 0]])).status == "inconsistent"
