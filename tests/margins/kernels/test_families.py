"""The kernels against independent formulas, in both precisions and at any size."""

import inspect

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.metrics import pairwise

from margins import kernels, random_features, softmax_kernel
from margins.kernels import families, gram
from tests.margins.draws import normal
from tests.margins.test_package import public_functions_of

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
OTHERS = {  # kernels without parameters that live with the chapters which make them
    "quadratic": (softmax_kernel.quadratic, lambda X, Y: (1 + X @ Y.T) ** 2),
    "squared_relu": (softmax_kernel.squared_relu, lambda X, Y: np.maximum(X @ Y.T, 0) ** 2),
    "cosine": (softmax_kernel.cosine, pairwise.cosine_similarity),
    "elu_kernel": (softmax_kernel.elu_kernel, lambda X, Y: elu(X) @ elu(Y).T),
}
FAMILIES = [pytest.param(kernel, parameters, id=name) for name, (kernel, _, parameters) in PAIRS.items()]


@pytest.fixture(params=["as the formula is written", "tile by tile"])
def _both_ways(request, monkeypatch):
    """Small matrices are computed by the formula; with no entry few enough for it, these are too by tiles."""
    if request.param == "tile by tile":
        monkeypatch.setattr(families, "FEW_ENTRIES", 0)
        monkeypatch.setattr(families, "FEW_DIFFERENCES", 0)


def elu(X):
    return np.where(X > 0, X + 1, np.exp(X))


def kernels_of(*packages):
    """The public functions k(X, Y=None, ...) of packages, by name: all of their kernels."""
    functions = {name: one for package in packages for name, one in public_functions_of(package)}
    arguments = {name: inspect.signature(one).parameters for name, one in functions.items()}
    return {
        name: functions[name]
        for name, given in arguments.items()
        if list(given)[:2] == ["X", "Y"] and given["Y"].default is None
    }


def test_every_public_kernel_has_an_oracle():
    """A kernel that is not in a table above is not tested: put it there, with an oracle."""
    assert kernels_of(kernels).keys() == PAIRS.keys()
    elsewhere = {"truncation_error", "arc_cosine"}  # the one is no kernel, the other in test_formulas.py
    assert kernels_of(softmax_kernel, random_features).keys() - elsewhere == OTHERS.keys()


@pytest.mark.parametrize("name", OTHERS)
def test_other_kernels_agree_with_their_formulas(name):
    kernel, oracle = OTHERS[name]
    X, Y = normal(7, 3), normal(5, 3, seed=1)
    assert_allclose(kernel(X, Y), oracle(X, Y), atol=1e-12)
    assert_allclose(kernel(X), oracle(X, X), atol=1e-12)


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
    got = kernel(X, Y, **parameters)
    assert got.dtype == dtype
    assert_allclose(got, expected, atol=200 * np.finfo(dtype).eps * np.abs(expected).max(), rtol=0)


@pytest.mark.usefixtures("_both_ways")
@pytest.mark.parametrize("degree", [0, 1, 2, 7, 101])
def test_every_degree_of_a_polynomial_is_its_power(degree):
    X = normal(6, 3) / 4
    assert_allclose(kernels.polynomial(X, degree=degree, coef0=-0.9), (X @ X.T - 0.9) ** degree, rtol=1e-12)


@pytest.mark.parametrize("n", [20, gram.TILE + 40])
@pytest.mark.parametrize(("kernel", "parameters"), FAMILIES)
def test_gram_matrix_is_symmetric_to_the_last_bit(kernel, parameters, n):
    K = kernel(normal(n, 5), **parameters)
    assert_array_equal(K, K.T)


@pytest.mark.parametrize("n", [20, 300])
@pytest.mark.parametrize("kernel", [kernels.gaussian, kernels.laplacian])
def test_radial_kernel_is_exactly_one_on_the_diagonal_and_never_above(kernel, n):
    X = 50 + normal(n, 3)
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


@pytest.mark.usefixtures("_both_ways")
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize(("offsets", "gamma"), [([1e3], 0.01), ([1e6], 0.01), ([0.0, 1e5], 1.0)])
def test_gaussian_keeps_its_digits_far_from_the_origin_and_in_two_far_clusters(dtype, offsets, gamma):
    X = np.vstack([normal(30, 3) * gamma**-0.5 + offset for offset in offsets]).astype(dtype)
    squares = ((X[:, None].astype(np.float64) - X) ** 2).sum(-1)
    assert_allclose(
        kernels.gaussian(X, gamma=gamma), np.exp(-gamma * squares), rtol=0, atol=1e2 * np.finfo(dtype).eps
    )


@pytest.mark.usefixtures("_both_ways")
@pytest.mark.parametrize(
    ("kernel", "X"),
    [
        (kernels.linear, [[1e200]]),
        (kernels.linear, [[1e200, 1e200], [1e200, -1e200]]),
        (kernels.polynomial, [[1e60]]),
        (kernels.exponential, [[30.0]]),
        (kernels.linear, np.full((1, 1), 1e20, np.float32)),
    ],
)
def test_overflow_is_refused(kernel, X):
    with pytest.raises(ValueError, match="kernel overflows float"):
        kernel(X)
