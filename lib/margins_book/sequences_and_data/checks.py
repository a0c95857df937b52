"""Self-checks of the exercises on sequences and norms."""

from collections.abc import Callable
from typing import Any

import numpy as np

from margins_book.checking.verdicts import call, praise, same_array


def sd_prefix_best(prefix_best: Callable[..., Any]) -> None:
    """Check of `prefix_best(values, labels)`: the best token of each prefix, for the label of its query."""
    cases = (
        ("values 2, 1, 3 with labels +", [2.0, 1, 3], [1, 1, 1], [0, 0, 2], "query k sees 0 to k."),
        ("values 2, 1, 3 with labels -", [2.0, 1, 3], [-1, -1, -1], [0, 1, 1], "- wants the smallest."),
        ("labels of both kinds", [0.0, -1, 4, 2], [1, -1, -1, 1], [0, 1, 1, 2], "the label is the query's."),
        ("negative values", [-3.0, -1, -2], [1, 1, -1], [0, 1, 0], "hidden is not score 0."),
        ("equal values", [1.0, 1, 1], [1, -1, 1], [0, 0, 0], "the earlier of equal tokens counts."),
        ("a single token", [5.0], [-1], [0], "a token sees itself."),
        ("the last is the best", [1.0, 2, 3, 4], [1, 1, 1, 1], [0, 1, 2, 3], "a token sees itself."))
    for case, values, labels, expected, hint in cases:
        got = call(prefix_best, np.array(values), np.array(labels, dtype=float), case=case)
        same_array(got, expected, case=case, hint=hint)
    praise("Right: the mask hides tokens, and the label of the query says what is best.")


def sd_causal_gradient(causal_gradient: Callable[..., Any]) -> None:
    """Check of `causal_gradient(X, Y, v, W)`: against central differences of the loss."""
    for seed, T, size in ((0, 2, 1.0), (1, 4, 1.0), (2, 5, 3.0), (3, 1, 1.0)):
        rng = np.random.default_rng(seed)
        X, Y = rng.normal(size=(T, 3)), rng.choice([-1.0, 1.0], size=T)
        v, W = rng.normal(size=3), size * rng.normal(size=(3, 3))
        case = f"{T} random tokens"
        got = call(causal_gradient, X, Y, v, W, case=case)
        hint = "mean over the T queries; X W x_k are the logits of query k; the slope is -1 / (1 + e^u)."
        same_array(got, _by_differences(X, Y, v, W), case=case, hint=hint, tolerance=1e-6)
    X, Y, v = np.array([[30.0, 0], [0, 30], [20, 20]]), np.array([1.0, -1, 1]), np.array([0.1, -0.2])
    case = "logits of several thousands"
    got = call(causal_gradient, X, Y, v, 10 * np.eye(2), case=case)
    hint = "take the largest logit off before the exponential."
    same_array(got, _by_differences(X, Y, v, 10 * np.eye(2)), case=case, hint=hint, tolerance=1e-6)
    praise("Right: T problems of one query each, added up.")


def _by_differences(X, Y, v, W, h=1e-6):
    """The gradient of the causal loss by central differences, entry by entry."""

    def loss(M):
        total = 0.0
        for k in range(len(X)):
            a = X[: k + 1] @ M @ X[k]
            s = np.exp(a - a.max())
            total += np.logaddexp(0, -Y[k] * (s @ X[: k + 1] @ v) / s.sum())
        return total / len(X)

    grid = np.zeros_like(W)
    for place in np.ndindex(W.shape):
        step = np.zeros_like(W)
        step[place] = h
        grid[place] = (loss(W + step) - loss(W - step)) / (2 * h)
    return grid


