"""Chapter 8, Nonlinear heads: the claims that need no training, with their corrections."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.optimize import linprog

from margins import attention_svm as att

seeds = st.integers(0, 10**6)
dimensions = st.sampled_from([4, 6, 8, 10])  # those of the published study
quick = settings(derandomize=True, deadline=None, max_examples=25)


def measured_mixture(seed, n=3, T=4, d=6, kept=0.1):
    """Token data, a random matrix W, its attention weights, and the tokens with weight above `kept`."""
    rng = np.random.default_rng(seed)
    data = att.random_token_data(n, T, d, rng=rng)
    W = 3 * rng.normal(size=(d, d))
    weights = att.softmax_weights(data, W)
    return data, W, weights, weights > kept


def mixture_svm(seed, **options):
    """The generalised SVM of a measured mixture with some token left out, and its source."""
    data, W, weights, selected = measured_mixture(seed, **options)
    assume(not selected.all())
    svm = att.generalised_svm(data, selected, weights)
    assert svm.status == "optimal"  # three queries and four tokens have room in four dimensions
    return data, W, weights, selected, svm


def rows_inside(data, selected):
    """The matrices (x_t - x_tau) z' of selected pairs, laid flat."""
    return np.array(
        [
            np.outer(x[t] - x[tau], z).ravel()
            for x, z, kept in zip(data.X, data.Z, selected, strict=True)
            for t in np.flatnonzero(kept)
            for tau in np.flatnonzero(kept)
        ]
    )


def logits_of(data, W):
    return np.einsum("ntd,de,ne->nt", data.X, W, data.Z)


@quick
@given(seeds)
def test_c8_01_correction_increasing_heads_still_prefer_a_single_token(seed):
    """For h = g(v.x) with g increasing no mixture beats the best token: nonlinear does not mean several."""
    rng = np.random.default_rng(seed)
    X, v, mixtures = rng.normal(size=(5, 3)), rng.normal(size=3), rng.dirichlet(np.ones(5), size=200)

    def head(x):
        return np.tanh(2 * x @ v) + 0.2 * (x @ v) ** 3

    for label in (1, -1):
        assert (label * head(mixtures @ X)).max() < (label * head(X)).max()


@quick
@given(seeds)
def test_c8_01_correction_convex_heads_keep_one_token_where_the_label_is_positive(seed):
    """A sum of max(0, V_p . x) is convex: with label +1 no mixture earns more than the best token."""
    rng = np.random.default_rng(seed)
    X, V, mixtures = rng.normal(size=(5, 3)), rng.normal(size=(4, 3)), rng.dirichlet(np.ones(5), size=200)
    values = np.maximum(X @ V.T, 0).sum(axis=1)
    assume(values.max() > 0)
    assert np.maximum(mixtures @ X @ V.T, 0).sum(axis=1).max() < values.max()


def test_c8_01_and_may_mix_where_it_is_negative():
    """Units (1, -1) and (-1, 1), tokens e_1 and e_2: the middle silences both units, each token one only."""
    V, X = np.array([[1.0, -1], [-1, 1]]), np.eye(2)
    assert np.maximum(V @ X.mean(axis=0), 0).sum() == 0 < np.maximum(X @ V.T, 0).sum(axis=1).min()


@quick
@given(seeds)
def test_c8_02_a_mixture_is_reached_iff_both_systems_have_solutions(seed):
    """The status against linear programs over W, in the plane, where there is no room for everything."""
    rng = np.random.default_rng(seed)
    data = att.random_token_data(2, 5, 2, rng=rng)
    selected = np.zeros((2, 5), dtype=bool)
    for row in selected:
        row[rng.permutation(5)[: rng.integers(1, 4)]] = True
    weights = rng.dirichlet(np.ones(5), size=2)
    equal, asked, across = [], [], []
    for x, z, kept, p in zip(data.X, data.Z, selected, weights, strict=True):
        first, *others = np.flatnonzero(kept)
        equal += [np.outer(x[first] - x[t], z).ravel() for t in others]
        asked += [np.log(p[first] / p[t]) for t in others]
        across += [
            np.outer(x[t] - x[tau], z).ravel() for t in (first, *others) for tau in np.flatnonzero(~kept)
        ]
    free = {"c": np.zeros(4), "bounds": [(None, None)] * 4}
    ties = {"A_eq": np.array(equal), "b_eq": np.zeros(len(equal))} if equal else {}
    finite = not equal or linprog(**free, A_eq=np.array(equal), b_eq=asked).status == 0
    directional = linprog(**free, **ties, A_ub=-np.array(across), b_ub=-np.ones(len(across))).status == 0
    svm = att.generalised_svm(data, selected, weights)
    assert svm.directional.feasible == directional
    assert (svm.status == "inconsistent") == (not finite)


@quick
@given(seeds, st.floats(0.1, 30.0))
def test_c8_03_the_direction_masks_and_the_finite_part_mixes(seed, R):
    """Along W^mm ratios inside the selection stay fixed, and those across it fall at least as e^-R."""
    data, W, _, selected, svm = mixture_svm(seed)
    before, change = logits_of(data, svm.finite), logits_of(data, R * svm.directional.W)
    for i in range(3):
        inside, outside = change[i, selected[i]], change[i, ~selected[i]]
        assert np.ptp(inside) < 1e-8 * (1 + np.abs(change).max())
        assert len(outside) == 0 or outside.max() <= inside.min() - R * (1 - 1e-9)
        logits = before[i, selected[i]]
        ratios = np.log(att.softmax_weights(data, svm.finite)[i, selected[i]])
        assert_allclose(ratios - ratios[0], logits - logits[0], atol=1e-9)
        measured = np.log(att.softmax_weights(data, W)[i, selected[i]])
        assert_allclose(ratios - ratios[0], measured - measured[0], atol=1e-7)
    size = np.linalg.norm(svm.finite) * np.linalg.norm(svm.directional.W)
    assert abs(np.vdot(svm.finite, svm.directional.W)) <= 1e-9 * size + 1e-12


