"""Chapter 5, Random features and linear attention: claims, corrections and counterexamples."""

import math
import tracemalloc

import numpy as np
import pytest
from numpy.polynomial.hermite_e import hermegauss
from numpy.testing import assert_allclose
from scipy.optimize import brentq
from scipy.special import hyp1f1
from scipy.stats import multinomial

from margins import kernels
from margins import random_features as rf
from margins.attention import local_attention, softmax_attention
from margins.softmax_kernel import elu_features, exponential_determinant
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


def test_c5_01_a_kernel_of_finite_features_gives_exact_linear_attention():
    """(1 + q.k)^2 in d dimensions has D = C(d + 2, 2) features, so its attention is linear exactly."""
    Q, K, V, d = normal(30, 3), normal(35, 3, seed=1), normal(35, 2, seed=2), 3

    def features(X):
        i, j = np.triu_indices(d)
        quadratic = X[:, i] * X[:, j] * np.where(i == j, 1, math.sqrt(2))
        return np.column_stack([np.ones(len(X)), math.sqrt(2) * X, quadratic])

    assert features(Q).shape[1] == math.comb(d + 2, 2)
    weights = (1 + Q @ K.T) ** 2
    exact = weights @ V / weights.sum(axis=1, keepdims=True)
    assert_allclose(rf.linear_attention(features(Q), features(K), V), exact, atol=1e-11)


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


@pytest.mark.parametrize("D", [1, 3, 6])
def test_c5_01_correction_no_finite_linear_attention_is_softmax_attention(D):
    """Queries i u and keys (j - 1) u, D + 1 of each: the weights times any row factors have rank D + 1."""
    determinant, _ = exponential_determinant(range(1, D + 2), range(D + 1))
    vandermonde = math.prod(math.exp(b) - math.exp(a) for b in range(1, D + 2) for a in range(1, b))
    assert determinant > 0
    assert abs(float(determinant) / vandermonde - 1) < 1e-10


def test_c5_01_correction_features_must_be_positive_not_merely_nonnegative():
    """ReLU features can all vanish, and 0/0 is refused; elu + 1 > 0 always answers."""
    X, V = np.array([[-1.0, -2.0], [1.0, -1.0]]), np.ones((2, 1))
    with pytest.raises(
        ValueError, match="denominator of linear attention must be a finite number other than 0"
    ):
        rf.linear_attention(np.maximum(X, 0), np.maximum(X, 0), V)
    assert_allclose(rf.linear_attention(elu_features(X), elu_features(X), V), 1)


def test_c5_02_linear_attention_wins_beyond_twice_the_features():
    """Counted operations: n^2 d against n D d, crossing at n = D (2 + 1/d)."""
    D, d, n = 256, 64, 2 ** np.arange(9, 15)
    exact = np.array([rf.attention_flops(int(i), d) for i in n], float)
    linear = np.array([rf.linear_attention_flops(int(i), d, D) for i in n], float)
    assert_allclose([slope(n, exact), slope(n, linear)], [2, 1], atol=1e-12)
    assert_allclose(exact / linear, n / (D * (2 + 1 / d)), rtol=1e-12)
    assert_allclose((exact / linear)[[0, 2, 5]], [0.996, 3.98, 31.9], rtol=0.01)


def test_c5_02_correction_n_d_squared_needs_as_many_features_as_dimensions():
    """O(n d^2) holds for D = d (elu + 1); for D features it is O(n d D)."""
    assert rf.linear_attention_flops(100, 64, 64) == 4 * 100 * 64 * 129  # about 8 n d^2
    assert rf.attention_flops(100, 64, 32) == 2 * 100**2 * 96
    assert rf.linear_attention_flops(100, 64, 1024) == 16 * rf.linear_attention_flops(100, 64, 64)


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


