"""Chapter 3, The softmax kernel: each claim, correction and counterexample, stated with its tolerance."""

import itertools
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


@pytest.mark.parametrize("d", [4, 16, 64])
def test_c3_01_logits_of_independent_centred_queries_and_keys_have_variance_d(d):
    """Var q.k = d_k for independent, zero-mean, unit-variance entries, hence the 1/sqrt d_k."""
    rng, n = np.random.default_rng(d), 40_000
    logits = np.einsum("nd,nd->n", rng.normal(size=(n, d)), rng.normal(size=(n, d)))
    # (q.k)^2 has variance about 2 d^2 + 6 d: five standard errors of the mean of n of them
    assert abs((logits**2).mean() - d) < 5 * math.sqrt((2 * d**2 + 6 * d) / n)


def test_c3_01_correction_without_independence_or_zero_mean_the_variance_is_another():
    """q = k gives Var |q|^2 = 2d; entries of mean mu give d (1 + 2 mu^2)."""
    rng, n, d, mu = np.random.default_rng(0), 40_000, 16, 2.0
    Q, K = rng.normal(size=(n, d)), rng.normal(size=(n, d))
    assert_allclose(np.var((Q * Q).sum(axis=1)), 2 * d, rtol=0.1)
    assert_allclose(np.var(((Q + mu) * (K + mu)).sum(axis=1)), d * (1 + 2 * mu**2), rtol=0.1)


def test_c3_01_all_pairs_of_sign_vectors_have_the_variance_exactly():
    """Nothing sampled: mean 0 and variance d over all pairs, 0 for q = k, d (1 + 2 mu^2) around a mean mu."""
    signs = np.array(list(itertools.product([-1.0, 1.0], repeat=5)))
    logits = signs @ signs.T
    assert logits.mean() == 0
    assert_allclose(logits.var(), 5, rtol=1e-14)
    assert np.diag(logits).var() == 0
    assert_allclose(((signs + 3) @ (signs + 3).T).var(), 5 * (1 + 2 * 3**2), rtol=1e-13)


def entropies(logits, scale):
    weights = attention_weights(np.ones((1, 1)), logits[:, None], scale=scale)[0]
    return -(weights * np.log(weights)).sum(), weights


@pytest.mark.parametrize("c", [0.1, 1.0, 3.0])
def test_c3_01_entropy_falls_with_sharpness_at_the_rate_of_the_variance(c):
    """dH/dc = -c Var_A(a) for the softmax of c a, so H rises strictly with the temperature 1/c."""
    logits, step = normal(12, seed=5), 1e-5
    slope = (entropies(logits, c + step)[0] - entropies(logits, c - step)[0]) / (2 * step)
    weights = entropies(logits, c)[1]
    assert_allclose(slope, -c * (weights @ logits**2 - (weights @ logits) ** 2), atol=1e-8)


@pytest.mark.parametrize("d", [1, 2, 4, 64, 1024])
def test_c3_01_the_root_keeps_the_share_of_keys_attended(d):
    """With the scale e^H / m is (1 + 1/d)^(-d/2) on average, e^(-1/2) for large d; without it little is left.

    Given q the scaled logits are normal with variance |q|^2/d, so that e^H / m tends to e^(-|q|^2/2d) in m.
    """
    rng, shares = np.random.default_rng(d), []
    for _ in range(200):
        logits = np.linalg.norm(rng.normal(size=d)) * rng.normal(size=1024)  # q.k_j given q
        shares.append([math.exp(entropies(logits, scale)[0]) / 1024 for scale in (d**-0.5, 1.0)])
    shares = np.array(shares)
    error = shares[:, 0].std() / math.sqrt(200)
    assert abs(shares[:, 0].mean() - (1 + 1 / d) ** (-d / 2)) < 4 * error + 0.01
    assert d < 64 or shares[:, 1].mean() < 0.03


@pytest.mark.parametrize("d", [1, 3, 8])
def test_c3_02_exp_of_the_scaled_inner_product_is_positive_definite(d):
    """exp(q.k/sqrt d) on one common space: a power series with positive coefficients."""
    X = normal(25, d)
    assert kernels.is_psd(kernels.exponential(X, gamma=d**-0.5))
    series = kernels.power_series(
        kernels.scaled(kernels.linear, d**-0.5), [1 / math.factorial(p) for p in range(80)]
    )
    assert_allclose(series(X), kernels.exponential(X, gamma=d**-0.5), rtol=1e-10)


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


