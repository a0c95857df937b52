"""Chapter 4, Attention as Nadaraya-Watson regression: claims, corrections and counterexamples."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import linprog
from sklearn.svm import SVC

from margins import kernels
from margins.attention import (
    attention_weights,
    hard_attention,
    loo_errors,
    nadaraya_watson,
    softmax_attention,
    svm_to_attention,
)
from margins.random_features import arc_cosine
from tests.margins_book.samples import normal


def nearest(Q, K):
    """The index of the key nearest to each query."""
    return ((Q[:, None] - K) ** 2).sum(axis=-1).argmin(axis=1)


def machine(kernel, gamma=0.7):
    """A fitted SVM with b != 0: its support vectors, coefficients alpha_j y_j, b and decision function."""
    X = normal(120, 2)
    y = np.where(X[:, 0] * X[:, 1] + 0.3 * X[:, 0] + 0.4 > 0, 1, -1)
    svc = SVC(kernel=lambda A, B: kernel(A, B, gamma=gamma), C=3.0).fit(X, y)
    return X[svc.support_], svc.dual_coef_[0], svc.intercept_[0], svc.decision_function


def test_c4_01_attention_is_a_kernel_average():
    """sum_j K(q, k_j) v_j / sum_j K(q, k_j) with K = exp(q.k/sqrt d_k) is softmax attention."""
    Q, K, V = normal(9, 4), normal(15, 4, seed=1), normal(15, 3, seed=2)
    weights = kernels.exponential(Q, K, gamma=0.5)  # 1/sqrt(4)
    average = weights @ V / weights.sum(axis=1, keepdims=True)
    assert_allclose(softmax_attention(Q, K, V), average, atol=1e-12)


def test_c4_02_outputs_lie_in_the_convex_hull_of_the_values():
    """A linear program finds convex weights for every output; a value outside the hull is never reached."""
    Q, K, V = 5 * normal(20, 3), normal(9, 3, seed=1), normal(9, 2, seed=2)
    sums, ones = np.vstack([V.T, np.ones(9)]), np.zeros(9)
    for output in softmax_attention(Q, K, V):
        assert linprog(ones, A_eq=sums, b_eq=np.r_[output, 1]).status == 0
    assert linprog(ones, A_eq=sums, b_eq=np.r_[1.1 * V.max(axis=0), 1]).status == 2  # infeasible
    direction = normal(2, seed=3)
    assert (softmax_attention(Q, K, V) @ direction).max() < (V @ direction).max()


def test_c4_03_correction_weights_are_positive_and_dense_unlike_support_vectors():
    """alpha_j(q) > 0 with sum 1 for every q; SVM coefficients are fixed, of both signs and sparse."""
    Q, K = normal(30, 4), normal(50, 4, seed=1)
    weights = attention_weights(Q, K)
    assert weights.min() > 0
    assert_allclose(weights.sum(axis=1), 1, atol=1e-14)
    _, coefficients, _, _ = machine(kernels.gaussian)
    assert coefficients.min() < 0 < coefficients.max()
    assert len(coefficients) < 120  # of 120 points: the others have alpha = 0
    assert_allclose(coefficients.sum(), 0, atol=1e-8)  # where attention weights sum to 1


def test_c4_04_correction_what_is_fixed_and_what_varies_with_the_query():
    """alpha_j y_j corresponds to v_j (fixed), K(x, x_j) to alpha_j(q) (varies); attention also normalises."""
    S, coefficients, b, decide = machine(kernels.gaussian)
    points = normal(40, 2, seed=5)
    basis = kernels.gaussian(points, S, gamma=0.7)
    assert_allclose(decide(points), basis @ coefficients + b, atol=1e-9)
    weights = attention_weights(points, S, scale=1.0)
    assert_allclose(
        softmax_attention(points, S, coefficients[:, None], scale=1.0)[:, 0], weights @ coefficients
    )
    assert coefficients.min() < 0 < weights.min()
    # without normalisation a bias is needed to fit a constant; attention reproduces constants as it is
    assert_allclose(softmax_attention(points, S, np.full((len(S), 1), 3.0)), 3, rtol=1e-14)
    assert np.ptp(basis @ np.full(len(S), 3.0)) > 1


def test_c4_06_weights_depend_on_the_query_and_on_all_keys_through_the_normaliser_only():
    """Changing one key changes every weight, but no ratio of the others."""
    q, K = normal(1, 3), normal(6, 3, seed=1)
    moved = K.copy()
    moved[0] += 1
    before, after = attention_weights(q, K)[0], attention_weights(q, moved)[0]
    assert np.abs(after - before).min() > 1e-4
    assert_allclose(after[1:] / after[1], before[1:] / before[1], rtol=1e-12)
    assert np.abs(attention_weights(q + 1, K)[0] - before).max() > 0.01


@pytest.mark.parametrize("kernel", ["exponential", "gaussian"])
def test_c4_05_a_compiled_head_agrees_with_the_svm_everywhere(kernel):
    """The sign of attention is the sign of f at 10 000 queries, with b != 0."""
    S, coefficients, b, decide = machine(getattr(kernels, kernel))
    head, points = (
        svm_to_attention(S, coefficients, b, kernel=kernel, gamma=0.7),
        2 * normal(10_000, 2, seed=1),
    )
    f = decide(points)
    assert abs(b) > 0.1
    clear = np.abs(f) > 1e-9
    assert clear.mean() > 0.999
    assert_array_equal(np.sign(head(points))[clear], np.sign(f)[clear])
    # only the sign survives: the head answers f/Z
    total = 1 + getattr(kernels, kernel)(points, S, gamma=0.7).sum(axis=1)
    assert_allclose(head(points), f / total, atol=1e-9)
    # the same head through the public function: scale 1, not 1/sqrt(d_k)
    answer = softmax_attention(head.queries(points), head.keys, head.values, scale=1.0)
    assert_array_equal(answer[:, 0], head(points))


def test_c4_07_soft_attention_hardens_at_the_rate_of_the_gap():
    """|soft - hard| <= 2 (m - 1) max|v| e^(-beta Delta); log error falls with slope -Delta."""
    rng = np.random.default_rng(1)
    q, K, V = rng.standard_normal((1, 3)), rng.standard_normal((6, 3)), rng.standard_normal((6, 1))
    gap, places = rng.uniform(0.5, 2), rng.permutation(6)
    K += (gap * places - K @ q[0])[:, None] * q / (q @ q.T)  # the logits are 0 to 5 times the gap
    V[places == 4] = V[places == 5] + 1  # were the values equal, the runner-up would leave no trace
    limit = hard_attention(q, K, V)
    beta = np.linspace(8, 25, 12) / gap
    errors = np.array([np.abs(softmax_attention(q, K, V, scale=b) - limit).max() for b in beta])
    assert (errors <= 2 * 5 * np.abs(V).max() * np.exp(-beta * gap)).all()
    assert_allclose(np.polyfit(beta, np.log(errors), 1)[0], -gap, rtol=0.05)


@pytest.mark.parametrize("d", [2, 8, 64])
def test_c4_08_the_largest_inner_product_is_the_nearest_key_iff_norms_are_equal(d):
    """50 Gaussian keys: it mostly is not the nearest; on normalised keys it always is."""
    Q, K = normal(2000, d), normal(50, d, seed=1)
    assert np.mean((Q @ K.T).argmax(axis=1) != nearest(Q, K)) > 0.4
    longest = np.linalg.norm(K, axis=1).argmax()
    short = 1e-3 * K[[longest]]  # a short query in the direction of a longest key: it wins, others are nearer
    assert (short @ K.T).argmax() == longest != nearest(short, K)[0]
    K /= np.linalg.norm(K, axis=1, keepdims=True)
    assert_array_equal((Q @ K.T).argmax(axis=1), nearest(Q, K))


def test_c4_09_correction_support_vectors_are_shared_winners_are_not():
    """One set of support vectors serves all queries; the winning key changes with the query."""
    S, coefficients, b, decide = machine(kernels.gaussian)
    points = normal(200, 2, seed=4)
    assert_allclose(kernels.gaussian(points, S, gamma=0.7) @ coefficients + b, decide(points), atol=1e-9)
    assert len(set((points @ S.T).argmax(axis=1))) > 2


def cosine_map(cosines):
    """The arc-cosine kernel of unit vectors with these cosines."""
    flat = np.minimum(np.ravel(cosines), 1)
    unit = np.column_stack([flat, np.sqrt(1 - flat**2)])
    return arc_cosine(np.array([[1.0, 0.0]]), unit).reshape(np.shape(cosines))


def test_c4_10_correction_depth_can_make_a_kernel_simpler():
    """Each such layer raises every cosine below 1; 1 - cos falls as 9 pi^2 / (2 layers^2)."""
    cosines = np.linspace(-1, 0.999, 200)
    assert (cosine_map(cosines) > cosines).all()
    cosine = np.array(-1.0)
    for _ in range(1000):
        cosine = cosine_map(cosine)
    assert_allclose((1 - cosine) * 1000**2, 4.5 * math.pi**2, rtol=0.03)


def diameter(X):
    return np.linalg.norm(X[:, None] - X, axis=-1).max()


def test_c4_10_correction_with_a_residual_close_tokens_lose_a_power_at_most():
    """1/(c D^2) grows by less than 3.2 a layer; W_V = -1 tends to 2, so that D falls as 1/sqrt(2 c L)."""
    X, c = np.array([[-0.5], [0.5]]), 0.25
    for _ in range(1000):
        before = diameter(X)
        X = X + softmax_attention(X, X, -X, scale=1.0)
        assert 0 < 1 / (c * diameter(X) ** 2) - 1 / (c * before**2) < 3.2
    assert_allclose(diameter(X) * math.sqrt(2 * c * 1000), 1, rtol=0.01)


def test_c4_10_correction_with_a_residual_far_tokens_may_meet_in_one_layer():
    """Two tokens, W_V = -2: D' = D |1 - 2 tanh(D^2/4)| is 0 where tanh(D^2/4) = 1/2, at D = sqrt(log 9)."""
    X = math.sqrt(math.log(9)) * np.array([[-0.5], [0.5]])
    assert diameter(X + softmax_attention(X, X, -2 * X, scale=1.0)) < 1e-14


