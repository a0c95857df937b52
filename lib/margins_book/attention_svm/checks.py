"""Self-checks of the exercises on the attention SVM: answers known by hand, differences, certificates."""

from collections.abc import Callable
from typing import Any

import numpy as np

from margins.attention_svm import frobenius_svm, nuclear_svm, random_token_data, training_loss
from margins_book.checking.verdicts import call, parts, praise, real_array, require, same_array

BOUNDS = ("low", "high")


def att_slopes(attention_gradient: Callable[..., Any]) -> None:
    """Check of `attention_gradient(X, Z, Y, v, W)`: the gradient of the mean logistic loss, (d, d)."""
    X, Z = np.array([[[1.0, 0.0], [0.0, 0.0]]]), np.array([[0.0, 2.0]])
    by_hand = np.array([[0.0, -0.5 / (1 + np.exp(0.5))], [0.0, 0.0]])
    for sign in (1.0, -1.0):
        case = f"tokens (1, 0) and 0, query (0, 2), W = 0, label {sign:+g}"
        got = call(
            attention_gradient, X, Z, np.array([sign]), sign * np.array([1.0, 0.0]), np.zeros((2, 2)),
            case=case)
        hint = (
            "-grad = |l'| s_1 s_2 (gamma_1 - gamma_2) (x_1 - x_2) z', here |l'(1/2)| / 4 times the entry 2.")
        same_array(got, by_hand, case=case, hint=hint)
    for seed, size in ((0, 1.0), (1, 4.0)):
        data = random_token_data(4, 3, 3, rng=np.random.default_rng(seed))
        W = size * np.random.default_rng(seed + 10).normal(size=(3, 3))
        case = f"random data {seed}"
        got = call(attention_gradient, data.X, data.Z, data.Y, data.v, W, case=case)
        hint = "it is a mean over sequences, the labels are in the scores, and x z' is not z x'."
        same_array(got, _differences(data, W), case=case, hint=hint, tolerance=1e-7)
    case = "logits of 0 and -5000"
    got = call(
        attention_gradient, X, Z, np.ones(1), np.array([1.0, 0.0]), 2500 * np.eye(2)[:, ::-1].T, case=case)
    same_array(
        got, np.zeros((2, 2)), case=case, hint="count the logits from their largest; exp(5000) overflows.")
    praise("Right: each token pulls by its score above the average, and the pulls of a sequence cancel.")


def _differences(data, W, h=1e-5):
    """The gradient of the loss by central differences."""
    units = h * np.eye(W.size).reshape(-1, *W.shape)
    slopes = [(training_loss(data, W + E) - training_loss(data, W - E)) / (2 * h) for E in units]
    return np.reshape(slopes, W.shape)


def att_machine(attention_svm: Callable[..., Any]) -> None:
    """Check of `attention_svm(X, Z, tokens)`: the shortest W with the tokens ahead by 1, or None."""
    by_hand = [[1.0, 1.0], [0.0, -1.0], [1.0, 0.0]]
    hint = "the example of the chapter: W = w z' / |z|^2 with w = (0, 1)."
    for z, W in (([1.0, 0.0], [[0, 0], [1, 0]]), ([0.0, 2.0], [[0, 0], [0, 0.5]])):
        case = f"chosen (1, 1), others (0, -1) and (1, 0), query {z}"
        got = call(attention_svm, np.array([by_hand]), np.array([z]), np.array([0]), case=case)
        require(
            got is not None, f"{case}: W exists, but got None. Hint: leave out t = alpha, a row of zeros.")
        same_array(got, np.array(W), case=case, hint=hint, tolerance=1e-7)
    for seed, (n, T, d, size) in enumerate(
        ((2, 3, 3, 1.0), (3, 4, 4, 1.0), (2, 4, 3, 1e-12), (4, 2, 3, 1e3))
    ):
        data = random_token_data(n, T, d, rng=np.random.default_rng(seed))
        tokens = np.random.default_rng(seed).integers(T, size=n)
        wanted = frobenius_svm(data, tokens)
        case = f"{n} random sequences of {T} tokens of size {size:g}, tokens {tokens.tolist()}"
        got = call(attention_svm, size * data.X, data.Z, tokens, case=case)
        require(
            got is not None,
            f"{case}: W exists, but got None. Hint: measure the rows in units of the largest.")
        hint = "all sequences share one W; each has its own chosen token and its own query."
        same_array(size * real_array(got, case=case), wanted.W, case=case, hint=hint)
    case = "chosen 0, another token at 1, query 1"
    got = call(attention_svm, np.array([[[0.0], [1.0]]]), np.ones((1, 1)), np.array([0]), case=case)
    require(
        got is not None, f"{case}: W = -1 exists, but got None. Hint: the largest row by size, not by sign.")
    same_array(got, [[-1.0]], case=case, hint="a negative row needs a negative W.")
    _refuses_hidden_tokens(attention_svm)
    praise("Right: chapter 1's machine, on outer products.")


