"""What does not fit, leaves the range or has no answer: refused by its name, with what came."""

from functools import partial

import numpy as np
import pytest

from margins import attention, data, descent, in_context, kernels, softmax_kernel, svm
from margins import attention_svm as att
from margins import random_features as rf
from margins.attention import metric
from margins.attention_svm import layers, mirror
from margins.estimators import FourierFeatures, NadarayaWatson, SoftmaxFeatures, SVMClassifier
from margins.kernels import gaussian, linear
from margins.svm.problem import checked_bound

RNG = np.random.default_rng(0)
X, Y, TARGETS = RNG.normal(size=(6, 2)), RNG.normal(size=(4, 2)), RNG.normal(size=6)
PHI, V, ONES, EYE = RNG.uniform(0.1, 1, size=(6, 8)), RNG.normal(size=(6, 3)), np.ones((2, 3)), np.eye(2)
SIGNS, K, TWO = np.array([1.0, -1, 1, -1, 1, -1]), gaussian(X), np.array([[2.0, 1.0], [1.0, 2.0]])
HUGE, TINY, MANY = np.full((2, 2), 1e160), 1e-160 * X, np.full(6, 1e160)
DATA = att.random_token_data(3, 4, 3, rng=0)
BEST, W, SHARES = DATA.optimal_tokens, np.eye(3), np.full((3, 4), 0.25)
EXTREME = att.TokenData(1e-100 * DATA.X, 1e-100 * DATA.Z, DATA.Y, DATA.v)
LARGE = att.TokenData(1e20 * DATA.X, DATA.Z, DATA.Y, DATA.v)
FLAT = att.TokenData(np.repeat(DATA.X[:, :1], 4, axis=1), DATA.Z, DATA.Y, DATA.v)
BATCH = att.random_token_data(3, 4, 3, rng=0, batch=2)
MASKED = att.TokenData(DATA.X, DATA.Z, DATA.Y, DATA.v, np.arange(4) > np.zeros((3, 1)))
LINE = att.TokenData([[[-1.0, 0], [0, 0], [1, 0]]], [[1.0, 0.0]], [1], [1.0, 0.0])
HEADS = [RNG.normal(size=shape) for shape in ((3, 4, 2), (3, 4, 2), (3, 4, 5), (15, 6))]
TOKENS = RNG.normal(size=(7, 4))
PATCHES = np.zeros((1, 4, 4))
FEATURES = [rf.softmax_features, rf.fourier_features, rf.relu_features, partial(rf.damped_features, A=0.0)]


def token_data(**parts):
    return att.TokenData(**{"X": DATA.X, "Z": DATA.Z, "Y": DATA.Y, "v": DATA.v} | parts)


def mixture(selected=SHARES > 1, probabilities=SHARES, given=DATA):
    return att.generalised_svm(given, selected, probabilities)


def compiled(**options):
    return attention.svm_to_attention(**{"support_vectors": EYE, "dual_coef": [1.0, -1.0], **options})


def fitted(weight=None, labels=(0, 1) * 3, **parameters):
    return SVMClassifier(**parameters).fit(X, labels, weight)


def smoothed(weight=None, **parameters):
    return NadarayaWatson(**{"bandwidth": 0.3} | parameters).fit(X, TARGETS, weight)


def box(A, B):
    return (abs(A - B.T) <= 1.0).astype(float)


