"""Kernels against scikit-learn, direct loops, closed forms and the identities they must obey."""

import math
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.kernel_ridge import KernelRidge
from sklearn.metrics import pairwise

from margins import kernels
from margins.kernels import gram

PAIRS = {
    "linear": (kernels.linear, pairwise.linear_kernel, {}),
    "polynomial": (
        kernels.polynomial,
        pairwise.polynomial_kernel,
        {"gamma": 0.3, "degree": 5, "coef0": -0.4},
    ),
    "gaussian": (kernels.gaussian, pairwise.rbf_kernel, {"gamma": 0.7}),
    "laplacian": (kernels.laplacian, pairwise.laplacian_kernel, {"gamma": 0.7}),
    "exponential": (
        kernels.exponential,
        lambda X, Y, gamma: np.exp(gamma * pairwise.linear_kernel(X, Y)),
        {"gamma": 0.2},
    ),
}
FAMILIES = [pytest.param(kernel, parameters, id=name) for name, (kernel, _, parameters) in PAIRS.items()]
PSD = [
    kernels.linear,
    partial(kernels.polynomial, degree=2, coef0=1.0),
    partial(kernels.gaussian, gamma=0.5),
    partial(kernels.laplacian, gamma=0.5),
    partial(kernels.exponential, gamma=0.1),
]


def normal(*shape, seed=0, dtype=np.float64):
    return np.random.default_rng(seed).normal(size=shape).astype(dtype)


def gram_matrices():
    """Every PSD kernel's Gram matrix on random points of several sizes and dimensions."""
    points = st.tuples(st.integers(1, 12), st.integers(1, 4), st.integers(0, 10**6))
    return st.tuples(st.sampled_from(PSD), points.map(lambda p: normal(p[0], p[1], seed=p[2])))


# --- the five kernels -----------------------------------------------------------------------


@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize(
    ("n", "m"), [(1, 1), (5, 7), (gram.TILE, 3), (gram.TILE + 1, gram.TILE + 9), (600, None)]
)
def test_kernel_agrees_with_scikit_learn(name, dtype, n, m):
    kernel, oracle, parameters = PAIRS[name]
    X = normal(n, 6, dtype=dtype)
    Y = None if m is None else normal(m, 6, seed=1, dtype=dtype)
    expected = oracle(X.astype(float), None if Y is None else Y.astype(float), **parameters)
    came = kernel(X, Y, **parameters)
    assert came.dtype == dtype
    assert_allclose(came, expected, atol=200 * np.finfo(dtype).eps * np.abs(expected).max(), rtol=0)


@pytest.mark.parametrize(("kernel", "parameters"), FAMILIES)
def test_gram_matrix_is_symmetric_to_the_last_bit(kernel, parameters):
    K = kernel(normal(gram.TILE + 40, 5), **parameters)
    assert_array_equal(K, K.T)


@pytest.mark.parametrize("kernel", [kernels.gaussian, kernels.laplacian])
def test_radial_kernel_is_exactly_one_on_the_diagonal_and_never_above(kernel):
    X = 50 + normal(300, 3)
    K = kernel(X, gamma=0.3)
    assert_array_equal(np.diagonal(K), 1.0)
    assert kernel(X, X.copy(), gamma=0.3).max() <= 1.0


@pytest.mark.parametrize(("kernel", "parameters"), FAMILIES)
def test_output_buffer_is_filled_and_returned(kernel, parameters):
    X, Y = normal(300, 4), normal(270, 4, seed=1)
    out = np.full((300, 270), np.nan)
    assert kernel(X, Y, out=out, **parameters) is out
    assert_array_equal(out, kernel(X, Y, **parameters))
    square = np.full((300, 300), np.nan)
    assert_array_equal(kernel(X, out=square, **parameters), kernel(X, **parameters))