def _refuses_hidden_tokens(attention_svm):
    """None where no W puts the chosen token ahead: between others, or beside a twin."""
    line = [[0.0], [1.0], [-1.0]]
    got = call(attention_svm, np.array([line]), np.ones((1, 1)), np.array([0]), case="0 between 1 and -1")
    require(got is None, f"0 between 1 and -1: no W puts it ahead, so None is expected, but got {got!r}.")
    inside = [[0.0, 0.0], [1.0, 0.0], [-1.0, 0.0]]
    for case, X in (
        ("chosen token between two others", inside),
        ("twins only", [[1.0, 2.0]] * 2),
        ("a twin of the chosen token", [[1.0, 2.0], [1.0, 2.0], [0.0, 0.0]]),
    ):
        got = call(attention_svm, np.array([X]), np.array([[1.0, 1.0]]), np.array([0]), case=case)
        require(got is None, f"{case}: no W puts it ahead, so None is expected, but got {got!r}.")


def att_bounds(norm_bounds: Callable[..., Any]) -> None:
    """Check of `norm_bounds(X, Z, tokens, W, multipliers, kind)`: both bounds on the smallest norm."""
    X, Z, tokens = np.array([[[1.0, 0.0], [0.0, 0.0], [1.0, -2.0]]]), np.array([[0.0, 3.0]]), np.array([0])
    W, multipliers = np.array([[0.0, 1.0], [0.0, 1.0]]), np.array([[0.0, 2.0, 1.0]])
    low, high = 3 / np.sqrt(72), np.sqrt(2) / 3  # S = 3 (2, 2)' (0, 1), margins 3 and 6
    for kind in ("frobenius", "nuclear"):
        case = f"one sequence, {kind}"
        got = call(norm_bounds, X, Z, tokens, W, multipliers, kind, case=case)
        hint = (
            "sum of the multipliers over the dual norm of sum lambda A; norm of W over its SMALLEST margin.")
        for name, end, wanted in zip(BOUNDS, parts(got, BOUNDS, case=case), (low, high), strict=True):
            same_array(end, wanted, case=f"{case}, {name}", hint=hint)
        case = f"margins that are not positive, {kind}"
        for wrong in (-W, 0 * W, np.array([[0.0, 1.0], [0.0, 0.0]])):
            got = call(norm_bounds, X, Z, tokens, wrong, multipliers, kind, case=case)
            _, above = parts(got, BOUNDS, case=case)
            above = real_array(above, case=f"{case}, high", dims=0, infinite=True)
            require(above == np.inf, f"{case}: the upper bound is {above}, but W separates nothing: np.inf.")
    for seed in range(3):
        data = random_token_data(4, 3, 4, rng=np.random.default_rng(seed))
        rng = np.random.default_rng(seed + 20)
        W = frobenius_svm(data, data.optimal_tokens).W + 0.05 * rng.normal(size=(4, 4))
        multipliers = rng.uniform(size=(4, 3))
        multipliers[np.arange(4), data.optimal_tokens] = 0
        _judge_bounds(norm_bounds, data, W, multipliers, f"random data {seed}")
    praise("Right: whoever made W and lambda, these bounds hold.")


def _judge_bounds(norm_bounds, data, W, multipliers, case):
    """Both kinds of bounds, compared with sums over the constraints one by one."""
    pairs = [(i, t) for i, a in enumerate(data.optimal_tokens) for t in range(data.sizes[1]) if t != a]
    A = [np.outer(data.X[i, data.optimal_tokens[i]] - data.X[i, t], data.Z[i]) for i, t in pairs]
    S, smallest = (
        sum(multipliers[p] * a for p, a in zip(pairs, A, strict=True)),
        min((a * W).sum() for a in A))
    kinds: tuple[tuple[Any, ...], ...] = (
        ("frobenius", "fro", "fro", frobenius_svm),
        ("nuclear", "nuc", 2, nuclear_svm))
    for kind, own, dual, solver in kinds:
        got = call(
            norm_bounds, data.X, data.Z, data.optimal_tokens, W, multipliers, kind, case=f"{case}, {kind}")
        low = multipliers.sum() / np.linalg.norm(S, dual)
        high = np.linalg.norm(W, own) / smallest if smallest > 0 else np.inf
        least = 1 / solver(data, data.optimal_tokens).margin
        hint = f"the least norm is {least:.4g}; the dual of the nuclear norm is the largest singular value."
        below, above = parts(got, BOUNDS, case=f"{case}, {kind}")
        same_array(below, low, case=f"{case}, {kind}, low", hint=hint)
        above = real_array(above, case=f"{case}, {kind}, high", dims=0, infinite=True)
        require(
            above == high or abs(above - high) < 1e-6 * high,
            f"{case}, {kind}: high is {above}, expected {high}. {hint}")


