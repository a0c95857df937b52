"""Random features against quadrature, direct loops and closed forms."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.polynomial.hermite_e import hermegauss
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats

from margins import random_features as rf
from margins.attention import softmax_attention
from margins.random_features import performer
from margins.softmax_kernel import elu_features

KINDS = ("positive", "trigonometric", "hyperbolic")
quick = settings(derandomize=True, deadline=None, max_examples=25)


def normal(*shape, seed=0, dtype=np.float64):
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


def gauss_hermite(d, nodes=60):
    """Points (nodes^d, d) and weights of the expectation over N(0, I_d)."""
    x, w = hermegauss(nodes)
    w = w / w.sum()
    grid = np.array(list(itertools.product(x, repeat=d)))
    return grid, np.prod(list(itertools.product(w, repeat=d)), axis=1)


def one_by_one(phi_x, phi_y, m):
    """The estimates (m,) that each of the m projections makes of k(x, y) alone."""
    return m * (phi_x * phi_y).reshape(-1, m).sum(axis=0)


# --- projections ------------------------------------------------------------------------------


def test_projections_are_gaussian_and_reproducible():
    omega = rf.projections(4000, 3, rng=0)
    assert_array_equal(omega, rf.projections(4000, 3, rng=np.random.default_rng(0)))
    assert stats.kstest(omega.ravel(), "norm").pvalue > 0.01
    assert_allclose(np.cov(omega.T), np.eye(3), atol=0.1)


@pytest.mark.parametrize(("m", "d"), [(3, 8), (8, 8), (20, 8), (5, 1)])
def test_orthogonal_projections_come_in_blocks_of_chi_lengths(m, d):
    omega = rf.projections(m, d, rng=0, orthogonal=True)
    assert omega.shape == (m, d)
    for first in range(0, m, d):
        block = omega[first : first + d]
        inner = block @ block.T
        assert_allclose(inner - np.diag(np.diag(inner)), 0, atol=1e-12)


def test_orthogonal_projections_are_gaussian_one_by_one():
    """Each row is N(0, I): chi lengths, and directions of both signs (a bare QR has one sign only)."""
    first_rows = np.array([rf.projections(4, 4, rng=seed, orthogonal=True)[0] for seed in range(1000)])
    assert stats.kstest((first_rows**2).sum(axis=1), "chi2", args=(4,)).pvalue > 0.01
    for column in first_rows.T:
        assert stats.kstest(column, "norm").pvalue > 0.01
    bare = np.array([np.linalg.qr(normal(4, 4, seed=s))[0][:, 0] for s in range(50)])
    assert (bare[:, 0] < 0).all()  # why the signs of R matter


@pytest.mark.parametrize("wrong", [0, -1, 1.5, True])
def test_projections_refuse(wrong):
    with pytest.raises(ValueError, match="m must be an integer >= 1"):
        rf.projections(wrong, 2, rng=0)
    with pytest.raises(ValueError, match="d must be an integer >= 1"):
        rf.projections(2, wrong, rng=0)


# --- Fourier features -------------------------------------------------------------------------


@pytest.mark.parametrize(("dtype", "atol"), [(np.float64, 1e-14), (np.float32, 1e-5)])
def test_fourier_pairs_are_cosines_and_sines(dtype, atol):
    X, omega = 3 * normal(2, 700, 3, dtype=dtype), normal(200, 3, seed=1, dtype=dtype)
    angles = X.astype(float) @ omega.T.astype(float)
    features = rf.fourier_features(X, omega)
    assert features.dtype == dtype
    assert_allclose(
        features, np.concatenate([np.cos(angles), np.sin(angles)], axis=-1) / math.sqrt(200), atol=atol
    )


def test_fourier_pairs_at_the_poles_of_the_tangent():
    angles = np.array([0, math.pi / 2, math.pi, -math.pi, 3 * math.pi, 1e9, 1e15])
    features = rf.fourier_features(angles[:, None], np.ones((1, 1)))
    assert_allclose(features, np.column_stack([np.cos(angles), np.sin(angles)]), atol=1e-14)


def test_fourier_offsets():
    X, omega, b = normal(5, 3), normal(4, 3, seed=1), np.array([0.0, 1, 2, 3])
    expected = math.sqrt(2 / 4) * np.cos(X @ omega.T + b)
    assert_allclose(rf.fourier_features(X, omega, offsets=b), expected, atol=1e-14)


def test_fourier_mean_and_variance_by_quadrature():
    x, y = np.array([[0.3, -0.8]]), np.array([[1.1, 0.4]])
    omega, w = gauss_hermite(2)
    estimates = one_by_one(rf.fourier_features(x, omega)[0], rf.fourier_features(y, omega)[0], len(w))
    mean = w @ estimates
    assert_allclose(mean, math.exp(-((x - y) ** 2).sum() / 2), rtol=1e-13)
    assert_allclose(w @ estimates**2 - mean**2, rf.fourier_feature_variance(x[0], y[0], 1), rtol=1e-12)
    # offsets: 64 equidistant ones integrate their trigonometric polynomials exactly
    b = np.arange(64) * 2 * math.pi / 64
    both = np.repeat(omega, 64, axis=0), np.tile(b, len(omega)), np.repeat(w, 64) / 64
    phi_x, phi_y = (rf.fourier_features(z, both[0], offsets=both[1])[0] for z in (x, y))
    estimates = one_by_one(phi_x, phi_y, len(both[2]))
    assert_allclose(both[2] @ estimates, mean, rtol=1e-12)
    variance = both[2] @ estimates**2 - mean**2
    assert_allclose(variance, rf.fourier_feature_variance(x[0], y[0], 1, offset=True), rtol=1e-12)


def test_fourier_refuses():
    with pytest.raises(
        ValueError, match=r"expected X \(..., n, d\) and omega \(m, d\), but X has shape \(2, 3\)"
    ):
        rf.fourier_features(np.ones((2, 3)), np.ones((4, 2)))
    with pytest.raises(ValueError, match=r"the angles of X and omega may reach .* overflows float32"):
        rf.fourier_features(np.full((1, 2), 1e38, np.float32), np.full((1, 2), 1e3))
    with pytest.raises(ValueError, match="omega has 4, offsets has 3"):
        rf.fourier_features(np.ones((2, 3)), np.ones((4, 3)), offsets=np.ones(3))
    with pytest.raises(ValueError, match=r"omega is empty|omega must have at least 1 row,"):
        rf.fourier_features(np.ones((2, 3)), np.ones((0, 3)))


# --- softmax features -------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("x", "y"), [([0.3, -0.8], [1.0, 0.4]), ([1.0, 0.5], [-0.9, -0.6]), ([0.2, 0.1], [0.2, 0.1])]
)
def test_softmax_features_mean_and_variance_by_quadrature(kind, x, y):
    """E phi(x).phi(y) = exp(x.y) exactly; Monte Carlo would need millions of draws to see it."""
    x, y = np.array([x]), np.array([y])
    omega, w = gauss_hermite(2, 80)
    phi_x, phi_y = (rf.softmax_features(z, omega, kind)[0] for z in (x, y))
    estimates = one_by_one(phi_x, phi_y, len(w))
    mean = w @ estimates
    assert_allclose(mean, math.exp(x[0] @ y[0]), rtol=1e-12)
    variance = rf.softmax_feature_variance(x[0], y[0], 1, kind)
    assert_allclose(w @ (estimates - mean) ** 2, variance, rtol=1e-10, atol=1e-14)


def orthogonal_pair(d, nodes=40):
    """Two orthogonal projections of one block projected on a fixed unit vector, with weights.

    The directions are uniform, the lengths chi_d: Gauss-Laguerre over both squared lengths
    and, in two dimensions, equidistant angles. Nothing here uses the closed form.
    """
    assert d == 2
    s, u = np.polynomial.laguerre.laggauss(nodes)
    r, angle = np.sqrt(2 * s), np.arange(128) * 2 * math.pi / 128
    R1, R2, T = np.meshgrid(r, r, angle, indexing="ij")
    weights = np.broadcast_to(u[:, None, None] * u[None, :, None] / 128, T.shape)
    return R1 * np.cos(T), -R2 * np.sin(T), weights / weights.sum()


@pytest.mark.parametrize("kind", KINDS)
def test_orthogonal_variance_by_quadrature_in_two_dimensions(kind):
    x, y = np.array([0.7, 0.3]), np.array([0.2, -0.5])
    c, K = x @ x + y @ y, math.exp(x @ y)
    length = np.linalg.norm(x - y if kind == "trigonometric" else x + y)
    one, two, w = orthogonal_pair(2)
    shape, factor = {
        "positive": (np.exp, math.exp(-c / 2)),
        "hyperbolic": (np.cosh, math.exp(-c / 2)),
        "trigonometric": (np.cos, math.exp(c / 2)),
    }[kind]
    estimate = factor * (shape(length * one) + shape(length * two)) / 2
    assert_allclose((w * estimate).sum(), K, rtol=1e-9)
    variance = (w * (estimate - K) ** 2).sum()
    assert_allclose(variance, rf.softmax_feature_variance(x, y, 2, kind, orthogonal=True), rtol=1e-7)


@pytest.fixture(scope="module", params=[3, 5, 7])
def orthogonal_draws(request):
    """Orthogonal projections of 6000 seeds, (6000, m, 3)."""
    return np.stack([rf.projections(request.param, 3, rng=s, orthogonal=True) for s in range(6000)])


@pytest.mark.parametrize("kind", KINDS)
def test_orthogonal_variance_by_sampling(kind, orthogonal_draws):
    """The blocks that are drawn have the variance that is stated, also with an unfinished block."""
    x, y = np.array([0.5, 0.1, -0.2]), np.array([0.2, -0.4, 0.3])
    draws, m, _ = orthogonal_draws.shape
    phi = np.stack([rf.softmax_features(np.stack([x, y]), omega, kind) for omega in orthogonal_draws])
    estimates = (phi[:, 0] * phi[:, 1]).sum(axis=1)
    expected = rf.softmax_feature_variance(x, y, m, kind, orthogonal=True)
    assert abs(estimates.mean() - math.exp(x @ y)) < 5 * math.sqrt(expected / draws)
    spread = (estimates - math.exp(x @ y)) ** 2
    assert abs(spread.mean() - expected) < 5 * spread.std() / math.sqrt(draws)


def test_variance_broadcasts_and_shrinks_with_m():
    X, Y = 0.4 * normal(5, 1, 3), 0.4 * normal(4, 3, seed=1)
    for kind in KINDS:
        table = rf.softmax_feature_variance(X, Y, 4, kind)
        assert table.shape == (5, 4)
        assert_allclose(table, rf.softmax_feature_variance(X, Y, 1, kind) / 4, rtol=1e-14)
        assert_allclose(table[2, 3], rf.softmax_feature_variance(X[2, 0], Y[3], 4, kind), rtol=1e-13)
    # one projection, or a line, has no partners to be orthogonal to
    assert_array_equal(
        rf.softmax_feature_variance(X, Y, 1, orthogonal=True), rf.softmax_feature_variance(X, Y, 1)
    )
    line = X[..., :1], Y[..., :1]
    assert_array_equal(
        rf.softmax_feature_variance(*line, 9, orthogonal=True), rf.softmax_feature_variance(*line, 9)
    )
    share = rf.fourier_feature_variance(X, Y, 6, orthogonal=True) / rf.fourier_feature_variance(X, Y, 6)
    c = np.square(X).sum(-1) + np.square(Y).sum(-1)
    trig = rf.softmax_feature_variance(X, Y, 6, "trigonometric", orthogonal=True)
    assert_allclose(share, trig / rf.softmax_feature_variance(X, Y, 6, "trigonometric"), rtol=1e-9)
    assert_allclose(trig, np.exp(c) * rf.fourier_feature_variance(X, Y, 6, orthogonal=True), rtol=1e-9)


def test_softmax_features_refuse_overflow_and_unknown_kinds():
    omega = rf.projections(4, 2, rng=0)
    with pytest.raises(ValueError, match="kind must be one of 'positive', 'trigonometric', 'hyperbolic'"):
        rf.softmax_features(np.ones((1, 2)), omega, "cosine")
    with pytest.raises(
        ValueError, match=r"trigonometric features overflow float64 on X with norms up to 42.4"
    ):
        rf.softmax_features(np.full((1, 2), 30.0), omega, "trigonometric")
    with pytest.raises(ValueError, match="overflow float32; rescale X"):
        rf.softmax_features(np.full((1, 2), 1e20, np.float32), omega)
    with pytest.raises(ValueError, match=r"the variance overflows at norms"):
        rf.softmax_feature_variance([30.0], [30.0], 4)
    assert_array_equal(rf.softmax_features(np.full((1, 2), 300.0), omega), 0)  # underflow: finite and defined


def test_damped_features_mean_and_variance_by_quadrature():
    x, y, A = np.array([[0.6, -0.2]]), np.array([[0.3, 0.5]]), -0.2
    omega, w = gauss_hermite(2, 80)
    phi_x, phi_y = (rf.damped_features(z, omega, A)[0] for z in (x, y))
    estimates = one_by_one(phi_x, phi_y, len(w))
    assert_allclose(w @ estimates, math.exp(x[0] @ y[0]), rtol=1e-9)
    variance = w @ estimates**2 - (w @ estimates) ** 2
    assert_allclose(variance, rf.damped_feature_variance(x[0], y[0], 1, A), rtol=1e-7)
    assert_allclose(rf.damped_features(x, omega, 0.0), rf.softmax_features(x, omega), rtol=1e-13)


@pytest.mark.parametrize(("d", "a"), [(1, 0.3), (4, 2.0), (64, 5.0)])
def test_best_damping_is_a_minimum(d, a):
    x = np.zeros(d)
    x[0] = math.sqrt(a) / 2  # y = x, so |x + y|^2 = a
    best = rf.best_damping(d, a)
    values = [rf.damped_feature_variance(x, x, 1, best + step) for step in (-1e-3, 0, 1e-3)]
    assert values[1] < min(values[0], values[2])
    assert values[1] < rf.softmax_feature_variance(x, x, 1)
    assert rf.best_damping(d, 0.0) == 0


def test_damping_out_of_range():
    with pytest.raises(ValueError, match=r"A must be < 1/4, or the estimate has no mean, but 0.25 came"):
        rf.damped_features(np.ones((1, 2)), np.ones((1, 2)), 0.25)
    with pytest.raises(ValueError, match=r"A must be < 1/8, or the estimate has no variance, but 0.2 came"):
        rf.damped_feature_variance(np.ones(2), np.ones(2), 1, 0.2)
    with pytest.raises(ValueError, match="mean_square must be a number >= 0"):
        rf.best_damping(3, -1.0)
    with pytest.raises(ValueError, match="d must be an integer >= 1, but 0 came"):
        rf.best_damping(0, 0)
    assert_allclose(rf.best_damping(2, 1e300), -1.25e299)  # 1/8 - a/4d - ..., where b^2 would overflow


@pytest.mark.parametrize(("x", "y"), [(1.0, 1.0), (np.ones(2), 1.0), (np.ones(2), np.ones(3))])
def test_variances_refuse_what_is_no_pair_of_vectors(x, y):
    words = "x and y must be vectors .* that broadcast, but they are"
    with pytest.raises(ValueError, match=words):
        rf.damped_feature_variance(x, y, 5, 0.1)
    with pytest.raises(ValueError, match=words):
        rf.softmax_feature_variance(x, y, 5)
    with pytest.raises(ValueError, match=words):
        rf.fourier_feature_variance(x, y, 5)


# --- linear attention -------------------------------------------------------------------------


def token_by_token(phi_q, phi_k, V, causal):
    out = np.empty((len(phi_q), V.shape[1]))
    for i, q in enumerate(phi_q):
        weights = phi_k[: i + 1 if causal else None] @ q
        out[i] = weights @ V[: len(weights)] / weights.sum()
    return out


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("n", [1, 63, 64, 65, 200])
def test_linear_attention_is_the_loop_over_tokens(n, causal):
    phi_q, phi_k, V = elu_features(normal(n, 5)), elu_features(normal(n, 5, seed=1)), normal(n, 3, seed=2)
    answer = rf.linear_attention(phi_q, phi_k, V, causal=causal)
    assert_allclose(answer, token_by_token(phi_q, phi_k, V, causal), atol=1e-12)


@pytest.mark.parametrize("causal", [False, True])
def test_linear_attention_broadcasts(causal):
    phi_q, phi_k, V = elu_features(normal(2, 1, 70, 5)), elu_features(normal(3, 70, 5)), normal(70, 3)
    answer = rf.linear_attention(phi_q, phi_k, V.astype(np.float32), causal=causal)
    assert answer.shape == (2, 3, 70, 3)
    for a in range(2):
        for b in range(3):
            assert_allclose(answer[a, b], token_by_token(phi_q[a, 0], phi_k[b], V, causal), atol=1e-6)


@quick
@given(st.integers(0, 2**32 - 1), st.integers(1, 40), st.integers(1, 6))
def test_linear_attention_identities(seed, n, D):
    """Order of the keys, scale of each query, a scale moved from keys to queries, the convex hull."""
    rng = np.random.default_rng(seed)
    phi_q, phi_k, V = rng.uniform(0.1, 2, (n, D)), rng.uniform(0.1, 2, (n, D)), rng.normal(size=(n, 2))
    answer, order = rf.linear_attention(phi_q, phi_k, V), rng.permutation(n)
    assert_allclose(rf.linear_attention(phi_q, phi_k[order], V[order]), answer, atol=1e-12)
    assert_allclose(rf.linear_attention(phi_q * rng.uniform(0.1, 9, (n, 1)), phi_k, V), answer, atol=1e-12)
    moved = rng.uniform(0.1, 9, D)
    assert_allclose(rf.linear_attention(phi_q * moved, phi_k / moved, V), answer, atol=1e-12)
    assert (answer <= V.max(axis=0) + 1e-12).all()
    last = rf.linear_attention(phi_q, phi_k, V, causal=True)[-1]
    assert_allclose(last, answer[-1], atol=1e-12)


@pytest.mark.parametrize(
    ("phi_q", "phi_k", "causal", "words"),
    [
        (
            np.zeros((3, 2)),
            np.ones((3, 2)),
            False,
            r"must be a finite number other than 0, but it is 0 for 3 queries",
        ),
        (
            np.ones((3, 2)),
            np.array([[1.0, -1], [1, 1], [1, 1]]),
            True,
            r"it is 0 for 1 queries, first at \[0\]",
        ),
        (np.full((3, 2), 1e-200), np.full((3, 2), 1e-200), False, "it is 0 for 3 queries"),
        (np.full((3, 2), 1e200), np.full((3, 2), 1e200), False, "it is inf for 3 queries"),
        (np.ones((3, 2)), np.ones((3, 4)), False, r"expected phi_q \(..., n, D\), phi_k \(..., m, D\)"),
        (np.ones((2, 2)), np.ones((3, 2)), True, "causal attention needs as many queries as keys"),
        (np.ones((2, 3, 2)), np.ones((4, 3, 2)), False, "the leading axes must broadcast"),
        (np.full((3, 2), np.nan), np.ones((3, 2)), False, "phi_q contains NaN"),
    ],
)
def test_linear_attention_refuses(phi_q, phi_k, causal, words):
    with pytest.raises(ValueError, match=words):
        rf.linear_attention(phi_q, phi_k, np.ones((3, 2)), causal=causal)


def test_fast_weights_are_causal_linear_attention_before_division():
    phi_q, phi_k, V = normal(20, 4), normal(20, 4, seed=1), normal(20, 3, seed=2)
    written = list(rf.fast_weights(phi_k, V))
    for t, W in enumerate(written):
        direct = sum(np.outer(V[j], phi_k[j]) for j in range(t + 1))
        assert_allclose(W, direct, atol=1e-13)
        assert_allclose(W @ phi_q[t], (phi_k[: t + 1] @ phi_q[t]) @ V[: t + 1], atol=1e-12)


def test_delta_rule_is_online_gradient_descent():
    phi_k, V, rate = normal(15, 4), normal(15, 3, seed=1), 0.2
    W = np.zeros((3, 4))
    for t, written in enumerate(rf.fast_weights(phi_k, V, rate=rate)):
        gradient = -np.outer(V[t] - W @ phi_k[t], phi_k[t])
        W = W - rate * gradient
        assert_allclose(written, W, atol=1e-13)
    with pytest.raises(ValueError, match="phi_k has 2, V has 3"):
        rf.fast_weights(np.ones((2, 2)), np.ones((3, 2)))


# --- Performer attention ----------------------------------------------------------------------


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_performer_is_linear_attention_with_softmax_features(kind, causal, monkeypatch):
    monkeypatch.setattr(performer, "BLOCK", 7)
    monkeypatch.setattr(performer, "CHUNK", 5)
    Q, K, V, omega = (
        normal(2, 1, 33, 4),
        normal(2, 33, 4, seed=1),
        normal(33, 3, seed=2),
        rf.projections(20, 4, rng=3),
    )
    answer = rf.performer_attention(Q, K, V, omega, kind=kind, causal=causal)
    phi_q, phi_k = (rf.softmax_features(X / math.sqrt(2), omega, kind) for X in (Q, K))  # 4^(-1/4)
    assert_allclose(answer, rf.linear_attention(phi_q, phi_k, V, causal=causal), rtol=1e-9, atol=1e-10)


def log_domain(Q, K, V, omega, causal):
    """The same estimate with every product of features formed in logarithms."""
    exponents = Q @ omega.T, K @ omega.T - (K**2).sum(axis=1, keepdims=True) / 2
    logits = np.logaddexp.reduce(exponents[0][:, None] + exponents[1][None], axis=-1)  # (n, m)
    return softmax_of(np.where(np.tri(*logits.shape), logits, -np.inf) if causal else logits) @ V


def softmax_of(logits):
    weights = np.exp(logits - logits.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize(("dtype", "rtol"), [(np.float64, 1e-6), (np.float32, 0.05)])
def test_performer_survives_any_norm(causal, dtype, rtol):
    """Norms at which every plain feature underflows: the ratio still has all its digits."""
    Q, K, V = (s * normal(50, 6, seed=i, dtype=dtype) for i, s in enumerate((60, 60, 1)))
    K[20:] *= 0.1  # later keys with much larger features: the case in which a chunk must be halved
    omega = rf.projections(32, 6, rng=3).astype(dtype)
    with pytest.raises(ValueError, match="denominator of linear attention"):
        rf.linear_attention(rf.softmax_features(Q, omega), rf.softmax_features(K, omega), V, causal=causal)
    answer = rf.performer_attention(Q, K, V, omega, scale=1.0, causal=causal)
    assert answer.dtype == dtype
    assert_allclose(
        answer, log_domain(*(x.astype(float) for x in (Q, K, V, omega)), causal), rtol=rtol, atol=rtol
    )


def test_performer_with_extreme_values_and_scales():
    """Values near the end of the number range, and a tiny scale on huge keys, change nothing."""
    Q, K, V = (normal(20, 4, seed=s, dtype=np.float32) for s in range(3))
    omega = rf.projections(8, 4, rng=3)
    answer = rf.performer_attention(Q, K, V, omega)
    assert_allclose(
        rf.performer_attention(Q, K, V * np.float32(1e36), omega) / 1e36, answer, rtol=1e-4, atol=1e-5
    )
    huge = np.float32(1e15)
    stretched = rf.performer_attention(Q * huge, K * huge, V, omega, scale=0.5e-30)
    assert_allclose(stretched, answer, rtol=1e-3, atol=1e-4)


def test_performer_converges_to_attention():
    """At d = 64, 1024 features err by a few per cent at size .25; at size 1 zero would be a better answer."""
    Q, K, V = (normal(256, 64, seed=s) for s in range(3))
    omega = rf.projections(1024, 64, rng=3, orthogonal=True)
    for size, low, high in ((0.25, 0.005, 0.1), (1.0, 1.0, 10)):
        exact = softmax_attention(size * Q, size * K, V)
        error = np.linalg.norm(rf.performer_attention(size * Q, size * K, V, omega) - exact) / np.linalg.norm(
            exact
        )
        assert low < error < high


def test_performer_refuses():
    Q, omega = normal(5, 4), rf.projections(3, 4, rng=0)
    with pytest.raises(ValueError, match="omega must have 4 columns as Q has"):
        rf.performer_attention(Q, Q, Q, omega[:, :2])
    with pytest.raises(ValueError, match="kind must be one of"):
        rf.performer_attention(Q, Q, Q, omega, kind="relu")
    with pytest.raises(ValueError, match="causal attention needs as many queries as keys"):
        rf.performer_attention(Q[:2], Q, Q, omega, causal=True)
    with pytest.raises(ValueError, match=r"must stay below .*, but entries up to 1.0e.160 came"):
        rf.performer_attention(Q * 0, Q + 1e160, Q, omega, scale=1.0)


# --- bias and jackknife -----------------------------------------------------------------------


def expectation_of_ratio(q, K, v, m, kind, jackknife=False, nodes=24):
    """E of the normalised estimate (or its jackknife) with m projections on a line, by m-fold quadrature."""
    omega, w = gauss_hermite(1, nodes)
    phi_q, phi_k = (rf.softmax_features(x, omega, kind) for x in (q[None], K))
    share = (phi_q[0] * phi_k).reshape(len(K), -1, nodes).sum(axis=1)  # (keys, nodes)
    N, M = v @ share, share.sum(axis=0)
    total = 0.0
    for index in itertools.product(range(nodes), repeat=m):
        index = list(index)
        if jackknife:
            n, d = N[index].sum() - N[index], M[index].sum() - M[index]
            value = m * N[index].sum() / M[index].sum() - (m - 1) * np.mean(n / d)
        else:
            value = N[index].sum() / M[index].sum()
        total += np.prod(w[index]) * value
    return total


@pytest.mark.parametrize("kind", ["positive", "hyperbolic"])
def test_bias_coefficient_and_jackknife_by_quadrature(kind):
    q, K, v = np.array([0.25]), np.array([[0.3], [-0.2], [0.1]]), np.array([1.0, -1.0, 0.5])
    exact = softmax_attention(q[None], K, v[:, None], scale=1.0).item()
    c = rf.attention_bias_coefficient(q, K, v, kind)
    errors = [m * (expectation_of_ratio(q, K, v, m, kind) - exact) - c for m in (1, 2, 3)]
    # m * bias = c + O(1/m): the remainder falls, and extrapolation removes most of it
    assert abs(errors[2]) < abs(errors[1]) < abs(errors[0]) < abs(c)
    assert abs(3 * errors[2] - 2 * errors[1]) < abs(errors[2]) / 3
    left = expectation_of_ratio(q, K, v, 3, kind, jackknife=True) - exact
    assert abs(left) < abs(errors[2] + c) / 3 / 3


@pytest.mark.parametrize("kind", ["positive", "hyperbolic"])
def test_bias_and_variance_coefficients_by_sampling(kind):
    """The delta method from sampled moments of single projections."""
    q, K, v = 0.4 * normal(3), 0.4 * normal(6, 3, seed=1), normal(6, seed=2)
    omega = rf.projections(400_000, 3, rng=3)
    m = len(omega)
    phi_q, phi_k = (rf.softmax_features(x, omega, kind) for x in (q[None], K))
    f = m * (phi_q * phi_k).reshape(6, -1, m).sum(axis=1)  # (keys, m): single-projection estimates
    N, M = v @ f, f.sum(axis=0)
    n0, m0 = v @ np.exp(K @ q), np.exp(K @ q).sum()
    sampled = n0 * M.var() / m0**3 - np.cov(N, M)[0, 1] / m0**2
    assert_allclose(rf.attention_bias_coefficient(q, K, v, kind), sampled, atol=0.02)
    assert_allclose(
        rf.attention_variance_coefficient(q, K, v, kind), np.var(N - n0 / m0 * M) / m0**2, rtol=0.05
    )


def test_jackknife_leaves_one_projection_out():
    q, K, V = 0.5 * normal(3, 2), 0.5 * normal(6, 2, seed=1), normal(6, 2, seed=2)
    omega = rf.projections(5, 2, rng=3)
    for kind in ("positive", "hyperbolic"):
        whole = rf.linear_attention(*(rf.softmax_features(x, omega, kind) for x in (q, K)), V)
        rest = [np.delete(omega, r, axis=0) for r in range(5)]
        partial = [rf.linear_attention(*(rf.softmax_features(x, o, kind) for x in (q, K)), V) for o in rest]
        phi_q, phi_k = (rf.softmax_features(x, omega, kind) for x in (q, K))
        answer = rf.jackknife_attention(phi_q, phi_k, V, 5)
        assert_allclose(answer, 5 * whole - 4 * np.mean(partial, axis=0), rtol=1e-10)


def test_bias_and_jackknife_refuse():
    with pytest.raises(
        ValueError, match="kind must be one of 'positive', 'hyperbolic', but 'trigonometric' came"
    ):
        rf.attention_bias_coefficient(np.ones(2), np.ones((3, 2)), np.ones(3), "trigonometric")
    with pytest.raises(ValueError, match=r"expected q \(d,\), K \(m, d\) and v \(m,\)"):
        rf.attention_bias_coefficient(np.ones(2), np.ones((3, 2)), np.ones(4))
    with pytest.raises(ValueError, match="the variance of a projection overflows"):
        rf.attention_bias_coefficient(np.full(2, 20.0), np.full((3, 2), 20.0), np.ones(3))
    with pytest.raises(ValueError, match="n_projections must be an integer >= 2"):
        rf.jackknife_attention(np.ones((1, 1)), np.ones((2, 1)), np.ones((2, 1)), 1)
    with pytest.raises(ValueError, match="with D a multiple of 2"):
        rf.jackknife_attention(np.ones((1, 3)), np.ones((2, 3)), np.ones((2, 1)), 2)


# --- wide layers and operation counts -----------------------------------------------------------


def test_arc_cosine_is_the_kernel_of_a_wide_relu_layer():
    """In the plane the expectation is a one-dimensional integral over angles: E |omega|^2 = 2."""
    X, Y = normal(4, 2), normal(3, 2, seed=1)
    angles = np.arange(100_000) * 2 * math.pi / 100_000
    circle = math.sqrt(2) * np.column_stack([np.cos(angles), np.sin(angles)])
    expected = rf.relu_features(X, circle) @ rf.relu_features(Y, circle).T
    assert_allclose(rf.arc_cosine(X, Y), expected, atol=1e-8)
    assert_array_equal(rf.arc_cosine(np.zeros((1, 2)), Y), 0)


@pytest.mark.parametrize("exponent", [-1000, -520, 520, 1000])
def test_arc_cosine_grows_with_the_lengths_alone(exponent):
    X, Y, unit = normal(5, 3), normal(4, 3, seed=1), 2.0**exponent
    assert_array_equal(rf.arc_cosine(X * unit, Y), rf.arc_cosine(X, Y) * unit)
    assert_allclose(rf.arc_cosine(X * unit, Y / unit), rf.arc_cosine(X, Y), rtol=1e-15)


def test_overflow_of_relu_layers_is_refused():
    with pytest.raises(ValueError, match=r"the product \|x\|\|y\| overflows float64; rescale"):
        rf.arc_cosine([[1e200]], [[1e200]])
    with pytest.raises(ValueError, match="the product X omega' overflows float64; rescale"):
        rf.relu_features([[1e200]], [[1e200]])
    with pytest.raises(ValueError, match="the product X omega' overflows float32"):
        rf.relu_features(np.array([[1e30]], np.float32), [[1e30]])


def test_operation_counts():
    assert rf.attention_flops(10, 3) == 2 * 100 * 6
    assert rf.attention_flops(10, 3, 5) == 2 * 100 * 8
    assert rf.linear_attention_flops(10, 3, 7) == 4 * 10 * 7 * (3 + 3 + 1)
    assert rf.linear_attention_flops(10, 3, 7, 5) == 4 * 10 * 7 * (3 + 5 + 1)
    with pytest.raises(ValueError, match="n_features must be an integer >= 1"):
        rf.linear_attention_flops(10, 3, 0)
