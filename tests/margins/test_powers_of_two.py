"""Arguments of any size: what depends on ratios alone is answered alike, the rest is refused by name."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margins import attention, kernels, powers_of_two, softmax_kernel, svm
from margins import attention_svm as att
from margins import random_features as rf
from margins.attention import metric
from margins.attention_svm import layers, mirror
from margins.descent import hard_margin_direction
from margins.in_context import prompt_layers

RNG = np.random.default_rng(0)
X, Y, W = RNG.normal(size=(6, 2)), RNG.normal(size=(4, 2)), RNG.normal(size=(3, 5, 5))
SIGNS, TARGETS = np.array([1.0, -1, 1, -1, 1, -1]), RNG.normal(size=6)
PHI, V = RNG.uniform(0.1, 1, size=(6, 8)), RNG.normal(size=(6, 3))
QUERIES, KEYS, VALUES = RNG.normal(size=(3, 4, 2)), RNG.normal(size=(3, 5, 2)), RNG.normal(size=(3, 5, 1))
K = kernels.gaussian(X)
DATA = att.random_token_data(3, 4, 5, rng=0)


@pytest.fixture(autouse=True)
def _every_warning_is_an_error():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def grown(array, exponent):
    """The array times 2^exponent."""
    return np.ldexp(array, exponent)


# functions of an exponent e, and the degree: the answer at the size 2^e is 2^(degree e) times that at 1
ALIKE = {
    "alignment": (lambda e: kernels.alignment(grown(K, e), np.outer(SIGNS, SIGNS)), 0),
    "alignment_weights": (
        lambda e: kernels.alignment_weights([grown(K, e), grown(kernels.linear(X), e)], grown(SIGNS, e)),
        0,
    ),
    "rkhs_norm": (lambda e: kernels.rkhs_norm(grown(TARGETS, e), K), 1),
    "rkhs_norm of a kernel": (lambda e: kernels.rkhs_norm(TARGETS, grown(K, 2 * (e // 2))), 0.5),
    "hard_attention": (lambda e: attention.hard_attention(grown(QUERIES, e), grown(KEYS, -e), VALUES), 0),
    "token_spread": (lambda e: attention.token_spread(grown(QUERIES, e)), 0),
    "nadaraya_watson": (
        lambda e: attention.nadaraya_watson(grown(X, e), grown(Y, e), TARGETS[:4], np.ldexp(0.5, e)),
        0,
    ),
    "loo_errors": (lambda e: attention.loo_errors(grown(X, e), TARGETS)[1], 0),
    "loo_bandwidth": (lambda e: attention.loo_bandwidth(grown(X, e), TARGETS), 1),
    "winning_keys": (lambda e: attention.winning_keys(grown(X, e)), 0),
    "arc_cosine": (lambda e: rf.arc_cosine(grown(X, e), Y), 1),
    "linear_attention": (lambda e: rf.linear_attention(PHI, PHI, grown(V, e)), 1),
    "causal linear_attention": (lambda e: rf.linear_attention(PHI, PHI, grown(V, e), causal=True), 1),
    "linear_attention of small features": (
        lambda e: rf.linear_attention(grown(PHI, -500), PHI, grown(V, -abs(e) // 2)) * 2.0 ** (abs(e) // 2),
        0,
    ),
    "jackknife_attention": (lambda e: rf.jackknife_attention(PHI, PHI, grown(V, e), 8), 1),
    "correlation": (lambda e: att.correlation(grown(W[0], e), W), 0),
    "nearest_mixture": (lambda e: att.nearest_mixture(grown(X, e), grown(X[0] + X[1], e)), 0),
    "is_silenced": (lambda e: att.is_silenced(grown(X, e), grown(Y, e)), 0),
    "query_separator": (
        lambda e: att.query_separator(att.TokenData(DATA.X, grown(DATA.Z, e), DATA.Y, DATA.v)),
        -1,
    ),
    "hard_margin_direction": (lambda e: hard_margin_direction(grown(np.c_[X, SIGNS], e), SIGNS), 0),
}


@pytest.mark.parametrize("exponent", [-990, -530, 530, 990])
@pytest.mark.parametrize("name", ALIKE)
def test_what_depends_on_ratios_is_the_same_at_every_size(name, exponent):
    answer, degree = ALIKE[name]
    assert_allclose(grown(answer(exponent), -int(degree * exponent)), answer(0), rtol=1e-9, atol=1e-12)


def test_exponents_are_exact_and_zero_has_one():
    near, exponents = powers_of_two.scaled_to_one(np.array([[0.0, 3.0], [5e-324, 0.0], [0.0, 0.0]]), axis=1)
    assert_array_equal(np.ldexp(near, exponents), [[0.0, 3.0], [5e-324, 0.0], [0.0, 0.0]])
    assert_array_equal(near, [[0.0, 0.75], [0.5, 0.0], [0.0, 0.0]])
    assert powers_of_two.common_exponent(np.array([0.1]), np.array([-4.0, 1.0])) == 3
    assert_allclose(
        powers_of_two.row_norms(np.array([[3e-320, 4e-320], [3e300, -4e300]])), [[5e-320], [5e300]], rtol=1e-3
    )


HUGE, TINY = np.full((2, 2), 1e160), np.full((2, 2), 1e-200)
EXTREME = att.TokenData(1e-100 * DATA.X, 1e-100 * DATA.Z, DATA.Y, DATA.v)
LARGE = att.TokenData(1e20 * DATA.X, DATA.Z, DATA.Y, DATA.v)


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda: kernels.rkhs_norm([1e308, 1e308], 1e10 * np.eye(2)), "the norm overflows float64"),
        (lambda: softmax_kernel.cosine(1e-160 * X), r"kernel\(x, x\) must be > 0, and at least 2.2e-308"),
        (lambda: attention.loo_errors(X, 1e160 * TARGETS), "y has entries up to .*, whose squares overflow"),
        (lambda: metric.left_out(HUGE, X, TARGETS), "the product X A' has entries up to .* squares overflow"),
        (lambda: metric.left_out(np.eye(2), 1e160 * X, TARGETS), "X has entries up to .* squares overflow"),
        (lambda: metric.left_out(np.eye(2), X, 1e160 * TARGETS), "y has entries up to .* squares overflow"),
        (lambda: attention.hard_attention([[1.0]], [[1.0], [1.0]], [[1.7e308]] * 2), "sums of values V"),
        (lambda: attention.token_spread(np.empty((0, 2))), "X must have at least 1 row"),
        (lambda: attention.multi_head_attention(X, *3 * [1e148 * HUGE[None]], HUGE), "product X W_Q overf"),
        (lambda: rf.arc_cosine(X, np.ones((2, 3))), r"X and Y must have equally many columns"),
        (lambda: rf.softmax_feature_variance(HUGE, HUGE, 3), "x has entries up to 1.0e.160, whose squares"),
        (lambda: rf.attention_bias_coefficient([1e20, 0.0], X, TARGETS), "of a projection overflows"),
        (lambda: rf.linear_attention(1e300 * PHI, 1e10 * PHI, V), "the denominator of linear"),
        (lambda: rf.linear_attention([[1.0, 1.0]], [[1.0, 0.0], [0.0, 1e-9 - 1]], [[1e300], [-1e300]]),
         "the answer overflows float64"),
        (lambda: list(rf.fast_weights(1e90 * PHI, V, rate=0.1)), "the fast weights overflow with token [23]"),
        (lambda: softmax_kernel.exponential_determinant([0, 1], 3.0), "y must have 1 axis"),
        (lambda: prompt_layers(1e200 * X, TARGETS, Y, [0.1, 0.1]), "the predictions overflow: X"),
        (lambda: att.least_distance([[1e-200, 0.0], [1.0, 0.0]]), "rows has one of length 1.0e-200, whose"),
        (lambda: att.train(EXTREME, iterations=3), "X and Z give a length of about 1e-200 among tokens"),
        (lambda: att.frobenius_svm(EXTREME, DATA.optimal_tokens), "X and Z give a length"),
        (lambda: att.nuclear_svm(EXTREME, DATA.optimal_tokens), "X and Z give a length"),
        (lambda: att.train_together(EXTREME, record=[1]), "X and Z give a length"),
        (lambda: att.log_excess(EXTREME, W[0]), "X and Z give a length"),
        (lambda: layers.forward(EXTREME, W[:1]), "X and Z give a length"),
        (lambda: layers.forward(DATA, W[0]), r"W must be \('layers', 5, 5\) beside X of \(3, 4, 5\)"),
        (lambda: mirror.mirrored(HUGE, 3), r"\|W\|\^\(p - 1\) overflows with p = 3 and"),
        (lambda: mirror.entry_svm(LARGE, DATA.optimal_tokens, 3.0),
         "the program must be of a size near 1, but Solver 'CLARABEL' failed: rescale it"),
        (lambda: svm.dual_qp(1e50 * K, SIGNS, 1.0), "the program must be of a size near 1"),
        (lambda: svm.primal_qp(1e160 * X, SIGNS, 1.0), "X has entries up to .*, whose squares overflow"),
        (lambda: svm.primal_qp(1e-160 * X, SIGNS), "X has no entry .* square vanishes"),
        (lambda: svm.kkt_report(K, SIGNS, HUGE[0, :1].repeat(6), 0.0), "alpha has entries up to 1.0e.160"),
        (lambda: svm.dual_objective(K, SIGNS, HUGE[0, :1].repeat(6)), "alpha has entries up to 1.0e.160"),
        (lambda: svm.primal_objective(K, SIGNS, HUGE[0, :1].repeat(6), 0.0), "alpha has entries up to"),
        (lambda: kernels.linear(np.ma.array(X, mask=X > 1)), "X must be .* some of its entries are masked"),
    ],
)  # fmt: skip
def test_what_leaves_the_range_or_is_no_number_is_refused_by_name(ask, words):
    with pytest.raises(ValueError, match=words):
        ask()


def test_a_small_kernel_has_a_large_hard_margin_solution():
    """Multipliers of 1e300 have no squares, but the answer needs none."""
    assert_allclose(1e-300 * svm.smo(1e-300 * K, SIGNS).alpha, svm.smo(K, SIGNS).alpha, rtol=1e-9)
