"""Self-checks of the exercises on the softmax kernel: conditions on answers, or answers known by hand."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from margins.attention import attention_weights
from margins_book.checking.verdicts import call, praise, real_array, require, same_array

THREE = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])  # tokens, which are their own keys


def softmax_three_tokens(outputs_by_hand: Callable[..., Any]) -> None:
    """Check of `outputs_by_hand(values)`: three tokens, with the query log 2 (a, -b) of (a, b)."""
    columns = []
    for j, values in enumerate(np.eye(3)):
        case = f"token {j + 1} has the value 1, the others 0"
        got = real_array(call(outputs_by_hand, values, case=case), case=case, dims=1)
        require(got.shape == (3,), f"{case}: the answer has shape {got.shape}, expected (3,).")
        columns.append(got)
    found = np.transpose(columns)  # a row for each token that asks
    weights = attention_weights(np.log(2) * THREE * [1, -1], THREE, scale=1.0)
    require(
        np.abs(found.T - weights).max() > 1e-9,
        "each value is counted with weights of a column, expected those of a row. Hint: `weights @ values`.")
    for i, total in enumerate(found.sum(axis=1)):
        require(
            abs(total - 1) < 1e-9,
            f"the weights that token {i + 1} gives add up to {total:.4g}, expected 1. "
            "Hint: divide each row of exponentials by its own sum.")
    for i, j in np.ndindex(3, 3):
        require(
            abs(found[i, j] - weights[i, j]) < 1e-9,
            f"token {i + 1} gives the weight {found[i, j]:.4g} to token {j + 1}, and that is not right. "
            f"Hint: {_hint_for_weights(found)}")
    praise("Right: nine weights found with a pencil.")


def _hint_for_weights(found: np.ndarray) -> str:
    """What would explain these wrong weights: rounding, a lost sign, the root, or the base."""
    mistakes = (
        (np.log(2) * THREE * [1, -1], 1.0, "type in fractions such as 4 / 7, and do not round them."),
        (np.log(2) * THREE, 1.0, "the query of (a, b) is log 2 (a, -b), so some logits are negative."),
        (np.log(2) * THREE * [1, -1], 2**-0.5, "the root is left out here."),
        (THREE * [1, -1], 1.0, "the logits are whole multiples of log 2, and the exponentials powers of 2."))
    for queries, scale, words in mistakes:
        if np.abs(found - attention_weights(queries, THREE, scale=scale)).max() < 0.01:
            return words
    return "write down its logit first, and the exponential beside it."


def softmax_temperature(temperature_for: Callable[..., Any]) -> None:
    """Check of `temperature_for(logits, wanted)`: the temperature at which e^entropy is `wanted`."""
    rng = np.random.default_rng(0)
    cases = (
        ("two logits", np.array([0.0, 1.0]), 1.5),
        ("logits around 1000", 1000 + rng.normal(size=8), 3.0),
        ("logits a millionth apart", 1e-6 * rng.normal(size=8), 3.0),
        ("logits of size a million", 1e6 * rng.normal(size=8), 6.5),
        ("three equal largest logits of five", np.array([2.0, -1, 2, 0, 2]), 3.2),
        ("fifty logits", rng.normal(size=50), 49.5))
    for case, logits, wanted in cases:
        got = real_array(call(temperature_for, logits, wanted, case=case), case=case, dims=0)
        require(got > 0, f"{case}: expected a temperature > 0, but got {got}.")
        attended = _keys_attended(logits, float(got))
        require(
            abs(attended - wanted) < 1e-5,
            f"{case}: at tau = {got:.6g} the keys attended are {attended:.6g}, wanted {wanted}. "
            f"Hint: {_hint_for(logits, float(got), wanted)}")
    praise("Right: one temperature for each number of keys.")


def _hint_for(logits: np.ndarray, tau: float, wanted: float) -> str:
    """What would explain this wrong temperature: its inverse, another logarithm, or too early an end."""
    attended = _keys_attended(logits, tau)
    if abs(_keys_attended(logits, 1 / tau) - wanted) < 1e-5:
        return "the logits are divided by tau, not multiplied by it."
    if abs(attended ** (1 / math.log(2)) - wanted) < 1e-4:
        return "H is taken with the natural logarithm, not in bits."
    if abs(attended ** math.log(2) - wanted) < 1e-4:
        return "the keys attended are e^H, not 2^H, with the natural logarithm in H."
    way = "larger" if attended < wanted else "smaller"
    return f"the weights are more equal at a larger temperature, so this one must be {way}."


def _keys_attended(logits, tau):
    """e^H of the softmax of logits / tau."""
    weights = np.exp((logits - logits.max()) / tau)
    weights = weights[weights > 0] / weights.sum()
    return float(np.exp(-(weights * np.log(weights)).sum()))


def softmax_features(features: Callable[..., Any]) -> None:
    """Check of `features(X, degree, scale)`: products sum to sum_{k <= degree} (scale x.y)^k / k!."""
    rng = np.random.default_rng(1)
    cases = (
        ("x = 2 and y = 3, degree 0, scale 1", [[2.0]], [[3.0]], 0, 1.0),
        ("x = 2 and y = 3, degree 3, scale 1", [[2.0]], [[3.0]], 3, 1.0),
        ("x = 2 and y = 3, degree 2, scale 1/4", [[2.0]], [[3.0]], 2, 0.25),
        ("x = (1, 1) and y = (1, -2), degree 2, scale 1", [[1.0, 1]], [[1.0, -2]], 2, 1.0),
        ("random points of the plane, degree 5, scale 2", *rng.normal(size=(2, 4, 2)), 5, 2.0),
        ("random points of space, degree 4, scale 1/2", *rng.normal(size=(2, 3, 3)), 4, 0.5))
    for case, X, Y, degree, scale in cases:
        X, Y = np.array(X), np.array(Y)
        left, right = (
            real_array(call(features, Z, degree, scale, case=case), case=case, dims=2) for Z in (X, Y))
        shapes = left.shape[1] == right.shape[1]
        require(
            shapes, f"{case}: the features have shapes {left.shape} and {right.shape}; expected rows alike.")
        expected = sum((scale * X @ Y.T) ** k / math.factorial(k) for k in range(degree + 1))
        hint = "each side carries the square root of a coefficient; no prefactor; all degrees up to the last."
        same_array(left @ right.T, expected, case=case, hint=hint, tolerance=1e-9)
    praise("Right: the products are the series, cut at the degree.")


def softmax_reveal(keys_from_weights: Callable[..., Any]) -> None:
    """Check of `keys_from_weights(Q, A)`: the centred keys behind attention weights."""
    case = "queries 1 and 2, keys -1 and 1"
    Q, keys = np.array([[1.0], [2.0]]), np.array([[-1.0], [1.0]])
    same_array(call(keys_from_weights, Q, attention_weights(Q, keys), case=case), keys, case=case,
               hint="the logarithm of two weights differs by q.(k_1 - k_2) / sqrt(d).")
    rng = np.random.default_rng(2)
    for n, m, d in ((6, 4, 3), (3, 5, 3), (9, 1, 2), (20, 8, 5)):
        Q, keys = rng.normal(size=(n, d)) + 0.7, 1.5 * rng.normal(size=(m, d)) - 1
        keys[-1] = keys[0]  # the same key twice
        case = f"{n} queries, {m} keys in {d} dimensions"
        got = call(keys_from_weights, Q, attention_weights(Q, keys), case=case)
        hint = "take the mean over the keys out of every row of log A, and mind the scale 1/sqrt(d)."
        same_array(got, keys - keys.mean(axis=0), case=case, hint=hint)
    praise("Right: all that attention knows of its keys is where they lie among each other.")


def softmax_witnesses(two_tokens: Callable[..., Any]) -> None:
    """Check of `two_tokens(W_Q, W_K)`: None for a kernel, else two tokens that prove the contrary."""
    rng = np.random.default_rng(3)
    W, turn = rng.normal(size=(4, 3)), np.linalg.qr(rng.normal(size=(3, 3)))[0]
    wide, blind = rng.normal(size=(3, 5)), np.vstack([W, np.zeros((1, 3))])
    kernels = (
        ("W_K = W_Q", W, W), ("W_K = 2 W_Q", W, 2 * W), ("both turned", W @ turn, W @ turn),
        ("d_k > d, W_K = W_Q", wide, wide), ("a tiny kernel, W_K = W_Q", 1e-8 * W, 1e-8 * W),
        ("a token that nobody compares", blind, blind @ (wide @ wide.T)),
        ("M = 0", np.eye(2), np.zeros((2, 2))))
    for case, W_Q, W_K in kernels:
        got = call(two_tokens, W_Q, W_K, case=case)
        require(
            got is None,
            f"{case}: M is symmetric and PSD, if singular, and rounding is no evidence; expected None.")
    others = (
        ("W_K = -W_Q", W, -W),
        ("unrelated matrices", W, rng.normal(size=(4, 3))),
        ("tiny unrelated matrices", 1e-8 * W, 1e-8 * rng.normal(size=(4, 3))),
        ("M = [[-1, -1], [-1, -1]]", np.ones((2, 1)), -np.ones((2, 1))),
        ("M = diag(1, -1)", np.eye(2), np.diag([1.0, -1.0])),
        ("M = diag(100, -1)", np.eye(2), np.diag([100.0, -1.0])),
        ("M = [[1, 1], [-1, 1]]", np.eye(2), np.array([[1.0, -1.0], [1.0, 1.0]])),
        ("M = [[1, -1], [1, 1]]", np.eye(2), np.array([[1.0, 1.0], [-1.0, 1.0]])),
        ("M = [[1, 0], [3, 1]]", np.eye(2), np.array([[1.0, 3.0], [0.0, 1.0]])))
    for case, W_Q, W_K in others:
        got = call(two_tokens, W_Q, W_K, case=case)
        require(got is not None, f"{case}: this is no kernel, but got None.")
        _judge_tokens(got, W_Q @ W_K.T, case=case)
    praise("Right: two tokens are always enough to show that it is no kernel.")


def _judge_tokens(got, M, *, case):
    """Two tokens whose logits are not symmetric, or whose matrix exp(logits) has a determinant < 0.

    The determinant is negative where the logits have l_00 + l_11 < l_01 + l_10; no exponential is needed.
    """
    got = real_array(got, case=case, dims=2)
    expected = (2, len(M))
    require(got.shape == expected, f"{case}: the answer has shape {got.shape}, expected {expected}.")
    logits = got @ M @ got.T
    tiny = 1e-9 * np.abs(M).max() * max((got**2).sum(), 1e-300)
    asymmetric = abs(logits[0, 1] - logits[1, 0]) > tiny
    negative = logits[0, 0] + logits[1, 1] < logits[0, 1] + logits[1, 0] - tiny
    require(
        asymmetric or negative,
        f"{case}: on these tokens the matrix of the kernel is symmetric with a determinant >= 0; they prove "
        "nothing. Hint: u and -u with u'Mu < 0, or unit vectors e_i and e_j with M_ij != M_ji.")


def softmax_table(smallest_symbol: Callable[..., Any]) -> None:
    """Check of `smallest_symbol(b)`: the minimum of sum_{|k| < r} (e^b(k) - e^b(r)) cos(k theta)."""
    ladder = np.log(1 + np.arange(6, -1, -1.0))  # e^b falls by steps of 1: Fejer's kernel, which touches 0
    waves = np.random.default_rng(4).normal(size=51)
    outside = "a root of the derivative counts only where x = cos theta, from -1 to 1."
    cases = (
        ("b = (3)", [3.0], 0.0, "a constant table has no sum at all."),
        ("b = (1, 0)", [1.0, 0.0], math.e - 1, "only k = 0 is left, and f is constant."),
        ("b = (1, 1, 0)", [1.0, 1.0, 0.0], 1 - math.e, "f = (e - 1)(1 + 2 cos theta): k and -k both count."),
        ("b = (2, 2, 1)", [2.0, 2.0, 1.0], math.e - math.e**2, "take e^b(r) out of every e^b(k)."),
        ("e^b = (3, 3, 4/3, 1)", np.log([3, 3, 4 / 3, 1]), -4 / 3, outside),
        ("e^b = (5, 1, 10/3, 3)", np.log([5, 1, 10 / 3, 3]), -4 / 3, outside),
        ("e^b = 7, 6, ..., 1", ladder, 0.0, "f is a Fejer kernel, whose smallest value is 0."),
        ("fifty random biases", waves, _lowest(waves), "the minimum lies between the points of a grid."))
    for case, b, expected, hint in cases:
        got = call(smallest_symbol, np.array(b, dtype=float), case=case)
        same_array(got, expected, case=case, hint=hint)
    praise("Right: the sign of this number decides for all positions at once.")


def _lowest(b):
    """The minimum of the symbol of b: the least values of a fine grid, each polished by parabolas."""
    k, c = np.arange(len(b)), np.exp(b[-1])
    weights = (np.exp(b) - c) * np.where(k > 0, 2, 1)  # (r + 1,)
    theta = np.linspace(0, np.pi, 100 * len(b) + 1)
    best = theta[np.argsort(np.cos(np.outer(theta, k)) @ weights)[:20]]
    for _ in range(8):  # Newton's steps
        slope = -np.sin(np.outer(best, k)) @ (k * weights)
        bend = -np.cos(np.outer(best, k)) @ (k**2 * weights)
        best = best - slope / np.where(np.abs(bend) > 1e-9, bend, np.inf)
    ends = np.concatenate([best, [0.0, np.pi]])
    return float((np.cos(np.outer(ends, k)) @ weights).min())
