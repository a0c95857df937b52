"""What functions of the library compute, beside an independent formula of a line or two."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.kernel_ridge import KernelRidge

from margins import attention, data, in_context, kernels, softmax_kernel
from margins import random_features as rf
from margins.prompt_network import inferred_answers
from tests.margins.draws import normal

X, Y, Z, ALPHA = normal(9, 3), normal(5, 3, seed=1), normal(9, 3, seed=2), normal(9, 2, seed=3)
K, L, H = kernels.gaussian(X), kernels.linear(X), np.eye(9) - 1 / 9
CROSS = X @ Y.T
POSITIONS = np.array([0, 1, 2, 3.5, 3.75, 9])
DISTANCES = np.abs(np.subtract.outer(POSITIONS, POSITIONS))
FREQUENCIES = 50.0 ** (-np.arange(0, 8, 2) / 8)
ENCODED = softmax_kernel.sinusoidal(POSITIONS, 8, base=50.0)
W_Q, W_K, TOKENS = normal(3, 2), normal(3, 2, seed=4), normal(6, 8)
PROMPTS, VALUES, QUERIES, TASK = normal(5, 4, 3), normal(5, 4), normal(5, 3, seed=1), normal(3, seed=2)
MANY = normal(200, 3)
ANGLES = np.arange(100_000) * 2 * math.pi / 100_000
CIRCLE = math.sqrt(2) * np.column_stack([np.cos(ANGLES), np.sin(ANGLES)])  # of mean square 2, as N(0, I)


def cubes(X):
    return X[:, 0] ** 3


def ridge(K, y):
    return kernels.kernel_ridge(K, y, penalty=0.1)


def left_out(y):
    """The residual at each point of the ridge regression on the others."""
    rest = [np.arange(9) != i for i in range(9)]
    return [y[i] - K[i, o] @ ridge(K[np.ix_(o, o)], y[o]) for i, o in enumerate(rest)]


def monomials(degree):
    """The scaled monomials of X by their definition."""
    indices = kernels.multi_indices(3, degree)
    factorials = [math.prod(map(math.factorial, beta)) for beta in indices.tolist()]
    return np.prod(X[:, None, :] ** indices, axis=2) / np.sqrt(factorials)


def complex_pairs(X):
    return X[:, ::2] + 1j * X[:, 1::2]


# fmt: off
FORMULAS = {  # what comes, and what should
    # ---------------- kernels
    "summed": lambda: (kernels.summed(kernels.linear, kernels.gaussian, kernels.linear)(X), 2 * L + K),
    "multiplied": lambda: (
        kernels.multiplied(kernels.linear, kernels.gaussian, kernels.linear)(X), L * K * L
    ),
    "scaled": lambda: (kernels.scaled(kernels.linear, 2)(X, Y), 2 * CROSS),
    "modulated": lambda: (
        kernels.modulated(kernels.linear, cubes)(X, Y), cubes(X)[:, None] * CROSS * cubes(Y)
    ),
    "pulled_back": lambda: (kernels.pulled_back(kernels.linear, np.sin)(X, Y), np.sin(X) @ np.sin(Y).T),
    "power_series": lambda: (
        kernels.power_series(kernels.linear, [1, 2, 3])(X, Y), 1 + 2 * CROSS + 3 * CROSS**2
    ),
    "band_mask": lambda: (kernels.band_mask(POSITIONS, width=2), DISTANCES <= 2),
    "band_mask of two": lambda: (
        kernels.band_mask(POSITIONS, [0.0, 2.0], width=0), np.equal.outer(POSITIONS, [0.0, 2.0])
    ),
    "causal_mask": lambda: (kernels.causal_mask(POSITIONS), np.tri(6)),
    "triangle_taper": lambda: (
        kernels.triangle_taper(POSITIONS, width=2), np.clip(1 - DISTANCES / 3, 0, None)
    ),
    "alignment": lambda: (
        kernels.alignment(K, L),
        np.trace(H @ K @ H @ L) / np.linalg.norm(H @ K @ H) / np.linalg.norm(H @ L @ H),
    ),
    "kernel_ridge": lambda: (
        ridge(K, ALPHA), KernelRidge(alpha=0.1, kernel="precomputed").fit(K, ALPHA).dual_coef_
    ),
    "kernel_ridge of one": lambda: (ridge(K, ALPHA[:, 0]), ridge(K, ALPHA)[:, 0]),
    "leave_one_out_residuals": lambda: (
        kernels.leave_one_out_residuals(K, ALPHA, penalty=0.1), left_out(ALPHA)
    ),
    "leave_one_out_residuals of one": lambda: (
        kernels.leave_one_out_residuals(K, ALPHA[:, 0], penalty=0.1), left_out(ALPHA[:, 0])
    ),
    "rkhs_norm": lambda: (kernels.rkhs_norm(ALPHA, L), np.linalg.norm(X.T @ ALPHA, axis=0)),
    "rkhs_norm of one": lambda: (kernels.rkhs_norm(ALPHA[:, 0], L), np.linalg.norm(X.T @ ALPHA[:, 0])),
    "embedding_distance": lambda: (
        kernels.embedding_distance(L, CROSS, Y @ Y.T), np.linalg.norm(X.mean(axis=0) - Y.mean(axis=0))
    ),
    "embedding_distance of equals": lambda: (kernels.embedding_distance(K, K, K) < 1e-7, True),
    "generalisation_bound": lambda: (
        kernels.generalisation_bound(100, radius=2, kappa=3, lipschitz=0.5, loss_range=4, delta=0.1),
        2 * 0.5 * 2 * 3 / 10 + 4 * math.sqrt(math.log(10) / 200),
    ),
    "scaled_monomials": lambda: (kernels.scaled_monomials(X, degree=4), monomials(4)),
    # ---------------- the softmax kernel
    "sinusoidal": lambda: (
        ENCODED @ ENCODED.T, np.cos(np.subtract.outer(POSITIONS, POSITIONS)[..., None] * FREQUENCIES).sum(-1)
    ),
    "sinusoidal, one column": lambda: (ENCODED[:, 2], np.sin(FREQUENCIES[1] * POSITIONS)),
    "rotate": lambda: (
        complex_pairs(softmax_kernel.rotate(TOKENS, POSITIONS, base=50.0)),
        complex_pairs(TOKENS) * np.exp(1j * np.outer(POSITIONS, FREQUENCIES)),
    ),
    "additive_factors": lambda: (
        softmax_kernel.additive_factors(X, Z, scale=0.5),
        np.exp([X @ X.T / 2, X @ Z.T / 2, Z @ X.T / 2, Z @ Z.T / 2]),
    ),
    "relative_bias": lambda: (  # b(-2), ..., b(2), clipped outside
        softmax_kernel.relative_bias([0, 1, 5], [-2.0, -1.0, 0.0, 0.5, 0.7]),
        np.exp([[0.0, -1.0, -2.0], [0.5, 0.0, -2.0], [0.7, 0.7, 0.0]]),
    ),
    "token_kernel": lambda: (
        softmax_kernel.token_kernel(X, W_Q, W_K), np.exp((X @ W_Q) @ (X @ W_K).T / math.sqrt(2))
    ),
    "token_kernel with a scale": lambda: (
        softmax_kernel.token_kernel(X, W_Q, W_K, scale=0.2), np.exp(0.2 * (X @ W_Q) @ (X @ W_K).T)
    ),
    "attention_of": lambda: (softmax_kernel.attention_of(0.1 * np.eye(2)), np.eye(2)),
    "damping": lambda: (softmax_kernel.damping([[1e200, 0.0], [0.0, 0.0]]), [0.0, 1.0]),
    "series_remainder": lambda: (
        softmax_kernel.series_remainder([700.0, -700.0], degree=0), [math.exp(700) - 1, -1.0]
    ),
    # ---------------- attention and prompts
    "token_spread": lambda: (
        attention.token_spread([[[1, 0], [-1, 0]], [[2, 1], [0, 1]], [[1, 1], [1, 1]], [[0, 0], [0, 0]]]),
        [1, math.sqrt(2 / 6), 0, 0],
    ),
    "best_single_layer": lambda: (
        np.linalg.inv(in_context.best_single_layer([[2.0, 0.5], [0.5, 1.0]], n=4, noise=0.5)),
        [[13.25, 2.5], [2.5, 8.25]],
    ),
    "chebyshev_steps": lambda: (in_context.chebyshev_steps(1, 3, 1), [0.5]),
    "inferred_answers": lambda: (  # two opposite tasks: a tanh
        inferred_answers(PROMPTS, VALUES, QUERIES, [TASK, -TASK], 0.6),
        np.tanh((VALUES * (PROMPTS @ TASK)).sum(axis=1) / 0.6**2) * (QUERIES @ TASK),
    ),
    # ---------------- random features and data
    "fourier_features with offsets": lambda: (
        rf.fourier_features(X, Y, offsets=np.arange(5.0)), math.sqrt(2 / 5) * np.cos(CROSS + np.arange(5.0))
    ),
    "attention_flops": lambda: (rf.attention_flops(10, 3, 5), 2 * 100 * 8),
    "linear_attention_flops": lambda: (rf.linear_attention_flops(10, 3, 7, 5), 4 * 10 * 7 * (3 + 5 + 1)),
    "arc_cosine": lambda: (  # of a wide ReLU layer: in the plane an integral over angles
        rf.arc_cosine(X[:, :2], Y[:, :2]),
        rf.relu_features(X[:, :2], CIRCLE) @ rf.relu_features(Y[:, :2], CIRCLE).T,
    ),
    "arc_cosine of 0": lambda: (rf.arc_cosine(0 * X, Y), 0 * CROSS),
    "arc_cosine of parallels": lambda: (  # rounding may lift their cosine above 1
        np.diagonal(rf.arc_cosine(MANY, 3 * MANY)), 3 * np.square(MANY).sum(axis=1)
    ),
    "embed_words": lambda: (
        data.embed_words([("fit", "the"), ("the", "model")], 64)[:, 1],
        [data.hashed_ngrams("the", 64), data.hashed_ngrams("model", 64)],
    ),
    "hashed_ngrams of a short word": lambda: (np.linalg.norm(data.hashed_ngrams("of", 64)), 1),
}
# fmt: on


@pytest.mark.parametrize("name", FORMULAS)
def test_a_function_is_its_formula(name):
    found, formula = FORMULAS[name]()
    assert_allclose(found, formula, rtol=1e-9, atol=1e-8)