def estimates_of_slanted_keys(m, h, draws, q=0.7):
    """Bias of sin(2k) and sum of s_j^2 at q, for keys of density (1 + k/4)/4 on [-2, 2]; a row a draw."""
    found = []
    for seed in range(draws):
        k = 2 * (np.sqrt(1 + 8 * np.random.default_rng(seed).uniform(size=m)) - 2)
        K = np.exp(-((q - k) ** 2) / (2 * h**2))
        s = K / K.sum()
        found.append([s @ np.sin(2 * k) - math.sin(2 * q), s @ s])
    return np.array(found)


def test_c4_11_bias_and_variance_approach_their_limits():
    """Bias h^2 (f''/2 + f' p'/p), variance 1/(2 sqrt(pi) p m h), and a squared error of order m^(-4/5)."""
    q, p = 0.7, (1 + 0.7 / 4) / 4
    B = -2 * math.sin(2 * q) + 2 * math.cos(2 * q) / 16 / p
    m, h = 20_000, 0.05
    bias, squares = estimates_of_slanted_keys(m, h, 100).T
    assert abs(bias.mean() - h**2 * B) < 4.5 * bias.std() / 10 + 0.005 * h**2 * abs(B)
    assert bias.std() < 0.1 * h**2 * abs(B)  # so that the line above says something
    assert_allclose(squares.mean() * 2 * math.sqrt(math.pi) * p * m * h, 1, rtol=0.01)
    counts, errors = [512, 2048, 8192], []
    for m in counts:
        bias, squares = estimates_of_slanted_keys(m, 0.36 * m**-0.2, 100).T
        errors.append(np.mean(bias**2 + 0.09 * squares))
    assert_allclose(np.polyfit(np.log(counts), np.log(errors), 1)[0], -0.8, atol=0.03)


