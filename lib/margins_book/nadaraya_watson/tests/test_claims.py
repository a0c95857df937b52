"""Chapter 4, Attention as Nadaraya-Watson regression: claims, corrections and counterexamples."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import linprog, nnls
from sklearn.svm import SVC

from margins import kernels
from margins.attention import (
    attention_weights,
    gaussian_lift,
    hard_attention,
    loo_errors,
    multi_head_attention,
    nadaraya_watson,
    softmax_attention,
    svm_to_attention,
    token_spread,
    winning_keys,
)
from margins.random_features import arc_cosine, projections, relu_features
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


def test_c4_01_gaussian_regression_is_attention_on_lifted_vectors():
    """Query (x/h^2, 1), key (x_j, -x_j^2/2h^2): attention of scale 1 is Gaussian regression, to rounding."""
    rng = np.random.default_rng(0)
    x = np.sort(rng.uniform(-3, 3, 80))
    y, grid = np.sin(2 * x) + 0.3 * rng.standard_normal(80), np.linspace(-3, 3, 200)
    for h in (0.2, 0.7):
        q, k = gaussian_lift(grid[:, None], x[:, None], bandwidth=h)
        assert_allclose(q, np.column_stack([grid / h**2, np.ones(200)]), rtol=1e-15)
        attended = softmax_attention(q, k, y[:, None], scale=1.0)[:, 0]
        assert_allclose(attended, nadaraya_watson(grid, x, y, h), atol=1e-11)


def test_c4_01_correction_the_circle_lift_is_another_kernel():
    """(cos x, sin x) gives the von Mises kernel exp((cos(x - x') - 1)/h^2), not the Gaussian one."""
    x, h = np.linspace(-2, 2, 40), 0.6
    y, circle = np.sin(2 * x), np.column_stack([np.cos(x), np.sin(x)])
    attended = softmax_attention(circle, circle, y[:, None], scale=h**-2)[:, 0]
    von_mises = np.exp((np.cos(x[:, None] - x) - 1) / h**2)
    assert_allclose(attended, von_mises @ y / von_mises.sum(axis=1), atol=1e-12)
    assert np.abs(attended - nadaraya_watson(x, x, y, h)).max() > 0.01


def test_c4_01_bandwidth_is_temperature():
    """With keys of equal length the scale 1/h^2 is the bandwidth h."""
    Q, K, V = normal(6, 3), normal(20, 3, seed=1), normal(20, 2, seed=2)
    K /= np.linalg.norm(K, axis=1, keepdims=True)
    for h in (0.3, 1.0):
        assert_allclose(softmax_attention(Q, K, V, scale=h**-2), nadaraya_watson(Q, K, V, h), atol=1e-12)


def test_c4_01_only_the_kernel_up_to_a_factor_of_the_query_matters():
    """A vector added to all keys changes nothing: it multiplies K(q, .) by e^(q.c); to queries it does."""
    Q, K, V = normal(9, 4), normal(15, 4, seed=1), normal(15, 3, seed=2)
    shift, mix = normal(4, seed=3), normal(4, 4, seed=4)
    output = softmax_attention(Q, K, V)
    assert_allclose(softmax_attention(Q, K + shift, V), output, atol=1e-12)
    assert_allclose(softmax_attention(Q @ mix.T, K @ np.linalg.inv(mix), V), output, atol=1e-10)
    assert np.abs(softmax_attention(Q + shift, K, V) - output).max() > 0.01
    assert np.abs(nadaraya_watson(Q, K + shift, V, 1.0) - nadaraya_watson(Q, K, V, 1.0)).max() > 0.01


def test_c4_02_attention_is_local_constant_least_squares():
    """The output is argmin_c sum_j K(q, k_j) |v_j - c|^2."""
    Q, K, V = normal(5, 3), normal(12, 3, seed=1), normal(12, 2, seed=2)
    for weights, output in zip(np.exp(Q @ K.T), softmax_attention(Q, K, V, scale=1.0), strict=True):
        root = np.sqrt(weights)[:, None]
        assert_allclose(np.linalg.lstsq(root, root * V)[0][0], output, atol=1e-12)


def test_c4_02_outputs_lie_in_the_convex_hull_of_the_values():
    """A linear program finds convex weights for every output; a value outside the hull is never reached."""
    Q, K, V = 5 * normal(20, 3), normal(9, 3, seed=1), normal(9, 2, seed=2)
    sums, ones = np.vstack([V.T, np.ones(9)]), np.zeros(9)
    for output in softmax_attention(Q, K, V):
        assert linprog(ones, A_eq=sums, b_eq=np.r_[output, 1]).status == 0
    assert linprog(ones, A_eq=sums, b_eq=np.r_[1.1 * V.max(axis=0), 1]).status == 2  # infeasible
    direction = normal(2, seed=3)
    assert (softmax_attention(Q, K, V) @ direction).max() < (V @ direction).max()


def test_c4_02_correction_signed_weights_leave_the_hull():
    """The kernel (3 - u^2) e^(-u^2/2) of smaller bias overshoots values of -1 and 1."""
    keys, queries = np.linspace(-1, 1, 40), np.linspace(-0.6, 0.6, 241)
    squares = ((queries[:, None] - keys) / 0.2) ** 2
    signed = (3 - squares) * np.exp(-squares / 2)
    assert (signed @ np.sign(keys) / signed.sum(axis=1)).max() > 1.05
    assert nadaraya_watson(queries, keys, np.sign(keys), 0.2).max() < 1


def test_c4_02_correction_a_query_that_may_ask_nobody_gets_the_empty_sum():
    """Values above 1: the empty sum 0 is no average of them."""
    Q, K, V = normal(2, 3), normal(5, 3, seed=1), 1 + np.abs(normal(5, 1, seed=2))
    asked, alone = softmax_attention(Q, K, V, mask=[[True] * 5, [False] * 5])[:, 0]
    assert alone == 0 < 1 < V.min() < asked


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


@pytest.mark.parametrize("kernel", ["exponential", "gaussian"])
def test_c4_05_correction_the_default_scale_spoils_the_agreement(kernel):
    """With 1/sqrt d_k the same keys and values are another function; keys times sqrt d_k undo it."""
    S, coefficients, b, decide = machine(getattr(kernels, kernel))
    head, points = (
        svm_to_attention(S, coefficients, b, kernel=kernel, gamma=0.7),
        2 * normal(10_000, 2, seed=1),
    )
    queries, f = head.queries(points), decide(points)
    spoiled = softmax_attention(queries, head.keys, head.values)[:, 0]
    assert np.mean(np.sign(spoiled) == np.sign(f)) < 0.97
    repaired = softmax_attention(queries, head.keys * math.sqrt(queries.shape[1]), head.values)[:, 0]
    assert_allclose(repaired, head(points), atol=1e-12)


def test_c4_05_a_gaussian_svm_without_bias_needs_no_lifted_query():
    """Keys 2 gamma x_j, values a_j exp(-gamma |x_j|^2) are exact for b = 0; a zero key of value b is not."""
    S, a, b, decide = machine(kernels.gaussian)
    points, gamma = normal(10_000, 2, seed=1), 0.7
    keys, values = 2 * gamma * S, (a * np.exp(-gamma * (S**2).sum(axis=1)))[:, None]
    unbiased = decide(points) - b
    clear = np.abs(unbiased) > 1e-6
    output = softmax_attention(points, keys, values, scale=1.0)[:, 0]
    assert_array_equal(np.sign(output)[clear], np.sign(unbiased)[clear])
    keys, values = np.vstack([keys, [[0, 0]]]), np.vstack([values, [[b]]])
    naive = softmax_attention(points, keys, values, scale=1.0)[:, 0]
    assert np.mean(np.sign(naive) == np.sign(decide(points))) < 0.99


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


@pytest.mark.parametrize(("winners", "m"), [(1, 2), (1, 8), (3, 8)])
def test_c4_07_the_bound_with_ties_is_attained(winners, m):
    """(m - t)/t diam V e^(-beta Delta), for t winners: reached if all others are runners-up of one value."""
    keys = np.r_[np.ones(winners), np.zeros(m - winners)][:, None]
    off = abs(softmax_attention([[1.0]], keys, keys, scale=15.0)[0, 0] - 1)
    assert 0.9999 < off / ((m - winners) / winners * math.exp(-15)) <= 1


def test_c4_07_the_leading_term_is_the_runner_up():
    """e^(beta Delta) (soft - hard) tends to (sum over runners-up of v_j - mean over the t winners) / t."""
    V = normal(6, 2)
    for winners in (1, 2):
        keys = np.r_[np.full(winners, 2.0), np.ones(2), np.full(4 - winners, -1.0)][:, None]
        hard = V[:winners].mean(axis=0)
        off = softmax_attention([[1.0]], keys, V, scale=15.0)[0] - hard
        lead = (V[winners : winners + 2] - hard).sum(axis=0) / winners
        assert_allclose(np.exp(15) * off, lead, atol=1e-5)


def test_c4_07_correction_never_uniformly_in_the_query():
    """Just beside a tie soft attention is half the jump away from hard attention, whatever the scale."""
    keys, V = np.array([[1.0, 1.0], [1.0, -1.0]]), np.array([[1.0], [-1.0]])
    for scale in (1.0, 1e3, 1e6):
        beside = np.array([[1.0, 1e-4 / scale]])
        assert_array_equal(hard_attention(beside, keys, V), [[1.0]])
        assert 0 < softmax_attention(beside, keys, V, scale=scale)[0, 0] < 1.01e-4


def test_c4_07_ties_share():
    """Equal maximal logits leave the uniform mean over the ties, at every temperature."""
    K, V = np.array([[1.0, 1.0], [1.0, -1.0], [0.0, 3.0]]), np.array([[0.0], [4.0], [9.0]])
    q = np.array([[2.0, 0.0]])
    assert_allclose(hard_attention(q, K, V), [[2.0]], atol=1e-15)
    assert_allclose(softmax_attention(q, K, V, scale=50.0), [[2.0]], atol=1e-12)


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


@pytest.mark.parametrize("d", [2, 8, 64])
def test_c4_08_correction_the_repair_is_a_bias_not_a_lift_of_the_keys(d):
    """A key coordinate sqrt(M^2 - |k|^2) against a query coordinate 0 changes no logit, against 1 too little;
    the key coordinate -|k|^2/2 against 1 gives the nearest key always."""
    Q, K = normal(2000, d), normal(50, d, seed=1)
    lengths = np.linalg.norm(K, axis=1)
    lifted = np.column_stack([K, np.sqrt(np.maximum(lengths.max() ** 2 - lengths**2, 0))])
    assert_allclose(np.linalg.norm(lifted, axis=1), lengths.max(), rtol=1e-12)
    with_zero, with_one = (np.column_stack([Q, np.full(2000, c)]) for c in (0.0, 1.0))
    assert_allclose(with_zero @ lifted.T, Q @ K.T, atol=1e-12)
    assert np.mean((with_one @ lifted.T).argmax(axis=1) != nearest(Q, K)) > 0.3
    # what that lift is for: the nearest lifted key is the largest inner product
    assert_array_equal(nearest(with_zero, lifted), (Q @ K.T).argmax(axis=1))
    q, k = gaussian_lift(Q, K)
    assert_array_equal((q @ k.T).argmax(axis=1), nearest(Q, K))
    assert_array_equal(hard_attention(q, k, np.eye(50)).argmax(axis=1), nearest(Q, K))


@pytest.mark.parametrize(("d", "fewest", "most"), [(2, 3, 20), (8, 40, 50), (64, 50, 50)])
def test_c4_09_the_winners_are_the_vertices_of_the_hull(d, fewest, most):
    """Keys that win some query alone are the vertices of the hull: few in the plane, most in 8-D."""
    K = normal(50, d, seed=1)
    winners = winning_keys(K)
    assert fewest <= winners.sum() <= most
    assert set((normal(5000, d) @ K.T).argmax(axis=1)) <= set(np.flatnonzero(winners))
    for j in np.flatnonzero(winners):  # k_j minus the nearest point of the hull of the others
        others = np.delete(K, j, axis=0)
        share = nnls(np.vstack([others.T, np.full(49, 1e3)]), np.r_[K[j], 1e3])[0]
        q = K[j] - share @ others / share.sum()
        assert q @ K[j] > (others @ q).max()
    for j in np.flatnonzero(~winners):  # a convex combination of the others never wins alone
        others = np.delete(K, j, axis=0)
        answer = linprog(np.zeros(49), A_eq=np.vstack([others.T, np.ones(49)]), b_eq=np.r_[K[j], 1])
        assert answer.status == 0


def test_c4_09_correction_support_vectors_are_shared_winners_are_not():
    """One set of support vectors serves all queries; the winning key changes with the query."""
    S, coefficients, b, decide = machine(kernels.gaussian)
    points = normal(200, 2, seed=4)
    assert_allclose(kernels.gaussian(points, S, gamma=0.7) @ coefficients + b, decide(points), atol=1e-9)
    assert len(set((points @ S.T).argmax(axis=1))) > 2


def test_c4_10_a_kernel_of_token_wise_features_is_positive_definite():
    """K(Phi(x), Phi(x')) is PSD for every map Phi of the single token ..."""
    X, W = normal(30, 4), normal(4, 6, seed=1)
    assert kernels.is_psd(kernels.exponential(np.tanh(X @ W)))


def test_c4_10_correction_features_of_the_context_are_not_one_kernel():
    """... but after an attention layer the value for one pair of tokens changes with the other tokens.

    A token far along the bisector of two queries (at most a right angle apart) has all their attention: both
    get its value, here the sum of two unit vectors, whose squared length is 2 at least.
    """
    X, W = normal(5, 4), normal(1, 4, 4, seed=1)
    asked = X[:2] @ W[0]
    X[1] *= np.sign(asked[0] @ asked[1])
    units = X[:2] @ W[0] / np.linalg.norm(asked, axis=1, keepdims=True)
    far, other = 1000 / np.linalg.norm(asked, axis=1).min(), X.copy()
    other[4] = far * np.linalg.solve(W[0].T, units.sum(axis=0))
    mixed = [multi_head_attention(tokens, W, W, W / far, np.eye(4)) for tokens in (X, other)]
    pairs = [kernels.exponential(tokens[:1], tokens[1:2]).item() for tokens in mixed]
    assert_allclose(math.log(pairs[1]), 2 + 2 * units[0] @ units[1], rtol=1e-9)
    assert abs(math.log(pairs[0] / pairs[1])) > 0.1
    assert kernels.exponential(X[:1], X[1:2]) == kernels.exponential(other[:1], other[1:2])


def feed_forward(X, W):
    return np.maximum(X @ W, 0) @ W.T


def test_c4_10_layers_are_permutation_equivariant_and_residuals_the_identity():
    """Reordered tokens give reordered outputs; with a branch of weight 0 the layer is the identity."""
    X, W, order = normal(7, 4), normal(1, 4, 4, seed=1), np.random.default_rng(2).permutation(7)

    def layer(tokens, size=1.0):
        mixed = tokens + multi_head_attention(tokens, W, W, W, size * np.eye(4))
        return mixed + size * feed_forward(mixed, W[0])

    assert_allclose(layer(X[order]), layer(X)[order], atol=1e-12)
    assert_allclose(feed_forward(X[order], W[0]), feed_forward(X, W[0])[order], atol=1e-14)
    assert_array_equal(layer(X, size=0.0), X)


def test_c4_10_wide_random_relu_layers_approach_the_arc_cosine_kernel():
    """Root mean square error of m random ReLU features falls as m^(-1/2)."""
    X = normal(20, 5)
    exact, widths = arc_cosine(X, X), 2 ** np.arange(6, 13)
    errors = []
    for m in widths:
        features = [relu_features(X, projections(m, 5, rng=s)) for s in range(20)]
        errors.append(math.sqrt(np.mean([(F @ F.T - exact) ** 2 for F in features])))
    assert_allclose(np.polyfit(np.log(widths), np.log(errors), 1)[0], -0.5, atol=0.1)


def test_c4_10_depth_composes_kernels():
    """Two wide random ReLU layers approach |x||y| r(r(cos t)), r the arc-cosine kernel of unit vectors."""
    X, widths = normal(20, 5), 2 ** np.arange(6, 11)
    lengths = np.outer(*2 * [np.linalg.norm(X, axis=1)])
    exact = lengths * cosine_map(arc_cosine(X, X) / lengths)
    assert kernels.is_psd(exact)
    errors = []
    for m in widths:
        squares = []
        for seed in range(20):
            rng = np.random.default_rng(seed)
            F = relu_features(relu_features(X, projections(m, 5, rng=rng)), projections(m, m, rng=rng))
            squares.append((F @ F.T - exact) ** 2)
        errors.append(math.sqrt(np.mean(squares)))
    assert_allclose(np.polyfit(np.log(widths), np.log(errors), 1)[0], -0.5, atol=0.12)


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


def test_c4_10_the_derivative_is_a_covariance_and_a_quarter_bounds_it():
    """df along u = scale Cov_s(v, u.k), by scale Cov_s(v, q.k);
    |f(q) - f(q')| <= scale/4 diam K diam V |q - q'|, and 1/4 is best."""
    Q, K, V, u = normal(9, 4), normal(15, 4, seed=1), normal(15, 3, seed=2), normal(4, seed=3)
    slope = (softmax_attention(Q + 1e-5 * u, K, V) - softmax_attention(Q - 1e-5 * u, K, V)) / 2e-5
    s = attention_weights(Q, K)
    covariance = np.einsum("qj,qjp,j->qp", s, V - (s @ V)[:, None], K @ u)
    assert_allclose(slope, covariance / 2, atol=1e-9)
    hotter = (softmax_attention(Q, K, V, scale=0.50001) - softmax_attention(Q, K, V, scale=0.49999)) / 2e-5
    by_scale = np.einsum("qj,qjp,qj->qp", s, V - (s @ V)[:, None], Q @ K.T)
    assert_allclose(hotter, by_scale, atol=1e-8)
    assert np.linalg.norm(slope, axis=1).max() <= 0.5 / 4 * diameter(K) * diameter(V) * np.linalg.norm(u)
    pair = np.array([[-1.0], [1.0]])
    assert 0.9999 < np.ptp(softmax_attention(0.005 * pair, pair, pair, scale=2.0)) / 0.02 < 1


def test_c4_10_one_layer_cubes_the_distance_of_tokens():
    """D(Y) <= |W_V| D(X) and D(Y) <= scale/4 |W_Q W_K'| |W_V| D(X)^3, attained by two close tokens."""
    for seed in range(200):
        rng = np.random.default_rng(seed)
        n, d = rng.integers(2, 12), rng.integers(1, 6)
        X, (W_Q, W_K, W_V) = rng.standard_normal((n, d)), 0.4 * rng.standard_normal((3, d, d))
        Y = softmax_attention(X @ W_Q, X @ W_K, X @ W_V)
        c = np.linalg.norm(W_Q @ W_K.T, 2) * np.linalg.norm(W_V, 2) / (4 * math.sqrt(d))
        assert diameter(Y) <= (1 + 1e-12) * np.linalg.norm(W_V, 2) * diameter(X)
        assert diameter(Y) <= (1 + 1e-12) * c * diameter(X) ** 3
        assert diameter(X + Y) >= (1 - 1e-12) * diameter(X) * (1 - c * diameter(X) ** 2)
    X = np.array([[-0.05], [0.05]])
    assert 0.9999 < diameter(softmax_attention(X, X, X, scale=1.0)) / (0.1**3 / 4) < 1


def stacked(layers, *, values, residual, seed=0):
    """Token spread before and after each of several random attention layers."""
    rng, d = np.random.default_rng(seed), 8
    X = rng.standard_normal((16, d))
    spreads = [token_spread(X)]
    for _ in range(layers):
        W_Q, W_K, W_V = rng.standard_normal((3, 1, d, d)) / math.sqrt(d)
        mixed = multi_head_attention(X, W_Q, W_K, values * W_V, np.eye(d))
        X = X + mixed if residual else mixed
        spreads.append(token_spread(X))
    return np.array(spreads)


def test_c4_10_correction_depth_without_residuals_collapses_to_one_token():
    """The spread of tokens falls about cubically from layer to layer, hence doubly exponentially; here larger
    values delay that, and a residual connection keeps three tenths of it for six layers in more than nine of
    ten stacks. Depth need not enrich."""
    bare, larger = (stacked(6, values=v, residual=False) for v in (1.0, 3.0))
    kept = [stacked(6, values=1.0, residual=True, seed=s).min() > 0.3 for s in range(400)]
    falling = bare[(bare < 0.3) & (bare > 1e-14)]
    assert len(falling) >= 2
    assert (np.log(falling[1:]) / np.log(falling[:-1]) > 2).all()
    assert bare[-1] < 1e-12  # beyond that only rounding is left, so a matrix rank would measure rounding
    assert larger[3] > 10 * bare[3]
    assert np.mean(kept) > 0.9


def test_c4_10_correction_far_tokens_need_not_collapse():
    """Outside c D^2 < 1 nothing is promised: D' = 3 D tanh(D^2/4) grows from D = 2 on, layer after layer."""
    X = np.array([[-1.0], [1.0]])
    for _ in range(6):
        Y = softmax_attention(X, X, 3 * X, scale=1.0)
        assert_allclose(diameter(Y), 3 * diameter(X) * math.tanh(diameter(X) ** 2 / 4), rtol=1e-12)
        assert diameter(Y) > 2 * diameter(X)
        X = Y


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


def test_c4_10_correction_with_a_residual_the_relative_spread_is_lost_all_the_same():
    """In thirty layers the relative spread falls below a fiftieth, while after six most of it is left: in the
    median of a hundred stacks, as single ones differ by more than a factor of ten."""
    median = np.median([stacked(30, values=1.0, residual=True, seed=s) for s in range(100)], axis=0)
    assert median[6] > 0.3
    assert median[30] < 0.02


def test_c4_11_bias_and_variance_are_exact_for_given_keys():
    """Bias sum s_j (f(k_j) - f(q)), variance sigma^2 sum s_j^2, by a hundred thousand draws of the noise."""
    rng = np.random.default_rng(0)
    keys, draws = rng.uniform(-1, 1, 20), 100_000
    s = attention_weights(*gaussian_lift([[0.2]], keys[:, None], bandwidth=0.3), scale=1.0)[0]
    found = (np.sin(3 * keys) + 0.5 * rng.standard_normal((draws, 20))) @ s
    variance = 0.25 * (s @ s)
    assert abs(found.mean() - s @ np.sin(3 * keys)) < 4.5 * math.sqrt(variance / draws)
    assert_allclose(found.var(), variance, rtol=4.5 * math.sqrt(2 / draws))


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


def test_c4_11_correction_at_an_edge_the_bias_is_of_first_order():
    """For uniform keys on [0, 1] and q = 0 the bias is h f'(0) sqrt(2/pi), not of order h^2."""
    biases = []
    for seed in range(20):
        keys = np.random.default_rng(seed).uniform(size=50_000)
        biases.append(nadaraya_watson([0.0], keys, np.sin(2 * keys), 0.03)[0])
    assert_allclose(np.mean(biases) / (2 * 0.03), math.sqrt(2 / math.pi), rtol=0.015)


def test_c4_11_correction_a_fixed_bandwidth_is_not_consistent():
    """At h = 1/2 the error of 100 000 keys is the limit E N/E Z of the bias, not 0."""
    q, u = 0.7, np.linspace(-9, 9, 9001)
    weights = np.exp(-(u**2) / 2) * (1 + (q + u / 2) / 4) * (np.abs(q + u / 2) <= 2)
    limit = weights @ (np.sin(2 * q + u) - math.sin(2 * q)) / weights.sum()
    bias, _ = estimates_of_slanted_keys(100_000, 0.5, 20).T
    assert abs(limit) > 0.3
    assert_allclose(bias.mean(), limit, rtol=0.01)


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


def test_c4_12_the_score_is_right_on_average():
    """E mean (v_i - f^(-i)(k_i))^2 = sigma^2 + mean E (f^(-i)(k_i) - f(k_i))^2, for given keys."""
    rng = np.random.default_rng(0)
    keys, sigma, h, draws = rng.uniform(-1, 1, 15), 0.5, 0.3, 20_000
    K = np.exp(-((keys[:, None] - keys) ** 2) / (2 * h**2))
    np.fill_diagonal(K, 0)
    s = K / K.sum(axis=1, keepdims=True)
    truth = np.sin(3 * keys)
    V = truth + sigma * rng.standard_normal((draws, 15))
    scores = np.mean((V - V @ s.T) ** 2, axis=1)
    expected = sigma**2 + np.mean((s @ truth - truth) ** 2 + sigma**2 * (s**2).sum(axis=1))
    assert abs(scores.mean() - expected) < 4.5 * scores.std() / math.sqrt(draws)


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
