"""Chapter 2, Kernels: each claim, correction and counterexample, stated with its tolerance."""

import math
from functools import partial

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import minimize
from sklearn.datasets import make_moons

from margins import kernels
from margins.svm import smo
from tests.margins_book.samples import normal


def rings(n=60, seed=0):
    """Two noisy rings, which no line separates, and their labels."""
    rng = np.random.default_rng(seed)
    y = np.where(np.arange(n) % 2, 1.0, -1.0)
    angle, radius = rng.uniform(0, 2 * np.pi, n), np.where(y > 0, 2.0, 1.0) + 0.1 * rng.normal(size=n)
    return np.column_stack([radius * np.cos(angle), radius * np.sin(angle)]), y


def scores(K, y, C):
    """The values f(x_i) of the machine that K and y define."""
    machine = smo(K, y, C)
    return K @ (machine.alpha * y) + machine.b


@pytest.mark.parametrize("C", [0.03, 100.0])  # below 1 multipliers stand at the bound
def test_c2_01_kernel_machine_is_the_linear_machine_on_features(C):
    """Replacing <x, x'> by K(x, x') = <phi(x), phi(x')> is the linear machine on phi."""
    X, y = rings()
    phi = kernels.polynomial_features(X, degree=2, coef0=1.0)
    machine = smo(kernels.linear(phi), y, C)
    w = phi.T @ (machine.alpha * y)
    kernel_scores = scores(kernels.polynomial(X, degree=2, coef0=1.0), y, C)
    assert_allclose(kernel_scores, phi @ w + machine.b, atol=1e-11)
    assert (np.sign(kernel_scores) == y).all()


@pytest.mark.parametrize("degree", [1, 2, 3, 4])
def test_c2_02_feature_space_dimension_is_the_rank(degree):
    """For c > 0 the features are the C(p + d, d) monomials of degree <= d, for c = 0 those of degree d."""
    X = normal(60, 3)
    up_to, exactly = math.comb(3 + degree, degree), math.comb(2 + degree, degree)
    assert kernels.numerical_rank(kernels.polynomial(X, degree=degree, coef0=1.0)) == up_to
    assert kernels.numerical_rank(kernels.polynomial(X, degree=degree)) == exactly