@pytest.mark.parametrize("view", [lambda A: A, lambda A: A.T, lambda A: A[::-1, ::-1]])
@pytest.mark.parametrize(("kernel", "parameters"), FAMILIES)
def test_no_kernel_destroys_its_own_argument(kernel, parameters, view):
    A = normal(300, 300)
    before = A.copy()
    with pytest.raises(ValueError, match="out must have memory of its own, but it shares some with X or Y"):
        kernel(A, out=view(A), **parameters)
    with pytest.raises(ValueError, match="out must have memory of its own"):
        kernel(np.ones((300, 300)), A, out=view(A), **parameters)
    assert_array_equal(A, before)


def test_mixed_precision_is_double():
    assert kernels.gaussian(normal(3, 2, dtype=np.float32), normal(4, 2)).dtype == np.float64


def test_lists_and_integers_are_taken():
    assert_allclose(kernels.polynomial([[1, 2]], [[3, 4]], degree=2, coef0=1), [[144.0]])


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("offset", [1e3, 1e6])
def test_gaussian_keeps_its_digits_far_from_the_origin(dtype, offset):
    X = (normal(50, 3) * 8 + offset).astype(dtype)
    exact = X.astype(np.float64)
    squares = ((exact[:, None] - exact) ** 2).sum(-1)
    assert_allclose(
        kernels.gaussian(X, gamma=0.01), np.exp(-0.01 * squares), rtol=0, atol=1e2 * np.finfo(dtype).eps
    )


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_gaussian_keeps_its_digits_for_two_far_clusters(dtype):
    near = normal(20, 3)
    X = np.vstack([near, near + 1e5]).astype(dtype)
    exact = X.astype(np.float64)
    squares = ((exact[:, None] - exact) ** 2).sum(-1)
    assert_allclose(kernels.gaussian(X), np.exp(-squares), rtol=0, atol=1e2 * np.finfo(dtype).eps)


@pytest.mark.parametrize("kernel", [kernels.gaussian, kernels.laplacian])
@pytest.mark.parametrize(("dtype", "huge"), [(np.float64, 1.7e308), (np.float32, 3e38)])
@pytest.mark.parametrize("gamma", [1e-30, 1.0, 1e30])
def test_radial_kernel_of_huge_points_is_zero_or_one(kernel, dtype, huge, gamma):
    X = np.array([[huge, huge], [-huge, -huge], [0, 0], [huge, huge]], dtype)
    expected = [[1, 0, 0, 1], [0, 1, 0, 0], [0, 0, 1, 0], [1, 0, 0, 1]]
    assert_array_equal(kernel(X, gamma=gamma), expected)
    assert_array_equal(kernel(X, X.copy(), gamma=gamma), expected)


@pytest.mark.parametrize("kernel", [kernels.gaussian, kernels.laplacian])
def test_tiny_bandwidth_separates_and_huge_bandwidth_joins(kernel):
    X = normal(10, 3)
    assert_array_equal(kernel(X, gamma=1e300), np.eye(10))
    assert_array_equal(kernel(X, gamma=1e-300), np.ones((10, 10)))


@pytest.mark.parametrize(
    ("kernel", "X"),
    [
        (kernels.linear, [[1e200]]),
        (kernels.linear, [[1e200, 1e200], [1e200, -1e200]]),
        (kernels.polynomial, [[1e60]]),
        (kernels.exponential, [[30.0]]),
        (kernels.linear, np.full((1, 1), 1e20, np.float32)),
        (kernels.exponential, np.full((1, 1), 10.0, np.float32)),
    ],
)
def test_overflow_is_refused(kernel, X):
    with pytest.raises(ValueError, match="kernel overflows float"):
        kernel(X)


def test_underflow_of_the_exponential_kernel_is_zero():
    assert_array_equal(kernels.exponential([[40.0]], [[-40.0]]), [[0.0]])


@pytest.mark.parametrize(
    "kernel", [kernels.polynomial, kernels.gaussian, kernels.laplacian, kernels.exponential]
)
@pytest.mark.parametrize("gamma", [0, -1.0, np.nan, np.inf, "scale", None, True])
def test_bad_bandwidth_is_refused(kernel, gamma):
    with pytest.raises(ValueError, match="gamma must be a number > 0"):
        kernel([[1.0]], gamma=gamma)


