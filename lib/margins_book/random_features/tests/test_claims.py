"""Chapter 5, Random features and linear attention: claims, corrections and counterexamples."""

import math
import tracemalloc

import numpy as np
import pytest
from numpy.polynomial.hermite_e import hermegauss
from numpy.testing import assert_allclose
from scipy.stats import multinomial

from margins import kernels
from margins import random_features as rf
from margins.attention import softmax_attention
from margins.softmax_kernel import elu_features
from tests.margins_book.samples import normal, slope

KINDS = ("positive", "trigonometric", "hyperbolic")


def pair(a, b, d=2):
    """Vectors x, y in R^d with |x + y|^2 = a and |x - y|^2 = b, the two at right angles."""
    total, difference = np.zeros(d), np.zeros(d)
    total[0], difference[1] = math.sqrt(a), math.sqrt(b)
    return (total + difference) / 2, (total - difference) / 2


def test_c5_01_moving_the_brackets_changes_no_number():
    """(phi_q phi_k') V, row by row over (phi_q phi_k') 1, is phi_q (phi_k' V) over phi_q (phi_k' 1)."""
    phi_q, phi_k, V = elu_features(normal(40, 6)), elu_features(normal(50, 6, seed=1)), normal(50, 3, seed=2)
    matrix = phi_q @ phi_k.T
    left = matrix @ V / matrix.sum(axis=1, keepdims=True)
    assert_allclose(rf.linear_attention(phi_q, phi_k, V), left, atol=1e-12)


def test_c5_01_correction_no_finite_features_hold_on_all_of_r_d_but_they_do_on_less():
    """exp(q.k) on R^d x R^d has Gram matrices of every rank; on orthogonal subspaces it is 1, of rank one."""
    x = np.linspace(-2, 2, 6)[:, None]
    assert np.linalg.matrix_rank(kernels.exponential(x)) == 6  # every set of distinct points: full rank
    queries, keys = np.outer(normal(9), [1, 0]), np.outer(normal(9, seed=1), [0, 1])
    assert np.linalg.matrix_rank(kernels.exponential(queries, keys)) == 1
    # and for any fixed set of m keys, m features are exact: phi(q) = (exp(q.k_j))_j, psi(k_j) = e_j
    Q, K, V = normal(7, 2), normal(5, 2, seed=1), normal(5, 2, seed=2)
    linear = rf.linear_attention(kernels.exponential(Q, K), np.eye(5), V)
    assert_allclose(linear, softmax_attention(Q, K, V, scale=1.0), atol=1e-12)


def test_c5_02_linear_attention_wins_beyond_twice_the_features():
    """Counted operations: n^2 d against n D d, crossing at n = D (2 + 1/d)."""
    D, d, n = 256, 64, 2 ** np.arange(9, 15)
    exact = np.array([rf.attention_flops(int(i), d) for i in n], float)
    linear = np.array([rf.linear_attention_flops(int(i), d, D) for i in n], float)
    assert_allclose([slope(n, exact), slope(n, linear)], [2, 1], atol=1e-12)
    assert_allclose(exact / linear, n / (D * (2 + 1 / d)), rtol=1e-12)
    assert_allclose((exact / linear)[[0, 2, 5]], [0.996, 3.98, 31.9], rtol=0.01)


def test_c5_02_correction_exact_attention_needs_no_matrix_of_all_weights():
    """What is most at most beyond Q, K and V: next to nothing of the n^2 weights, at most O(n)."""
    most = []
    for n in (2048, 4096):
        Q = normal(n, 4)
        tracemalloc.start()
        softmax_attention(Q, Q, Q)
        most.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert most[1] <= 2.2 * most[0]
    assert most[1] < 0.05 * 8 * 4096**2


@pytest.mark.parametrize("kernel", ["gaussian", "laplacian"])
def test_c5_03_fourier_features_are_unbiased_at_the_rate_m_to_the_minus_half(kernel):
    """Gaussian omega gives exp(-|x - y|^2/2), Cauchy omega exp(-|x - y|_1); RMSE slope -1/2."""
    X, widths, draws = 0.7 * normal(12, 3), 2 ** np.arange(4, 10), 200
    gaussian = kernel == "gaussian"
    exact = kernels.gaussian(X, gamma=0.5) if gaussian else kernels.laplacian(X, gamma=1.0)
    draw = rf.projections if gaussian else rf.cauchy_projections
    errors, means = [], []
    for m in widths:
        features = [rf.fourier_features(X, draw(m, 3, rng=s)) for s in range(draws)]
        estimates = np.array([F @ F.T for F in features])
        errors.append(math.sqrt(np.mean((estimates - exact) ** 2)))
        means.append(np.abs(estimates.mean(axis=0) - exact).max() * math.sqrt(draws * m))
    assert_allclose(slope(widths, errors), -0.5, atol=0.05)
    assert max(means) < 5  # a projection's cosine varies by at most 1: five standard errors