def test_c3_02_unrelated_projections_fail_in_every_draw():
    """Two hundred draws: never symmetric, and the symmetric part indefinite on thirty tokens each time."""
    X, rng = normal(30, 6), np.random.default_rng(6)
    for _ in range(200):
        W_Q, W_K = rng.normal(size=(2, 6, 4)) / 2
        asymmetry, smallest = softmax_kernel.token_report(X, W_Q, W_K)
        assert asymmetry > 1
        assert smallest < -0.5


def test_c3_02_a_token_has_one_feature_vector_as_query_and_another_as_key():
    """kappa is the block query x key of an honest Gram matrix on tokens in roles."""
    X, W_Q, W_K = normal(6, 3), normal(3, 2, seed=1) / 2, normal(3, 2, seed=2) / 2
    roles = kernels.exponential(np.vstack([X @ W_Q, X @ W_K]), gamma=2**-0.5)
    assert kernels.is_psd(roles)
    assert_allclose(roles[:6, 6:], softmax_kernel.token_kernel(X, W_Q, W_K), rtol=1e-13)


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


def test_c3_02_counterexample_symmetric_but_not_psd():
    """A = -1: tokens 1, 2 have the determinant e^-5 - e^-4 < 0, tokens u, -u always have one < 0."""
    kappa = softmax_kernel.token_kernel([[1.0], [2.0]], [[1.0]], [[-1.0]])
    assert_allclose(np.linalg.det(kappa), math.exp(-5) - math.exp(-4), rtol=1e-12)
    verdict = softmax_kernel.token_verdict([[1.0]], [[-1.0]])
    assert verdict.symmetric
    assert not verdict.positive_definite
    a = -1.0  # u'Au for the unit vector u
    witnessed = np.linalg.det(softmax_kernel.token_kernel(verdict.tokens, [[1.0]], [[-1.0]]))
    assert_allclose(witnessed, math.exp(2 * a) - math.exp(-2 * a), rtol=1e-12)


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


def test_c3_04_coefficients_of_degree_two():
    """beta = (2, 0) has 1/sqrt 2!, beta = (1, 1) has 1."""
    features = dict(
        zip(
            map(tuple, kernels.multi_indices(2, 2).tolist()),
            softmax_kernel.taylor_features([[3.0, 5.0]], degree=2)[0],
            strict=True,
        )
    )
    assert_allclose(features[2, 0], 9 / math.sqrt(2))
    assert_allclose(features[1, 1], 15)


@pytest.mark.parametrize("degree", range(0, 21, 4))
@pytest.mark.parametrize("d", [1, 2, 3])
def test_c3_04_correction_truncation_error_is_an_equality(degree, d):
    """exp(x.y) - phi(x).phi(y) = sum_{k>p} (x.y)^k/k!, signed; |error| <= sum |x.y|^k/k! is attained."""
    X, Y = normal(15, d), normal(15, d, seed=1)
    products = X @ Y.T
    phi, psi = (softmax_kernel.taylor_features(Z, degree=degree) for Z in (X, Y))
    gap = np.exp(products) - phi @ psi.T
    error = softmax_kernel.truncation_error(X, Y, degree=degree)
    assert (np.abs(gap - error) <= 1e-13 * np.exp(np.abs(products).max())).all()
    bound = softmax_kernel.series_remainder(np.abs(products), degree=degree)
    assert (np.abs(error) <= bound * (1 + 1e-12)).all()
    assert_allclose(error[products > 0], bound[products > 0], rtol=1e-12)


@pytest.mark.parametrize(("degree", "minimum"), [(2, 0.5), (4, 0.2704), (6, 0.1492)])
def test_c3_04_even_degrees_stay_positive(degree, minimum):
    """The series of e^s cut at an even degree is positive everywhere, at an odd degree it is not."""
    s = np.linspace(-8, 8, 160_001)
    values = np.exp(s) - softmax_kernel.series_remainder(s, degree=degree)
    assert_allclose(values.min(), minimum, atol=5e-4)
    odd = np.exp(s) - softmax_kernel.series_remainder(s, degree=degree - 1)
    assert odd.min() < -1


@pytest.mark.parametrize("m", [1, 2, 6, 10])
def test_c3_05_determinant_of_exp_is_strictly_positive(m):
    """det [e^{x_i y_j}] > 0 for increasing x_i, y_j: proved by fractions, so every matrix has rank m."""
    points = [Fraction(4 * k, max(m - 1, 1)) - 2 for k in range(m)]
    low, high = softmax_kernel.exponential_determinant(points, points)
    assert 0 < low <= high
    if m == 6:
        assert_allclose(float(low), 238.018218, rtol=1e-8)


