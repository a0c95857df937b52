"""Attention against direct loops, scikit-learn, scipy and its own identities."""

import math
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial import ConvexHull
from sklearn.metrics.pairwise import laplacian_kernel, rbf_kernel
from sklearn.svm import SVC

from margins import kernels
from margins.attention import (
    attention_weights,
    gaussian_lift,
    hard_attention,
    local_attention,
    loo_bandwidth,
    loo_errors,
    multi_head_attention,
    nadaraya_watson,
    softmax,
    softmax_attention,
    svm_to_attention,
    token_spread,
    winning_keys,
)
from margins.attention.leave_one_out import _ladders
from margins.least_distance import least_distance

quick = settings(derandomize=True, deadline=None, max_examples=25)


def normal(*shape, seed=0, dtype=np.float64):
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


def by_hand(Q, K, V, scale=None, mask=None):
    """Attention by three loops and correctly rounded sums."""
    scale = 1 / math.sqrt(Q.shape[1]) if scale is None else scale
    out = np.zeros((len(Q), V.shape[1]))
    for i, q in enumerate(Q):
        keys = [j for j in range(len(K)) if mask is None or mask[i, j]]
        logits = {j: scale * math.fsum(map(float, q.astype(float) * K[j])) for j in keys}
        weights = {j: math.exp(logit - max(logits.values())) for j, logit in logits.items()}
        for c in range(V.shape[1]):
            total = math.fsum(weights.values())
            out[i, c] = math.fsum(w * float(V[j, c]) for j, w in weights.items()) / total if keys else 0.0
    return out


@pytest.fixture(params=[(512, 512), (3, 5)], ids=["one tile", "many tiles"])
def tiles(request, monkeypatch):
    """Attention must not depend on how it is cut into tiles."""
    monkeypatch.setattr(softmax, "QUERIES", request.param[0])
    monkeypatch.setattr(softmax, "KEYS", request.param[1])


# --- softmax attention ------------------------------------------------------------------------


@pytest.mark.usefixtures("tiles")
@pytest.mark.parametrize("size", [1.0, 30.0, 1e4], ids=["tame", "online maximum", "nearly hard"])
@pytest.mark.parametrize(("dtype", "rtol"), [(np.float64, 1e-10), (np.float32, 1e-2)])
def test_softmax_attention_is_the_loop(size, dtype, rtol):
    Q, K, V = (
        normal(7, 4, dtype=dtype),
        normal(13, 4, seed=1, dtype=dtype),
        normal(13, 3, seed=2, dtype=dtype),
    )
    Q = Q * dtype(size)
    answer = softmax_attention(Q, K, V)
    assert answer.dtype == dtype
    # a logit of size s carries the rounding eps * s into the exponential
    assert_allclose(answer, by_hand(Q, K, V), atol=rtol * min(size, 1e3) * 1e-3)


@pytest.mark.usefixtures("tiles")
@pytest.mark.parametrize("size", [1.0, 100.0])
def test_softmax_attention_under_a_mask(size):
    Q, K, V = size * normal(7, 4), normal(13, 4, seed=1), normal(13, 3, seed=2)
    mask = np.random.default_rng(3).random((7, 13)) < 0.3
    mask[2], mask[4, :11] = False, False
    answer = softmax_attention(Q, K, V, mask=mask)
    assert_allclose(answer, by_hand(Q, K, V, mask=mask), atol=1e-10)
    assert_array_equal(answer[2], 0)
    weights = attention_weights(Q, K, mask=mask)
    assert_array_equal(weights[~mask], 0)
    assert_allclose(weights.sum(axis=1), mask.any(axis=1), atol=1e-14)