def test_c5_02_causal_attention_keeps_a_state_of_d_by_d_v():
    """Prefix sums: feeding the tokens in two parts needs only sum phi(k) v' and sum phi(k)."""
    phi_q, phi_k, V = elu_features(normal(90, 5)), elu_features(normal(90, 5, seed=1)), normal(90, 2, seed=2)
    whole = rf.linear_attention(phi_q, phi_k, V, causal=True)
    state = phi_k[:60].T @ np.column_stack([V, np.ones(90)])[:60]  # (5, 3): all that is kept
    for t in range(60, 90):
        state += np.outer(phi_k[t], np.r_[V[t], 1])
        read = phi_q[t] @ state
        assert_allclose(read[:-1] / read[-1], whole[t], atol=1e-12)


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


@pytest.mark.parametrize("offset", [False, True])
def test_c5_03_pairs_and_offsets_have_these_variances(offset):
    """((1 + k(2 delta))/2 - k(delta)^2)/m with pairs, 1/2m more with offsets; pairs win per column, too."""
    x, w = hermegauss(120)
    w = w / w.sum()
    for length in (0.5, 1.0, 2.0, 3.0):
        k, k2 = math.exp(-(length**2) / 2), math.exp(-2 * length**2)
        expected = (1 + k2) / 2 - k**2 + offset / 2
        phases = 2 * np.pi * np.arange(8) / 8  # enough for a trigonometric polynomial of degree 4
        f = (
            2 * np.cos(length * x[:, None] + phases) * np.cos(phases)
            if offset
            else np.cos(length * x)[:, None]
        )
        assert_allclose((w @ f).mean(), k, atol=1e-13)
        assert_allclose((w @ f**2).mean() - k**2, expected, atol=1e-13)
        found = rf.fourier_feature_variance(np.array([length, 0]), np.zeros(2), 3, offset=offset)
        assert_allclose(found, expected / 3, atol=1e-13)
        assert 2 * ((1 + k2) / 2 - k**2) < 1 + k2 / 2 - k**2


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


def test_c5_04_attention_needs_the_fourth_root_of_the_dimension():
    """Features of q/d^(1/4) and k/d^(1/4) estimate exp(q.k/sqrt d)."""
    q, k, d = normal(16), normal(16, seed=1), 16
    x, y = q / d**0.25, k / d**0.25
    assert_allclose(x @ y, q @ k / math.sqrt(d), rtol=1e-14)
    mean, _ = quadrature("positive", ((x + y) ** 2).sum(), ((x - y) ** 2).sum(), nodes=200)
    assert_allclose(mean, math.exp(q @ k / math.sqrt(d)), rtol=1e-9)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("a", "b"), [(0.3, 2.0), (2.0, 0.3), (5.0, 6.0), (9.0, 1.0), (0.0, 4.0)])
def test_c5_05_variances_in_closed_form(kind, a, b):
    """Relative variances e^a - 1, cosh a - 1, cosh b - 1 of one projection, a seventh of that for seven."""
    (x, y), (_, variance) = pair(a, b), quadrature(kind, a, b)
    relative = {"positive": math.expm1(a), "hyperbolic": math.cosh(a) - 1, "trigonometric": math.cosh(b) - 1}
    assert_allclose(variance, math.exp(2 * x @ y) * relative[kind], rtol=1e-8, atol=1e-13)
    assert_allclose(rf.softmax_feature_variance(x, y, 7, kind), variance / 7, rtol=1e-8, atol=1e-14)


def test_c5_05_hyperbolic_variance_is_a_fraction_of_the_positive_one():
    """Var hyperbolic = (1 - e^(-|q + k|^2))/2 times Var positive."""
    X, Y = normal(50, 3), normal(50, 3, seed=1)
    ratio = rf.softmax_feature_variance(X, Y, 1, "hyperbolic") / rf.softmax_feature_variance(X, Y, 1)
    assert_allclose(ratio, -np.expm1(-((X + Y) ** 2).sum(axis=1)) / 2, rtol=1e-10)
    assert (2 * ratio <= 1).all()  # with two columns a projection: better per column, too