@pytest.mark.parametrize("m", [2, 4, 6])
def test_c3_05_whole_exponents_give_vandermonde_s_determinant(m):
    """y_j = j - 1: det [e^{x_i y_j}] = prod_{i<l} (e^{x_l} - e^{x_i}), which fixes the sign of the proof."""
    x = [Fraction(k * (k + 1), 8) - 1 for k in range(m)]
    low, high = softmax_kernel.exponential_determinant(x, range(m))
    nodes = np.exp(np.array(x, dtype=float))
    product = math.prod(nodes[j] - nodes[i] for i in range(m) for j in range(i + 1, m))
    assert_allclose([float(low), float(high)], product, rtol=1e-11)


@pytest.mark.parametrize("m", [2, 4, 6])
def test_c3_05_truncated_series_has_rank_of_its_degree_plus_one(m):
    """Cut at degree p the determinant is 0 for p < m - 1, then grows with p to that of exp (Cauchy-Binet)."""
    x = [Fraction(k, 3) for k in range(m)]
    cut = [
        softmax_kernel.determinant([[softmax_kernel.exponential_series(a * b, p) for b in x] for a in x])
        for p in range(30)
    ]
    assert cut[: m - 1] == [0] * (m - 1)
    assert all(0 < a < b for a, b in zip(cut[m - 1 :], cut[m:], strict=False))
    assert cut[-1] < softmax_kernel.exponential_determinant(x, x)[1]


def test_c3_05_correction_different_domains_may_factorise():
    """Not "on any infinite set": queries in span e_1, keys in span e_2 give K = 1; say on R^d x R^d."""
    t = normal(20, 1)
    queries, keys = np.hstack([t, 0 * t]), np.hstack([0 * t, t])
    assert_array_equal(kernels.exponential(queries, keys), np.ones((20, 20)))


def test_c3_05_correction_on_finitely_many_keys_finitely_many_features_are_exact():
    """For m keys phi(q) = (e^{q.k_j})_j and psi(k_j) = e_j factorise exactly with m features."""
    Q, K = normal(50, 3), normal(6, 3, seed=1)
    phi, psi = kernels.exponential(Q, K), np.eye(6)
    assert_array_equal(phi @ psi.T, kernels.exponential(Q, K))
    assert np.linalg.matrix_rank(phi) == 6


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


@pytest.mark.parametrize("seed", range(5))
def test_c3_06_weights_over_gaussian_weights_are_the_prior(seed):
    """A_j / Gamma_j is e^{|k_j|^2/2} up to a factor of the query: equal weights iff equal lengths."""
    Q, K = normal(6, 3, seed=seed), normal(9, 3, seed=100 + seed)
    ratio = attention_weights(Q, K, scale=1.0) / softmax_kernel.attention_of(
        kernels.gaussian(Q, K, gamma=0.5)
    )
    prior = np.exp((K**2).sum(axis=1) / 2)
    assert_allclose(ratio / ratio[:, :1], np.tile(prior / prior[0], (6, 1)), rtol=1e-11)


@pytest.mark.parametrize("seed", range(5))
def test_c3_06_one_key_a_thousandth_longer_already_differs_for_every_query(seed):
    """Only if: from equal lengths, lengthen one key; no query is left whose weights are the Gaussian's."""
    Q, K = normal(20, 3, seed=seed), normal(9, 3, seed=100 + seed)
    K /= np.linalg.norm(K, axis=1, keepdims=True)
    K[0] *= 1.001
    smoothed = softmax_kernel.attention_of(kernels.gaussian(Q, K, gamma=0.5))
    share = attention_weights(Q, K, scale=1.0)[:, 0]
    assert_allclose(share / smoothed[:, 0] - 1, (1 - share) * np.expm1((1.001**2 - 1) / 2), rtol=2e-3)


def test_c3_06_a_long_key_steals_attention():
    """Inflating one key's norm raises its weight for every query at an acute angle, lowers it otherwise."""
    Q, K = normal(40, 3), normal(9, 3, seed=1)
    long = K.copy()
    long[0] *= 3
    change = (attention_weights(Q, long, scale=1.0) - attention_weights(Q, K, scale=1.0))[:, 0]
    assert_array_equal(change > 0, Q @ K[0] > 0)