def sd_who_is_asked(asked_queries: Callable[..., Any]) -> None:
    """Check of `asked_queries(weights, residual)`: the queries of each layer that the output depends on."""
    itself, first = np.eye(3), np.eye(3)[[0, 0, 0]]
    third, first_two = np.eye(3)[[2, 0, 0]], np.array([[0.5, 0.5, 0], [0, 0, 1], [0, 0, 1]])
    faint = np.array([[0.9995, 0.0005, 0], [0, 0, 1], [0, 0, 1]])
    cases = (
        ("one layer", [third], False, "100", "the head reads the first position of the last layer."),
        ("layer 2 reads position 3", [first, third], False, "001 100", "position 1 alone asks."),
        ("the same, residual", [first, third], True, "101 100", "a position also asks itself."),
        ("it reads 1 and 2", [first, first_two], False, "110 100", "all that get attention are asked."),
        ("a weight of 0.0005", [first, faint], False, "100 100", "less than a thousandth does not count."),
        ("three layers", [first, first_two, third], False, "001 001 100", "rows of the queries asked count."),
        ("three layers, residual", [first, third, first_two], True, "111 110 100",
         "go on from all queries that are asked, not from the first alone."),
        ("each token attends to itself", [itself, itself], False, "100 100", "the rows are queries."))
    for case, weights, residual, told, hint in cases:
        expected = np.array([[mark == "1" for mark in layer] for layer in told.split()])
        got = call(asked_queries, np.array(weights), residual, case=case)
        same_array(got, expected, case=case, hint=hint)
    praise("Right: what the layer above does not ask for, the loss cannot train.")


def sd_collapse(collapse_rate: Callable[..., Any]) -> None:
    """Check of `collapse_rate(X, selected, e)`: the limit of margin over distance, 0 where there is none."""
    line, root = np.array([[1.0, 0], [-1, 0]]), np.sqrt(0.5)
    corner = np.array([[0.0, 0], [-1, 0], [0, -1]])
    cases = (
        ("twin across", line, 0, [0.0, 1.0], 1.0, "here M = e."),
        ("twin towards the other token", line, 0, [1.0, 0], 1.0, "again M = e."),
        ("twin on the far side", line, 0, [-1.0, 0], 0.0, "no M has both margins."),
        ("twin askew on the far side", line, 0, [-root, root], root, "both margins at once."),
        ("a corner, twin inside", corner, 0, [root, root], 1.0, "here M = e."),
        ("a corner, twin along one side", corner, 0, [1.0, 0], 1.0, "a margin of 0 is allowed in the limit."),
        ("a corner, twin askew", corner, 0, [-root, root], root, "project -e on the cone."),
        ("a corner, twin opposite", corner, 0, [-root, -root], 0.0, "no M has all."),
        ("selected is not the first", line[::-1], 1, [-root, root], root, "mind which is selected."))
    for case, X, selected, e, expected, hint in cases:
        got = call(collapse_rate, np.array(X), selected, np.array(e), case=case)
        same_array(got, expected, case=case, hint=hint, tolerance=1e-6)
    praise("Right: the distance of -e from a cone.")


def sd_mirror_step(mirror_step: Callable[..., Any]) -> None:
    """Check of `mirror_step(W, G, p, step)`: one normalised step in the mirror of the p-norm."""
    W, G = np.array([[1.0, -2.0], [0.0, 0.5]]), np.array([[3.0, 0.0], [-4.0, 0.0]])
    zero = np.zeros((2, 2))
    cases = (
        ("p = 2", W, G, 2.0, 1.0, W - G / 5, "p = 2 is gradient descent."),
        ("p = 2, step 0.5", W, G, 2.0, 0.5, W - G / 10, "the step multiplies the unit gradient."),
        ("p = 3 from zero", zero, G, 3.0, 1.0, _from_zero(G, 3.0, 1.0), "then |theta|^(q - 1)."),
        ("p = 1.5 from zero", zero, G, 1.5, 2.0, _from_zero(G, 1.5, 2.0), "the q-norm of G, 1/p + 1/q = 1."),
        ("p = 3, no gradient in an entry", np.array([[-2.0, 4.0]]), np.array([[0.0, 5.0]]), 3.0, 7.0,
         np.array([[-2.0, 3.0]]), "theta = |W|^(p - 1) with the sign of W: 16 - 7 = 9, whose root is 3."),
        ("p = 3, through zero", np.array([[1.0]]), np.array([[2.0]]), 3.0, 5.0, np.array([[-2.0]]),
         "1 - 5 = -4, and the root keeps the sign."))
    for case, start, gradient, p, step, expected, hint in cases:
        got = call(mirror_step, start, gradient, p, step, case=case)
        same_array(got, expected, case=case, hint=hint, tolerance=1e-9)
    praise("Right: into the mirror, one step, and back.")


def _from_zero(G, p, step):
    """The step from W = 0, written out: |step G / ||G||_q|^(q - 1) against the sign of G."""
    q = p / (p - 1)
    theta = step * np.abs(G) / np.linalg.norm(G.ravel(), q)
    return -np.sign(G) * theta ** (1 / (p - 1))