def test_c5_05_correction_when_positive_features_beat_trigonometric_ones():
    """Iff e^a < cosh b, a = |q + k|^2, b = |q - k|^2; K < 1 is necessary, K < 2^(-1/4) sufficient."""
    rng = np.random.default_rng(0)
    X, Y = (rng.standard_normal((20_000, 3)) * rng.uniform(0, 1.2, (20_000, 1)) for _ in range(2))
    a, b, K = ((X + Y) ** 2).sum(axis=1), ((X - Y) ** 2).sum(axis=1), np.exp((X * Y).sum(axis=1))
    positive, trigonometric = (rf.softmax_feature_variance(X, Y, 1, kind) for kind in KINDS[:2])
    margin = np.abs(a - np.log(np.cosh(b))) > 1e-9
    assert ((positive < trigonometric) == (np.exp(a) < np.cosh(b)))[margin].all()
    assert (K[positive < trigonometric] < 1).all()
    assert (positive < trigonometric)[K < 2**-0.25].all()
    between = (K > 2**-0.25) & (K < 1)
    assert 0 < (positive < trigonometric)[between].mean() < 1  # in between both happen


def test_c5_05_correction_when_hyperbolic_features_beat_trigonometric_ones():
    """Per projection iff q.k < 0; both take two columns a projection, positive features one."""
    rng = np.random.default_rng(1)
    X, Y = (rng.standard_normal((20_000, 3)) * rng.uniform(0, 1.2, (20_000, 1)) for _ in range(2))
    inner = (X * Y).sum(axis=1)
    hyperbolic, trigonometric = (rf.softmax_feature_variance(X, Y, 1, kind) for kind in KINDS[:0:-1])
    clear = np.abs(inner) > 1e-6
    assert ((hyperbolic < trigonometric) == (inner < 0))[clear].all()
    omega = rf.projections(5, 3, rng=0)
    columns = [rf.softmax_features(X[:1], omega, kind).shape[1] for kind in KINDS]
    assert columns == [5, 10, 10]


def test_c5_05_correction_a_small_kernel_value_does_not_make_positive_features_good():
    """Their relative variance e^(|q + k|^2) - 1 is blind to K: q = (3, 0), k = (-3, 3) has K = 1.2e-4."""
    q, k = np.array([3.0, 0.0]), np.array([-3.0, 3.0])
    assert_allclose(math.exp(q @ k), 1.2e-4, rtol=0.03)
    relative = rf.softmax_feature_variance(q, k, 1) / math.exp(2 * q @ k)
    assert_allclose(relative, math.expm1(9), rtol=1e-12)
    assert 8.0e3 < relative < 8.2e3
    opposite = rf.softmax_feature_variance(q, -q + 0.01, 1) / math.exp(2 * q @ (-q + 0.01))
    assert opposite < 1e-3  # what makes them good is q close to -k


def test_c5_05_trigonometric_pairs_are_exact_at_equal_arguments_offsets_are_not():
    """cos^2 + sin^2 = 1 leaves no variance at q = k; sqrt 2 cos(omega x + b) has the variance 1/2 there."""
    x, omega = normal(1, 3), rf.projections(4, 3, rng=0)
    assert rf.softmax_feature_variance(x[0], x[0], 1, "trigonometric") == 0
    features = rf.softmax_features(x, omega, "trigonometric")
    assert_allclose((features @ features.T).item(), math.exp((x @ x.T).item()), rtol=1e-12)
    assert rf.fourier_feature_variance(x[0], x[0], 1) == 0
    assert_allclose(rf.fourier_feature_variance(x[0], x[0], 1, offset=True), 0.5)


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


@pytest.mark.parametrize("kind", ["positive", "hyperbolic"])
@pytest.mark.parametrize("d", [2, 3, 8, 64])
def test_c5_06_orthogonality_always_helps_positive_and_hyperbolic_features(kind, d):
    """1F1(d; d/2; a/2) <= e^a, since (d)_j/(d/2)_j <= 2^j."""
    lengths = np.linspace(0.1, 5, 200)
    x = np.zeros((200, d))
    x[:, 0] = lengths / 2
    assert (ratio(kind, x, x, d) < 1).all()