def test_c3_06_the_kernel_of_attention_is_one_representative_of_many():
    """k -> k + c and (q, k) -> (Mq, M^-T k) leave the weights alone: K(q, k) g(q) is the same attention."""
    Q, K, M = normal(6, 3), normal(9, 3, seed=1), normal(3, 3, seed=2)
    weights = attention_weights(Q, K, scale=1.0)
    assert_allclose(attention_weights(Q, K + normal(1, 3, seed=3), scale=1.0), weights, atol=1e-13)
    assert_allclose(attention_weights(Q @ M.T, K @ np.linalg.inv(M), scale=1.0), weights, atol=1e-12)


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


def test_c3_07_tied_attention_is_reversible_and_forgets_at_the_rate_of_its_second_eigenvalue():
    """pi_i A_ij = pi_j A_ji; ||A^k v - mean||_pi <= lambda_2^k ||v - mean||_pi, attained by one v."""
    K = kernels.exponential(normal(12, 4) / 1.5)
    A, pi, root = softmax_kernel.attention_of(K), K.sum(axis=1) / K.sum(), np.sqrt(K.sum(axis=1))
    assert_allclose(pi[:, None] * A, (pi[:, None] * A).T, rtol=1e-13)
    assert_allclose(pi @ A, pi, rtol=1e-13)
    rate, slow = (
        softmax_kernel.tied_attention_spectrum(K)[1],
        np.linalg.eigh(K / np.outer(root, root))[1][:, -2],
    )

    def left(v, k):
        return math.sqrt(pi @ (np.linalg.matrix_power(A, k) @ v - pi @ v) ** 2)

    for k in (1, 3, 6):
        for v in normal(10, 12, seed=1):
            assert left(v, k) <= rate**k * left(v, 0)
        assert_allclose(left(slow / root, k), rate**k * left(slow / root, 0), rtol=1e-9)


def test_c3_07_weights_and_their_stationary_law_give_the_kernel_back():
    """pi_i A_ij is the symmetric kernel up to one constant: no other symmetric kernel makes these weights."""
    K = kernels.exponential(normal(8, 3))
    A = softmax_kernel.attention_of(K)
    values, vectors = np.linalg.eig(A.T)
    pi = np.abs(vectors[:, values.real.argmax()].real)
    found = pi[:, None] * A
    assert_allclose(found / found[0, 0], K / K[0, 0], rtol=1e-9)


def test_c3_07_correction_the_symmetric_part_may_be_indefinite():
    """One huge key makes A = 1 e_1', whose symmetric part has the eigenvalue (1 - sqrt n)/2."""
    n = 30
    X = np.ones((n, 1))
    X[0] = 20.0
    A = softmax_kernel.attention_of(kernels.exponential(X))
    smallest = kernels.smallest_eigenvalue(kernels.symmetric_part(A))
    assert_allclose(smallest, (1 - math.sqrt(n)) / 2, atol=1e-6)
    assert_allclose(smallest, -2.2386, atol=1e-4)
    assert softmax_kernel.tied_attention_spectrum(kernels.exponential(X))[-1] > -1e-12


def least_of_symmetric_part(X):
    weights = attention_weights(X, X, scale=1.0)
    return kernels.smallest_eigenvalue(kernels.symmetric_part(weights))


def test_c3_07_correction_one_huge_key_is_not_the_worst_case():
    """Many attend to one that attends to another: below (1 - sqrt n)/2 for n = 30, above -sqrt(n - 1)/2."""
    X = 30 * np.vstack([np.tile([1.0, 0.0], (28, 1)), [2.0, 1.0], [1.9, 10.0]])
    smallest = least_of_symmetric_part(X)
    assert smallest < (1 - math.sqrt(30)) / 2 - 0.4
    assert_allclose(smallest, -2.680, atol=1e-3)
    assert smallest > -math.sqrt(29) / 2


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


def test_c3_08_rotary_logits_depend_on_the_offset_alone():
    """R_i q . R_j k is a function of i - j."""
    q, k = normal(1, 8), normal(1, 8, seed=1)
    positions = np.arange(40)
    queries, keys = (softmax_kernel.rotate(np.repeat(z, 40, axis=0), positions) for z in (q, k))
    logits = queries @ keys.T
    for offset in range(-39, 40):
        assert np.ptp(np.diagonal(logits, offset)) < 1e-12
    assert np.ptp(logits) > 1