@pytest.mark.usefixtures("tiles")
@pytest.mark.parametrize("size", [1.0, 100.0])
def test_leading_axes_broadcast(size):
    Q, K, V = size * normal(2, 1, 5, 4), normal(3, 7, 4, seed=1), normal(7, 2, seed=2)
    mask = np.random.default_rng(3).random((3, 5, 7)) < 0.6
    answer = softmax_attention(Q, K, V, mask=mask)
    weights = attention_weights(Q, K, mask=mask)
    assert answer.shape == (2, 3, 5, 2)
    assert weights.shape == (2, 3, 5, 7)
    for a in range(2):
        for b in range(3):
            assert_allclose(answer[a, b], by_hand(Q[a, 0], K[b], V, mask=mask[b]), atol=1e-10)
            assert_allclose(weights[a, b] @ V, answer[a, b], atol=1e-12)


def test_scale_zero_is_the_mean_and_scale_is_temperature():
    Q, K, V = normal(4, 3), normal(6, 3, seed=1), normal(6, 2, seed=2)
    assert_allclose(softmax_attention(Q, K, V, scale=0), np.tile(V.mean(axis=0), (4, 1)), atol=1e-14)
    assert_allclose(softmax_attention(Q, K, V, scale=2.5), by_hand(Q, K, V, scale=2.5), atol=1e-13)


def test_mixed_precision_and_integers_become_double():
    Q, K, V = np.arange(6).reshape(2, 3), normal(4, 3, dtype=np.float32), normal(4, 2)
    assert softmax_attention(Q, K, V).dtype == np.float64


@quick
@given(st.integers(0, 2**32 - 1), st.integers(1, 8), st.integers(1, 9), st.integers(1, 4))
def test_identities_of_attention(seed, n, m, d):
    """Order of keys, order of queries, shifts of the keys, changes of basis, the convex hull."""
    rng = np.random.default_rng(seed)
    Q, K, V = rng.normal(size=(n, d)), rng.normal(size=(m, d)), rng.normal(size=(m, 2))
    answer, keys, queries = softmax_attention(Q, K, V), rng.permutation(m), rng.permutation(n)
    assert_allclose(softmax_attention(Q, K[keys], V[keys]), answer, atol=1e-12)
    assert_allclose(softmax_attention(Q[queries], K, V), answer[queries], atol=1e-12)
    assert_allclose(softmax_attention(Q, K + rng.normal(size=d), V), answer, atol=1e-11)
    basis = np.linalg.qr(rng.normal(size=(d, d)))[0] * rng.uniform(0.5, 2, size=d)
    assert_allclose(softmax_attention(Q @ basis, K @ np.linalg.inv(basis).T, V), answer, atol=1e-11)
    assert (answer <= V.max(axis=0) + 1e-12).all()
    assert (answer >= V.min(axis=0) - 1e-12).all()


def test_memory_stays_with_the_tile():
    """At n = 4096 the matrix of weights alone would take 64 MB of single precision."""
    Q, K, V = (normal(4096, 64, seed=s, dtype=np.float32) for s in range(3))
    softmax_attention(Q[:64], K, V)
    tracemalloc.start()
    softmax_attention(Q, K, V)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 6e6  # the answer takes 1 MB, a tile 1 MB, scratch of a block of rows the rest


ONES = np.ones((2, 3))


