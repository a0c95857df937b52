"""Self-checks of the exercises on attention as regression: answers known by hand, or from a slower method."""

from collections.abc import Callable
from typing import Any

import numpy as np

from margins.attention import nadaraya_watson, softmax_attention, winning_keys
from margins.kernels import gaussian
from margins_book.checking.verdicts import call, parts, praise, real_array, require, same_array


def nw_leave_one_out(left_out: Callable[..., Any]) -> None:
    """Check of `left_out(keys, values, bandwidths)`: mean squared errors without each key's own value."""
    own = "the key's own value must not count, neither above nor below the fraction bar."
    tiny = "count the other logits of a row from their largest; the nearest of the others then has weight 1."
    cases: tuple[tuple[Any, ...], ...] = (
        ("two keys, whatever h", [0.0, 1.0], [1.0, 4.0], [0.3, 5.0], [9.0, 9.0], own),
        ("keys 0, 1, 3 and h = 0.001", [0.0, 1.0, 3.0], [1.0, 2.0, 5.0], [1e-3], [11 / 3], tiny),
        ("keys 0, 1, 2 and h = 0.001: a tie", [0.0, 1.0, 2.0], [0.0, 3.0, 2.0], [1e-3], [14 / 3], tiny),
        ("two keys at 0, one at 1, h = 0.001", [0.0, 0.0, 1.0], [1.0, 3.0, 4.0], [1e-3], [4.0],
         "a twin is another key, at distance 0: leave out the key alone."),
        ("h = 1e9", [0.0, 1.0, 3.0], [0.0, 3.0, 6.0], [1e9], [13.5], "all others count alike then."))
    for case, keys, values, bandwidths, expected, hint in cases:
        got = call(left_out, np.array(keys), np.array(values), np.array(bandwidths), case=case)
        same_array(got, expected, case=case, hint=hint)
    for seed in range(3):
        rng = np.random.default_rng(seed)
        keys, values = rng.uniform(-2, 2, 12), rng.normal(size=12)
        expected = [_refitted(keys, values, h) for h in (0.2, 1.0)]
        got = call(left_out, keys, values, np.array([0.2, 1.0]), case=f"random keys {seed}")
        same_array(
            got, expected, case=f"random keys {seed}", hint="the weights are exp(-u^2/2), u = (q - k)/h.")
    praise("Right: no key answers its own question, at any bandwidth.")


def _refitted(keys, values, h):
    """The mean squared error left out, by estimates from the other keys."""
    rest = [np.arange(len(keys)) != i for i in range(len(keys))]
    without = [nadaraya_watson(keys[[i]], keys[r], values[r], h)[0] for i, r in enumerate(rest)]
    return np.mean((values - without) ** 2)


def nw_merge(merge: Callable[..., Any]) -> None:
    """Check of `merge(left, right)`: the state (peak, total, weighted) of two sets of keys together."""
    shrink = (
        "count both from the larger peak: the other state's sums shrink by exp(its peak - the larger one).")
    one, two = (0.0, 1.0, np.array([2.0])), (np.log(3.0), 1.0, np.array([6.0]))
    none = (-np.inf, 0.0, np.zeros(1))
    cases = (
        ("logits 0 and log 3", one, two, (np.log(3.0), 4 / 3, [20 / 3]), shrink),
        ("the same the other way round", two, one, (np.log(3.0), 4 / 3, [20 / 3]), shrink),
        ("equal peaks", one, (0.0, 2.0, np.array([-1.0])), (0.0, 3.0, [1.0]), "equal peaks: add."),
        ("no keys and one", none, one, (0.0, 1.0, [2.0]), "no keys add nothing."),
        ("one and no keys", one, none, (0.0, 1.0, [2.0]), "no keys add nothing."),
        ("no keys twice", none, none, (-np.inf, 0.0, [0.0]), "the state of no keys is itself."),
        ("logits 2000 and -2000", (2000.0, 1.0, np.array([5.0])), (-2000.0, 1.0, np.array([7.0])),
         (2000.0, 1.0, [5.0]), "exp(2000) overflows; only differences of peaks may be exponents."))
    for case, left, right, expected, hint in cases:
        _judge_state(call(merge, left, right, case=case), expected, case=case, hint=hint)
    for seed in range(3):
        rng = np.random.default_rng(seed)
        logits, values = 3 * rng.normal(size=9), rng.normal(size=(9, 2))
        pieces = [_state(logits[part], values[part]) for part in (slice(0, 2), slice(2, 9))]
        case = f"random logits {seed}"
        _judge_state(call(merge, *pieces, case=case), _state(logits, values), case=case, hint=shrink)
    praise("Right: attention can read its keys in pieces.")