def test_c5_03_correction_the_softmax_kernel_is_not_shift_invariant():
    """Bochner needs K(x - y); exp(q.k) = e^(|q|^2/2) e^(-|q - k|^2/2) e^(|k|^2/2) gets there by factors."""
    Q, K, shift = normal(5, 3), normal(6, 3, seed=1), normal(3, seed=2)
    exact = kernels.exponential(Q, K)
    assert np.abs(kernels.exponential(Q + shift, K + shift) - exact).max() > 1
    left, right = (np.exp((X**2).sum(axis=1) / 2) for X in (Q, K))
    assert_allclose(left[:, None] * kernels.gaussian(Q, K, gamma=0.5) * right, exact, rtol=1e-12)
    omega = rf.projections(50, 3, rng=0)
    trigonometric = [rf.softmax_features(X, omega, "trigonometric") for X in (Q, K)]
    fourier = [rf.fourier_features(X, omega) for X in (Q, K)]
    expected = left[:, None] * (fourier[0] @ fourier[1].T) * right
    assert_allclose(trigonometric[0] @ trigonometric[1].T, expected, rtol=1e-11)


@pytest.mark.parametrize("kernel", ["gaussian", "laplacian"])
def test_c5_03_correction_only_the_constant_of_the_uniform_bound_needs_a_second_moment(kernel):
    """sqrt(m) times the largest error on [0, 2] stays put for both; E omega^2 is 1, or infinite."""
    distance, gaussian = np.linspace(0, 2, 101), kernel == "gaussian"
    exact = np.exp(-(distance**2) / 2) if gaussian else np.exp(-distance)
    draw = rf.projections if gaussian else rf.cauchy_projections
    scaled = []
    for m in (64, 1024):
        means = (np.cos(draw(m, 1, rng=seed) * distance).mean(axis=0) for seed in range(200))
        scaled.append(math.sqrt(m) * np.mean([np.abs(mean - exact).max() for mean in means]))
    assert_allclose(scaled, 0.63 if gaussian else 1.22, rtol=0.12)  # standard errors of 5 per cent
    squares = draw(200_000, 1, rng=0) ** 2
    assert abs(squares.mean() - 1) < 0.02 if gaussian else squares.mean() > 1000


def quadrature(kind, a, b, nodes=120):
    """E f and Var f of one projection: f depends on the one Gaussian number omega.z/|z|."""
    x, w = hermegauss(nodes)
    w = w / w.sum()
    half = (a + b) / 4  # (|x|^2 + |y|^2)/2
    f = {
        "positive": np.exp(math.sqrt(a) * x - half),
        "hyperbolic": np.cosh(math.sqrt(a) * x) * math.exp(-half),
        "trigonometric": np.cos(math.sqrt(b) * x) * math.exp(half),
    }[kind]
    mean = w @ f
    return mean, w @ (f - mean) ** 2


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("a", "b"), [(0.3, 2.0), (2.0, 0.3), (5.0, 6.0), (9.0, 1.0), (0.0, 4.0)])
def test_c5_04_means_in_closed_form(kind, a, b):
    """E f = exp(q.k) with equality, by Gauss-Hermite up to |z|^2 = 9."""
    x, y = pair(a, b)
    assert_allclose(quadrature(kind, a, b)[0], math.exp(x @ y), rtol=1e-11)
    # and the library's features are these f
    omega = normal(9, 2)
    each = {
        "positive": np.exp(omega @ (x + y)),
        "hyperbolic": np.cosh(omega @ (x + y)),
        "trigonometric": None,
    }[kind]
    factor = math.exp(-(a + b) / 4)
    if kind == "trigonometric":
        each, factor = np.cos(omega @ (x - y)), math.exp((a + b) / 4)
    product = rf.softmax_features(x[None], omega, kind) @ rf.softmax_features(y[None], omega, kind).T
    assert_allclose(product, factor * each.mean(), rtol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("a", "b"), [(0.3, 2.0), (2.0, 0.3), (5.0, 6.0), (9.0, 1.0), (0.0, 4.0)])