@pytest.mark.parametrize(
    ("arguments", "options", "words"),
    [
        (
            (ONES, np.ones((2, 4)), ONES),
            {},
            r"Q and K must have equally many columns, but Q has shape \(2, 3\)",
        ),
        ((ONES, ONES, np.ones((5, 3))), {}, "K and V must have equally many rows"),
        (
            (ONES[0], ONES, ONES),
            {},
            r"Q must have at least 2 axes \(rows, columns\), but its shape is \(3,\)",
        ),
        ((np.ones((2, 2, 3)), np.ones((3, 2, 3)), ONES), {}, "the leading axes must broadcast"),
        ((ONES * np.nan, ONES, ONES), {}, "Q contains NaN or infinity"),
        ((ONES, ONES * np.inf, ONES), {}, "K contains NaN or infinity"),
        ((ONES, np.ones((0, 3)), np.ones((0, 3))), {}, "K must have at least 1 row,"),
        ((np.ones((2, 0)),) * 3, {}, r"Q must have at least 1 column, but its shape is \(2, 0\)"),
        ((ONES, ONES, ONES), {"scale": -1.0}, "scale must be a number >= 0, but -1.0 came"),
        (
            (ONES, ONES, ONES),
            {"mask": np.ones((3, 3), bool)},
            r"mask must broadcast to \(..., n, m\) = \(2, 2\)",
        ),
        ((ONES, ONES, ONES), {"mask": np.ones((4, 2, 2), bool)}, "mask must broadcast to"),
        ((ONES, ONES, ONES), {"mask": np.ones((2, 2))}, "mask must be Boolean"),
        (
            (ONES * 1e200, ONES * 1e200, ONES),
            {},
            "the logits of Q and K may reach .*, which overflows float64",
        ),
        ((np.float32(1e30) * ONES.astype("f"),) * 3, {}, "the logits .* overflows float32"),
        ((ONES, ONES, ONES * 1.7e308), {}, "sums of values V may reach .*, which overflows float64"),
    ],
)
def test_softmax_attention_refuses(arguments, options, words):
    with pytest.raises(ValueError, match=words):
        softmax_attention(*arguments, **options)


def test_huge_logits_within_the_range_are_a_choice():
    """Up to a quarter of the number range nothing overflows: the answer is the winning value."""
    Q, K, V = np.array([[1e150]]), np.array([[1e150], [-1e150], [0.0]]), np.array([[1.0], [2.0], [3.0]])
    assert_array_equal(softmax_attention(Q, K, V), [[1.0]])


# --- hard and local attention -----------------------------------------------------------------


def test_hard_attention_takes_the_mean_over_ties():
    K = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0], [0.5, 0.0]])
    V = np.array([[1.0], [2.0], [4.0], [8.0]])
    Q = np.array([[1.0, 0.0], [0.0, 2.0], [1.0, 1.0], [-1.0, -1.0]])
    assert_allclose(hard_attention(Q, K, V), [[2.5], [2.0], [7 / 3], [8.0]], atol=1e-15)
    mask = np.array([True, False, False, True])
    assert_array_equal(hard_attention(Q, K, V, mask=mask), [[1.0], [4.5], [1.0], [8.0]])
    assert_array_equal(hard_attention(Q, K, V, mask=np.zeros(4, bool)), np.zeros((4, 1)))


@pytest.mark.parametrize("length", [1e-6, 1.0, 1e6])
def test_hard_attention_knows_equal_keys_whatever_the_rounding(length):
    """A key repeated a hundred times ties with itself at every position of the product."""
    K = np.tile(normal(1, 64), (100, 1))
    V = np.arange(100.0)[:, None]
    Q = length * (normal(5, 64, seed=1) + K[0])
    assert_allclose(hard_attention(Q, K, V), np.full((5, 1), 49.5), rtol=1e-12)


def test_hard_attention_is_the_limit_of_soft():
    Q, K, V = normal(2, 6, 3), normal(9, 3, seed=1), normal(9, 2, seed=2)
    assert_allclose(hard_attention(Q, K, V), softmax_attention(Q, K, V, scale=1e5), atol=1e-12)


@pytest.mark.parametrize("width", [0, 1, 7, 64, 100, 300, 10**6])
def test_local_attention_is_attention_under_the_band_mask(width):
    Q, K, V = normal(2, 150, 4), normal(150, 4, seed=1), normal(2, 150, 3, seed=2)
    mask = kernels.band_mask(np.arange(150), width=width)
    assert_allclose(local_attention(Q, K, V, width), softmax_attention(Q, K, V, mask=mask), atol=1e-12)


def test_local_attention_of_width_zero_returns_the_values():
    V = normal(5, 2)
    assert_allclose(local_attention(normal(5, 3), normal(5, 3, seed=1), V, 0), V, rtol=1e-14)