def test_bandwidth_outside_single_precision_is_refused():
    for gamma in (1e-60, 1e60):
        with pytest.raises(ValueError, match="gamma must be a number > 0 in float32"):
            kernels.gaussian(np.ones((1, 1), np.float32), gamma=gamma)


@pytest.mark.parametrize(("kernel", "parameters"), FAMILIES)
@pytest.mark.parametrize(
    ("X", "Y", "words"),
    [
        ([1.0, 2.0], None, "X must have 2 axes"),
        (np.empty((0, 3)), None, "X must have at least 1 row,"),
        (np.empty((3, 0)), None, "X is empty"),
        ([[1.0, np.nan]], None, "X contains NaN"),
        ([[1.0]], [[np.inf]], "Y contains NaN or infinity"),
        ([[1.0]], [[1.0, 2.0]], r"equally many columns, but X has \(1, 1\), Y has \(1, 2\)"),
        ([["a"]], None, "X must be an array of real numbers"),
    ],
)
def test_bad_rows_are_refused(kernel, parameters, X, Y, words):
    with pytest.raises(ValueError, match=words):
        kernel(X, Y, **parameters)


@pytest.mark.parametrize(
    ("out", "words"),
    [
        (np.empty((2, 3)), r"out must be a writable \(2, 2\) float64 array, but \(2, 3\) float64"),
        (np.empty((2, 2), np.float32), r"but \(2, 2\) float32 came"),
        ([[0, 0], [0, 0]], "out must be a NumPy array, but a list came"),
        (np.broadcast_to(0.0, (2, 2)), "read-only"),
    ],
)
def test_bad_buffer_is_refused(out, words):
    with pytest.raises(ValueError, match=words):
        kernels.gaussian([[1.0], [2.0]], out=out)


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"degree": -1}, "degree must be an integer >= 0"),
        ({"degree": 1.5}, "degree must be an integer >= 0"),
        ({"coef0": np.nan}, "coef0 contains NaN"),
        ({"coef0": [1.0]}, "coef0 must be a single number"),
    ],
)
def test_bad_polynomial_is_refused(parameters, words):
    with pytest.raises(ValueError, match=words):
        kernels.polynomial([[1.0]], **parameters)


# --- monomials ------------------------------------------------------------------------------


@pytest.mark.parametrize(("dimension", "degree"), [(1, 0), (1, 7), (3, 4), (6, 3)])
def test_multi_indices_are_all_and_different(dimension, degree):
    indices = kernels.multi_indices(dimension, degree)
    assert indices.shape == (math.comb(dimension + degree, degree), dimension)
    assert len(np.unique(indices, axis=0)) == len(indices)
    assert indices.min() == 0
    assert_array_equal(np.sort(indices.sum(axis=1)), indices.sum(axis=1))
    assert indices.sum(axis=1).max() == degree


def test_scaled_monomials_follow_the_multi_indices():
    X, degree = normal(7, 3), 4
    indices = kernels.multi_indices(3, degree)
    factorials = [math.prod(math.factorial(b) for b in beta) for beta in indices.tolist()]
    expected = np.prod(X[:, None, :] ** indices, axis=2) / np.sqrt(factorials)
    assert_allclose(kernels.scaled_monomials(X, degree=degree), expected, rtol=1e-13)


@pytest.mark.parametrize("coef0", [0.0, 0.3, 2.0])
@pytest.mark.parametrize("degree", [0, 1, 2, 5])
def test_polynomial_features_multiply_to_the_polynomial_kernel(coef0, degree):
    X, Y = normal(9, 3), normal(8, 3, seed=1)
    phi = partial(kernels.polynomial_features, gamma=0.7, degree=degree, coef0=coef0)
    expected = kernels.polynomial(X, Y, gamma=0.7, degree=degree, coef0=coef0)
    assert_allclose(phi(X) @ phi(Y).T, expected, rtol=0, atol=1e-13 * np.abs(expected).max() * 10**degree)