def test_c5_05_variances_in_closed_form(kind, a, b):
    """Relative variances e^a - 1, cosh a - 1, cosh b - 1 of one projection, a seventh of that for seven."""
    (x, y), (_, variance) = pair(a, b), quadrature(kind, a, b)
    relative = {"positive": math.expm1(a), "hyperbolic": math.cosh(a) - 1, "trigonometric": math.cosh(b) - 1}
    assert_allclose(variance, math.exp(2 * x @ y) * relative[kind], rtol=1e-8, atol=1e-13)
    assert_allclose(rf.softmax_feature_variance(x, y, 7, kind), variance / 7, rtol=1e-8, atol=1e-14)


def ratio(kind, x, y, d):
    """Var with d orthogonal projections over Var with d independent ones."""
    return rf.softmax_feature_variance(x, y, d, kind, orthogonal=True) / rf.softmax_feature_variance(
        x, y, d, kind
    )


@pytest.mark.parametrize(("d", "largest"), [(2, 1.0), (3, 1.0108), (4, 1.0148), (8, 1.007)])
def test_c5_06_correction_orthogonality_can_hurt_trigonometric_features(d, largest):
    """Var_orth/Var_iid exceeds 1 around |q - k| = 3.5: 1.0148 for d = 4; never for d = 2."""
    distances = np.linspace(0.05, 8, 2000)
    x = np.zeros((2000, d))
    x[:, 0] = distances / 2
    ratios = ratio("trigonometric", x, -x, d)
    assert_allclose(ratios.max(), largest, atol=2e-4)
    if d == 4:
        assert_allclose(distances[ratios.argmax()], 3.47, atol=0.05)


def test_c5_06_correction_rows_need_chi_lengths():
    """Rows of fixed length sqrt d make the estimate in the plane I_0(sqrt 2 |z|), not e^(|z|^2/2)."""
    angles = np.arange(256) * 2 * math.pi / 256
    circle = math.sqrt(2) * np.column_stack([np.cos(angles), np.sin(angles)])
    x, y = np.array([[0.9, 0.2]]), np.array([[0.5, -0.1]])
    fixed = (rf.softmax_features(x, circle) @ rf.softmax_features(y, circle).T).item()
    z = np.linalg.norm(x + y)
    factor = math.exp(-((x**2).sum() + (y**2).sum()) / 2)
    assert_allclose(fixed, factor * np.i0(math.sqrt(2) * z), rtol=1e-12)
    for kind, key in zip(KINDS, (y, -y, y), strict=True):  # trigonometric features see x - k, not x + k
        on_circle = (rf.softmax_features(x, circle, kind) @ rf.softmax_features(key, circle, kind).T).item()
        assert abs(on_circle / math.exp((x @ key.T).item()) - 1) > 0.05


def test_c5_06_correction_directions_of_a_bare_qr_are_not_uniform():
    """Without the signs of R the directions lean to one side (as in a well-known implementation): at
    d = 4 and x = y = (1/2, 0, 0, 0) the mean of the estimate falls from e^(1/4) = 1.284 to 1.06."""
    rng, d, draws = np.random.default_rng(0), 4, 4000
    x = np.array([[0.5, 0, 0, 0]])
    Q = np.linalg.qr(rng.standard_normal((draws, d, d)))[0]
    bare = np.swapaxes(Q, 1, 2) * np.linalg.norm(rng.standard_normal((draws, d, d)), axis=2, keepdims=True)
    uniform = np.stack([rf.projections(d, d, rng=s, orthogonal=True) for s in range(draws)])
    for omega, expected in ((bare, 1.06), (uniform, math.exp(0.25))):
        features = np.stack([rf.softmax_features(x, o)[0] for o in omega])
        estimates = (features**2).sum(axis=1)
        assert abs(estimates.mean() - expected) < 5 * estimates.std() / math.sqrt(draws)
        assert estimates.std() / math.sqrt(draws) < 0.02
    y = np.array([[0.1, 0.3, -0.2, 0.4]])
    for kind in ("hyperbolic", "trigonometric"):
        products = [(rf.softmax_features(x, o, kind) * rf.softmax_features(y, o, kind)).sum() for o in bare]
        assert abs(np.mean(products) - math.exp(0.05)) < 5 * np.std(products) / math.sqrt(draws) < 0.05


