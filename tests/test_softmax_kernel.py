"""The softmax kernel against exact arithmetic, closed forms and direct loops."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from margins import kernels, softmax_kernel


def normal(*shape, seed=0, dtype=np.float64):
    return np.random.default_rng(seed).normal(size=shape).astype(dtype)


# --- the Taylor feature map -----------------------------------------------------------------


@pytest.mark.parametrize("dimension", [1, 2, 5])
@pytest.mark.parametrize("degree", [0, 1, 4, 9])
@pytest.mark.parametrize("prefactor", [False, True])
def test_features_plus_truncation_error_are_the_kernel(dimension, degree, prefactor):
    X, Y = normal(6, dimension), normal(5, dimension, seed=1)
    phi, psi = (softmax_kernel.taylor_features(Z, degree=degree, prefactor=prefactor) for Z in (X, Y))
    error = softmax_kernel.truncation_error(X, Y, degree=degree, prefactor=prefactor)
    expected = kernels.gaussian(X, Y, gamma=0.5) if prefactor else kernels.exponential(X, Y)
    assert phi.shape == (6, math.comb(dimension + degree, degree))
    assert_allclose(phi @ psi.T + error, expected, rtol=0, atol=1e-13 * np.exp(np.abs(X @ Y.T)).max())


def test_truncation_error_of_a_sample_with_itself():
    X = normal(6, 3)
    for prefactor in (False, True):
        alone = softmax_kernel.truncation_error(X, degree=3, prefactor=prefactor)
        assert_allclose(
            alone, softmax_kernel.truncation_error(X, X, degree=3, prefactor=prefactor), rtol=1e-10
        )


@settings(derandomize=True, deadline=None, max_examples=80)
@given(st.fractions(-30, 30, max_denominator=1000), st.integers(0, 60))
def test_series_remainder_is_exact_to_rounding(s, degree):
    exact = softmax_kernel.exponential_series(s, 300) - softmax_kernel.exponential_series(s, degree)
    came = softmax_kernel.series_remainder(float(s), degree=degree)
    assert_allclose(came, float(exact), rtol=1e-13 + 4 * (degree + 1) * np.finfo(float).eps, atol=1e-300)


def test_series_remainder_at_the_ends_of_its_range():
    assert_allclose(softmax_kernel.series_remainder(700.0, degree=0), math.exp(700), rtol=1e-12)
    assert_allclose(softmax_kernel.series_remainder(-700.0, degree=0), -1.0, rtol=1e-12)
    with pytest.raises(ValueError, match=r"s must be within \+-700, but 701 came"):
        softmax_kernel.series_remainder([1.0, -701.0], degree=3)


def test_single_precision_features_stay_single():
    X = normal(4, 3, dtype=np.float32)
    features = softmax_kernel.taylor_features(X, degree=5, prefactor=True)
    assert features.dtype == np.float32
    assert_allclose(
        features, softmax_kernel.taylor_features(X.astype(float), degree=5, prefactor=True), rtol=1e-5
    )


def test_prefactor_of_huge_rows_is_zero_not_nan():
    assert_array_equal(softmax_kernel.damping([[1e200, 0.0], [0.0, 0.0]]), [0.0, 1.0])


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: softmax_kernel.taylor_features([1.0], degree=1), "X must have 2 axes"),
        (lambda: softmax_kernel.taylor_features([[1.0]], degree=-1), "degree must be an integer >= 0"),
        (lambda: softmax_kernel.taylor_features([[1e200]], degree=4), "overflow float64"),
        (lambda: softmax_kernel.truncation_error([[1.0]], degree=1.5), "degree must be an integer"),
        (lambda: softmax_kernel.truncation_error([[30.0]], degree=1), r"s must be within \+-700"),
        (lambda: softmax_kernel.series_remainder([], degree=1), "s is empty"),
        (lambda: softmax_kernel.series_remainder(np.nan, degree=1), "s contains NaN"),
    ],
)
def test_bad_series_input_is_refused(call, words):
    with pytest.raises(ValueError, match=words):
        call()


# --- total positivity -----------------------------------------------------------------------


def test_exact_determinant_of_a_rational_hilbert_matrix():
    hilbert = [[Fraction(1, i + j + 1) for j in range(5)] for i in range(5)]
    assert softmax_kernel.determinant(hilbert) == Fraction(1, 266716800000)
    assert softmax_kernel.determinant(hilbert[::-1]) == Fraction(1, 266716800000)  # an even permutation
    assert softmax_kernel.determinant([[Fraction(0), Fraction(1)], [Fraction(1), Fraction(0)]]) == -1
    assert softmax_kernel.determinant([[Fraction(1), Fraction(2)], [Fraction(2), Fraction(4)]]) == 0


@pytest.mark.parametrize(("x", "y"), [([-1, 2], [3, 5]), ([-3, -1], [-2, 7]), ([0.25], [-8]), ([5], [9])])
def test_determinant_enclosure_holds_the_closed_form(x, y):
    low, high = softmax_kernel.exponential_determinant(x, y, digits=14)
    if len(x) == 1:
        expected = math.exp(x[0] * y[0])
    else:
        expected = math.exp(x[0] * y[0] + x[1] * y[1]) - math.exp(x[0] * y[1] + x[1] * y[0])
    assert 0 < low <= high
    assert high / low - 1 <= Fraction(1, 10**14)
    assert_allclose([float(low), float(high)], expected, rtol=1e-12)


@settings(derandomize=True, deadline=None, max_examples=25)
@given(
    st.integers(2, 5).flatmap(
        lambda m: st.tuples(*[st.lists(st.integers(-30, 30), min_size=m, max_size=m, unique=True)] * 2)
    )
)
def test_determinant_of_distinct_points_is_positive(pair):
    x, y = ([Fraction(v, 10) for v in sorted(values)] for values in pair)
    low, high = softmax_kernel.exponential_determinant(x, y)
    assert 0 < low <= high <= low * (1 + Fraction(1, 10**12))


@pytest.mark.parametrize(
    ("x", "y", "words"),
    [
        ([1, 1], [1, 2], "x must be strictly increasing"),
        ([1, 2], [2, 1], "y must be strictly increasing"),
        ([1, 2], [1, 2, 3], "x has 2, y has 3"),
        ([1, math.nan], [1, 2], "x contains NaN"),
        ([0, 100], [0, 100], "must be at most 200, but 10000 came"),
        ([], [], "x must have at least 1 row,"),
    ],
)
def test_bad_points_are_refused(x, y, words):
    with pytest.raises(ValueError, match=words):
        softmax_kernel.exponential_determinant(x, y)


# --- tokens ---------------------------------------------------------------------------------


def test_token_kernel_is_the_direct_loop():
    X, W_Q, W_K = normal(5, 4), normal(4, 3, seed=1), normal(4, 3, seed=2)
    expected = [[math.exp((x @ W_Q) @ (y @ W_K) / math.sqrt(3)) for y in X] for x in X]
    assert_allclose(softmax_kernel.token_kernel(X, W_Q, W_K), expected, rtol=1e-12)
    assert_allclose(
        softmax_kernel.token_kernel(X, W_Q, W_K, scale=0.2),
        np.array(expected) ** (0.2 * math.sqrt(3)),
        rtol=1e-12,
    )


@settings(derandomize=True, deadline=None, max_examples=60)
@given(
    st.integers(1, 5), st.integers(1, 6), st.integers(0, 10**6), st.sampled_from(["tied", "free", "minus"])
)
def test_verdict_is_proved_by_its_tokens(d, d_k, seed, kind):
    W_Q = normal(d, d_k, seed=seed)
    W_K = {"tied": W_Q, "free": normal(d, d_k, seed=seed + 1), "minus": -W_Q}[kind]
    verdict = softmax_kernel.token_verdict(W_Q, W_K)
    if verdict.positive_definite:
        A = softmax_kernel.token_metric(W_Q, W_K)
        assert_allclose(A, A.T, atol=1e-10)
        assert np.linalg.eigvalsh((A + A.T) / 2).min() > -1e-10
        return
    kappa = softmax_kernel.token_kernel(verdict.tokens, W_Q, W_K)
    assert kernels.asymmetry(kappa) > 0 if not verdict.symmetric else np.linalg.det(kappa) < 0


def test_tied_attention_spectrum_is_that_of_the_attention_matrix():
    K = kernels.exponential(normal(12, 3))
    A = softmax_kernel.attention_of(K)
    assert_allclose(A.sum(axis=1), 1)
    direct = np.linalg.eigvals(A)
    assert np.abs(direct.imag).max() < 1e-12
    assert_allclose(softmax_kernel.tied_attention_spectrum(K), np.sort(direct.real)[::-1], atol=1e-12)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: softmax_kernel.token_metric(np.ones((2, 2)), np.ones((2, 3))), "one shape, but W_Q has"),
        (
            lambda: softmax_kernel.token_kernel(np.ones((4, 3)), np.ones((2, 2)), np.ones((2, 2))),
            "as many columns as W_Q has rows, 2",
        ),
        (
            lambda: softmax_kernel.token_kernel(np.ones((4, 2)), np.eye(2), np.eye(2), scale=0),
            "scale must be a number > 0",
        ),
        (lambda: softmax_kernel.token_kernel([[99.0]], [[1.0]], [[1.0]]), "exponential kernel overflows"),
        (lambda: softmax_kernel.attention_of([[1.0, -1.0]]), "row 0 has 0"),
        (lambda: softmax_kernel.attention_of([[1e308, 1e308]]), "row 0 has inf"),
        (lambda: softmax_kernel.tied_attention_spectrum([[1.0, -2.0], [-2.0, 5.0]]), "entries >= 0"),
        (lambda: softmax_kernel.tied_attention_spectrum(np.diag([1.0, 0.0])), "row 1 has 0"),
        (lambda: softmax_kernel.token_metric([[1e200]], [[1e200]]), "the product W_Q W_K' overflows float64"),
        (
            lambda: softmax_kernel.token_verdict([[1e200]], [[1e200]]),
            "the product W_Q W_K' overflows float64",
        ),
        (lambda: softmax_kernel.token_kernel([[1e200]], [[1e150]], [[1.0]]), "product X W_Q W_K' overflows"),
    ],
)
def test_bad_token_input_is_refused(call, words):
    with pytest.raises(ValueError, match=words):
        call()


# --- positions ------------------------------------------------------------------------------


def test_sinusoidal_encodings_meet_in_the_offset_alone():
    s = np.array([-3.5, 0.0, 2.0, 100.25])
    P = softmax_kernel.sinusoidal(s, 8)
    frequencies = 1e4 ** (-np.arange(0, 8, 2) / 8)
    expected = np.cos(np.subtract.outer(s, s)[..., None] * frequencies).sum(-1)
    assert_allclose(P @ P.T, expected, atol=1e-12)
    assert_allclose(P[:, 2], np.sin(frequencies[1] * s))


def test_rotation_is_the_complex_product():
    X, s = normal(6, 8), np.arange(6) * 1.5
    turned = (X[:, ::2] + 1j * X[:, 1::2]) * np.exp(1j * np.outer(s, 50.0 ** (-np.arange(0, 8, 2) / 8)))
    came = softmax_kernel.rotate(X, s, base=50.0)
    assert_allclose(came[:, ::2] + 1j * came[:, 1::2], turned, atol=1e-13)
    assert softmax_kernel.rotate(X.astype(np.float32), s).dtype == np.float32


def test_relative_bias_reads_its_table_and_clips():
    table = [-2.0, -1.0, 0.0, 0.5, 0.7]  # b(-2), ..., b(2)
    factor = softmax_kernel.relative_bias([0, 1, 5], table)
    expected = np.exp([[0.0, -1.0, -2.0], [0.5, 0.0, -2.0], [0.7, 0.7, 0.0]])
    assert_allclose(factor, expected)


def test_bias_symbol_decides_for_every_length():
    table = np.log([1.0, 1.4, 1.8, 1.4, 1.0])  # a triangle above a constant: both are kernels
    theta = np.linspace(0, np.pi, 2001)
    assert softmax_kernel.bias_symbol(table, theta).min() > -1e-12
    assert kernels.is_psd(softmax_kernel.relative_bias(np.arange(60), table))
    table[1:4] = np.log(2.0)  # a box
    assert softmax_kernel.bias_symbol(table, theta).min() < -0.9
    assert kernels.smallest_eigenvalue(softmax_kernel.relative_bias(np.arange(60), table)) < -0.9


def test_factor_verdict_of_an_indefinite_factor_holds_its_witness():
    factor = softmax_kernel.relative_bias(np.arange(10), [0.0, 1.0, 1.0, 1.0, 0.0])
    verdict = softmax_kernel.factor_verdict(factor)
    assert verdict.symmetric
    assert not verdict.safe_for_every_content
    u = verdict.witness
    assert_allclose(u @ factor @ u, verdict.smallest_eigenvalue, rtol=1e-10)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: softmax_kernel.sinusoidal([1.0], 3), "dimension must be even"),
        (lambda: softmax_kernel.sinusoidal([1.0], 0), "dimension must be an integer >= 1"),
        (lambda: softmax_kernel.sinusoidal([1.0], 2, base=-1.0), "base must be a number > 0"),
        (lambda: softmax_kernel.rotate([[1.0, 2.0]], [1.0, 2.0]), "X has 1, positions has 2"),
        (lambda: softmax_kernel.rotate([[1.0]], [1.0]), "dimension must be even"),
        (lambda: softmax_kernel.rotate([[1.0, 2.0]], [np.nan]), "positions contains NaN"),
        (lambda: softmax_kernel.additive_factors([[1.0]], [[1.0, 2.0]]), "X and P must have one shape"),
        (lambda: softmax_kernel.additive_factors([[1.0]], [[1.0]], scale=0), "scale must be a number > 0"),
        (lambda: softmax_kernel.alibi([1.0], slope=0), "slope must be a number > 0"),
        (lambda: softmax_kernel.relative_bias([0.0, 1.0], [0.0, 1.0]), "an odd number, but 2 came"),
        (lambda: softmax_kernel.relative_bias([0.0, 0.5], [0.0]), "whole number of steps apart"),
        (lambda: softmax_kernel.relative_bias([0.0], [999.0]), "table must stay below 700"),
        (lambda: softmax_kernel.bias_symbol([0.0, 1.0, 2.0], [0.0]), "table must be symmetric"),
        (lambda: softmax_kernel.factor_verdict(np.eye(2), np.eye(3)), "factor has 2, content has 3"),
    ],
)
def test_bad_positions_are_refused(call, words):
    with pytest.raises(ValueError, match=words):
        call()


# --- variants -------------------------------------------------------------------------------


def test_variants_are_their_formulas():
    X, Y = normal(5, 3), normal(4, 3, seed=1)
    dots = X @ Y.T
    elu = [np.where(Z > 0, Z + 1, np.exp(Z)) for Z in (X, Y)]
    norms = np.outer(np.linalg.norm(X, axis=1), np.linalg.norm(Y, axis=1))
    expected = {
        "exponential": np.exp(dots),
        "gaussian": np.exp(-((X[:, None] - Y) ** 2).sum(-1)),
        "elu + 1": elu[0] @ elu[1].T,
        "squared relu": np.maximum(dots, 0) ** 2,
        "cosine": dots / norms,
        "quadratic": (1 + dots) ** 2,
    }
    assert expected.keys() == softmax_kernel.VARIANTS.keys()
    for name, kernel in softmax_kernel.VARIANTS.items():
        assert_allclose(kernel(X, Y), expected[name], rtol=1e-12, atol=1e-14)


def test_elu_features_of_large_numbers_are_finite():
    assert_array_equal(softmax_kernel.elu_features([[1e300, -1e300]]), [[1e300, 0.0]])


@pytest.mark.parametrize("name", ["exponential", "elu + 1", "squared relu", "quadratic"])
def test_overflowing_variants_are_refused(name):
    with pytest.raises(ValueError, match=r"overflows float64|is not finite"):
        softmax_kernel.VARIANTS[name]([[1e160]])