@pytest.mark.parametrize(
    ("rows", "width", "words"),
    [
        (5, -1, "width must be an integer >= 0"),
        (5, 1.5, "width must be"),
        (4, 1, "Q and K must have equally many rows"),
    ],
)
def test_local_attention_refuses(rows, width, words):
    with pytest.raises(ValueError, match=words):
        local_attention(normal(5, 3), normal(rows, 3), normal(rows, 2), width)


# --- several heads ----------------------------------------------------------------------------


def weights_of_heads(H=3, d=4, d_k=2, d_v=5, d_out=6):
    return (
        normal(H, d, d_k),
        normal(H, d, d_k, seed=1),
        normal(H, d, d_v, seed=2),
        normal(H * d_v, d_out, seed=3),
    )


def test_multi_head_attention_is_heads_side_by_side():
    X, (W_Q, W_K, W_V, W_O) = normal(2, 7, 4, seed=5), weights_of_heads()
    mask = np.random.default_rng(6).random((2, 7, 7)) < 0.7
    answer = multi_head_attention(X, W_Q, W_K, W_V, W_O, mask=mask)
    assert answer.shape == (2, 7, 6)
    for b, x in enumerate(X):
        heads = [by_hand(x @ W_Q[h], x @ W_K[h], x @ W_V[h], mask=mask[b]) for h in range(3)]
        assert_allclose(answer[b], np.hstack(heads) @ W_O, atol=1e-12)


def test_multi_head_attention_refuses_misfits():
    X, (W_Q, W_K, W_V, W_O) = normal(7, 4), weights_of_heads()
    for wrong in ((W_Q[:2], W_K, W_V, W_O), (W_Q, W_K[..., :1], W_V, W_O), (W_Q, W_K, W_V, W_O[1:])):
        with pytest.raises(ValueError, match=r"expected X \(..., n, d\), W_Q and W_K \(H, d, d_k\)"):
            multi_head_attention(X, *wrong)
    with pytest.raises(ValueError, match="X must have at least 2 axes"):
        multi_head_attention(X[0], W_Q, W_K, W_V, W_O)


@pytest.mark.parametrize(
    ("sizes", "words"),
    [
        ((1e200, 1e200, 1, 1, 1), "the product X W_Q overflows float64"),
        ((1e200, 1, 1e200, 1, 1), "the product X W_K overflows"),
        ((1e200, 1e-200, 1e-200, 1e200, 1), "the product X W_V overflows"),
        ((1e200, 1, 1, 1, 1), "the logits of X W_Q and X W_K may reach inf, which overflows float64"),
        ((1e200, 1e-200, 1e-200, 1, 1e200), "the product of heads and W_O overflows"),
    ],
)
def test_multi_head_attention_refuses_overflow(sizes, words):
    shapes = (5, 4), (2, 4, 3), (2, 4, 3), (2, 4, 3), (6, 4)
    with pytest.raises(ValueError, match=words):
        multi_head_attention(*(size * normal(*shape) for size, shape in zip(sizes, shapes, strict=True)))


@pytest.mark.parametrize("exponent", [-1000, -520, 520, 1020])
def test_token_spread_does_not_depend_on_the_unit_of_length(exponent):
    X = normal(4, 3, 2)
    assert_array_equal(token_spread(X * 2.0**exponent), token_spread(X))


def test_token_spread():
    X = np.array([[1.0, 0.0], [-1.0, 0.0]])
    assert_allclose(token_spread(np.stack([X, X + 1, np.ones((2, 2))])), [1, math.sqrt(2 / 6), 0], atol=1e-15)
    assert token_spread(np.zeros((3, 2))) == 0


# --- Nadaraya-Watson regression ---------------------------------------------------------------


