"""Chapter 3, The softmax kernel: each claim, correction and counterexample, stated with its tolerance."""

import math
from fractions import Fraction

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margins import kernels, softmax_kernel
from margins.attention import attention_weights, softmax_attention
from tests.margins_book.samples import normal


def test_c3_01_attention_is_a_row_wise_softmax():
    """softmax(QK'/sqrt d_k) V, row by row: Q (n, d_k), K (m, d_k), V (m, d_v) give (n, d_v)."""
    Q, K, V = normal(5, 4), normal(7, 4, seed=1), normal(7, 3, seed=2)
    expected = np.zeros((5, 3))
    for i in range(5):
        weights = [math.exp(Q[i] @ K[j] / math.sqrt(4)) for j in range(7)]
        for j in range(7):
            expected[i] += weights[j] / sum(weights) * V[j]
    assert_allclose(softmax_attention(Q, K, V), expected, atol=1e-12)
    column_wise = np.exp(Q @ K.T / 2) / np.exp(Q @ K.T / 2).sum(axis=0)
    assert np.abs(column_wise @ V - expected).max() > 0.1


def test_c3_02_on_tokens_the_untied_kernel_is_asymmetric_and_indefinite():
    """kappa(x, x') = exp(x'W_Q W_K'x'/sqrt d_k) with unrelated W_Q, W_K is no Mercer kernel on tokens."""
    X, W_Q, W_K = normal(30, 8), normal(8, 8, seed=1) / 3, normal(8, 8, seed=2) / 3
    asymmetry, smallest = softmax_kernel.token_report(X, W_Q, W_K)
    assert asymmetry > 5
    assert smallest < -1
    asymmetry, smallest = softmax_kernel.token_report(X, W_Q, W_Q)
    assert asymmetry < 1e-10
    assert smallest > 0.01
    assert softmax_kernel.token_verdict(W_Q, W_Q).positive_definite
    assert not softmax_kernel.token_verdict(W_Q, W_K).positive_definite


def test_c3_02_correction_unequal_projections_may_still_make_a_kernel():
    """W_K = 2 W_Q: PD on R^d holds iff A = W_Q W_K' is symmetric PSD, not iff W_Q = W_K."""
    X, W = normal(30, 8), normal(8, 8, seed=1) / 3
    kappa = softmax_kernel.token_kernel(X, W, 2 * W)
    assert kernels.asymmetry(kappa) < 1e-13 * kappa.max()
    assert kernels.is_psd(kappa)
    assert kernels.smallest_eigenvalue(kappa) > -1e-13 * kappa.max()
    assert softmax_kernel.token_verdict(W, 2 * W).positive_definite
    turn = np.linalg.qr(normal(8, 8, seed=3))[0]  # A does not see a common rotation
    assert softmax_kernel.token_verdict(W @ turn, W @ turn).positive_definite


def test_c3_03_the_scale_must_stand_on_both_sides():
    """softmax(QK') is not the row formula with 1/sqrt d_k; q/d^(1/4), k/d^(1/4) absorbs the scale."""
    Q, K = normal(6, 16), normal(9, 16, seed=1)
    scaled = attention_weights(Q, K)
    assert np.abs(attention_weights(Q, K, scale=1.0) - scaled).max() > 0.1
    assert_allclose(attention_weights(Q / 16**0.25, K / 16**0.25, scale=1.0), scaled, atol=1e-14)


def test_c3_04_prefactor_swaps_the_kernel():
    """x^beta/sqrt(beta!) makes exp(x.y); the printed prefactor e^{-|x|^2/2} makes the Gaussian instead."""
    x, y = np.array([[0.7, -0.4]]), np.array([[0.3, 0.9]])

    def product(prefactor):
        phi, psi = (softmax_kernel.taylor_features(z, degree=20, prefactor=prefactor) for z in (x, y))
        return (phi @ psi.T).item()

    exponential, gaussian = math.exp(0.7 * 0.3 - 0.4 * 0.9), math.exp(-(0.4**2 + 1.3**2) / 2)
    assert_allclose(product(False), exponential, rtol=1e-14)
    assert_allclose(product(True), gaussian, rtol=1e-14)
    assert_allclose([exponential, gaussian], [0.860708, 0.396531], atol=1e-6)