@pytest.mark.parametrize("z", [0.5, 1.0, 2.0])
def test_c5_06_two_orthogonal_projections_by_an_integral_over_the_disk(z):
    """In R^4 two orthogonal directions have parts along z uniform on the disk: E = 1F1(4; 2; |z|^2/2)."""
    points, measure = np.polynomial.legendre.leggauss(80)
    radii, lengths = np.sqrt((points + 1) / 2), 6 * (points + 1)
    chi = 3 * measure * lengths**3 * np.exp(-(lengths**2) / 2)  # the density of chi_4 up to 12
    around = 2 * np.pi * np.arange(64) / 64
    first, second = (np.outer(radii, turn(around)).ravel() for turn in (np.cos, np.sin))
    product = np.prod([chi @ np.exp(z * lengths[:, None] * part) for part in (first, second)], axis=0)
    mean = (measure / 2) @ product.reshape(80, 64).mean(axis=1)
    assert_allclose(mean, hyp1f1(4, 2, z**2 / 2), rtol=1e-9)
    assert mean < math.exp(z**2)
    # and this is what the closed form of the variance uses, with a = |z|^2
    x = np.array([z / 2, 0, 0, 0])
    covariance = math.exp(-2 * x @ x) * (mean - math.exp(z**2))
    independent = rf.softmax_feature_variance(x, x, 4)
    assert_allclose(
        rf.softmax_feature_variance(x, x, 4, orthogonal=True), independent + 3 / 4 * covariance, rtol=1e-8
    )


@pytest.mark.parametrize(
    ("d", "ranges"),
    [
        (2, {"trigonometric": (0.635, 0.75), "positive": (0.947, 1), "hyperbolic": (0.75, 0.977)}),
        (8, {"trigonometric": (0.243, 0.640), "positive": (0.823, 1), "hyperbolic": (0.30, 0.895)}),
        (64, {"trigonometric": (0.043, 0.691), "positive": (0.707, 1), "hyperbolic": (0.045, 0.753)}),
    ],
)
def test_c5_06_how_much_orthogonality_helps_depends_on_the_dimension(d, ranges):
    """Var_orth/Var_iid for m = d and norms in [.05, 1], over all angles."""
    r, c = np.linspace(0.05, 1, 20), np.linspace(-1, 1, 41)
    R1, R2, C = (g.ravel() for g in np.meshgrid(r, r, c, indexing="ij"))
    x, y = np.zeros((2, len(C), d))
    x[:, 0], y[:, 0], y[:, 1] = R1, R2 * C, R2 * np.sqrt(1 - C**2)
    for kind, (low, high) in ranges.items():
        seen = rf.softmax_feature_variance(x, y, d, kind) > 1e-8  # 0/0 at q = k or q = -k
        ratios = ratio(kind, x[seen], y[seen], d)
        assert_allclose([ratios.min(), ratios.max()], [low, high], atol=0.01)


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


def test_c5_06_features_are_divided_by_the_root_of_their_number():
    """phi = f/sqrt m: the estimate is the mean over projections, so more of them do not change its size."""
    x, y, omega = normal(1, 3), normal(1, 3, seed=1), rf.projections(6, 3, rng=0)
    for kind in KINDS:
        once, twice = (
            rf.softmax_features(x, o, kind) @ rf.softmax_features(y, o, kind).T
            for o in (omega, np.tile(omega, (2, 1)))
        )
        assert_allclose(once, twice, rtol=1e-12)


def small_problem():
    """A query (8,) and 32 keys of length 0.6, and as values (32,) the cosines between query and key."""
    directions = normal(33, 8, seed=1)
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    return 0.6 * directions[0], 0.6 * directions[1:], directions[1:] @ directions[0]