@pytest.mark.parametrize("d", [1, 3])
def test_nadaraya_watson_is_the_kernel_average(d):
    queries, keys, values = normal(40, d) + 5, normal(300, d, seed=1) + 5, normal(300, 2, seed=2)
    for h in (0.3, 2.0):
        K = rbf_kernel(queries, keys, gamma=1 / (2 * h**2))
        assert_allclose(
            nadaraya_watson(queries, keys, values, h), K @ values / K.sum(axis=1, keepdims=True), atol=1e-10
        )
        K = laplacian_kernel(queries, keys, gamma=1 / h)
        answer = nadaraya_watson(queries, keys, values[:, 0], h, kernel="laplacian")
        assert_allclose(answer, K @ values[:, 0] / K.sum(axis=1), atol=1e-10)


def test_nadaraya_watson_on_a_line_takes_vectors():
    x, y = np.linspace(0, 1, 9), np.arange(9.0)
    assert_allclose(nadaraya_watson(x, x, y, 0.1), nadaraya_watson(x[:, None], x[:, None], y, 0.1))


@pytest.mark.parametrize("kernel", ["gaussian", "laplacian"])
@pytest.mark.parametrize("h", [1e-300, 1e-160, 1e-9, 1e9, 1e300])
def test_any_bandwidth_gives_a_convex_combination(kernel, h):
    """Small: the value of the nearest key. Large: the mean of all. Never 0/0."""
    x, y = np.array([0.0, 1.0, 3.0]), np.array([1.0, 2.0, 6.0])
    answer = nadaraya_watson([0.1, 2.9, 1e6], x, y, h, kernel=kernel)
    assert_allclose(answer, [1, 6, 6] if h < 1 else [3, 3, 3], atol=1e-2 if h == 1e9 else 1e-12)


def test_nadaraya_watson_keeps_its_digits_for_two_far_clusters():
    """The energies of points a million apart from one product would have no digit left at this bandwidth."""
    keys = np.array([[0, 0], [0, 1e-3], [1e6, 0], [1e6, 1.2e-3]])
    h, (near, far) = 3e-4, ([0, 5e-4], [1e6, 5e-4])
    weights = [math.exp(-(distance**2) / (2 * h**2)) for distance in (5e-4, 7e-4)]
    answer = nadaraya_watson([near, far], keys, [0.0, 1.0, 0.0, 1.0], h)
    assert_allclose(answer, [0.5, weights[1] / sum(weights)], rtol=1e-11)


def test_smoothing_over_a_year_of_seconds():
    """Stamps of a clock, a tenth of a second the bandwidth: differences are exact, squares of stamps not."""
    stamps = 1.7e9 + np.array([0.0, 0.25, 0.5, 3e7, 3e7 + 0.25])
    values, h, query = np.array([0.0, 1.0, 0.0, 0.0, 1.0]), 0.1, 1.7e9 + 3e7 + 0.125
    answer = nadaraya_watson([query, 1.7e9 + 0.25], stamps, values, h)
    assert_allclose(answer, [0.5, 1 / (1 + 2 * math.exp(-(0.25**2) / 0.02))], rtol=1e-7)
    alone = loo_errors(stamps[:3] - 1.7e9, values[:3], [h])[1]
    assert_allclose(loo_errors(stamps[:3], values[:3], [h])[1], alone, rtol=1e-7)
    among = loo_errors(stamps, values, [h])[1][0]
    assert_allclose(among, (3 * alone[0] + 2) / 5, rtol=1e-7)


@pytest.mark.parametrize("kernel", ["gaussian", "laplacian"])
@pytest.mark.parametrize("exponent", [-1000, -515, 515, 1020])
def test_the_unit_of_length_does_not_matter(kernel, exponent):
    """Powers of two are exact; without rescaling the squares would leave the number range."""
    X, y, unit = normal(30, 2), normal(30, seed=1), 2.0**exponent
    assert_array_equal(
        nadaraya_watson(X * unit, X[::-1] * unit, y, 0.5 * unit, kernel=kernel),
        nadaraya_watson(X, X[::-1], y, 0.5, kernel=kernel),
    )
    bandwidths, errors = loo_errors(X, y, kernel=kernel)
    scaled_bandwidths, scaled_errors = loo_errors(X * unit, y, kernel=kernel)
    assert_array_equal(scaled_errors, errors)
    assert_array_equal(scaled_bandwidths, bandwidths * unit)