@pytest.mark.parametrize("options", [{"gamma": 1e300}, {"coef0": 1e200}, {"gamma": 1e100, "degree": 200}])
def test_weights_of_monomials_that_overflow_are_refused(options):
    with pytest.raises(ValueError, match="the weights of the polynomial features overflow with gamma="):
        kernels.polynomial_features([[1.0]], **options)
    with pytest.raises(ValueError, match="the polynomial features overflow float32 on this X"):
        kernels.polynomial_features(np.array([[1e30]], np.float32), gamma=1e30, degree=1)


@pytest.mark.parametrize(("dimension", "degree"), [(1000, 1000), (10**9, 10**9), (25, 25), (10**9, 2)])
def test_numbers_too_long_to_print_are_refused(dimension, degree):
    with pytest.raises(ValueError, match=f"at most 16777216 monomials, but degree {degree} in dim"):
        kernels.multi_indices(dimension, degree)


def test_too_many_monomials_are_refused():
    with pytest.raises(ValueError, match=r"at most 16777216 monomials, but degree 10 in dimension 64"):
        kernels.multi_indices(64, 10)
    with pytest.raises(ValueError, match="monomials of degree 2 overflow"):
        kernels.scaled_monomials([[1e200]], degree=2)


# --- diagnostics ----------------------------------------------------------------------------


def test_diagnostics_of_a_known_spectrum():
    Q, _ = np.linalg.qr(normal(6, 6))
    K = Q @ np.diag([3.0, 2.0, 1.0, 0.0, 0.0, -0.5]) @ Q.T
    assert_allclose(kernels.spectrum(K), [3, 2, 1, 0, 0, -0.5], atol=1e-14)
    assert_allclose(kernels.smallest_eigenvalue(K), -0.5, atol=1e-14)
    assert kernels.numerical_rank(K) == 4
    assert kernels.numerical_rank(K, tolerance=0.7) == 3
    u = kernels.psd_witness(K)
    assert_allclose([u @ u, u @ K @ u], [1.0, -0.5], atol=1e-14)
    assert kernels.psd_witness(K, tolerance=0.6) is None
    assert not kernels.is_psd(K)
    assert kernels.is_psd(K + 0.5 * np.eye(6))


def test_rounding_alone_is_no_witness():
    for dtype in (np.float32, np.float64):
        K = kernels.gaussian(normal(200, 1, dtype=dtype))
        assert kernels.psd_witness(K) is None
        assert kernels.numerical_rank(K) < 100


def test_centred_gram_is_that_of_centred_features():
    X = normal(20, 4) + 3
    Z = X - X.mean(axis=0)
    assert_allclose(kernels.centred(kernels.linear(X)), Z @ Z.T, atol=1e-12)


def test_asymmetry_and_symmetric_part():
    K = np.array([[1.0, 2.0], [5.0, 1.0]])
    assert kernels.asymmetry(K) == 3.0
    assert_array_equal(kernels.symmetric_part(K), [[1, 3.5], [3.5, 1]])


@pytest.mark.parametrize(
    ("K", "words"),
    [
        (np.ones((2, 3)), r"K must be square, but its shape is \(2, 3\)"),
        ([[1.0, 2.0], [5.0, 1.0]], r"K must be symmetric, but K\[0, 1\] is 2 and K\[1, 0\] is 5"),
        ([[np.nan]], "K contains NaN"),
        (np.empty((0, 0)), "K must have at least 1 row,"),
    ],
)
@pytest.mark.parametrize(
    "diagnose", [kernels.spectrum, kernels.numerical_rank, kernels.psd_witness, kernels.centred]
)
def test_bad_matrix_is_refused(diagnose, K, words):
    with pytest.raises(ValueError, match=words):
        diagnose(K)


# --- closure --------------------------------------------------------------------------------


