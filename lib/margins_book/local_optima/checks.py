"""Self-checks of the exercises on local optima: answers known by hand, or from a slower method."""

from collections.abc import Callable
from typing import Any

import numpy as np

from margins.attention_svm import (
    all_choices,
    all_tokens_support,
    frobenius_svm,
    nuclear_svm,
    random_token_data,
)
from margins.attention_svm.constraints import pair_constraints
from margins_book.checking.verdicts import call, parts, praise, real_array, require, same_array

ENDS = ("low", "high")
LINE = np.array([[[0.0], [1], [3]]])  # one sequence on a line, as by hand in the chapter


def lo_locally_optimal(locally_optimal: Callable[..., Any]) -> None:
    """Check of `locally_optimal(X, Z, scores, tokens, W)`: whether each chosen token beats its neighbours."""
    for case, X, Z, scores, tokens, W, expected, hint in _neighbour_cases():
        _judge_verdict(locally_optimal, (X, Z, scores, tokens, W), expected, case=case, hint=hint)
    for seed in range(6):
        data = random_token_data(2, 3, 3, rng=np.random.default_rng(seed))
        for choice in all_choices(data):
            if choice.solution.feasible:
                given = data.X, data.Z, data.scores, choice.tokens, choice.solution.W
                case = f"random data {seed}, choice {choice.tokens.tolist()}"
                _judge_verdict(
                    locally_optimal, given, choice.verdict != "unstable", case=case,
                    hint="which tokens have margin 1, and do they all score less?")
    praise("Right: neighbours decide, and nobody else.")


def _neighbour_cases():
    """Cases (words, X, Z, scores, tokens, W, expected verdict, hint) with few tokens each."""
    shape = np.array([[[0.0, 0], [1, 0], [0, 3]]])
    flat = np.array([[-1.0, 0.0], [0.0, 0.0]])
    far = np.array([[[0.0, 0], [1, 0], [3, 1]]])
    return (
        ("tokens 0, 1, 3 on a line, scores 0, 1, 3", LINE, [[1.0]], [[0.0, 1, 3]], [0], [[-1.0]], False,
         "the neighbour, 1, scores more."),
        ("the same with scores 0, -1, 3", LINE, [[1.0]], [[0.0, -1, 3]], [0], [[-1.0]], True,
         "the token at 3 has margin 3 and is no neighbour: it may score what it likes."),
        ("an equal score next door", LINE, [[1.0]], [[0.0, 0, -3]], [0], [[-1.0]], False,
         "a neighbour must score less, not as much."),
        ("positions in another order", LINE[:, [1, 2, 0]], [[1.0]], [[-1.0, 3, 0]], [2], [[-1.0]], True,
         "neighbours are those with margin 1, wherever they stand."),
        ("a margin that rounding made 1 + 1e-10", LINE, [[1.0]], [[0.0, 1, 3]], [0], [[-1 - 1e-10]], False,
         "compare with 1 up to 1e-9 or a little more."),
        ("two sequences, the second with a better neighbour", np.concatenate([shape, shape]),
         [[1.0, 0], [1, 0]], [[0.0, -1, -1], [0.0, 1, -1]], [0, 0], flat, False,
         "every sequence must pass, with its own scores."),
        ("a sequence without neighbours", np.concatenate([far, 2 * far]), [[1.0, 0], [1, 0]],
         [[0.0, -1, -1], [0.0, 5, 5]], [0, 0], flat, True,
         "margins 2 and 6: nobody is near, nothing is asked."),
        ("a matrix that is not symmetric", shape, [[1.0, 1]], [[0.0, -1, 2]], [2], [[-1.0, 0], [1, 0]], True,
         "the margins are (x_chosen - x_t)' W z, in this order."))


def _judge_verdict(function, given, expected, *, case, hint):
    """A yes or no from `function`, compared with what is expected."""
    got = call(function, *(np.asarray(part) for part in given), case=case)
    got = real_array(got, case=case, dims=0, truths=True)
    require(bool(got) == expected, f"{case}: the answer is {bool(got)}, expected {expected}. Hint: {hint}")