def _state(logits, values):
    """The state of a set of keys."""
    weights = np.exp(logits - logits.max())
    return float(logits.max()), float(weights.sum()), weights @ values


def _judge_state(got, expected, *, case, hint):
    """The three parts of a state, each compared with what is expected."""
    got = parts(got, ("peak", "total", "weighted"), case=case)
    peak = real_array(got[0], case=f"{case}, peak", dims=0, infinite=True)
    require(
        peak == expected[0] or abs(peak - expected[0]) < 1e-9,
        f"{case}: the peak is {peak:.6g}, expected {expected[0]:.6g}, the larger of the two.")
    for name, part, wanted in zip(("total", "weighted"), got[1:], expected[1:], strict=True):
        same_array(part, wanted, case=f"{case}, {name}", hint=hint, tolerance=1e-9)


def nw_compile(head_of: Callable[..., Any]) -> None:
    """Check of `head_of(S, a, b, gamma)`: a head of scale 1/sqrt(d_k) with the sign of a Gaussian machine."""
    lines = np.linspace(-3, 3, 61)[:, None]
    two = np.array([[-1.0], [1.0]])
    zeros = np.sqrt(np.log(2)) * np.array([[-1.0], [1.0]])  # of e^(-x^2) - 1/2
    near_zeros = np.vstack([lines, 0.9999 * zeros, 1.0001 * zeros])
    cases = (
        ("one point at 0, f = e^(-x^2) - 1/2", np.zeros((1, 1)), np.ones(1), -0.5, 1.0, near_zeros,
         "mind the scale 1/sqrt(d_k), d_k = d + 2: with it the logits are -gamma |x - s|^2, and 0 for b."),
        ("points -1 and 1, b = 0", two, np.array([-1.0, 1.0]), 0.0, 0.5, lines,
         "the logits are -gamma |x - s|^2."),
        ("b = 0.3", two, np.array([-2.0, 1.0]), 0.3, 0.5, lines, "mind the scale 1/sqrt(d_k), d_k = d + 2."),
        ("b = -0.3", two, np.array([-1.0, 2.0]), -0.3, 2.0, lines, "the key of b has the logit 0."))
    for case, S, a, b, gamma, X, hint in cases:
        _judge_head(call(head_of, S, a, b, gamma, case=case), S, a, b, gamma, X, case=case, hint=hint)
    for seed in range(3):
        rng = np.random.default_rng(seed)
        S, a, X = rng.normal(size=(8, 3)), rng.normal(size=8), 1.5 * rng.normal(size=(300, 3))
        case = f"random machine {seed}"
        head = call(head_of, S, a, 0.2, 0.4, case=case)
        _judge_head(
            head, S, a, 0.2, 0.4, X, case=case,
            hint="every logit must be log K(x, s_j), at scale 1/sqrt(d_k).")
    praise("Right: the machine is a head, and the customary scale does no harm.")


def _judge_head(got, S, a, b, gamma, X, *, case, hint):
    """Keys and values that fit the queries, and a head whose sign is that of f wherever f is not 0."""
    keys, values = parts(got, ("keys", "values"), case=case)
    keys = real_array(keys, case=f"{case}, keys", dims=2)
    values = real_array(values, case=f"{case}, values", dims=1)
    width = S.shape[1] + 2
    fits = keys.shape[1] == width and len(values) == len(keys)
    require(
        fits, f"{case}: keys {keys.shape} and values {values.shape}; expected rows of {width}, a value each.")
    queries = np.column_stack([X, (X**2).sum(axis=1), np.ones(len(X))])
    output = softmax_attention(queries, keys, values.reshape(-1, 1))[:, 0]
    f = gaussian(X, S, gamma=gamma) @ a + b
    wrong = (np.sign(output) != np.sign(f)) & (np.abs(f) > 1e-6)
    at = wrong.argmax()
    message = f"at x = {X[at].round(3)} f is {f[at]:.3g}, the head says {output[at]:.3g}."
    hint = hint if len(values) > len(S) else "b needs a key."
    require(not wrong.any(), f"{case}: {message} Hint: {hint}")