@pytest.mark.parametrize("degree", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("c", [-0.1, -1.0])
def test_c2_02_correction_negative_c_fails_for_every_degree(degree, c):
    """c < 0: Vandermonde weights on a line leave t^(d-1) alone, whose coefficient d c is negative."""
    t = np.linspace(-1, 1, degree + 1)
    vandermonde = np.vander(t, increasing=True)  # (d + 1, d + 1): point by power
    u = np.linalg.solve(vandermonde.T, np.eye(degree + 1)[degree - 1])
    K = kernels.polynomial(t[:, None], degree=degree, coef0=c)
    assert_allclose(u @ K @ u, degree * c, atol=1e-9)
    assert kernels.psd_witness(K) is not None


@pytest.mark.parametrize("m", [2, 4, 8, 12])
def test_c2_03_every_gram_of_distinct_points_has_full_rank(m):
    """No finite feature map: the Gaussian Gram of m distinct points is non-singular for every m."""
    X = 1.5 * np.arange(m)[:, None]  # spaced, so that floating point can see it
    K = kernels.gaussian(X, gamma=0.5)
    assert kernels.numerical_rank(K) == m
    assert kernels.smallest_eigenvalue(K) > 0.05


def test_c2_04_laplacian_is_a_product_of_one_dimensional_kernels():
    """e^{-g|x-y|_1} is PD: the product over coordinates of e^{-g|x_k-y_k|}, each with a positive minimum."""
    X = normal(40, 3)
    factors = [kernels.laplacian(X[:, k : k + 1], gamma=0.8) for k in range(3)]
    assert_allclose(kernels.laplacian(X, gamma=0.8), factors[0] * factors[1] * factors[2], rtol=1e-12)
    assert min(map(kernels.smallest_eigenvalue, factors)) > 0


def test_c2_04_laplacian_space_in_the_plane_charges_the_mixed_derivative():
    """2-D: ||f||^2 = (g^2 int f^2 + int f_1^2 + int f_2^2 + int f_12^2 / g^2) / 4."""
    X, alpha, gamma = np.array([[-1.0, 0.2], [0.3, 1.0], [1.2, -0.8]]), np.array([1.0, -2.0, 0.7]), 1.3
    t = np.arange(-16, 16, 1e-2) + 5e-3  # midpoints: every kink lies between two of them
    decay = np.exp(-gamma * np.abs(t[:, None, None] - X))  # (t, points, coordinates)
    slope = -gamma * np.sign(t[:, None, None] - X) * decay
    flat, steep = (np.einsum("tik,tjk->ijk", part, part) * 1e-2 for part in (decay, slope))
    integrals = (gamma * flat + steep / gamma) / 2  # of each coordinate, (points, points, 2)
    square = kernels.rkhs_norm(alpha, kernels.laplacian(X, gamma=gamma)) ** 2
    assert_allclose(alpha @ integrals.prod(axis=2) @ alpha, square, rtol=1e-4)


def test_c2_04_laplacian_spectrum_decays_slower_and_its_gram_is_not_sparser():
    """ "Sparser" is wrong: fewer near-zero entries and several times as many eigenvalues that count."""
    X, _ = make_moons(200, noise=0.1, random_state=0)
    gaussian, laplacian = kernels.gaussian(X), kernels.laplacian(X)
    assert (laplacian < 1e-3).mean() == 0 < (gaussian < 1e-3).mean()
    count = [(kernels.spectrum(K) > 1e-3 * kernels.spectrum(K)[0]).sum() for K in (gaussian, laplacian)]
    assert count[1] > 4 * count[0]


def test_c2_05_closure_rules_and_the_limit_that_makes_exp():
    """Sums, products, scalings, g(x)Kg(y), K(f(x), f(y)) and limits of kernels are kernels."""
    X = normal(25, 3)
    k, l = partial(kernels.polynomial, degree=2, coef0=0.5), partial(kernels.laplacian, gamma=0.3)
    made = [
        kernels.summed(k, l),
        kernels.multiplied(k, l),
        kernels.scaled(k, 3.0),
        kernels.modulated(l, lambda Z: Z[:, 0]),
        kernels.pulled_back(l, np.sin),
    ]
    for kernel in made:
        K = kernel(X)
        assert kernels.smallest_eigenvalue(kernels.symmetric_part(K)) > -1e-12 * np.abs(K).max()
    partial_sums = [[1 / math.factorial(p) for p in range(q + 1)] for q in (5, 60)]
    near, limit = (kernels.power_series(kernels.linear, a)(X) for a in partial_sums)
    assert kernels.is_psd(near)
    # the rounding of a sum is that of its largest term, however small the sum of an alternating series
    assert (np.abs(limit - kernels.exponential(X)) <= 1e-12 * np.exp(np.abs(X @ X.T))).all()


@pytest.mark.parametrize("has_intercept", [True, False])
def test_c2_06_the_machine_lies_in_the_span_with_and_without_an_intercept(has_intercept):
    """The logistic loss, minimised over all 21 features: nothing of w is outside the span of 15 points."""
    X, y = rings(15)
    phi = kernels.polynomial_features(X, degree=5, coef0=1.0) / 10  # (15, 21)

    def objective(v):
        margins = y * (phi @ v[:-1] + has_intercept * v[-1])
        pull = -y / (1 + np.exp(margins))
        slope = np.append(phi.T @ pull + 0.1 * v[:-1], has_intercept * pull.sum())
        return np.logaddexp(0, -margins).sum() + 0.05 * v[:-1] @ v[:-1], slope

    best = minimize(objective, normal(22), jac=True, method="BFGS", options={"gtol": 1e-10})
    outside = np.linalg.svd(phi)[2][15:]  # orthogonal to every feature vector of the sample
    assert np.abs(outside @ normal(22)[:-1]).max() > 0.1
    assert_allclose(outside @ best.x[:-1], 0, atol=1e-6)
    assert np.linalg.norm(best.x[:-1]) > 0.1


def deviations(K, n, trials, rng):
    """||mu - mu_n|| for samples of n drawn from the finite population that K describes."""
    size = len(K)
    excess = rng.multinomial(n, np.full(size, 1 / size), size=trials) / n - 1 / size  # (trials, size)
    return np.sqrt(np.einsum("ti,ij,tj->t", excess, K, excess, optimize=True))


def test_c2_07_the_bound_holds_and_needs_kappa():
    """The gap over the ball stays below 2LB kappa/sqrt n + ...; without kappa a scaled kernel breaks it."""
    K, rng = kernels.gaussian(normal(80, 2)), np.random.default_rng(3)
    for n in (32, 512):
        gaps = deviations(K, n, 400, rng)  # the linear loss f(x), in [-1, 1] on the unit ball, L = 1
        assert gaps.max() < kernels.generalisation_bound(n, radius=1.0, loss_range=2.0, delta=0.05)
        blown_up = deviations(1e4 * K, n, 400, rng)  # kappa = 100
        assert blown_up.min() > 2 * 1.0 / math.sqrt(n)  # the complexity term with kappa left out
        assert blown_up.max() < kernels.generalisation_bound(
            n, radius=1.0, kappa=100.0, loss_range=200.0, delta=0.05
        )


def test_c2_08_concatenated_features_are_the_summed_kernel():
    """K = sum beta_m K_m, beta >= 0, is the kernel of the features sqrt(beta_m) phi_m side by side."""
    X, y = rings()
    phi, psi = kernels.polynomial_features(X, degree=2, coef0=1.0), np.sin(X)
    beside = np.hstack([math.sqrt(0.4) * phi, math.sqrt(1.5) * psi])
    mixed = kernels.combine([kernels.linear(phi), kernels.linear(psi)], [0.4, 1.5])
    assert_allclose(mixed, kernels.linear(beside), atol=1e-12)
    assert_allclose(scores(mixed, y, 1.0), scores(kernels.linear(beside), y, 1.0), atol=1e-8)