def lo_interval(exact_interval: Callable[..., Any]) -> None:
    """Check of `exact_interval(hits, runs, level)`: the ends of the interval of Clopper and Pearson."""
    cases = (
        ("0 of 10", 0, 10, 0.95, (0.0, 1 - 0.025**0.1),
         ("without a hit the lower end is 0.", "the upper end makes 0 hits as likely as 0.025.")),
        ("10 of 10", 10, 10, 0.95, (0.025**0.1, 1.0),
         ("the lower end makes 10 hits as likely as 0.025.", "if all are hits the upper end is 1.")),
        ("1 of 1, level 0.5", 1, 1, 0.5, (0.25, 1.0),
         ("each tail has half of what the level leaves.", "if all are hits the upper end is 1.")),
        ("1 of 2, level 0.5", 1, 2, 0.5, (1 - 0.75**0.5, 0.75**0.5),
         ("the lower end makes 1 or 2 hits as likely as 0.25.",
          "the upper end makes 0 or 1 hits as likely as 0.25.")))
    for case, hits, runs, level, expected, hints in cases:
        ends = parts(call(exact_interval, hits, runs, level, case=case), ENDS, case=case)
        for name, end, wanted, hint in zip(ENDS, ends, expected, hints, strict=True):
            same_array(end, wanted, case=f"{case}, {name}", hint=hint)
    for hits, runs, level in ((15, 20, 0.95), (18, 20, 0.95), (3, 50, 0.9), (120, 200, 0.99)):
        case = f"{hits} of {runs}, level {level}"
        ends = parts(call(exact_interval, hits, runs, level, case=case), ENDS, case=case)
        low, high = (real_array(end, case=case, dims=0) for end in ends)
        tails = _at_least(hits, runs, low), 1 - _at_least(hits + 1, runs, high)
        same_array(
            tails, [(1 - level) / 2] * 2, case=f"{case}, the probabilities of the two tails",
            hint="at the lower end so many hits or more, at the upper end so many or fewer.")
    praise("Right: the interval that needs no large numbers.")


def _at_least(hits, runs, p):
    """The probability of `hits` or more successes, by adding up."""
    from math import comb

    return sum(comb(runs, k) * p**k * (1 - p) ** (runs - k) for k in range(hits, runs + 1))


def lo_all_support(all_support: Callable[..., Any]) -> None:
    """Check of `all_support(X, Z, tokens)`: whether all margins of the machine are 1."""
    square = np.array([[[0.0, 0], [1, 0], [0, 1]]])
    both = np.array([[[0.0, 0], [1, 0]], [[0.0, 0], [1, 0]]])
    cases = (
        ("two tokens", both[:1], [[2.0, 1]], [0], True, "a single pair always supports."),
        ("a right angle at the chosen token", square, [[1.0, 0]], [0], True, "lambda = (1, 1)."),
        ("a token twice as far behind", LINE, [[1.0]], [0], False, "margins 1 and 3."),
        ("a token inside", LINE, [[1.0]], [1], False, "an infeasible choice has no machine at all."),
        ("the worse of two equal tokens' twin", np.array([[[1.0, 0], [0, 1], [0, 1]]]), [[1.0, 0]], [0], True,
         "G is singular here, and lambda not unique: some lambda >= 0 is enough."),
        ("an acute triangle", np.array([[[0.0, 2], [-1, 0], [1, 0]]]), [[0.0, 1]], [0], True,
         "the queries' lengths scale margins, not verdicts."),
        ("an obtuse angle at another token", np.array([[[0.0, 1], [0, 0], [3, -0.1]]]), [[1.0, 0]], [0],
         False, "G^-1 1 has a negative entry: all margins could be 1, but not of the shortest W."),
        ("three tokens behind on one line", np.array([[[0.0, 0], [-1, 0.5], [-1, -4], [-1, -5]]]), [[1.0, 0]],
         [0], True, "G is singular: the shortest lambda has a negative entry, another is >= 0."),
        ("two sequences, one query", both, [[1.0, 0], [1, 0]], [0, 1], False, "opposite pulls: infeasible."),
        ("two sequences, one query, one pull", both * [[[1.0]], [[2.0]]], [[1.0, 0], [1, 0]], [0, 0], False,
         "inner products of pairs of different sequences belong to G: margins 1 and 2."),
        ("two sequences, two queries", both, [[1.0, 0], [0, 1]], [0, 1], True,
         "queries at right angles make the sequences independent: G has the factor <z_i, z_j>."))
    for case, X, Z, tokens, expected, hint in cases:
        _judge_verdict(all_support, (X, Z, np.array(tokens)), expected, case=case, hint=hint)
    for seed in range(12):
        data = random_token_data(2, 4, (3, 8, 30, 200)[seed % 4], rng=np.random.default_rng(seed))
        expected = all_tokens_support(frobenius_svm(data, data.optimal_tokens))
        given = data.X, data.Z, data.optimal_tokens
        _judge_verdict(
            all_support, given, expected, case=f"random data {seed}",
            hint="solve G lambda = 1 with lambda >= 0.")
    praise("Right: solvable is not enough, the multipliers must be allowed.")