@settings(derandomize=True, deadline=None, max_examples=60)
@given(gram_matrices(), st.sampled_from(PSD), st.floats(0, 5))
def test_closure_rules_keep_psd(first, other, factor):
    kernel, X = first
    rules = [
        kernel,
        kernels.summed(kernel, other),
        kernels.multiplied(kernel, other),
        kernels.scaled(kernel, factor),
        kernels.modulated(kernel, lambda Z: Z[:, 0] - 0.3),
        kernels.pulled_back(kernel, np.sin),
        kernels.power_series(kernels.normalised(partial(kernels.gaussian, gamma=0.1)), [0.5, 0.0, 1.0, 2.0]),
    ]
    for rule in rules:
        K = rule(X)
        assert_allclose(K, K.T, rtol=1e-12, atol=1e-12)
        assert kernels.smallest_eigenvalue(kernels.symmetric_part(K)) >= -1e-12 * max(1, np.abs(K).max())


def test_closure_rules_do_what_they_say():
    X, Y = normal(5, 2), normal(4, 2, seed=1)
    k, l = kernels.linear, kernels.gaussian

    def g(Z):
        return Z[:, 0] ** 3

    K, L = k(X, Y), l(X, Y)
    assert_allclose(kernels.summed(k, l, k)(X, Y), K + L + K)
    assert_allclose(kernels.multiplied(k, l, k)(X, Y), K * L * K)
    assert_allclose(kernels.scaled(k, 2)(X, Y), 2 * K)
    assert_allclose(kernels.modulated(k, g)(X, Y), g(X)[:, None] * K * g(Y))
    assert_allclose(kernels.pulled_back(k, np.sin)(X, Y), np.sin(X) @ np.sin(Y).T)
    assert_allclose(kernels.power_series(k, [1, 2, 3])(X, Y), 1 + 2 * K + 3 * K**2)
    assert_allclose(kernels.normalised(k)(X, Y), pairwise.cosine_similarity(X, Y), atol=1e-15, rtol=1e-14)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (kernels.summed, "at least one kernel"),
        (kernels.multiplied, "at least one kernel"),
        (lambda: kernels.scaled(kernels.linear, -1), "factor must be a number >= 0"),
        (
            lambda: kernels.power_series(kernels.linear, [1, 1, 1])([[1e90], [-1e90]]),
            "is not finite on these",
        ),
        (lambda: kernels.multiplied(kernels.linear, kernels.linear)([[1e90]]), "is not finite on these"),
        (lambda: kernels.power_series(kernels.linear, [1, -1]), "coefficients must be >= 0, but -1"),
        (lambda: kernels.normalised(kernels.linear)([[0.0]]), r"kernel\(x, x\) must be > 0"),
        (lambda: kernels.modulated(kernels.linear, lambda X: X)([[0.0]]), r"g\(X\) must have 1 axis"),
        (lambda: kernels.modulated(kernels.linear, lambda X: [1.0, 2.0])([[0.0]]), "one number a row"),
    ],
)
def test_broken_rules_are_refused(call, words):
    with pytest.raises(ValueError, match=words):
        call()


# --- masks and tapers -----------------------------------------------------------------------


def test_masks_and_taper_on_integers():
    s = np.arange(6)
    distance = np.abs(np.subtract.outer(s, s))
    assert_array_equal(kernels.band_mask(s, width=2), distance <= 2)
    assert_array_equal(kernels.causal_mask(s), np.tril(np.ones((6, 6), bool)))
    taper = kernels.triangle_taper(s, width=2)
    assert_allclose(taper, np.clip(1 - distance / 3, 0, None))
    assert_array_equal(taper > 0, kernels.band_mask(s, width=2))
    assert kernels.band_mask(s, [0.0], width=1).shape == (6, 1)


@settings(derandomize=True, deadline=None, max_examples=50)
@given(st.lists(st.floats(-50, 50), min_size=1, max_size=15), st.floats(0, 20))
def test_triangle_taper_is_psd_on_any_positions(positions, width):
    assert kernels.smallest_eigenvalue(kernels.triangle_taper(positions, width=width)) > -1e-12


