"""Chapter 10, beyond the equivalence: what is fixed, what adapts in context, what no fixed kernel can do."""

import operator
from fractions import Fraction
from math import comb, factorial, sinh

import numpy as np
import pytest

from margins.attention import attention_weights, multi_head_attention, nadaraya_watson, softmax_attention
from margins.in_context import prompt_layers
from margins.kernels import gaussian, kernel_ridge
from margins.prompt_network import PromptNetwork, read_prompts
from margins_book.beyond_the_equivalence import depth

SEEDS = pytest.mark.parametrize("seed", range(4))


def context(seed):
    """Five tokens, the last of which is then moved, and one head's matrices."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(5, 4))
    moved = X + 2 * (np.arange(5) == 4)[:, None] * rng.normal(size=4)
    return X, moved, rng.normal(size=(4, 1, 4, 4)) / 2


@SEEDS
def test_c10_01_correction_logit_and_odds_are_fixed_in_the_first_layer_and_shares_are_not(seed):
    X, moved, W = context(seed)
    shares = [attention_weights(T @ W[0, 0], T @ W[1, 0]) for T in (X, moved)]
    odds = [s[:4, :4] / s[:4, :1] for s in shares]
    np.testing.assert_allclose(odds[0], odds[1], rtol=1e-12)
    assert np.abs(shares[0][:4, :4] - shares[1][:4, :4]).max() > 1e-3


@SEEDS
def test_c10_01_odds_that_no_third_key_changes_give_back_a_kernel(seed):
    rng = np.random.default_rng(seed)
    table = rng.exponential(size=6)  # the kernel of one query and six keys, hidden in a rule

    def rule(keys):
        return table[keys] / table[keys].sum()

    rebuilt = np.array([rule([k, 0])[0] / rule([k, 0])[1] for k in range(6)])
    keys = rng.integers(0, 6, size=9)
    np.testing.assert_allclose(rebuilt[keys] / rebuilt[keys].sum(), rule(keys), rtol=1e-12)


@SEEDS
def test_c10_01_correction_mixing_with_the_mean_has_no_fixed_kernel(seed):
    logits = np.random.default_rng(seed).normal(size=3) + np.array([0, 0, 5])  # so that the mean moves

    def odds(a):
        s = (np.exp(a) / np.exp(a).sum() + 1 / len(a)) / 2
        return s[0] / s[1]

    change = abs(np.log(odds(logits) / odds(logits[:2])))
    assert change > 0.02 * abs(logits[0] - logits[1])


def test_c10_02_correction_rotation_invariant_learners_pay_for_the_direction():
    rng, n, d = np.random.default_rng(0), 8, 20
    errors = []
    for _ in range(200):
        X, queries, u = rng.normal(size=(n, d)), rng.normal(size=(60, d)), np.eye(d)[3]
        K, cross = (gaussian(P, X, gamma=1 / d) for P in (X, queries))
        answers = (
            queries @ np.linalg.lstsq(X, X @ u)[0],
            cross @ kernel_ridge((K + K.T) / 2, X @ u, penalty=0.1),
            nadaraya_watson(queries, X, X @ u, 4.0),
            (X @ u)[0] * (queries @ u) * (X[0] @ u) / (X[0] @ u) ** 2,  # kernel <u, x><u, x'>, one example
        )
        errors.append([np.mean((queries @ u - a) ** 2) for a in answers])
    means = np.mean(errors, axis=0)
    assert means[0] == pytest.approx(1 - n / d, rel=0.06)
    assert means[1:3].min() > 0.95 * (1 - n / d)
    assert means[3] < 1e-20


def trained_heads(start, seed, steps=300):
    """Descent with the logistic loss on the W_h (2, 3, 3) of two heads, whose outputs are added."""
    rng = np.random.default_rng(seed)
    X, Z, Y, v = rng.normal(size=(4, 5, 3)), rng.normal(size=(4, 3)), np.array([1.0, 1, -1, -1]), np.eye(3)[0]
    W = start.copy()
    for _ in range(steps):
        logits = np.einsum("ntd,hde,ne->hnt", X, W, Z)
        s = np.exp(logits - logits.max(axis=2, keepdims=True))
        s /= s.sum(axis=2, keepdims=True)
        scores = Y[:, None] * (X @ v)  # (n, t)
        outputs = np.einsum("hnt,nt->hn", s, scores)
        pulls = s * (scores - outputs[..., None]) / (1 + np.exp(outputs.sum(axis=0)))[:, None]
        W = W + 0.5 * np.einsum("hnt,ntd,ne->hde", pulls, X, Z) / 4
    return W


@SEEDS
def test_c10_03_correction_heads_that_begin_alike_stay_one_kernel(seed):
    """Equal starts have equal gradients for ever; other starts end at other matrices."""
    start = np.random.default_rng(seed + 10).normal(size=(2, 3, 3))
    alike, unlike = trained_heads(start[[0, 0]], seed), trained_heads(start, seed)
    np.testing.assert_allclose(alike[0], alike[1], rtol=1e-12)
    assert np.linalg.norm(alike[0] - start[0]) > 0.1
    assert np.linalg.norm(unlike[0] - unlike[1]) > 0.5


def two_heads(seed):
    """Kernels (2, 30, 8) of two heads, their normalisers and answers, and the values."""
    rng = np.random.default_rng(seed)
    kappa, v = np.exp(rng.normal(size=(2, 30, 8))), rng.normal(size=8)
    Z = kappa.sum(axis=2)
    return kappa, v, Z, kappa @ v / Z


@SEEDS
def test_c10_03_correction_mixing_heads_is_not_mixing_kernels(seed):
    kappa, v, Z, f = two_heads(seed)
    smoother = kappa.sum(axis=0) @ v / kappa.sum(axis=(0, 2))
    gap = smoother - f.mean(axis=0)
    np.testing.assert_allclose(gap, (Z[0] - Z[1]) * (f[0] - f[1]) / 2 / Z.sum(axis=0), atol=1e-13)
    assert np.abs(gap).max() > 0.02
    beta = np.random.default_rng(seed).dirichlet(np.ones(2))
    unequal = np.tensordot(beta, kappa, 1) @ v / (beta @ Z) - beta @ f
    covariance = beta @ (Z * f) - (beta @ Z) * (beta @ f)
    np.testing.assert_allclose(unequal, covariance / (beta @ Z), atol=1e-13)
    values, answers = np.eye(8), kappa / Z[..., None]  # every value: the answers are the weights
    apart = np.tensordot(beta, kappa, 1) / (beta @ Z)[:, None] - np.tensordot(beta, answers, 1)
    harmonic = beta @ Z
    condition = np.einsum("h,hq,hqk->qk", beta, 1 / harmonic - 1 / Z, kappa @ values)
    np.testing.assert_allclose(apart, condition, atol=1e-13)


@SEEDS
def test_c10_03_correction_normalisers_need_not_be_equal_if_the_heads_are(seed):
    kappa, v, _, f = two_heads(seed)
    louder = np.exp(np.random.default_rng(seed + 50).normal(size=(30, 1))) * kappa[0]
    mixed = kappa[0] + louder
    np.testing.assert_allclose(mixed @ v / mixed.sum(axis=1), f[0], atol=1e-13)


@SEEDS
def test_c10_03_correction_heads_that_agree_on_all_prompts_are_one(seed):
    rng = np.random.default_rng(seed)
    kappa, beta = rng.exponential(size=(3, 2)), rng.dirichlet(np.ones(3))  # three heads, two keys

    def gap(kappa):
        """The largest difference over lists with one to five copies of either key, values 1 and 0."""
        copies = np.array([[a, b] for a in range(1, 6) for b in range(1, 6)])
        parts = copies[:, None] * kappa  # (25, 3, 2)
        mixed = np.tensordot(parts, beta, ([1], [0]))  # (25, 2)
        return np.abs((parts[..., 0] / parts.sum(axis=2)) @ beta - mixed[:, 0] / mixed.sum(axis=1)).max()

    assert gap(kappa) > 1e-3
    assert (
        gap(kappa / kappa.sum(axis=1, keepdims=True)) > 1e-4
    )  # equal normalisers on one list are not enough
    assert gap(np.outer(rng.exponential(size=3), kappa[0])) < 1e-15


@SEEDS
def test_c10_03_concatenated_outputs_are_a_sum_of_heads(seed):
    rng = np.random.default_rng(seed)
    X, W = rng.normal(size=(6, 5)), rng.normal(size=(3, 2, 5, 3))
    out = rng.normal(size=(6, 4))
    whole = multi_head_attention(X, *W, out)
    parts = [
        softmax_attention(X @ W[0, h], X @ W[1, h], X @ W[2, h]) @ out[3 * h : 3 * h + 3] for h in range(2)
    ]
    np.testing.assert_allclose(whole, sum(parts), rtol=1e-12, atol=1e-13)


def test_c10_04_correction_more_layers_are_more_steps_with_one_gram_matrix():
    rng = np.random.default_rng(0)
    X, queries = rng.normal(size=(9, 4)), rng.normal(size=(3, 4))
    eta = 1 / np.linalg.norm(X, 2) ** 2
    layers = np.array([prompt_layers(X, e, queries, np.full(6, eta))[-1] for e in np.eye(9)]).T  # (3, 9)
    gram = X @ X.T
    polynomial = sum(eta * comb(6, k + 1) * np.linalg.matrix_power(-eta * gram, k) for k in range(6))
    np.testing.assert_allclose(layers, queries @ X.T @ polynomial, rtol=1e-10, atol=1e-12)


def test_c10_04_correction_two_layers_that_overwrite_their_inputs_come_near():
    s, places = depth.eigenvalues(1.0, 30.0), np.r_[np.linspace(1, 4, 13), np.linspace(4.3, 30, 515)]
    assert len(depth.boxes_left(0.4368, places)[0]) == 0
    found = np.abs(depth.left_by_overwriting(depth.BEST_OVERWRITING[2], s)).max()
    assert 0.4368 < found < 0.43683


def head_series(keys, values, degree):
    """Taylor coefficients of a head on a line, exactly, by division of power series."""
    Z = [Fraction(sum(k**m for k in keys), factorial(m)) for m in range(degree + 1)]
    N = [
        Fraction(sum(v * k**m for k, v in zip(keys, values, strict=True)), factorial(m))
        for m in range(degree + 1)
    ]
    a = []
    for m in range(degree + 1):
        a.append((N[m] - sum(a[i] * Z[m - i] for i in range(m))) / Z[0])
    return a


def squares(a):
    return np.cumsum([float(factorial(m) * c**2) for m, c in enumerate(a)])


def test_c10_05_correction_tanh_is_a_head_and_not_in_the_space():
    q = np.linspace(-3, 3, 13)[:, None]
    head = softmax_attention(q, np.array([[1.0], [-1]]), np.array([[1.0], [-1]]), scale=1.0)
    np.testing.assert_allclose(head, np.tanh(q), atol=1e-15)
    sums = squares(head_series([1, -1], [1, -1], 29))
    expected = [1, 1.67, 3.8, 192, 2.86e6, 7.08e9, 6.09e19]
    np.testing.assert_allclose(sums[[1, 3, 5, 9, 15, 19, 29]], expected, rtol=5e-3)
    assert squares([Fraction(m % 2, factorial(m)) for m in range(30)])[-1] == pytest.approx(
        sinh(1), abs=1e-14
    )


@pytest.mark.parametrize(
    ("keys", "values"), [([0, 1, 3], [1, 0, 2]), ([-1, 2], [3, 5]), ([0, 1, 2], [1, 0, 1])]
)
def test_c10_05_correction_other_heads_grow_without_bound_too(keys, values):
    sums = squares(head_series(keys, values, 60))
    assert sums[60] > 1e6 * max(sums[30], 1)


def test_c10_05_correction_equal_values_stay_in_the_space():
    np.testing.assert_allclose(squares(head_series([0, 1, 3], [2, 2, 2], 30)), 4)


def regression(seed, n=20, d=5):
    """A prompt of noisy linear values, queries, and step sizes."""
    rng = np.random.default_rng(seed)
    X, queries = rng.normal(size=(n, d)), rng.normal(size=(10, d))
    y = X @ rng.normal(size=d) + 0.1 * rng.normal(size=n)
    return X, y, queries, rng.uniform(0.3, 1, size=5) / (np.linalg.norm(X, 2) ** 2 + 3 * d)


@SEEDS
def test_c10_06_masked_layers_are_steps_of_descent(seed):
    X, y, queries, steps = regression(seed)
    w, answers = np.zeros(5), [np.zeros(10)]
    for eta in steps:
        w = w + eta * X.T @ (y - X @ w)
        answers.append(queries @ w)
    np.testing.assert_allclose(prompt_layers(X, y, queries, steps), answers, atol=1e-13)


@SEEDS
def test_c10_06_correction_without_the_mask_the_query_is_fitted_to_zero(seed):
    X, y, queries, steps = regression(seed)
    heard = prompt_layers(X, y, queries, steps, masked=False)
    for q, answers in zip(queries, heard.T, strict=True):
        more, told = np.vstack([X, q]), np.append(y, 0.0)
        np.testing.assert_allclose(prompt_layers(more, told, q[None], steps)[:, 0], answers, atol=1e-13)
    masked = prompt_layers(X, y, queries, steps)
    np.testing.assert_allclose(heard[1], masked[1], atol=1e-13)
    second = masked[2] - steps[1] * np.square(queries).sum(axis=1) * masked[1]
    np.testing.assert_allclose(heard[2], second, atol=1e-13)
    assert np.abs(heard[2] - masked[2]).max() > 1e-3


@SEEDS
def test_c10_06_correction_kernel_learners_adapt_without_an_update(seed):
    X, y, queries, _ = regression(seed)
    for answer in (
        lambda values: nadaraya_watson(queries, X, values, 1.0),
        lambda values: gaussian(queries, X) @ kernel_ridge(gaussian(X), values, penalty=0.1),
    ):
        assert np.abs(answer(y) - answer(np.roll(y, 1))).max() > 0.1
        np.testing.assert_allclose(
            answer(y) + answer(2 * y), answer(3 * y), atol=1e-12
        )  # linear in the values


class Counted:
    """A number that counts the multiplications of which it is made."""

    made = 0

    def __init__(self, value):
        self.value = float(value)

    def __mul__(self, other):
        Counted.made += 1
        return Counted(self.value * getattr(other, "value", other))

    def exp(self):
        return Counted(np.exp(self.value))


def uncounted(of):
    """An operation of numbers that is no multiplication."""

    def operation(self, other):
        found = of(self.value, getattr(other, "value", other))
        return found if isinstance(found, bool) else Counted(found)

    return operation


for name in ("add", "sub", "truediv", "gt", "lt", "ge", "le"):
    setattr(Counted, f"__{name}__", uncounted(getattr(operator, name)))
Counted.__rmul__, Counted.__radd__ = Counted.__mul__, Counted.__add__


def multiplications(d, n, heads, inner):
    """How often numbers are multiplied while a network answers one prompt."""
    rng, e, w = np.random.default_rng(0), d + 2, (heads + 1) * (d + 2)

    def counted(*shape):
        values = [Counted(x) for x in rng.normal(size=int(np.prod(shape)))]
        return np.array(values, dtype=object).reshape(shape)

    network = PromptNetwork(counted(heads, e, e), counted(w), counted(w, inner), counted(inner))
    prompt = counted(1, n, d), counted(1, n), counted(1, d)
    Counted.made = 0
    read_prompts(network, *prompt)
    return Counted.made


@pytest.mark.parametrize(("d", "n", "heads", "inner"), [(2, 3, 1, 0), (4, 8, 2, 5), (9, 4, 3, 7)])
def test_c10_14_the_number_of_multiplications_is_that_of_the_formula(d, n, heads, inner):
    def formula(d):
        e = d + 2
        w = (heads + 1) * e
        return heads * (e**2 + 2 * n * e) + w * (inner + 1) + inner

    assert multiplications(d, n, heads, inner) == formula(d)
    assert formula(2e6) / formula(1e6) == pytest.approx(4, rel=1e-4)


def test_c10_14_selecting_a_token_costs_what_the_logits_cost():
    rng, T, d = np.random.default_rng(0), 6, 4
    X, W, z = (
        np.array([Counted(x) for x in rng.normal(size=int(np.prod(shape)))], dtype=object).reshape(shape)
        for shape in ((T, d), (d, d), (d,))
    )
    Counted.made = 0
    logits = X @ (W @ z)
    assert 0 <= max(range(T), key=lambda t: logits[t].value) < T
    assert Counted.made == d**2 + T * d