@pytest.mark.parametrize(
    ("arguments", "options", "words"),
    [
        (([[1.0, 2.0]], [[1.0]], [1.0], 1.0), {}, "queries has 2 columns and keys has 1"),
        (([1.0], [1.0, 2.0], [1.0], 1.0), {}, "keys has 2, values has 1"),
        (([1.0], [1.0], [1.0], 0.0), {}, "bandwidth must be a number > 0, but 0.0 came"),
        (([1.0], [1.0], [1.0], -2), {}, "bandwidth must be a number > 0"),
        (([1.0], [1.0], [1.0], "loo"), {}, "bandwidth must be a number > 0"),
        (([1.0], [1.0], [np.inf], 1.0), {}, "values contains NaN or infinity"),
        (([1.0], [1.0], np.ones((1, 2, 2)), 1.0), {}, r"values must have 1 or 2 axes, .* \(1, 2, 2\)"),
        (([1.0], [1.0], [1.0], 1.0), {"kernel": "box"}, "kernel must be one of 'gaussian', 'laplacian'"),
    ],
)
def test_nadaraya_watson_refuses(arguments, options, words):
    with pytest.raises(ValueError, match=words):
        nadaraya_watson(*arguments, **options)


# --- leave one out ----------------------------------------------------------------------------


def refit_without_each(X, y, h, kernel):
    """The leave-one-out error by n regressions on n - 1 points."""
    everyone = np.arange(len(X))
    others = [everyone != i for i in everyone]
    fits = [nadaraya_watson(X[i : i + 1], X[o], y[o], h, kernel=kernel)[0] for i, o in enumerate(others)]
    return np.mean((y - np.array(fits)) ** 2)


@pytest.mark.parametrize("kernel", ["gaussian", "laplacian"])
@pytest.mark.parametrize(("n", "d"), [(2, 1), (60, 1), (300, 2)])
def test_leave_one_out_is_n_regressions(kernel, n, d):
    X = normal(n, d) + 100
    y = np.sin(3 * X[:, 0]) + 0.1 * normal(n, seed=1)
    bandwidths, errors = loo_errors(X, y, kernel=kernel)
    assert len(bandwidths) == 100
    for b in (0, 13, 37, 60, 99):
        assert_allclose(errors[b], refit_without_each(X, y, bandwidths[b], kernel), rtol=1e-8)
    assert loo_bandwidth(X, y, kernel=kernel) == bandwidths[np.argmin(errors)]


def test_leave_one_out_does_not_depend_on_the_ladders():
    X, y = normal(70, 3), normal(70, 2, seed=1)
    together = np.r_[2.0 ** (-np.arange(12) / 2), 0.77, 0.05]
    _, errors = loo_errors(X, y, together)
    alone = [loo_errors(X, y, h)[1][0] for h in together]
    assert_allclose(errors, alone, rtol=1e-11)


def test_ladders_halve_the_temperature():
    temperatures = np.array([1.0, 4.0, 3.0, 0.5, 2.0, 1.5, 1e-3])
    assert [list(ladder) for ladder in _ladders(temperatures)] == [[1, 4, 0, 3], [2, 5], [6]]
    assert max(map(len, _ladders(2.0 ** -np.arange(40)))) == 10


def test_isolated_points_do_not_divide_zero_by_zero():
    """Far from everyone else even exp(-E) underflows; the nearest neighbour still has weight 1."""
    X, y = np.array([0.0, 0.1, 50.0, 51.0, 1000.0]), np.array([1.0, 2.0, 5.0, 7.0, 100.0])
    _, errors = loo_errors(X, y, [1e-3, 0.3])
    assert_allclose(errors, np.mean(np.square([1, 1, 2, 2, 93])), rtol=1e-12)


def test_leave_one_out_with_repeated_points():
    X, y = np.zeros(6), np.arange(6.0)
    _, errors = loo_errors(X, y, [0.1, 1.0])
    assert_allclose(errors, np.mean((y - (15 - y) / 5) ** 2), rtol=1e-12)
    assert np.isfinite(loo_errors(X, y)[1]).all()