def lo_margin_product(margin_bound: Callable[..., Any]) -> None:
    """Check of `margin_bound(X, Z, Y, v)`: the margin of (z, Y) times the smallest gap of scores over |v|."""
    tokens = np.array([[[1.0, 0], [-1, 0], [-2, 5]]])
    twice = np.concatenate([tokens, tokens])
    cases = (
        ("scores 3, -3, -6 and a query of length 2", tokens, [[0.0, 2]], [1], [3.0, 0], 4.0,
         "rho = 2, delta = 3 - (-3) = 6, |v| = 3."),
        ("the label -1: the third token is best", tokens, [[0.0, 2]], [-1], [3.0, 0], 2.0,
         "labels turn the scores: now delta = 6 - 3."),
        ("two labels, one query", twice, [[1.0, 0], [1, 0]], [1, -1], [3.0, 0], 0.0,
         "no u has <u, z> > 0 and < 0: not separable."),
        ("two labels, opposite queries", twice, [[1.0, 0], [-1, 0]], [1, -1], [3.0, 0], 1.0,
         "Y z is the same for both: rho = 1, and delta the smaller of 6 and 3."),
        ("two queries at right angles", twice, [[1.0, 0], [0, 1]], [1, 1], [3.0, 0], 2 / np.sqrt(2),
         "rho is the distance of the hull of the Y_i z_i from 0: 1/sqrt(2)."))
    for case, X, Z, Y, v, expected, hint in cases:
        got = call(margin_bound, X, np.array(Z), np.array(Y, float), np.array(v), case=case)
        same_array(got, expected, case=case, hint=hint)
    for seed in range(5):
        data = random_token_data(3, 5, 3, rng=np.random.default_rng(seed))
        case = f"random data {seed}"
        got = call(margin_bound, data.X, data.Z, data.Y, data.v, case=case)
        same_array(got, _product(data), case=case, hint="the best u has the largest smallest Y_i <u, z_i>.")
    praise("Right: two margins, one product, and no training.")


def _product(data):
    """The margin product, with the margin of (z, Y) from the machine of one equal pair of tokens each."""
    from margins.descent import hard_margin_direction

    signed = data.Y[:, None] * data.Z
    u = hard_margin_direction(np.vstack([signed, -signed]), np.repeat([1.0, -1.0], len(signed)))
    gaps = np.sort(data.scores, axis=1)
    smallest = (gaps[:, -1] - gaps[:, -2]).min()
    return (signed @ u).min() / np.linalg.norm(u) * smallest / np.linalg.norm(data.v)


def lo_lower_rank(lower_rank: Callable[..., Any]) -> None:
    """Check of `lower_rank(W, a, z)`: another nuclear machine, of a rank that its support pairs allow."""
    for d in (1, 2, 3, 6):  # of size 1 there is no second singular value
        _judge_rank(lower_rank, np.eye(d), np.eye(d), np.eye(d), case=f"the identity of size {d}")
    signs = np.array([[1.0, 1, 0], [1, -1, 0], [1, 0, 1], [1, 0, -1], [0, 1, 1], [0, 1, -1]])
    rows = np.vstack([np.eye(3), signs])
    _judge_rank(
        lower_rank, np.eye(3), rows, rows, case="size 3 with off-diagonal entries between -1/2 and 1/2")
    _judge_rank(
        lower_rank, 1e-9 * np.eye(3), 1e9 * np.eye(3), np.eye(3), case="size 3 with tokens of length 1e9")
    one = np.outer([1.0, 0, 0], [0, 1.0, 0])
    _judge_rank(lower_rank, one, np.eye(3)[:1], np.eye(3)[1:2], case="a solution of rank one")
    wide = np.diag([1.0, 1, 0, 0])
    _judge_rank(lower_rank, wide, np.eye(4)[:2], np.eye(4)[:2], case="rank two in four dimensions")
    for seed in range(3):
        data = random_token_data(4, 3, 4, rng=np.random.default_rng(seed))
        constraints = pair_constraints(data, data.optimal_tokens)
        W = nuclear_svm(data, data.optimal_tokens).W
        _judge_rank(lower_rank, W, *constraints.flat, case=f"random data {seed}")
    praise("Right: as long as the pairs leave room, the rank can fall.")


def _judge_rank(function, W, a, z, *, case):
    """A matrix from `function` that is feasible, as short as W, and of a rank that its pairs allow."""
    got = real_array(call(function, W, a, z, case=case), case=case, dims=2)
    require(got.shape == W.shape, f"{case}: the answer has shape {got.shape}, expected {W.shape}.")
    margins = ((a @ got) * z).sum(axis=1)
    least = margins.min()
    require(
        least > 1 - 1e-5,
        f"{case}: a margin is {least:.6g}, below 1. Hint: stop where an inactive pair becomes active.")
    long, short = np.linalg.norm(got, "nuc"), np.linalg.norm(W, "nuc")
    require(
        long < short * (1 + 1e-5),
        f"{case}: the nuclear norm is {long:.6g}, that of W {short:.6g}. Hint: the change has trace 0.")
    sizes = np.linalg.svd(got, compute_uv=False)
    r, k = int((sizes > 1e-5 * sizes[0]).sum()), int((margins < 1 + 1e-5).sum())
    require(
        r * (r + 1) <= 2 * k,
        f"{case}: rank {r}, but {k} pairs of margin 1. Hint: go on while r(r+1)/2 is larger than that.")