def att_balance(balance: Callable[..., Any]) -> None:
    """Check of `balance(K, Q)`: factors of the same product with K'K = Q'Q."""
    cases = [("K = 4, Q = 1", np.array([[4.0]]), np.array([[1.0]]))]
    for seed, (d, m) in enumerate(((3, 3), (4, 2), (2, 5))):
        K, Q = np.random.default_rng(seed).normal(size=(2, d, m))
        cases.append((f"random factors {d} x {m}", 5 * K, Q))
    K = np.outer([1.0, 2.0, 3.0], [1.0, 1.0, 0.0])
    cases.append(("a product of rank one", K, np.eye(3)))
    for case, K, Q in cases:
        got = call(balance, K, Q, case=case)
        left, right = (real_array(part, case=case, dims=2) for part in parts(got, ("K", "Q"), case=case))
        same_shape = left.shape == K.shape and right.shape == Q.shape
        require(same_shape, f"{case}: shapes {left.shape} and {right.shape}, expected {K.shape} twice.")
        same_array(
            left @ right.T, K @ Q.T, case=f"{case}, product", hint="the product must stay what it was.")
        hint = "split the singular values evenly: their roots go to both sides."
        same_array(left.T @ left, right.T @ right, case=f"{case}, K'K beside Q'Q", hint=hint)
    praise("Right: half their squared norms are now the nuclear norm of the product.")


def att_stable(stable_pulls: Callable[..., Any]) -> None:
    """Check of `stable_pulls(logits, scores)`: the pulls as q e^c, however saturated softmax is."""
    lead = "the leader's pull is minus the sum of the others; computed by itself it is noise."
    cases = (
        ("logits 0 and -1000", [0.0, -1000.0], [1.0, 0.0], [1.0, -1.0], -1000.0, lead),
        ("logits -1000 and 0", [-1000.0, 0.0], [1.0, 0.0], [1.0, -1.0], -1000.0, lead),
        ("logits 800, 0, 0", [800.0, 0.0, 0.0], [3.0, 1.0, 0.0], [5.0, -2.0, -3.0], -800.0, lead),
        ("logits 0, -40 and -1000", [0.0, -40.0, -1000.0], [3.0, 1.0, 5.0], [2.0, -2.0, 0.0], -40.0,
         "take out e^c with c the largest gap of a token that does not lead."),
        ("equal logits", [7.0, 7.0], [1.0, 0.0], [0.25, -0.25], 0.0, "two equal weights: s_1 s_2 = 1/4."))
    for case, logits, scores, pulls, size, hint in cases:
        _judge_pulls(
            call(stable_pulls, np.array(logits), np.array(scores), case=case), pulls, size, case, hint)
    for seed in range(4):
        logits, scores = np.random.default_rng(seed).normal(size=(2, 5))
        s = np.exp(logits) / np.exp(logits).sum()
        pulls = s * ((scores[:, None] - scores) @ s)
        case = f"random logits {seed}"
        got = call(stable_pulls, logits, scores, case=case)
        _judge_pulls(got, pulls, 0.0, case, "far from saturation it is s (gamma - s.gamma).")
    praise("Right: no pull is lost, and none is noise.")


def _judge_pulls(got, pulls, size, case, hint):
    """Pulls q e^c compared with `pulls` times e^`size`, in units of the largest and in logarithms."""
    q, c = parts(got, ("q", "c"), case=case)
    q, c = real_array(q, case=f"{case}, q", dims=1), real_array(c, case=f"{case}, c", dims=0)
    require(q.shape == np.shape(pulls), f"{case}: q has shape {q.shape}, expected {np.shape(pulls)}.")
    largest, expected = np.abs(q).max(initial=0), np.abs(pulls).max()
    require(
        1e-6 < largest < 1e6, f"{case}: the largest |q| is {largest}, neither huge nor tiny is asked for.")
    same_array(q / largest, np.divide(pulls, expected), case=case, hint=hint, tolerance=1e-10)
    total, wanted = float(c + np.log(largest)), float(size + np.log(expected))
    require(
        abs(total - wanted) < 1e-9 * max(1, abs(wanted)),
        f"{case}: the largest pull is e^{total:.6g}, expected e^{wanted:.6g}.")