def test_leave_one_out_agrees_with_the_r_package_np():
    """Two bandwidths by cross-validation, from the documentation of npreg ("cc", "lc"): scale the columns."""
    rng = np.random.RandomState(123456)
    rng.binomial(2, 0.7, (60, 1)), rng.binomial(3, 0.7, (60, 1))
    c1, c2, _, noise = (
        rng.normal(mean, scale, (60, 1)) for mean, scale in ((0, 1), (10, 1), (10, 2), (0, 1))
    )
    y, X = (0.3 + 1.2 * c1 + 3.7 * c2 + noise)[:, 0], np.hstack([c1, c2])
    best = np.array([0.6163835, 0.1649656])
    fitted = nadaraya_watson(X / best, X / best, y, 1.0)
    assert_allclose(fitted[:5], [31.49157, 37.29536, 43.72332, 40.58997, 36.80711], atol=2e-5)
    error = loo_errors(X / best, y, 1.0)[1][0]
    for factor in ([1.02, 1], [0.98, 1], [1, 1.02], [1, 0.98]):
        assert loo_errors(X / (best * factor), y, 1.0)[1][0] > error


@pytest.mark.parametrize(
    ("X", "y", "bandwidths", "words"),
    [
        ([1.0], [1.0], None, "y must have at least 2 rows"),
        ([1.0, 2.0], [1.0, 2.0, 3.0], None, "X has 2, y has 3"),
        ([1.0, 2.0], np.ones((2, 2, 2)), None, "y must have 1 or 2 axes"),
        ([1.0, 2.0], [1.0, 2.0], [0.0, 1.0], "bandwidths must be a vector of numbers > 0"),
        ([1.0, 2.0], [1.0, 2.0], [1e-200], "bandwidths must be a vector of numbers > 0"),
        ([1.0, 2.0], [1.0, 2.0], [[1.0]], "bandwidths must be a vector"),
        ([1.0, 2.0], [1.0, 2.0], [np.nan], "bandwidths contains NaN"),
        ([1.0, 2.0], [1.0, 2.0], [], "bandwidths is empty"),
    ],
)
def test_leave_one_out_refuses(X, y, bandwidths, words):
    with pytest.raises(ValueError, match=words):
        loo_errors(X, y, bandwidths)


# --- an SVM as attention, and the geometry of keys ----------------------------------------------


@pytest.mark.parametrize("kernel", ["exponential", "gaussian"])
def test_compiled_svm_divides_by_a_positive_number(kernel):
    """The head's output is f(x)/(1 + sum_j k(x, x_j)) for scikit-learn's f."""
    X, gamma = normal(80, 2), 0.7
    y = np.sign(np.sin(2 * X[:, 0]) + X[:, 1])
    function = getattr(kernels, kernel)
    svc = SVC(kernel=lambda A, B: function(A, B, gamma=gamma), C=5.0).fit(X, y)
    head = svm_to_attention(X[svc.support_], svc.dual_coef_, svc.intercept_, kernel=kernel, gamma=gamma)
    points = 3 * normal(500, 2, seed=1)
    f, total = svc.decision_function(points), 1 + function(points, X[svc.support_], gamma=gamma).sum(axis=1)
    assert_allclose(head(points), f / total, atol=1e-9)
    # the same head through the public function: scale 1, not 1/sqrt(d_k)
    answer = softmax_attention(head.queries(points), head.keys, head.values, scale=1.0)
    assert_array_equal(answer[:, 0], head(points))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"kernel": "linear"}, "kernel must be one of 'exponential', 'gaussian'"),
        ({"gamma": 0.0}, "gamma must be a number > 0"),
        ({"dual_coef": [1.0]}, "support_vectors has 2, dual_coef has 1"),
        ({"intercept": [1.0, 2.0]}, r"intercept must be one number, but its shape is \(2,\)"),
    ],
)
def test_svm_to_attention_refuses(options, words):
    with pytest.raises(ValueError, match=words):
        svm_to_attention(**{"support_vectors": np.eye(2), "dual_coef": [1.0, -1.0], **options})