@pytest.mark.parametrize("width", [1, 2, 5])
def test_band_mask_is_not_psd(width):
    K = kernels.band_mask([0, width, width + 1], width=width).astype(float)
    assert_allclose(kernels.smallest_eigenvalue(K), 1 - math.sqrt(2), atol=1e-14)


def test_negative_width_is_refused():
    with pytest.raises(ValueError, match="width must be a number >= 0"):
        kernels.triangle_taper([1, 2], width=-1)


# --- functions of an RKHS -------------------------------------------------------------------


@pytest.mark.parametrize("penalty", [1e-3, 1.0])
@pytest.mark.parametrize("shape", [(30,), (30, 2)])
def test_kernel_ridge_agrees_with_scikit_learn(penalty, shape):
    X, y = normal(30, 3), normal(*shape, seed=1)
    K = kernels.gaussian(X, gamma=0.5)
    expected = KernelRidge(alpha=penalty, kernel="precomputed").fit(K, y).dual_coef_
    assert_allclose(kernels.kernel_ridge(K, y, penalty=penalty), expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("shape", [(12,), (12, 2)])
def test_leave_one_out_residuals_agree_with_leaving_out(shape):
    X, y = normal(12, 2), normal(*shape, seed=1)
    K = kernels.gaussian(X)
    expected = []
    for i in range(12):
        kept = np.arange(12) != i
        alpha = kernels.kernel_ridge(K[np.ix_(kept, kept)], y[kept], penalty=0.1)
        expected.append(y[i] - K[i, kept] @ alpha)
    assert_allclose(kernels.leave_one_out_residuals(K, y, penalty=0.1), expected, rtol=1e-10)


def test_rkhs_norm_is_that_of_the_weight_vector():
    X, alpha = normal(9, 4), normal(9, 2, seed=1)
    weights = X.T @ alpha  # (4, 2)
    assert_allclose(kernels.rkhs_norm(alpha, kernels.linear(X)), np.linalg.norm(weights, axis=0), rtol=1e-12)
    assert_allclose(kernels.rkhs_norm(alpha[:, 0], kernels.linear(X)), np.linalg.norm(weights[:, 0]))


def test_rkhs_norm_of_the_zero_function_written_in_cancelling_terms_is_zero():
    K = kernels.gaussian(np.zeros((2, 1)))
    assert kernels.rkhs_norm([1.0, -1.0], K) == 0.0


def test_embedding_distance_is_that_of_mean_features():
    X, Y = normal(9, 3), normal(5, 3, seed=1)
    distance = kernels.embedding_distance(kernels.linear(X), kernels.linear(X, Y), kernels.linear(Y))
    assert_allclose(distance, np.linalg.norm(X.mean(axis=0) - Y.mean(axis=0)), rtol=1e-12)
    assert_allclose(kernels.embedding_distance(*[kernels.gaussian(X)] * 3), 0, atol=1e-7)


def test_generalisation_bound_value():
    bound = kernels.generalisation_bound(100, radius=2, kappa=3, lipschitz=0.5, loss_range=4, delta=0.1)
    assert_allclose(bound, 2 * 0.5 * 2 * 3 / 10 + 4 * math.sqrt(math.log(10) / 200))


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda K: kernels.kernel_ridge(K, [1.0, 2.0], penalty=0), "penalty must be a number > 0"),
        (lambda K: kernels.kernel_ridge(K, [1.0], penalty=1), "equally many rows, but K has 2, y has 1"),
        (lambda K: kernels.kernel_ridge(-K, [1.0, 2.0], penalty=0.1), "must be positive definite"),
        (lambda K: kernels.kernel_ridge(K, [1.0, np.nan], penalty=1), "y contains NaN"),
        (lambda K: kernels.rkhs_norm([1.0, 1.0], -K), "K must be positive semi-definite"),
        (lambda K: kernels.rkhs_norm(np.ones((2, 1, 1)), K), "alpha must have 1 or 2 axes"),
        (lambda K: kernels.embedding_distance(K, K[:1], K), r"K_xy must have shape \(2, 2\)"),
        (lambda K: kernels.generalisation_bound(0, radius=1), "n must be an integer >= 1"),
        (lambda K: kernels.generalisation_bound(9, radius=1, delta=1), "delta must be a probability"),
    ],
)
def test_bad_rkhs_input_is_refused(call, words):
    with pytest.raises(ValueError, match=words):
        call(np.array([[2.0, 1.0], [1.0, 2.0]]))