@quick
@given(seeds, st.floats(0.1, 20.0))
def test_c8_04_finite_matrices_leave_every_token_some_weight(seed, scale):
    """s_t >= e^(-2 max |a|) / T > 0: exact zeros need ||W|| -> infinity."""
    data, W, _, _ = measured_mixture(seed)
    logits = logits_of(data, scale * W)
    log_weights = logits - np.logaddexp.reduce(logits, axis=1, keepdims=True)
    assert (log_weights >= -2 * np.abs(logits).max() - np.log(4) - 1e-9).all()


@quick
@given(seeds, st.floats(0.1, 3.0))
def test_c8_05_a_concave_head_wants_the_nearest_point_of_the_hull(seed, curvature):
    """h(x*) - h(x) >= lambda ||x - x*||^2 for all outputs x; with label -1 the farthest token is best."""
    rng = np.random.default_rng(seed)
    X, v = rng.normal(size=(5, 4)), rng.normal(size=4)
    rivals = rng.dirichlet(np.full(5, 0.5), size=300) @ X
    wanted = att.nearest_mixture(X, v / (2 * curvature)) @ X

    def head(x):
        return x @ v - curvature * (x * x).sum(axis=-1)

    assert (head(wanted) - head(rivals) >= curvature * ((rivals - wanted) ** 2).sum(axis=1) - 1e-9).all()
    assert head(rivals).min() > head(X).min()


@pytest.mark.parametrize("seed", range(5))
def test_c8_05_correction_strong_curvature_is_served_by_a_finite_matrix(seed):
    """Beyond 2 lambda = sum (gamma_t - min gamma) softmax attains the optimum; the gradient is zero there."""
    v = np.random.default_rng(seed).normal(size=5)
    curvature = 0.6 * (v - v.min()).sum()
    data = att.TokenData(np.eye(5)[None], np.eye(5)[:1], [1], v)
    best = att.sparsemax(v / (2 * curvature))
    W = np.outer(np.log(best), np.eye(5)[0])
    choices = {"head": att.concave_head(curvature), "loss": att.CORRELATION}
    assert_allclose(att.softmax_weights(data, W)[0], best, atol=1e-12)
    assert_allclose(att.loss_gradient(data, W, **choices), 0.0, atol=1e-12)
    assert np.abs(att.loss_gradient(data, np.zeros((5, 5)), **choices)).max() > 1e-3


@quick
@given(seeds)
def test_c8_05_finite_stationary_points_are_global(seed):
    """With room and concave heads: the gradient vanishes at a wish without zeros, and nowhere else."""
    rng = np.random.default_rng(seed)
    data = att.random_token_data(3, 4, 5, rng=rng)
    data = att.TokenData(data.X, data.Z, np.ones(3), data.v)
    curvature = rng.uniform(0.5, 4.0)
    choices = {"head": att.concave_head(curvature)}
    wish = np.array([att.nearest_mixture(X, data.v / (2 * curvature)) for X in data.X])
    inner = 0.8 * wish + 0.2 * rng.dirichlet(np.ones(4), size=3)
    for weights in (wish, inner):
        if weights.min() < 1e-3:
            continue
        W = matrix_with(data, weights)
        assert_allclose(att.softmax_weights(data, W), weights, atol=1e-8)
        size = np.linalg.norm(att.loss_gradient(data, W, **choices))
        assert (size < 1e-9) if weights is wish else (size > 1e-7)
    if wish.min() < 1e-9:
        svm = att.generalised_svm(data, wish > 1e-9, wish)
        losses = [att.training_loss(data, svm.equivalent(R), **choices) for R in (2.0, 4.0, 8.0)]
        sizes = [
            np.linalg.norm(att.loss_gradient(data, svm.equivalent(R), **choices)) for R in (2.0, 4.0, 8.0)
        ]
        assert losses[0] > losses[1] > losses[2]
        assert min(sizes) > 0


def matrix_with(data, weights):
    """The shortest W whose attention weights are the given ones."""
    rows = rows_inside(data, np.ones(weights.shape, dtype=bool))
    asked = (np.log(weights)[:, :, None] - np.log(weights)[:, None]).ravel()
    return np.linalg.lstsq(rows, asked, rcond=1e-10)[0].reshape(2 * data.v.shape)


@quick
@given(seeds, dimensions)
def test_c8_06_correction_the_printed_coefficient_is_unbounded(seed, d):
    """C = argmax <W^fin + C W^mm, W> maximises a linear function of C: it grows without end."""
    _, W, _, _, svm = mixture_svm(seed, d=d)
    products = [np.vdot(svm.equivalent(C), W) for C in (0.0, 1e3, 1e6)]
    slope = np.vdot(svm.directional.W, W)
    assert slope > 0
    assert_allclose(np.diff(products), [1e3 * slope, 999e3 * slope], rtol=1e-7)


@quick
@given(seeds)
def test_c8_08_correction_no_head_enters_only_the_measured_mixture(seed):
    """The direction follows from the masks, the finite part from the probabilities: both must be measured."""
    data, _, weights, selected, _ = mixture_svm(seed)
    tempered = weights**0.5
    first, second = (
        att.generalised_svm(data, selected, weights),
        att.generalised_svm(data, selected, tempered),
    )
    assert_allclose(first.directional.W, second.directional.W, atol=1e-9)
    assert_allclose(second.finite, first.finite / 2, atol=1e-9)
    assert (np.linalg.norm(first.finite) > 1e-3) == (selected.sum() > 3)