def nw_alone(bounds_after: Callable[..., Any]) -> None:
    """Check of `bounds_after(D, heads)`: bounds on the largest distance after each layer."""
    one, wide = np.ones((1, 1)), np.ones((1, 4))
    ahead, aside = np.diag([1.0, 0.0]), np.diag([0.0, 1.0])
    chained = "every bound is made from the one before."
    cases: tuple[tuple[Any, ...], ...] = (
        ("all matrices 1, D = 0.2, two layers", 0.2, [(one, one, one)] * 2, [2e-3, 2e-9], chained),
        ("all matrices 1, D = 4", 4.0, [(one, one, one)], [4.0], "far apart, the hull says more."),
        ("W_V = 3, D = 1, two layers", 1.0, [(one, one, 3 * one)] * 2, [0.75, 81 / 256], "c contains |W_V|."),
        ("d_k = 4, D = 1", 1.0, [(wide, wide, one)], [0.5], "|W_Q W_K'| is 4 and the scale 1/2 here."),
        ("queries orthogonal to keys", 1.0, [(ahead, aside, np.eye(2))], [0.0],
         "take the norm of the product W_Q W_K'."),
        ("W_V of two directions", 9.0, [(np.eye(2), np.eye(2), np.diag([3.0, 2.0]))], [27.0],
         "the largest singular value, not the root of the sum of squares."))
    for case, D, heads, expected, hint in cases:
        got = call(bounds_after, D, heads, case=case)
        same_array(got, np.array(expected), case=case, hint=hint, tolerance=1e-12)
    praise("Right: close tokens come together doubly exponentially, far ones are promised little.")


def nw_winners(winners: Callable[..., Any]) -> None:
    """Check of `winners(keys)`: which keys of the plane win some query alone."""
    square = [[1.0, 1], [-1, 1], [-1, -1], [1, -1]]
    cases: tuple[tuple[Any, ...], ...] = (
        ("one key", [[2.0, 1]], [True], "nobody else is there."),
        ("a square and its centre", [*square, [0.0, 0]], [True] * 4 + [False],
         "inside the hull nobody wins."),
        ("a square and the middle of a side", [*square, [0.0, 1]], [True] * 4 + [False],
         "it only ever ties with the two corners of its side."),
        ("a square with one corner twice", [*square, [1.0, 1]], [False, True, True, True, False],
         "equal keys tie for every query."),
        ("five keys on a line", [[0.0, 0], [2, 3], [4, 6], [-2, -3], [1, 1.5]],
         [False, False, True, True, False], "on a line only the two ends win."),
        ("a triangle far from the origin", [[100.0, 100], [101, 100], [100, 101]], [True] * 3,
         "adding one vector to all keys changes no winner: length is not what counts."),
        ("equal keys", [[1.0, 2], [1, 2]], [False, False], "equal keys tie for every query."))
    for case, keys, expected, hint in cases:
        got = call(winners, np.array(keys), case=case)
        same_array(got, expected, case=case, hint=hint)
    for seed in range(4):
        keys = np.random.default_rng(seed).normal(size=(30, 2))
        case = f"thirty random keys {seed}"
        got = call(winners, keys, case=case)
        same_array(got, winning_keys(keys), case=case, hint="a winner may win for few queries only.")
    praise("Right: the winners are the corners of the hull.")


def nw_local_linear(local_line: Callable[..., Any]) -> None:
    """Check of `local_line(queries, keys, values, h)`: the value at the query of a locally weighted line."""
    keys = np.array([0.0, 0.3, 1.0, 1.2, 2.0])
    queries = np.array([0.0, 0.7, 2.5])
    straight = "a line must come out as it is: the fit is c + c'(k - q), the answer c."
    for h in (0.3, 5.0):
        case = f"values on a line, h = {h}"
        got = call(local_line, queries, keys, 2 - 3 * keys, h, case=case)
        same_array(got, 2 - 3 * queries, case=case, hint=straight)
    for seed in range(3):
        rng = np.random.default_rng(seed)
        keys, values, queries = rng.uniform(0, 2, 15), rng.normal(size=15), rng.uniform(0, 2, 6)
        roots = np.exp(-((queries[:, None] - keys) ** 2) / 4 / 0.5**2)
        fits = [
            np.linalg.lstsq(np.c_[r, r * (keys - q)], r * values)[0]
            for r, q in zip(roots, queries, strict=True)]
        case = f"random values {seed}, h = 0.5"
        got = call(local_line, queries, keys, values, 0.5, case=case)
        weights = "weigh the squared errors by exp(-(q - k)^2 / 2h^2), once."
        same_array(got, [c for c, _ in fits], case=case, hint=weights)
    praise("Right: lines come out as they are, at the edge as well.")
