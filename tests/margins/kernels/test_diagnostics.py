"""Gram matrices: eigenvalues, ranks and symmetry, the best mixture of several, functions of the caller."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margins import kernels
from margins.kernels.diagnostics import is_symmetric
from margins.kernels.gram import CONTRACT, REMEDY, kernel_matrix
from tests.margins.draws import normal


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


@pytest.mark.parametrize(("roundings", "symmetric"), [(900, True), (1100, False)])
def test_rounding_a_thousand_times_is_no_asymmetry(roundings, symmetric):
    """In units of the largest entry in modulus, here a negative one."""
    K = np.array([[0.0, 0.5], [0.5 + roundings * np.finfo(float).eps * 4, -4.0]])
    assert is_symmetric(K) == symmetric


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


def test_alignment_weights_bear_repeated_kernels():
    X = normal(20, 2)
    y = np.sign(X[:, 0])
    K = kernels.linear(X)
    twice = kernels.alignment_weights([K, K], y)
    assert_allclose(kernels.combine([K, K], twice), K, rtol=1e-10)


def test_a_constant_in_the_labels_does_not_count():
    """Years as labels, say: the centred kernels do not see 2000, but what is left of the digits does."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(30, 2)), rng.normal(size=30)
    grams = [kernels.gaussian(X, gamma=gamma) for gamma in (0.1, 1.0, 10.0)]
    shifted = kernels.alignment_weights(grams, 1e8 + y)
    np.testing.assert_allclose(shifted, kernels.alignment_weights(grams, y), atol=1e-6)


def test_what_is_left_by_centring_counts_as_rounding_up_to_n_roundings():
    """Off the diagonal these matrices lack 4 and 6 roundings of 1: centred they are 2 and 3 of them large."""
    eps = np.finfo(float).eps
    at, above = (np.array([[1.0, 1 - k * eps], [1 - k * eps, 1.0]]) for k in (4, 6))
    assert kernels.alignment(at, np.eye(2)) == 0.0
    assert kernels.alignment(above, np.eye(2)) == pytest.approx(1.0)


def skewed(X, Y):
    """A function of two matrices that tells its arguments apart: <x, y> + 2 x_1."""
    return X @ Y.T + 2 * X[:, :1]


@pytest.mark.parametrize("m", [3, 5])
def test_the_matrix_is_the_function_of_the_points_in_their_order(m):
    X, Y = normal(3, 2), normal(m, 2, seed=1)
    expected = [[x @ y + 2 * x[0] for y in Y] for x in X]
    np.testing.assert_allclose(kernel_matrix(skewed, X, Y), expected, rtol=1e-14)


@pytest.mark.parametrize(
    ("answer", "got"),
    [
        (np.ones((4, 3)), r"for 3 and 4 points it returned an array of shape \(4, 3\)"),
        (1.5, r"it returned the number 1\.5"),
        (
            np.full((3, 4), np.nan),
            r"the matrix of the kernel contains NaN or infinity, first at index \[0, 0\]",
        ),
    ],
)
def test_what_is_no_matrix_of_the_points_is_refused(answer, got):
    with pytest.raises(ValueError, match=got):
        kernel_matrix(lambda X, Y: answer, normal(3, 2), normal(4, 2))


def test_an_error_in_the_function_is_raised_with_the_contract_and_the_remedy():
    with pytest.raises(ZeroDivisionError) as caught:
        kernel_matrix(lambda X, Y: 1 / 0, normal(3, 2), normal(4, 2))
    (note,) = caught.value.__notes__
    assert note == f"raised by the kernel for matrices (3, 2) and (4, 2); {CONTRACT}; {REMEDY}"