def left_out(keys, values, h):
    """The residuals v_i - f^(-i)(k_i), by estimates from the other keys."""
    rest = [np.arange(len(keys)) != i for i in range(len(keys))]
    without = [nadaraya_watson(keys[[i]], keys[r], values[r], h)[0] for i, r in enumerate(rest)]
    return values - np.array(without)


def test_c4_12_the_shortcut_is_the_residual_without_the_key():
    """v_i - f^(-i)(k_i) = (v_i - f(k_i)) / (1 - s_i(k_i))."""
    keys, values = normal(30), normal(30, seed=1)
    for h in (0.3, 0.5, 3.0):
        weights = np.exp(-((keys[:, None] - keys) ** 2) / (2 * h**2))
        own = np.diag(weights) / weights.sum(axis=1)
        shortcut = (values - nadaraya_watson(keys, keys, values, h)) / (1 - own)
        assert_allclose(shortcut, left_out(keys, values, h), atol=1e-10)
        assert_allclose(loo_errors(keys, values, [h])[1], np.mean(shortcut**2), rtol=1e-10)


def test_c4_12_correction_twins_spoil_it():
    """With every pair given twice, errors are not independent: the smallest bandwidth looks best.

    At 30 keys the score would be level below the spacing to fourteen digits, its least bandwidth rounding's.
    """
    keys = np.linspace(-3, 3, 60)
    draws, bandwidths = np.sin(2 * keys) + 0.3 * normal(20, 60), np.geomspace(0.01, 3, 30)
    once = np.mean([loo_errors(keys, values, bandwidths)[1] for values in draws], axis=0)
    twice = np.array([loo_errors(keys.repeat(2), values.repeat(2), bandwidths)[1] for values in draws])
    assert 5 < once.argmin() < 25
    assert once.min() < 0.95 * once[0]
    assert (twice.argmin(axis=1) == 0).all()
    assert twice[:, 0].max() < 1e-6 < 0.01 < once.min()