@pytest.mark.parametrize("degree", [2, 4, 6])
def test_c3_04_weights_stay_positive_for_even_degrees_only(degree):
    s = np.linspace(-8, 8, 16_001)
    even, odd = (np.exp(s) - softmax_kernel.series_remainder(s, degree=p) for p in (degree, degree - 1))
    assert odd.min() < -1 < 0 < even.min()


@pytest.mark.parametrize("m", [1, 2, 6, 10])
def test_c3_05_determinant_of_exp_is_strictly_positive(m):
    """det [e^{x_i y_j}] > 0 for increasing x_i, y_j: proved by fractions, so every matrix has rank m."""
    points = [Fraction(4 * k, max(m - 1, 1)) - 2 for k in range(m)]
    low, high = softmax_kernel.exponential_determinant(points, points)
    assert 0 < low <= high
    if m == 6:
        assert_allclose(float(low), 238.018218, rtol=1e-8)


def test_c3_05_correction_different_domains_may_factorise():
    """Not "on any infinite set": queries in span e_1, keys in span e_2 give K = 1; say on R^d x R^d."""
    t = normal(20, 1)
    queries, keys = np.hstack([t, 0 * t]), np.hstack([0 * t, t])
    assert_array_equal(kernels.exponential(queries, keys), np.ones((20, 20)))


def test_c3_05_same_infinite_set_of_vectors_on_both_sides_is_strictly_positive():
    """exp(x.y) on distinct vectors has a non-singular Gram, whatever the dimension."""
    numbers = sorted(Fraction(x).limit_denominator(1000) for x in 1.5 * normal(8, seed=1))
    assert softmax_kernel.exponential_determinant(numbers, numbers)[0] > 0  # near numbers leave no more
    for d in (2, 5):
        X = 1.5 * normal(8, d, seed=d)
        gram = kernels.exponential(X)
        scale = np.exp(np.sum(X**2, axis=1) / 2)  # rows and columns of one size: the same rank, less rounding
        assert kernels.numerical_rank(gram / np.outer(scale, scale)) == 8


def test_c3_06_softmax_is_gaussian_smoothing_with_the_key_norm_as_prior():
    """softmax_j(q.k_j) = e^{-|q-k_j|^2/2} e^{|k_j|^2/2} / sum: |q| cancels, |k_j| does not."""
    Q, K = normal(6, 3), normal(9, 3, seed=1)
    weights = attention_weights(Q, K, scale=1.0)
    gaussian = kernels.gaussian(Q, K, gamma=0.5)
    assert_allclose(softmax_kernel.attention_of(gaussian / softmax_kernel.damping(K)), weights, atol=1e-14)
    assert np.abs(softmax_kernel.attention_of(gaussian) - weights).max() > 0.1
    unit = K / np.linalg.norm(K, axis=1, keepdims=True)
    smoothed = softmax_kernel.attention_of(kernels.gaussian(Q, unit, gamma=0.5))
    assert_allclose(attention_weights(Q, unit, scale=1.0), smoothed, atol=1e-12)


@pytest.mark.parametrize("scale", [0.3, 1.0])
def test_c3_07_tied_attention_has_real_eigenvalues_between_zero_and_one(scale):
    """A = D^-1 K is similar to D^-1/2 K D^-1/2: eigenvalues in [0, 1], the largest 1, A not symmetric."""
    K = kernels.exponential(scale * normal(20, 4))
    spectrum = softmax_kernel.tied_attention_spectrum(K)
    assert_allclose(spectrum[0], 1, atol=1e-12)
    assert spectrum[1] < 1 - 1e-6
    assert spectrum[-1] > -1e-12
    A = softmax_kernel.attention_of(K)
    assert_allclose(np.sort(np.linalg.eigvals(A).real)[::-1], spectrum, atol=1e-9)
    assert kernels.asymmetry(A) > 1e-3