def numerators_and_denominators(q, K, v, m, runs, seed):
    """N and M, both (runs, m), of single projections."""
    omega = np.random.default_rng(seed).standard_normal((runs * m, len(q)))
    phi_q = np.exp(omega @ q - q @ q / 2)
    phi_k = np.exp(omega @ K.T - (K**2).sum(axis=1) / 2)
    return (phi_q * (phi_k @ v)).reshape(runs, m), (phi_q * phi_k.sum(axis=1)).reshape(runs, m)


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


def test_c5_07_correction_one_projection_forgets_the_query():
    """m = 1: weights e^(omega.k_j - |k_j|^2/2) over their sum, whatever q; no unbiased estimator can."""
    K, u, omega = normal(5, 3), normal(3, seed=2), rf.projections(1, 3, rng=0)
    Q, V = np.stack([u, -u]) / np.linalg.norm(u), K  # opposite queries, and keys that answer with themselves
    one, other = rf.linear_attention(rf.softmax_features(Q, omega), rf.softmax_features(K, omega), V)
    assert_allclose(one, other, rtol=1e-12)
    exact = softmax_attention(Q, K, V, scale=1.0)
    # their difference along u is the integral of the variance of <u, k> over the queries between them
    apart = Q[0] @ (exact[0] - exact[1]) / (K @ Q[0]).var()
    assert apart > 0.5


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


def test_c5_07_correction_attention_from_random_features_is_biased_like_one_over_m():
    """m * bias -> c_1 on 32 keys. The bias is sampled as the mean of -X(Z - z)/(Zz), X = N - RZ: that of X/Z,
    less X/z, which has the mean 0 and buries the bias in noise."""
    q, K, v = small_problem()
    c = rf.attention_bias_coefficient(q, K, v)
    weights = np.exp(K @ q)
    z, R = weights.sum(), weights @ v / weights.sum()
    growth = np.exp((q + K) @ (q + K).T) @ weights / z  # g_i
    assert_allclose(c, weights / z @ ((R - v) * growth), rtol=1e-10)
    scaled, noise = {}, {}
    for m, runs in ((16, 16_000), (128, 4_000)):
        N, Z = (part.mean(axis=1) for part in numerators_and_denominators(q, K, v, m, runs, seed=m))
        bias = -m * (N - R * Z) * (Z - z) / (Z * z)
        scaled[m], noise[m] = bias.mean(), bias.std() / math.sqrt(runs)
    assert c < 0  # the values are largest at the keys that get too little weight
    assert max(noise.values()) < 0.05 * abs(c)
    assert 0.8 * abs(c) < abs(scaled[16]) < abs(c) - 2 * noise[16]  # 1/m is the leading term, not all of it
    standard_errors = abs(scaled[128] - c) / noise[128]
    assert standard_errors < 4


def test_c5_07_the_jackknife_removes_most_of_the_bias():
    """m e - (m - 1) mean e_(-r) on the same draws, at m = 16: a tenth of the bias is left, or less."""
    q, K, v = small_problem()
    m, runs = 16, 16_000
    N, M = numerators_and_denominators(q, K, v, m, runs, seed=3)
    SN, SM = N.sum(axis=1), M.sum(axis=1)
    corrected = m * SN / SM - (m - 1) * ((SN[:, None] - N) / (SM[:, None] - M)).mean(axis=1)
    weights = np.exp(K @ q)
    z, R = weights.sum(), weights @ v / weights.sum()
    # (N - RZ)/z has mean 0 and carries most of the noise of both: subtract it
    noise = (SN - R * SM) / (m * z)
    bias, left = (np.mean(estimate - R - noise) for estimate in (SN / SM, corrected))
    error = np.std(corrected - R - noise) / math.sqrt(runs)
    assert_allclose(bias, rf.attention_bias_coefficient(q, K, v) / m, rtol=0.15)
    assert abs(left) < abs(bias) / 10 + 3 * error
    assert error < abs(bias) / 10
    omega = np.random.default_rng(3).standard_normal((m, 8))
    phi = [rf.softmax_features(x, omega) for x in (q[None], K)]
    assert_allclose(rf.jackknife_attention(*phi, v[:, None], m), corrected[0], rtol=1e-9)