def test_c5_07_the_unnormalised_matrix_is_unbiased_and_of_rank_at_most_m():
    """E phi_q phi_k' = exp(QK'), but every estimate has rank <= m."""
    Q, K, m = 0.4 * normal(6, 2), 0.4 * normal(7, 2, seed=1), 3
    omega = rf.projections(m, 2, rng=0)
    estimate = rf.softmax_features(Q, omega) @ rf.softmax_features(K, omega).T
    assert np.linalg.matrix_rank(estimate) == m
    assert np.linalg.matrix_rank(kernels.exponential(Q, K)) == 6
    x, w = hermegauss(40)
    nodes, weights = np.stack(np.meshgrid(x, x), -1).reshape(-1, 2), np.outer(w, w).ravel() / w.sum() ** 2
    size = len(nodes) * weights  # features carry 1/m: weight every projection
    mean = (rf.softmax_features(Q, nodes) * size) @ rf.softmax_features(K, nodes).T
    assert_allclose(mean, kernels.exponential(Q, K), rtol=1e-10)


def three_values():
    """Chances, N_r, Z_r of one projection that takes three values, and c_1: the theorem's hypotheses hold."""
    chances, omega = np.array([1, 4, 1]) / 6, np.sqrt(3) * np.array([-1, 0, 1])
    q, K, v = 0.8, np.array([1.0, -0.5, 0.3]), np.array([1.0, -1.0, 0.5])
    shares = np.exp(omega[:, None] * (q + K) - (q**2 + K**2) / 2)
    N, Z = shares @ v, shares.sum(axis=1)
    f = (chances @ N) / (chances @ Z)
    c = -(chances @ ((N - f * Z) * (Z - chances @ Z))) / (chances @ Z) ** 2
    return chances, N, Z, f, c


def all_counts(m, chances):
    counts = np.array([(i, j, m - i - j) for i in range(m + 1) for j in range(m + 1 - i)])
    return counts, multinomial.pmf(counts, m, chances)


def test_c5_07_correction_the_bias_is_c_over_m_by_enumeration():
    """Every draw of m projections with three values: m (m * bias - c_1) settles, so bias = c_1/m + O(m^-2);
    the jackknife leaves O(m^-2)."""
    chances, N, Z, f, c = three_values()
    remainders, left = [], []
    for m in (64, 128):
        counts, probability = all_counts(m, chances)
        SN, SZ = counts @ N, counts @ Z
        remainders.append(m * (m * (probability @ (SN / SZ) - f) - c))
        leave = (counts[:, r] * (SN - N[r]) / np.where(counts[:, r], SZ - Z[r], 1) for r in range(3))
        without = sum(leave) / m
        left.append(m**2 * (probability @ (m * SN / SZ - (m - 1) * without) - f))
    assert_allclose(c, -0.5419, atol=1e-4)
    assert_allclose(remainders, -1.76, atol=0.03)
    assert_allclose(left, 1.84, atol=0.06)