@pytest.mark.parametrize("kernel", ["exponential", "gaussian"])
def test_compiled_svm_names_the_points_it_gets(kernel):
    head = svm_to_attention(np.eye(2), [1.0, -1.0], kernel=kernel)
    with pytest.raises(ValueError, match=r"X must have 2 columns as the support vectors have, .* \(4, 3\)"):
        head(np.ones((4, 3)))


@pytest.mark.parametrize("d", [2, 3])
def test_winning_keys_are_the_vertices_of_the_hull(d):
    K = normal(40, d) + 7
    vertices = np.zeros(40, bool)
    vertices[ConvexHull(K).vertices] = True
    assert_array_equal(winning_keys(K), vertices)


def test_winning_keys_of_degenerate_sets():
    square = np.array([[0, 0], [2, 0], [0, 2], [2, 2], [1, 0], [1, 1], [0, 0]])
    assert_array_equal(winning_keys(square), [False, True, True, True, False, False, False])
    assert_array_equal(winning_keys([[3.0, 4.0]]), [True])
    assert_array_equal(winning_keys(np.ones((3, 2))), [False] * 3)


@pytest.mark.parametrize("seed", range(6))
def test_winning_keys_of_very_different_lengths(seed):
    rng = np.random.default_rng(seed)
    K = rng.normal(size=(30, 2 + seed % 3)) * 10.0 ** rng.uniform(-3, 3, size=(30, 1))
    K[0] *= 1e4
    vertices = np.zeros(30, bool)
    vertices[ConvexHull(K).vertices] = True
    assert_array_equal(winning_keys(K), vertices)


@pytest.mark.parametrize("seed", range(4))
def test_winning_keys_of_a_grid_are_those_that_all_others_let_win(seed):
    """Grids have points on edges and in corners, met once or twice; here every key is asked every time."""
    K = np.random.default_rng(seed).integers(0, 9, size=(40, 2 + seed % 3)).astype(float)
    separated = [least_distance(np.delete(key - K, j, axis=0)).certificate is None for j, key in enumerate(K)]
    assert_array_equal(winning_keys(K), separated)
    assert 2 <= sum(separated) < 40


def test_winning_keys_beside_a_far_key():
    """The corners next to the far key win by an angle of 5e-8, which ConvexHull confirms."""
    square = np.array([[0, 0], [0, 1], [1, 0], [1, 1], [0.5, 0.5], [1e7, 0.5]])
    assert_array_equal(winning_keys(square), [True, True, True, True, False, True])
    assert_array_equal(np.sort(ConvexHull(square).vertices), [0, 1, 2, 3, 5])
    assert_array_equal(winning_keys(square * 1e300), winning_keys(square))


def test_gaussian_lift_makes_logits_distances():
    Q, K, h = normal(5, 3), normal(7, 3, seed=1), 0.4
    q, k = gaussian_lift(Q, K, bandwidth=h)
    logits = q @ k.T - (Q**2).sum(axis=1, keepdims=True) / (2 * h**2)
    squares = ((Q[:, None] - K) ** 2).sum(axis=-1)
    assert_allclose(logits, -squares / (2 * h**2), atol=1e-12)
    with pytest.raises(ValueError, match="bandwidth 1e-200 is too small"):
        gaussian_lift(Q, K, bandwidth=1e-200)
    with pytest.raises(ValueError, match="queries and keys must have equally many columns"):
        gaussian_lift(Q, K[:, :2])
    far_q, far_k = gaussian_lift(Q * 2.0**600, K * 2.0**600, bandwidth=h * 2.0**600)
    assert_allclose(far_q[:, :3] * 2.0**600, q[:, :3])
    assert_array_equal(far_k[:, 3], k[:, 3])