# fmt: off
SAID = [
    # ---------------- attention
    (lambda: attention.softmax_attention(ONES, np.ones((2, 4)), ONES), "Q and K must have equally many colu"),
    (lambda: attention.softmax_attention(ONES, ONES, np.ones((5, 3))), "K and V must have equally many rows"),
    (lambda: attention.softmax_attention(ONES[0], ONES, ONES), r"Q must have at least 2 axes \(rows, column"),
    (lambda: attention.softmax_attention(np.ones((2, 2, 3)), np.ones((3, 2, 3)), ONES), "axes must broadcas"),
    (lambda: attention.softmax_attention(ONES, ONES[:0], ONES[:0]), "K must have at least 1 row,"),
    (lambda: attention.softmax_attention(ONES, ONES, ONES, mask=np.ones((4, 2, 2), bool)), "mask must broad"),
    (lambda: attention.softmax_attention(ONES, ONES, ONES, mask=EYE), "mask must be Boolean"),
    (lambda: attention.softmax_attention(1e200 * ONES, 1e200 * ONES, ONES), "logits of Q and K may reach"),
    (lambda: attention.softmax_attention(ONES, ONES, 1.7e308 * ONES), "sums of values V may reach .* float6"),
    (lambda: attention.hard_attention([[1.0]], [[1.0], [1.0]], [[1.7e308]] * 2), "sums of values V"),
    (lambda: attention.attention_weights(X, Y, causal=True), r"but Q has \(6, 2\), K has \(4, 2\)"),
    (lambda: attention.local_attention(X, Y, Y, 1), "Q and K must have equally many rows"),
    (lambda: attention.multi_head_attention(TOKENS, HEADS[0][:2], *HEADS[1:]), r"expected X \(\.\.\., n, d"),
    (lambda: attention.multi_head_attention(TOKENS, HEADS[0], HEADS[1][..., :1], *HEADS[2:]), "expected X"),
    (lambda: attention.multi_head_attention(TOKENS, *HEADS[:3], HEADS[3][1:]), "expected X"),
    (lambda: attention.multi_head_attention(TOKENS[0], *HEADS), "X must have at least 2 axes"),
    (lambda: attention.multi_head_attention(X, *3 * [1e148 * HUGE[None]], HUGE), "product X W_Q overf"),
    (lambda: attention.token_spread(np.empty((0, 2))), "X must have at least 1 row"),
    (lambda: attention.token_spread(HUGE), "X has entries up to 1.0e.160, whose squares overflow"),
    (lambda: attention.gaussian_lift(X, Y, bandwidth=1e-200), "bandwidth 1e-200 is too small"),
    (lambda: attention.gaussian_lift(X, Y[:, :1]), "queries and keys must have equally many columns"),
    (lambda: attention.winning_keys(HUGE), "keys has entries up to 1.0e.160, whose squares overflow"),
    (lambda: attention.nadaraya_watson([[1.0, 2.0]], [[1.0]], [1.0], 1.0), "queries has 2 columns and keys"),
    (lambda: attention.nadaraya_watson([1.0], [1.0, 2.0], [1.0], 1.0), "keys has 2, values has 1"),
    (lambda: attention.nadaraya_watson([1.0], [1.0], np.ones((1, 2, 2)), 1.0), "values must have 1 or 2 axe"),
    (lambda: attention.nadaraya_watson([5.0], [0.0, 9.0], [1.0, 3.0], 1.0, kernel=box), "a sum > 0, but it"),
    (lambda: attention.loo_errors(X, 1e160 * TARGETS), "y has entries up to .*, whose squares overflow"),
    (lambda: attention.loo_errors([1.0], [1.0]), "y must have at least 2 rows"),
    (lambda: attention.loo_errors(X, TARGETS[:5]), "X has 6, y has 5"),
    (lambda: attention.loo_errors(X, TARGETS, [0.0, 1.0]), "bandwidths must be numbers > 0"),
    (lambda: attention.loo_errors(TINY, TARGETS), "X has no entry above .*, whose square vanishes; rescale"),
    (lambda: attention.loo_errors([0.0, 1.0], [3.0, 5.0], [0.5], kernel=box), "sum to 0 or less at every"),
    (lambda: attention.loo_errors(X, TARGETS, [1e-160]), "bandwidths must be numbers > 0 whose squares are"),
    (lambda: compiled(dual_coef=[1.0]), "support_vectors has 2, dual_coef has 1"),
    (lambda: compiled(intercept=[1.0, 2.0]), r"intercept must be one number, but its shape is \(2,\)"),
    (lambda: compiled()(np.ones((4, 3))), r"X must have 2 columns as the support vectors have, .* \(4, 3\)"),
    (lambda: compiled(kernel="gaussian")(np.ones((4, 3))), "X must have 2 columns as the support vectors"),
    (lambda: metric.left_out(np.ones((2, 3)), X, TARGETS), "A must have 2 columns"),
    (lambda: metric.left_out(EYE, X, TARGETS[:-1]), "expected equally many rows"),
    (lambda: metric.left_out(HUGE, X, TARGETS), "the product X A' has entries up to .* squares overflow"),
    (lambda: metric.left_out(EYE, 1e160 * X, TARGETS), "X has entries up to .* squares overflow"),
    (lambda: metric.left_out(EYE, X, 1e160 * TARGETS), "y has entries up to .* squares overflow"),
    (lambda: metric.learn_metric(EYE, X, TARGETS, rate=0), "rate must be a number > 0"),
    # ---------------- kernels
    (kernels.summed, "at least one kernel"),
    *[(partial(getattr(kernels, rule), "gaussian", *more), "a kernel must be a function .*'gaussian'")
      for rule, *more in (("summed",), ("multiplied",), ("normalised",), ("scaled", 2.0),
                          ("modulated", np.ravel), ("pulled_back", np.abs))],
    (lambda: kernels.power_series(linear, [1, 1, 1])([[1e90], [-1e90]]), "is not finite on these"),
    (lambda: kernels.power_series(linear, [1, -1]), "coefficients must be >= 0, but -1"),
    (lambda: kernels.normalised(linear)([[0.0]]), r"kernel\(x, x\) must be > 0"),
    (lambda: kernels.modulated(linear, lambda Z: Z)([[0.0]]), r"g\(X\) must have 1 axis"),
    (lambda: kernels.modulated(linear, lambda Z: [1.0, 2.0])([[0.0]]), "one number a row"),
    (lambda: kernels.combine([], [1.0]), "grams must hold at least one"),
    (lambda: kernels.combine(3, [1.0]), "grams must be a list of Gram matrices, but got 3"),
    (lambda: kernels.combine([EYE, EYE], [1.0, -1.0]), "weights must be >= 0, but -1"),
    (lambda: kernels.combine([EYE, W], [1.0, 1.0]), "equally many rows"),
    (lambda: kernels.alignment(K, EYE), "K has 6, L has 2"),
    (lambda: kernels.alignment(1e160 * K, K), "K has entries up to 1.0e.160, whose squares overflow"),
    (lambda: kernels.alignment_weights([W], np.ones(3)), "no kernel among grams"),
    (lambda: kernels.alignment_weights([-W], [1, 1, -1]), "no kernel among grams"),
    (lambda: kernels.spectrum(ONES), r"K must be square, but its shape is \(2, 3\)"),
    (lambda: kernels.centred([[1.0, 2.0], [5.0, 1.0]]), r"symmetric, but K\[0, 1\] is 2 and K\[1, 0\] is 5"),
    (lambda: kernels.linear(np.ma.array(X, mask=X > 1)), "X must be .* some of its entries are masked"),
    (lambda: kernels.laplacian([[1.0]], [[1.0, 2.0]]), r"equally many columns, but X has \(1, 1\), Y has"),
    (lambda: kernels.gaussian(EYE, out=np.empty((2, 3))), r"out must be a writable \(2, 2\) float64 array"),
    (lambda: kernels.gaussian(EYE, out=[[0, 0], [0, 0]]), "out must be a NumPy array, but got a list"),
    (lambda: kernels.gaussian(EYE, out=np.broadcast_to(0.0, (2, 2))), "read-only"),
    (lambda: kernels.multi_indices(64, 10), "at most 16777216 monomials, but degree 10 in dimension 64"),
    (lambda: kernels.scaled_monomials([[1e200]], degree=2), "monomials of degree 2 overflow"),
    (lambda: kernels.kernel_ridge(TWO, [1.0], penalty=1), "equally many rows, but K has 2, y has 1"),
    (lambda: kernels.kernel_ridge(-TWO, [1.0, 2.0], penalty=0.1), "must be positive definite"),
    (lambda: kernels.rkhs_norm([1.0, 1.0], -TWO), "K must be positive semi-definite, but alpha' K alpha is"),
    (lambda: kernels.rkhs_norm(np.ones((2, 1, 1)), TWO), "alpha must have 1 or 2 axes"),
    (lambda: kernels.rkhs_norm([1e308, 1e308], 1e10 * EYE), "alpha' K alpha overflows; rescale"),
    (lambda: kernels.embedding_distance(TWO, TWO[:1], TWO), r"K_xy must have shape \(2, 2\)"),
    (lambda: kernels.generalisation_bound(9, radius=1, delta=1), "delta must be a probability"),
    # ---------------- the softmax kernel
    (lambda: softmax_kernel.cosine(TINY), r"kernel\(x, x\) must be > 0, and at least 2.2e-308"),
    (lambda: softmax_kernel.sinusoidal([1.0], 3), "dimension must be even"),
    (lambda: softmax_kernel.rotate([[1.0, 2.0]], [1.0, 2.0]), "X has 1, positions has 2"),
    (lambda: softmax_kernel.additive_factors([[1.0]], [[1.0, 2.0]]), "X and P must have one shape"),
    (lambda: softmax_kernel.relative_bias([0.0, 1.0], [0.0, 1.0]), "an odd number, but got 2"),
    (lambda: softmax_kernel.relative_bias([0.0, 0.5], [0.0]), "whole number of steps apart"),
    (lambda: softmax_kernel.relative_bias([0.0], [999.0]), "table must stay below 700"),
    (lambda: softmax_kernel.bias_symbol([0.0, 1.0, 2.0], [0.0]), "table must be symmetric"),
    (lambda: softmax_kernel.factor_verdict(EYE, W), "factor has 2, content has 3"),
    (lambda: softmax_kernel.exponential_determinant([1, 1], [1, 2]), "x must be strictly increasing"),
    (lambda: softmax_kernel.exponential_determinant([1, 2], [2, 1]), "y must be strictly increasing"),
    (lambda: softmax_kernel.exponential_determinant([0, 100], [0, 100]), "must be at most 200, but got 1000"),
    (lambda: softmax_kernel.exponential_determinant([0, 1], 3.0), "y must have 1 axis"),
    *[(lambda M=M: softmax_kernel.determinant(M), "matrix must be n rows of n finite numbers, but got .")
      for M in (None, 3, "ab", [1, 2], [[1, 2]], [[1, "a"], [2, 3]], [[np.nan]])],
    (lambda: softmax_kernel.series_remainder([1.0, -701.0], degree=3), r"s must be within \+-700, but got 7"),
    (lambda: softmax_kernel.taylor_features([[1e200]], degree=4), "overflow float64"),
    (lambda: softmax_kernel.truncation_error([[30.0]], degree=1), r"s must be within \+-700"),
    (lambda: softmax_kernel.token_metric(EYE, ONES), "one shape, but W_Q has"),
    (lambda: softmax_kernel.token_metric([[1e200]], [[1e200]]), "the product W_Q W_K' overflows float64"),
    (lambda: softmax_kernel.token_kernel(ONES, EYE, EYE), "as many columns as W_Q has rows, 2"),
    (lambda: softmax_kernel.attention_of([[1.0, -1.0]]), "row 0 has 0"),
    (lambda: softmax_kernel.tied_attention_spectrum([[1.0, -2.0], [-2.0, 5.0]]), "entries >= 0"),
    (lambda: softmax_kernel.tied_attention_spectrum(np.diag([1.0, 0.0])), "row 1 has 0"),
    # ---------------- random features
    (lambda: rf.attention_bias_coefficient(ONES[0], ONES, ONES[0]), r"expected q \(d,\), K \(m, d\) and v"),
    (lambda: rf.attention_bias_coefficient([1e20, 0.0], X, TARGETS), "of a projection overflows"),
    (lambda: rf.jackknife_attention(PHI[:, :3], PHI[:, :3], V, 2), "with D a multiple of 2"),
    (lambda: rf.damped_features(X, Y, 0.25), "A must be < 1/4, or the estimate has no mean, but got 0.25"),
    (lambda: rf.damped_feature_variance(X[0], X[1], 1, 0.2), "A must be < 1/8, or the estimate has no varia"),
    (lambda: rf.fourier_features(ONES, Y), r"expected X \(\.\.\., n, d\) and omega \(m, d\), but X has shap"),
    (lambda: rf.fourier_features(np.float32(1e38 * ONES), 1e3 * W), "angles of X and omega may reach .* flo"),
    (lambda: rf.fourier_features(ONES, ONES[:0]), "omega is empty|omega must have at least 1 row,"),
    *[(lambda one=one: one(ONES[0], ONES), r"X .*shape \(3,\)") for one in FEATURES],
    *[(lambda one=one: one(ONES, 256), r"number 256; use projections\(256, 3, rng=0\)") for one in FEATURES],
    (lambda: rf.performer_attention(ONES, ONES, ONES, 256), r"number 256; use projections\(256, 3, rng=0\)"),
    (lambda: rf.performer_attention(X, X, X, ONES), "omega must have 2 columns as Q has"),
    (lambda: rf.performer_attention(X, Y, Y, Y, causal=True), "needs as many queries as keys"),
    (lambda: rf.performer_attention(0 * X, X + 1e160, X, Y, scale=1.0), "must stay below .*, but got entrie"),
    (lambda: rf.softmax_features(np.full((1, 2), 30.0), Y, "trigonometric"), "trigonometric features overfl"),
    (lambda: rf.softmax_features(np.full((1, 2), 1e20, np.float32), Y), "overflow float32; rescale X"),
    (lambda: rf.softmax_feature_variance([30.0], [30.0], 4), "the variance overflows at norms"),
    (lambda: rf.softmax_feature_variance(HUGE, HUGE, 3), "x has entries up to 1.0e.160, whose squares"),
    (lambda: rf.softmax_feature_variance(1.0, 1.0, 5), "x and y must be vectors .* that broadcast"),
    (lambda: rf.damped_feature_variance(np.ones(2), 1.0, 5, 0.1), "x and y must be vectors .* that broadcas"),
    (lambda: rf.fourier_feature_variance(np.ones(2), np.ones(3), 5), "x and y must be vectors .* that broad"),
    (lambda: rf.linear_attention(0 * PHI, PHI, V), "finite number other than 0, but it is 0 for 6 queries"),
    (lambda: rf.linear_attention(np.ones((2, 2)), [[1.0, -1], [1, 1]], EYE, causal=True), r"1 queries, firs"),
    (lambda: rf.linear_attention(1e200 * PHI, 1e200 * PHI, V), "it is inf for 6 queries"),
    (lambda: rf.linear_attention(PHI, PHI[:, :3], V), "phi_q and phi_k must have equally many columns"),
    (lambda: rf.linear_attention(PHI[:2], PHI, V, causal=True), "causal attention needs as many queries as"),
    (lambda: rf.linear_attention(np.ones((2, 3, 2)), np.ones((4, 3, 2)), W), "the leading axes must broadca"),
    (lambda: rf.linear_attention([[1.0, 1.0]], [[1.0, 0.0], [0.0, 1e-9 - 1]], [[1e300], [-1e300]]),
     "the answer overflows float64"),
    (lambda: rf.fast_weights(PHI, V[:3]), "phi_k has 6, V has 3"),
    (lambda: list(rf.fast_weights(1e90 * PHI, V, rate=0.1)), "the fast weights overflow with token [23]"),
    (lambda: rf.arc_cosine(X, ONES), "X and Y must have equally many columns"),
    (lambda: rf.arc_cosine(X, HUGE), "Y has entries up to 1.0e.160, whose squares overflow"),
    # ---------------- support vector machines
    (lambda: checked_bound([1.0, 2.0, -1.0, 3.0], 4), r"every C_i must be > 0, but C\[2\] = -1; leave out p"),
    (lambda: checked_bound([1.0, 2.0, 3.0], 4), "C must be one number or one a point, 4 in all, but got 3"),
    (lambda: svm.smo(EYE, [1, 1], 1.0), "y must hold both classes"),
    (lambda: svm.smo([[1, 0.5], [0, 1]], [1, -1], 1.0), "K must be symmetric"),
    (lambda: svm.smo(np.eye(20) + np.diag([0] * 18 + [0.5], 1), [1, -1] * 10, 1.0), "K must be symmetric"),
    (lambda: svm.smo(-EYE, [1, -1], 1.0), "K must be positive semi-definite on vectors of sum zero"),
    (lambda: svm.smo([[1.0, 3, 0], [3, 1, 0], [0, 0, 1]], [1.0, -1, 1], 1.0, trusted=True), "semi-definite"),
    *[(lambda C=C: svm.smo(np.full((2, 2), np.nan), [1, -1], C, trusted=True), "K must be finite, and so its")
      for C in (1.0, np.inf)],
    (lambda: svm.linear_svm(X, SIGNS, np.inf), "C must be a number > 0"),
    (lambda: svm.gaussian_svm(X, SIGNS, np.inf), "C must be a number > 0"),
    (lambda: svm.linear_svm(X, SIGNS[:4], 1.0), "expected equally many rows"),
    (lambda: svm.gaussian_svm(X, SIGNS[:4], 1.0), "expected equally many rows"),
    (lambda: svm.primal_qp(X, [1, -1, 1]), "X has 6, y has 3"),
    (lambda: svm.primal_qp(1e160 * X, SIGNS, 1.0), "X has entries up to .*, whose squares overflow"),
    (lambda: svm.primal_qp(TINY, SIGNS), "X has no entry .* square vanishes"),
    (lambda: svm.dual_qp(-EYE, [1, -1], 1.0), "K must be positive semi-definite, but its smallest eigenvalu"),
    (lambda: svm.dual_qp(1e50 * K, SIGNS, 1.0), "the program must be of a size near 1"),
    (lambda: svm.dual_objective(EYE, [1, -1], [1, 2, 3]), "alpha has 3, y has 2"),
    (lambda: svm.dual_objective(K, SIGNS, MANY), "alpha has entries up to 1.0e.160"),
    (lambda: svm.primal_objective(K, SIGNS, MANY, 0.0), "alpha has entries up to"),
    (lambda: svm.kkt_report(K, SIGNS, MANY, 0.0), "alpha has entries up to 1.0e.160"),
    (lambda: svm.kkt_report(K, SIGNS, np.ones(6)), "b must be"),
    (lambda: svm.smo(EYE, [1, -1]).decision_function(ONES), r"K must have 2 columns, one a multiplier, but"),
    (lambda: svm.smo(EYE, [1, -1]).decision_function(np.ones(2)), "K must have 2 axes"),
    (lambda: descent.logistic_loss(X, SIGNS, [1.0]), "w must have 2 entries, one a column of X, but it has"),
    (lambda: descent.logistic_descent(X, SIGNS, 3).angles([1.0]), "direction must have 2 entries"),
    (lambda: descent.logistic_descent(X, SIGNS, 3).angles([0, 0]), "direction must not be 0"),
    (lambda: descent.logistic_descent(0 * X, SIGNS, 5), "X must hold a point other than 0 to set a step_siz"),
    (lambda: descent.logistic_descent(X, SIGNS, 5, record=[1, 9]), "record must be ascending integers, none"),
    (lambda: descent.logistic_descent(X, SIGNS, 5, record=[]), "record must be ascending"),
    (lambda: descent.hard_margin_direction(1e160 * X, SIGNS), "X has entries up to .*, whose squares overfl"),
    # ---------------- estimators
    (lambda: fitted(C=0), "C must be a number > 0 or inf, but got 0"),
    (lambda: fitted(kernel="cubic"), "kernel must be one of 'linear', 'polynomial'"),
    (lambda: fitted(kernel="rbf", gamma="loud"), "gamma must be one of 'scale', 'auto', but got 'loud'"),
    (lambda: fitted(kernel=lambda A, B: -(A @ B.T)), "K must be positive semi-definite"),
    (lambda: fitted(kernel=lambda A, B: A), r"for 6 and 6 points it returned an array of shape \(6, 2\)"),
    (lambda: fitted(kernel="polynomial", coef0=-5.0), "K must be positive semi-definite"),
    (lambda: fitted(np.ones(5)), "sample_weight has 5, y has 6"),
    (lambda: fitted([1.0, 1, 1, 1, 1, -1]), "sample_weight must be >= 0, but its smallest entry is -1"),
    (lambda: fitted(np.zeros(6)), "both classes need a sample_weight > 0, but one class has zero weights on"),
    (lambda: fitted(labels=[0] * 6), "one class"),
    (lambda: fitted(labels=[0, 1, 2] * 2), "Only binary"),
    (lambda: smoothed(bandwidth="cv"), 'bandwidth must be a number > 0 or "loo"'),
    (lambda: smoothed(bandwidth=0.0), "bandwidth must be a number > 0, but got 0.0"),
    (lambda: smoothed([1.0, 1, 1, 1, 1, -1]), "sample_weight must be >= 0 .* the smallest is -1"),
    (lambda: smoothed(np.ones(5)), "sample_weight must have 6 entries, one a sample, but it has 5"),
    (lambda: FourierFeatures(0).fit(X), "n_features must be an integer >= 1, but got 0"),
    (lambda: FourierFeatures(7).fit(X), "n_features must be even, a cosine and a sine each, but got 7"),
    (lambda: FourierFeatures(8, gamma=0).fit(X), "gamma must be a number > 0"),
    (lambda: SoftmaxFeatures(2.5).fit(X), "n_features must be an integer >= 1"),
    (lambda: SoftmaxFeatures(8, kind="elu").fit(X), "kind must be one of 'positive', 'trigonometric'"),
    # ---------------- attention SVMs
    (lambda: token_data(X=np.ones((4, 3))), r"X must have the axes .* but its shape is \(4, 3\)"),
    (lambda: token_data(X=np.ones((4, 1, 3))), "X must hold at least 2 tokens a sequence"),
    (lambda: token_data(X=np.ones((0, 5, 3))), r"X is empty: its shape is \(0, 5, 3\)"),
    (lambda: token_data(Z=np.ones((4, 2))), r"Z must be \(3, 3\) beside X of \(3, 4, 3\), but its shape is"),
    (lambda: token_data(Y=[0.0, 1, 1]), r"Y must hold labels -1 and \+1, but it holds \[0.0, 1.0\]"),
    (lambda: token_data(mask=np.ones((3, 4))), "mask must be Boolean of shape"),
    (lambda: token_data(mask=np.zeros((3, 4), bool)), r"leave every query a token, but sequence \[0\] has n"),
    (lambda: token_data(mask=np.arange(4) == np.zeros((3, 1))), "mask must leave some query two tokens"),
    (lambda: att.random_token_data(2, 3, 3, rng=0, batch=(2, "a")), "batch must be an integer >= 1, but got"),
    (lambda: FLAT.optimal_tokens, r"several tokens share the highest score, first in sequence \[0\]"),
    (lambda: att.frobenius_svm(DATA.X, BEST), "data must be a TokenData, made of X, Z, Y and v, but got arr"),
    (lambda: att.frobenius_svm(DATA, 1.0 * BEST), r"tokens must be integers of shape \(3,\), .* they are fl"),
    (lambda: att.frobenius_svm(DATA, [0, 1, 4]), r"tokens must lie in 0\.\.3, but they hold 0\.\.4"),
    (lambda: att.frobenius_svm(MASKED, [1, 1, 0]), r"the mask hides the one chosen in sequence \[2\]"),
    (lambda: att.frobenius_svm(EXTREME, BEST), "X and Z give a length of about 1e-200 among tokens"),
    (lambda: att.train(EXTREME, iterations=3), "X and Z give a length"),
    (lambda: att.train_together(EXTREME, record=[1]), "X and Z give a length"),
    (lambda: att.log_excess(EXTREME, W), "X and Z give a length"),
    (lambda: att.frobenius_svm(DATA, BEST).rank(-1e-4), "tolerance must be a number >= 0"),
    (lambda: att.frobenius_svm(LINE, [1]).rank(), "infeasible: there is no solution to take the rank of"),
    (lambda: att.correlation([1.0], [[1.0]]), r"A and B must be \(..., d, e\) both, but they are \(1,\)"),
    (lambda: att.correlation(EYE, W), r"but they are \(2, 2\) and \(3, 3\)"),
    (lambda: att.token_margins(DATA, BEST, EYE), r"W must be \(3, 3\) beside X"),
    (lambda: att.is_locally_optimal(DATA, BEST, None), "solution must be an AttentionSVM, as frobenius_svm"),
    (lambda: att.judged_choice(BATCH, BATCH.optimal_tokens), "data must be one set"),
    (lambda: att.all_choices(att.random_token_data(10, 5, 3, rng=0)), r"at most 20000 choices .* have 9\.77"),
    (lambda: att.selected_tokens([0.1, 0.9]), r"probabilities must be \(..., n, T\), but their shape is \(2"),
    (lambda: mixture(selected=np.ones((3, 4))), r"selected must be Boolean \(3, 4\), but it is float64"),
    (lambda: mixture(selected=SHARES > 0), "selected must leave out some token"),
    (lambda: mixture(selected=np.arange(3)[:, None] + 0 * SHARES > 0), "selected must keep a token of every"),
    (lambda: mixture(np.arange(4) + 0 * SHARES > 1, 0 * SHARES), "probabilities must be .* positive on the"),
    (lambda: mixture(given=BATCH), r"data must be one set, but its leading axes are \(2,\)"),
    (lambda: att.training_loss(DATA, EYE), r"W must be \(3, 3\) beside X of \(3, 4, 3\), but its shape is"),
    (lambda: att.training_loss(DATA, W, head=att.relu_head(np.ones((2, 5)))), r"V must be \(..., units, 3\)"),
    (lambda: att.training_loss(DATA, W, head=att.relu_head(np.ones((2, 2, 3)))), "one for each of 1 problem"),
    (lambda: att.relu_head(np.ones(3)), "V must be"),
    (lambda: att.mlp_head(ONES, np.ones(3), np.sin, slope=np.cos), r"outward must be \(2,\) beside V of \(2"),
    (lambda: att.train_together(DATA, record=(-1,)), "record"),
    (lambda: att.train_together(DATA, record=5), "record must be a list"),
    (lambda: layers.forward(EXTREME, W[None]), "X and Z give a length"),
    (lambda: layers.forward(DATA, W), r"W must be \('layers', 3, 3\) beside X of \(3, 4, 3\)"),
    (lambda: mirror.entry_svm(LINE, [1], 2.0), "tokens must be feasible"),
    (lambda: mirror.entry_svm(LARGE, BEST, 3.0), "of a size near 1, but Solver 'CLARABEL' failed: rescale i"),
    (lambda: mirror.mirror_descent(LINE, 1.0), "p must be greater than 1"),
    (lambda: mirror.mirrored(HUGE, 3), r"\|W\|\^\(p - 1\) overflows with p = 3 and"),
    (lambda: mirror.entry_norm(EYE, -1), "p must be a number > 0, but got -1"),
    (lambda: att.sparsemax(1.0), r"y must be \(\.\.\., T\)"),
    (lambda: att.nearest_mixture(W, [1.0, 2]), r"point must be \(3,\) beside X of \(3, 3\)"),
    (lambda: att.nearest_mixture(np.ones(3), [1.0]), "X must have 2 axes"),
    (lambda: att.is_silenced(W, EYE), r"V must be \(units, 3\)"),
    (lambda: att.regularisation_path(DATA, [0.0, 1.0], rng=0), "radii must be positive and increasing"),
    (lambda: att.regularisation_path(DATA, [2.0, 1.0], rng=0), "radii must be positive and increasing"),
    (lambda: att.regularisation_path(BATCH, [1.0], rng=0), "data must be one set, but its leading axes"),
    (lambda: att.regularisation_path(FLAT, [1.0], rng=0), "all tokens have equal scores in every sequence"),
    (lambda: att.sequence_data(DATA.X, DATA.Y, DATA.v), r"X must be \(..., n, T, d\) and Y \(..., n, T\), b"),
    (lambda: att.sequence_data(DATA.X[0], SHARES[0], DATA.v), r"X must be \(..., n, T, d\) and Y \(..., n"),
    (lambda: att.train(DATA, record=[1.5]), "record must hold whole numbers from 0 to iterations = 2000"),
    (lambda: att.train(DATA, record=[3000]), "record must hold whole numbers from 0 to iterations = 2000"),
    (lambda: att.train(DATA, EYE), r"start must be \(3, 3\)"),
    (lambda: att.train(DATA, (W,)), r"start must be W, or a pair \(K, Q\), but got a sequence of 1"),
    (lambda: att.train(DATA, (ONES.T, np.ones((3, 1)))), r"K and Q must both be \(3, 'm'\)"),
    (lambda: att.train(DATA, step=1e200, ridge=1e200, normalised=False, iterations=5), "step must be smalle"),
    (lambda: att.train(DATA, head="relu"), "head must be a Head, LINEAR or one of relu_head.*, but got 'rel"),
    (lambda: att.train(DATA, loss="logistic"), "loss must be a Loss, LOGISTIC or CORRELATION, but got 'logi"),
    (lambda: att.train(DATA, normaliser="softmax"), "normaliser must be a Normaliser, EXPONENTIAL or softpl"),
    (lambda: att.least_distance([[1e-200, 0.0], [1.0, 0.0]]), "rows has lengths from .*, whose squares leav"),
    # ---------------- prompts and data
    (lambda: in_context.prompt_layers([[1.0]], [1.0, 2], [[1.0]], [0.1]), "equally many rows"),
    (lambda: in_context.prompt_layers([[1.0]], [1.0], [[1.0, 2]], [0.1]), "queries must have 1 columns"),
    (lambda: in_context.prompt_layers(1e200 * X, TARGETS, Y, [0.1, 0.1]), "the predictions overflow: X"),
    (lambda: in_context.best_single_layer([[1.0, 2], [2, 1]], 3, 0.1), "must be symmetric positive definite"),
    (lambda: in_context.chebyshev_steps(3, 3, 2), "high must exceed low=3"),
    (lambda: data.embed_patches(PATCHES, 5, rng=0), "d must be even, a cosine and a sine each, but got 5"),
    (lambda: data.embed_patches(PATCHES[:, :3], 4, rng=0), r"patches must be \(N, T, pixels\) with T a squa"),
    (lambda: data.digit_patches(np.zeros((1, 7, 8))), "images must have even sides"),
]
# fmt: on


@pytest.mark.parametrize(("ask", "words"), SAID, ids=[words[:40] for _, words in SAID])
def test_what_does_not_fit_is_refused_by_its_name(ask, words):
    with np.errstate(over="ignore", invalid="ignore"), pytest.raises(ValueError, match=words):
        ask()