def test_c5_08_one_entry_to_relative_error_eps_takes_exp_of_the_squared_norm_over_eps_squared():
    """m = (e^(|q + k|^2) - 1)/eps^2 projections for one entry, by the closed form."""
    for r, eps in ((0.5, 0.1), (1.0, 0.1), (2.0, 0.5)):
        q = np.array([r, 0.0])
        m = math.ceil(math.expm1(4 * r**2) / eps**2)  # q = k: |q + k|^2 = 4 r^2
        exact = math.exp(r**2)
        assert math.sqrt(rf.softmax_feature_variance(q, q, m)) <= eps * exact * (1 + 1e-12)
        assert math.sqrt(rf.softmax_feature_variance(q, q, max(1, m // 2))) > eps * exact


def test_c5_08_correction_rank_is_not_the_obstacle():
    """Random directions in R^128 give 400 keys a matrix of rank 128 with the diagonal on top."""
    for n in (50, 200, 800):
        rank = math.ceil(6 * math.log(n) / 0.5**2)
        for seed in range(5):
            unit = normal(n, rank, seed=seed)
            unit /= np.linalg.norm(unit, axis=1, keepdims=True)
            assert np.abs(unit @ unit.T - np.eye(n)).max() < 0.5
    directions = normal(400, 128)
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    estimate = directions @ directions.T
    assert np.linalg.matrix_rank(estimate) == 128
    assert np.abs(estimate - np.eye(400)).max() < 0.6
    sharp = np.maximum(estimate, 0) ** 16  # degree-16 features of them are closer still to the identity
    assert np.abs(sharp - np.eye(400)).max() < 1e-3


def test_c5_08_correction_retrieval_does_not_need_that_many():
    """64 orthogonal keys of norm 3: 1024 features, where e^(4r^2) = 4e15, retrieve most of them."""
    right, own = [], []
    for seed in range(5):
        phi = rf.softmax_features(3 * np.eye(64), rf.projections(1024, 64, rng=seed))
        estimate = phi @ phi.T
        right.append(np.mean(estimate.argmax(axis=1) == np.arange(64)))
        own.append(np.mean(np.diag(estimate) / estimate.sum(axis=1)))
    assert np.mean(right) > 0.8
    assert np.mean(own) / (math.exp(9) / (math.exp(9) + 63)) == pytest.approx(0.57, abs=0.1)


def test_c5_09_correction_a_variance_needs_a_below_an_eighth_a_mean_a_below_a_quarter():
    """E f^2 carries e^(4A|w|^2): it diverges at A = 1/8, while the mean exists up to 1/4."""
    p = np.array([0.5])
    variances = [rf.damped_feature_variance(p, p, 1, A) for A in (0.1, 0.12, 0.123, 0.124)]
    assert (np.diff(variances) > 0).all()
    assert variances[-1] > 1e6
    with pytest.raises(ValueError, match="no variance"):
        rf.damped_feature_variance(p, p, 1, 0.125)
    assert np.isfinite(rf.damped_features(p[None], np.ones((1, 1)), 0.2)).all()
    with pytest.raises(ValueError, match="no mean"):
        rf.damped_features(p[None], np.ones((1, 1)), 0.25)


@pytest.mark.parametrize("w", [1, 2, 5, 30])
def test_c5_10_correction_a_band_mask_is_no_kernel(w):
    """Equal tokens at 0, 1 (or w) and w + 1: smallest eigenvalue 1 - sqrt 2, for every width."""
    positions = np.array([0, w, w + 1])
    tokens = np.zeros((3, 2))
    masked = kernels.exponential(tokens) * kernels.band_mask(positions, width=w)
    assert_allclose(np.linalg.eigvalsh(masked)[0], 1 - math.sqrt(2), atol=1e-12)


@pytest.mark.parametrize("w", [1, 2, 4])
def test_c5_10_the_triangle_is_a_kernel_and_keeps_products_definite(w):
    """(1 - |i - j|/(w + 1))_+ is positive definite, so by Schur its product with the Gram matrix is."""
    taper = kernels.triangle_taper(np.arange(16), width=w)
    assert np.linalg.eigvalsh(taper)[0] > 0
    for seed in range(50):
        X = normal(16, 8, seed=seed)
        X /= np.linalg.norm(X, axis=1, keepdims=True)
        assert np.linalg.eigvalsh(kernels.exponential(X, gamma=8**-0.5) * taper)[0] > 0


def test_c5_11_linear_transformers_are_fast_weight_programmers():
    """W_t = W_{t-1} + v_t phi(k_t)', read as W_t phi(q_t), is causal linear attention without division."""
    phi_q, phi_k, V = (
        elu_features(normal(150, 6)),
        elu_features(normal(150, 6, seed=1)),
        normal(150, 4, seed=2),
    )
    read = np.array([W @ phi for W, phi in zip(rf.fast_weights(phi_k, V), phi_q, strict=True)])
    weights = np.tril(phi_q @ phi_k.T)
    assert_allclose(read, weights @ V, atol=1e-11)
    normalised = read / weights.sum(axis=1, keepdims=True)
    assert_allclose(rf.linear_attention(phi_q, phi_k, V, causal=True), normalised, atol=1e-12)


def test_c5_11_the_delta_rule_corrects_what_the_sum_rule_piles_up():
    """Writing twice at one key: the sum rule stores v_1 + v_2, the delta rule of rate 1/|phi|^2 only v_2."""
    phi, V = np.array([[3.0, 4.0], [3.0, 4.0]]), np.array([[1.0], [5.0]])
    *_, summed = rf.fast_weights(phi, V)
    *_, corrected = rf.fast_weights(phi, V, rate=1 / 25)
    assert_allclose(summed @ phi[0], 25 * 6, rtol=1e-14)
    assert_allclose(corrected @ phi[0], 5, rtol=1e-14)
    phi, V, h = normal(4, 3), normal(4, 2, seed=1), 1e-6
    *_, before, after = rf.fast_weights(phi, V, rate=0.3)

    def loss(W):
        return ((V[-1] - W @ phi[-1]) ** 2).sum() / 2

    slopes = [(loss(before + h * E) - loss(before - h * E)) / (2 * h) for E in np.eye(6).reshape(6, 2, 3)]
    assert_allclose(after, before - 0.3 * np.reshape(slopes, (2, 3)), atol=1e-8)