def test_c5_07_correction_trigonometric_attention_need_not_have_a_mean():
    """The denominator of one projection on a line changes sign where the numerator does not vanish:
    |N/Z| is not integrable there, so neither bias nor variance exist."""
    q, K, v = np.array([1.0]), np.array([[0.5], [-1.0], [2.0]]), np.array([1.0, -1.0, 0.5])

    def sums(w):
        phi_q, phi_k = (rf.softmax_features(x, [[w]], "trigonometric") for x in (q[None], K))
        shares = phi_k @ phi_q[0]
        return v @ shares, shares.sum()

    root = brentq(lambda w: sums(w)[1], 1.0, 2.0)
    assert abs(sums(root)[0]) > 0.1
    derivative = (sums(root + 1e-5)[1] - sums(root - 1e-5)[1]) / 2e-5
    assert abs(derivative) > 0.1
    # each decade closer to the root adds as much to E|N/Z|: the integral diverges like a logarithm
    density = math.exp(-(root**2) / 2) / math.sqrt(2 * math.pi)
    decades = [abs(sums(root + 10.0**-k)[0] / sums(root + 10.0**-k)[1]) * 10.0**-k for k in (3, 4, 5, 6)]
    assert_allclose(decades, abs(sums(root)[0] / derivative), rtol=0.01)
    assert density > 0.1
    # positive features keep the denominator positive
    omega = rf.projections(1000, 1, rng=0)
    assert (rf.softmax_features(q[None], omega) * rf.softmax_features(K, omega).sum(axis=0)).min() > 0


def test_c5_07_attention_ignores_a_shift_of_the_keys_its_estimate_does_not():
    """exp(q.(k + c)) changes by a factor of q alone, which cancels; the features of k + c are others."""
    Q, K, V, omega = (
        0.5 * normal(20, 4),
        0.5 * normal(30, 4, seed=1),
        normal(30, 2, seed=2),
        rf.projections(64, 4, rng=3),
    )
    shift = np.full(4, 0.75)
    exact = softmax_attention(Q, K, V, scale=1.0)
    assert_allclose(softmax_attention(Q, K + shift, V, scale=1.0), exact, atol=1e-12)
    near, far = (rf.performer_attention(Q, keys, V, omega, scale=1.0) for keys in (K, K + shift))
    assert np.abs(near - far).max() > 0.01