# --- many kernels ---------------------------------------------------------------------------


def test_combination_is_the_kernel_of_scaled_features_side_by_side():
    X = normal(8, 3)
    phi = np.hstack([math.sqrt(0.3) * X, math.sqrt(0.7) * X**2])
    assert_allclose(kernels.combine([X @ X.T, X**2 @ (X**2).T], [0.3, 0.7]), phi @ phi.T)


def test_alignment_is_a_cosine():
    X, y = normal(20, 3), np.sign(normal(20, seed=1))
    K, L = kernels.gaussian(X), np.outer(y, y)
    H = np.eye(20) - 1 / 20
    expected = np.trace(H @ K @ H @ L) / np.linalg.norm(H @ K @ H) / np.linalg.norm(H @ L @ H)
    assert_allclose(kernels.alignment(K, L), expected, rtol=1e-12)
    assert_allclose(kernels.alignment(K, 3 * K + 5), 1.0, rtol=1e-12)
    with pytest.raises(ValueError, match="K has 20, L has 2"):
        kernels.alignment(K, np.eye(2))
    assert kernels.alignment(K, np.zeros((20, 20))) == 0.0
    assert kernels.alignment(K, np.full((20, 20), 0.1)) == 0.0  # centring leaves its rounding alone


def test_alignment_weights_are_the_best_mixture():
    X = normal(60, 3)
    y = np.sign(X[:, 0] + 0.3 * normal(60, seed=1))
    grams = [kernels.linear(X[:, j : j + 1]) for j in range(3)] + [kernels.gaussian(X)]
    weights = kernels.alignment_weights(grams, y)
    assert weights.min() >= 0
    assert_allclose(weights.sum(), 1)
    best = kernels.alignment(kernels.combine(grams, weights), np.outer(y, y))
    rng = np.random.default_rng(2)
    for other in rng.dirichlet(np.full(4, 0.3), size=300):
        assert kernels.alignment(kernels.combine(grams, other), np.outer(y, y)) <= best + 1e-12


def test_alignment_weights_see_a_small_kernel_beside_a_huge_one():
    y, z = np.array([1.0, 1, -1, -1]), np.array([1.0, -1, 1, -1])
    weights = kernels.alignment_weights([1e20 * np.outer(z, z), np.outer(y, y)], y)
    assert_allclose(weights, [0, 1], atol=1e-30)


def test_alignment_weights_bear_repeated_kernels():
    X = normal(20, 2)
    y = np.sign(X[:, 0])
    K = kernels.linear(X)
    twice = kernels.alignment_weights([K, K], y)
    assert_allclose(kernels.combine([K, K], twice), K, rtol=1e-10)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda K: kernels.combine([], [1.0]), "grams must hold at least one"),
        (lambda K: kernels.combine([K, K], [1.0, -1.0]), "weights must be >= 0, but -1"),
        (lambda K: kernels.combine([K], [1.0, 1.0]), "grams has 1, weights has 2"),
        (lambda K: kernels.combine([K, K[:2, :2]], [1.0, 1.0]), "equally many rows"),
        (lambda K: kernels.alignment_weights([K], np.ones(3)), "no kernel among grams"),
        (lambda K: kernels.alignment_weights([np.ones((3, 3))], [1, 1, -1]), "no kernel among grams"),
        (lambda K: kernels.alignment_weights([0.3 * np.ones((7, 7))], np.arange(7)), "no kernel among grams"),
        (lambda K: kernels.alignment_weights([-K], [1, 1, -1]), "no kernel among grams"),
    ],
)
def test_bad_combination_is_refused(call, words):
    with pytest.raises(ValueError, match=words):
        call(np.eye(3))