def test_c3_08_tied_rotary_attention_is_a_kernel_on_token_and_position():
    """With W_Q = W_K the rotated tokens R_i x are features: exp(R_i x . R_j x') is positive definite."""
    X, positions = normal(30, 8), np.arange(30)
    K = kernels.exponential(softmax_kernel.rotate(X, positions), gamma=8**-0.5)
    assert kernels.smallest_eigenvalue(K) > 0.01
    untied = kernels.exponential(
        softmax_kernel.rotate(X, positions),
        softmax_kernel.rotate(X @ normal(8, 8, seed=1), positions),
        gamma=0.1,
    )
    assert kernels.asymmetry(untied) > 0.1


@pytest.mark.parametrize("slope", [0.125, 0.5, 2.0])
def test_c3_08_alibi_is_a_laplacian_kernel(slope):
    """e^{-m|i-j|} is PD on every set of positions; on integers its smallest eigenvalue tends to tanh(m/2)."""
    factor = softmax_kernel.alibi(np.arange(200), slope=slope)
    assert_allclose(kernels.smallest_eigenvalue(factor), math.tanh(slope / 2), rtol=0.02)
    assert kernels.smallest_eigenvalue(factor) > math.tanh(slope / 2)
    assert softmax_kernel.factor_verdict(factor).safe_for_every_content


@pytest.mark.parametrize("slope", [0.05, 0.5, 2.0])
def test_c3_08_alibi_stays_above_its_limit_on_any_integers(slope):
    """Distinct integers with gaps: the smallest eigenvalue of e^{-m|i-j|} exceeds tanh(m/2)."""
    for seed in range(10):
        positions = np.random.default_rng(seed).choice(60, size=25, replace=False).astype(float)
        factor = softmax_kernel.alibi(positions, slope=slope)
        assert kernels.smallest_eigenvalue(factor) > math.tanh(slope / 2)


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


def test_c3_08_a_generic_symmetric_table_is_not_psd():
    """b(k) = b(-k) drawn at random: e^{b(i-j)} is indefinite, and so is its Fourier transform."""
    half = 2 * normal(16, seed=4)
    table = np.concatenate([half[:0:-1], half])
    factor = softmax_kernel.relative_bias(np.arange(30), table)
    assert kernels.smallest_eigenvalue(factor) < -1
    assert softmax_kernel.bias_symbol(table, np.linspace(0, math.pi, 500)).min() < -1


def test_c3_08_correction_an_indefinite_factor_may_meet_a_forgiving_content():
    """PD "iff that sequence is PD" is for every content kernel: the band table fails alone, not always."""
    band = np.exp(kernels.band_mask(np.arange(16), width=1).astype(float))
    alone = softmax_kernel.factor_verdict(band)
    assert_allclose(alone.smallest_eigenvalue, -1.66, atol=0.05)
    content = kernels.exponential(normal(16, 8))
    with_content = softmax_kernel.factor_verdict(band, content)
    assert with_content.smallest_eigenvalue > 1
    assert not with_content.safe_for_every_content
    equal_tokens = kernels.exponential(np.ones((16, 8)) / 4)
    assert softmax_kernel.factor_verdict(band, equal_tokens).smallest_eigenvalue < -1


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


def test_c3_09_normalisation_needs_positive_sums_not_definiteness():
    """Squared ReLU is not PD and normalises where some key is at an acute angle; cosine is PD and may not."""
    X = normal(30, 2)
    weights = softmax_kernel.attention_of(softmax_kernel.squared_relu(X))
    assert weights.min() >= 0
    assert_allclose(weights.sum(axis=1), 1)
    with pytest.raises(ValueError, match="finite sum > 0"):
        softmax_kernel.attention_of(softmax_kernel.cosine([[1.0, 0.0]], [[-1.0, 0.1]]))


def test_c3_09_squared_relu_has_a_negative_fourier_coefficient():
    """On the circle mode 5 tends to -2/(105 pi): no kernel for d >= 2; on the line it is one."""
    angles = np.arange(400) * 2 * math.pi / 400
    K = softmax_kernel.squared_relu(np.column_stack([np.cos(angles), np.sin(angles)]))
    for k in (1, 3, 5, 7):
        wave = np.cos(k * angles)
        expected = -2 * math.sin(k * math.pi / 2) / (math.pi * k * (k**2 - 4))
        assert_allclose(K @ wave / 400, expected * wave, atol=1e-6)
    assert kernels.is_psd(softmax_kernel.squared_relu(normal(30, 1)))