def test_c5_08_one_entry_to_relative_error_eps_takes_exp_of_the_squared_norm_over_eps_squared():
    """m = (e^(|q + k|^2) - 1)/eps^2 projections for one entry, by the closed form."""
    for r, eps in ((0.5, 0.1), (1.0, 0.1), (2.0, 0.5)):
        q = np.array([r, 0.0])
        m = math.ceil(math.expm1(4 * r**2) / eps**2)  # q = k: |q + k|^2 = 4 r^2
        exact = math.exp(r**2)
        assert math.sqrt(rf.softmax_feature_variance(q, q, m)) <= eps * exact * (1 + 1e-12)
        assert math.sqrt(rf.softmax_feature_variance(q, q, max(1, m // 2))) > eps * exact


def test_c5_08_correction_retrieval_does_not_need_that_many():
    """64 orthogonal keys of norm 3: e^(4r^2) = 4e15, yet 1024 features retrieve most keys, 8192 nearly all,
    because the diagonal of the estimate is |phi(k)|^2."""
    keys, right = 3 * np.eye(64), {}
    own = {}
    for m in (1024, 8192):
        hits, weights = [], []
        for seed in range(5):
            phi = rf.softmax_features(keys, rf.projections(m, 64, rng=seed))
            hits.append((phi @ phi.T).argmax(axis=1) == np.arange(64))
            weights.append(np.diag(phi @ phi.T) / (phi @ phi.T).sum(axis=1))
        right[m], own[m] = np.mean(hits), np.mean(weights)
    assert right[8192] > 0.95
    assert math.exp(4 * 3**2) > 1e15
    assert right[1024] > 0.8
    assert own[1024] / (math.exp(9) / (math.exp(9) + 63)) == pytest.approx(0.57, abs=0.1)


@pytest.mark.parametrize(("r", "weight"), [(1.0, 0.04), (2.0, 0.46)])
def test_c5_08_correction_short_keys_are_not_retrieved_sharply_by_exact_attention_either(r, weight):
    """The weight of the own key among 64 orthogonal ones is e^(r^2)/(e^(r^2) + 63)."""
    keys = r * np.eye(64)
    own = np.diag(softmax_attention(keys, keys, np.eye(64), scale=1.0))
    assert_allclose(own, math.exp(r**2) / (math.exp(r**2) + 63), rtol=1e-12)
    assert_allclose(own, weight, atol=5e-3)


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


def test_c5_08_at_the_length_of_gaussian_tokens_the_mean_of_all_values_errs_less():
    """d = 64, scale 1/sqrt d, 1024 orthogonal features: worse than the answer 0 at size 1, better than the
    mean of all values at size 1/4, with errors of a few per cent over draws."""
    Q, K, V = (normal(256, 64, seed=s) for s in range(3))
    for size, low, high in ((1.0, 2.0, 3.0), (0.25, 0.3, 0.5)):
        exact = softmax_attention(size * Q, size * K, V)
        unit = np.linalg.norm(exact if size == 1 else exact - V.mean(axis=0))
        omegas = (rf.projections(1024, 64, rng=seed, orthogonal=True) for seed in range(4))
        errors = [np.linalg.norm(rf.performer_attention(size * Q, size * K, V, o) - exact) for o in omegas]
        assert low < np.mean(errors) / unit < high


@pytest.mark.parametrize("A", [-0.5, -0.1, 0.0, 0.05, 0.1])
def test_c5_09_damped_features_are_unbiased(A):
    """(1 - 4A)^(d/4) exp(A|w|^2 + sqrt(1 - 4A) w.x - |x|^2/2): mean exp(x.y), closed-form variance."""
    x, w = hermegauss(150)
    w = w / w.sum()
    p, q = np.array([[0.5]]), np.array([[0.3]])
    f = len(x) * (rf.damped_features(p, x[:, None], A) * rf.damped_features(q, x[:, None], A))[0]
    assert_allclose(w @ f, math.exp(0.15), rtol=1e-6)
    if A < 0.1:  # the second moment converges slowly near A = 1/8
        assert_allclose(w @ f**2 - (w @ f) ** 2, rf.damped_feature_variance(p[0], q[0], 1, A), rtol=1e-4)


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


@pytest.mark.parametrize(("d", "length"), [(1, 1.0), (8, 2.0), (64, 4.0)])
def test_c5_09_the_best_damping_reduces_the_variance(d, length):
    """A < 0 minimises the variance; the gain grows with |q + k|^2."""
    x = np.zeros(d)
    x[0] = length / 2
    best = rf.best_damping(d, length**2)
    assert best < 0
    grid = np.linspace(-3, 0.12, 4000)
    values = [rf.damped_feature_variance(x, x, 1, A) for A in grid]
    assert_allclose(grid[int(np.argmin(values))], best, atol=2e-3)
    assert rf.damped_feature_variance(x, x, 1, best) < rf.softmax_feature_variance(x, x, 1)


def test_c5_10_local_attention_is_masked_attention_and_sees_further_with_depth():
    """One layer of width w reaches w positions, L layers L w."""
    X, w, layers = normal(40, 3), 2, 4
    mask = kernels.band_mask(np.arange(40), width=w)
    assert_allclose(local_attention(X, X, X, w), softmax_attention(X, X, X, mask=mask), atol=1e-12)
    assert mask.sum() == (2 * w + 1) * 40 - w * (w + 1) < 40**2 / 8
    changed = X.copy()
    changed[20] += 1
    for depth in range(1, layers + 1):
        outputs = []
        for tokens in (X, changed):
            for _ in range(depth):
                tokens = local_attention(tokens, tokens, tokens, w)
            outputs.append(tokens)
        moved = np.flatnonzero(np.abs(outputs[0] - outputs[1]).max(axis=1) > 1e-12)
        assert moved.min() >= 20 - depth * w
        assert moved.max() <= 20 + depth * w
        assert len(moved) == 2 * depth * w + 1


@pytest.mark.parametrize("w", [1, 2, 5, 30])
def test_c5_10_correction_a_band_mask_is_no_kernel(w):
    """Equal tokens at 0, 1 (or w) and w + 1: smallest eigenvalue 1 - sqrt 2, for every width."""
    positions = np.array([0, w, w + 1])
    tokens = np.zeros((3, 2))
    masked = kernels.exponential(tokens) * kernels.band_mask(positions, width=w)
    assert_allclose(np.linalg.eigvalsh(masked)[0], 1 - math.sqrt(2), atol=1e-12)


def indefinite_share(w, scale, size=None, draws=400):
    """The share of 16 random tokens in R^8 whose masked softmax Gram matrix has a negative eigenvalue."""
    rng, mask, count = np.random.default_rng(0), kernels.band_mask(np.arange(16), width=w), 0
    for _ in range(draws):
        X = rng.standard_normal((16, 8))
        X = X / np.linalg.norm(X, axis=1, keepdims=True) if size is None else size * X
        count += np.linalg.eigvalsh(kernels.exponential(X, gamma=scale) * mask)[0] < 0
    return count / draws


def test_c5_10_correction_how_often_depends_on_the_scale():
    """Unit tokens: about 21, 68 and 100 % indefinite at w = 1, 2, 4 with scale 1; always with 1/sqrt d;
    hardly ever for long Gaussian tokens, whose Gram matrix is nearly diagonal."""
    for w, share in ((1, 0.206), (2, 0.677), (4, 0.999)):
        deviation = math.sqrt(share * (1 - share) / 400)
        assert abs(indefinite_share(w, 1.0) - share) < 4 * deviation + 0.005
        assert indefinite_share(w, 8**-0.5, draws=100) == 1
    assert indefinite_share(1, 1.0, size=3.0) < 0.05


@pytest.mark.parametrize("w", [1, 2, 4])
def test_c5_10_the_triangle_is_a_kernel_and_keeps_products_definite(w):
    """(1 - |i - j|/(w + 1))_+ is positive definite, so by Schur its product with the Gram matrix is."""
    taper = kernels.triangle_taper(np.arange(16), width=w)
    assert np.linalg.eigvalsh(taper)[0] > 0
    for seed in range(50):
        X = normal(16, 8, seed=seed)
        X /= np.linalg.norm(X, axis=1, keepdims=True)
        assert np.linalg.eigvalsh(kernels.exponential(X, gamma=8**-0.5) * taper)[0] > 0


def test_c5_10_masked_attention_needs_no_definiteness_only_weights_that_are_not_negative():
    """A mask that is not even symmetric still averages: rows sum to 1."""
    mask = kernels.causal_mask(np.arange(12))
    assert (mask != mask.T).any()
    X = normal(12, 3)
    assert_allclose(softmax_attention(X, X, np.ones((12, 1)), mask=mask), 1, rtol=1e-14)


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


def test_c5_11_repeated_delta_steps_interpolate():
    """Rate 1, features of length 1, pass after pass: W tends to the interpolant of least norm (Kaczmarz)."""
    phi, V = normal(3, 5), normal(3, 2, seed=1)
    phi /= np.linalg.norm(phi, axis=1, keepdims=True)
    *_, W = rf.fast_weights(np.tile(phi, (400, 1)), np.tile(V, (400, 1)), rate=1.0)
    assert_allclose(W, (np.linalg.pinv(phi) @ V).T, atol=1e-10)