@pytest.mark.parametrize("d", [1, 2, 5])
def test_c3_07_sharp_tied_attention_is_a_forest_with_loops_at_its_roots(d):
    """f(i) = argmax_j x_i.x_j has no cycle but loops, so the symmetric part stays above -sqrt(n - 1)/2."""
    for seed in range(20):
        X = normal(12, d, seed=seed)
        best = (X @ X.T).argmax(axis=1)
        end = np.arange(12)
        for _ in range(12):
            end = best[end]
        assert_array_equal(best[end], end)
        sharp = np.eye(12)[best]
        assert kernels.smallest_eigenvalue(kernels.symmetric_part(sharp)) >= -math.sqrt(11) / 2


def test_c3_08_additive_encodings_multiply_four_factors():
    """exp((x+p).(x'+p')) = e^{x.x'} e^{x.p'} e^{p.x'} e^{p.p'}; the first and last are kernels."""
    X, P = normal(10, 4) / 2, softmax_kernel.sinusoidal(np.arange(10), 4)
    factors = softmax_kernel.additive_factors(X, P)
    assert_allclose(np.prod(factors, axis=0), kernels.exponential(X + P), rtol=1e-12)
    content, to_position, from_position, position = factors
    assert kernels.is_psd(content)
    assert kernels.is_psd(position)
    assert_allclose(to_position, from_position.T, rtol=1e-14)
    assert kernels.asymmetry(to_position) > 0.1


@pytest.mark.parametrize("seed", range(8))
def test_c3_08_a_table_is_a_kernel_iff_its_symbol_is_nowhere_negative(seed):
    """Symbol >= 0: every Gram matrix is PSD. Symbol < 0 somewhere: a long enough one is not."""
    half = np.random.default_rng(seed).normal(size=4) * [1, 0.3, 0.3, 0]
    theta = np.linspace(0, math.pi, 2001)
    rest = softmax_kernel.bias_symbol(np.concatenate([half[:0:-1], half]), theta).min() - math.exp(half[0])
    lowest = 0.3 if seed % 2 else max(-0.3, rest / 2)  # b(0) lifts the symbol as high as we wish
    half[0] = math.log(lowest - rest)
    table = np.concatenate([half[:0:-1], half])
    assert_allclose(softmax_kernel.bias_symbol(table, theta).min(), lowest, atol=1e-12)
    smallest = kernels.smallest_eigenvalue(softmax_kernel.relative_bias(np.arange(400), table))
    assert lowest - 1e-9 < smallest < lowest + 0.01


def test_c3_08_correction_learned_tables_and_causal_alibi_are_not_symmetric():
    """T5's tables tell past from future and the causal mask cuts half away: neither is a kernel."""
    positions = np.arange(16)
    learned = softmax_kernel.relative_bias(positions, normal(31))
    causal = softmax_kernel.alibi(positions, slope=0.5, causal=True)
    for factor in (learned, causal):
        verdict = softmax_kernel.factor_verdict(factor)
        assert not verdict.symmetric
        assert not verdict.safe_for_every_content
    assert_array_equal(np.tril(softmax_kernel.alibi(positions, slope=0.5)), causal)


@pytest.mark.parametrize(
    ("name", "positive_definite", "never_negative", "finite"),
    [
        ("exponential", True, True, False),
        ("gaussian", True, True, False),
        ("elu + 1", True, True, True),
        ("squared relu", False, True, False),
        ("cosine", True, False, True),
        ("quadratic", True, True, True),
    ],
)
def test_c3_09_variants_differ_in_definiteness_sign_and_dimension(
    name, positive_definite, never_negative, finite
):
    """Attention variants are kernels of different kinds; each cell of the table is computed."""
    X = normal(36, 2)
    few, many = (softmax_kernel.traits(softmax_kernel.VARIANTS[name], X[:n]) for n in (12, 36))
    assert many.positive_definite == positive_definite
    assert (many.smallest_entry >= 0) == never_negative
    assert (many.rank == few.rank) == finite
