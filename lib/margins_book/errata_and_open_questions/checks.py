"""Self-checks of the exercises on open questions: cases known by hand, and short trainings."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from margins.attention_svm import TokenData, judged_choice, train_together
from margins_book.checking.verdicts import call, parts, praise, real_array, require, same_array

TRAINED_TOKENS, TRAINED_QUERY = np.array([[0.3, -0.4], [1.2, 0.5]]), np.array([0.8, -0.6])


def err_traps(traps: Callable[..., Any]) -> None:
    """Check of `traps(a1, a2)`: which of two rows can be lost by gradient flow."""
    cases = (
        ("a1 = (1, -5), a2 = (1, 1)", [1.0, -5.0], [1.0, 1.0], (True, False)),
        ("a1 = (1, 1), a2 = (1, -5)", [1.0, 1.0], [1.0, -5.0], (False, True)),
        ("a1 = (1, 0), a2 = (0, 1)", [1.0, 0.0], [0.0, 1.0], (False, False)),
        ("a1 = (1, -1.5), a2 = (1, 1)", [1.0, -1.5], [1.0, 1.0], (False, False)),
        ("a1 = (3, 3), a2 = (1, 1.2)", [3.0, 3.0], [1.0, 1.2], (False, False)),
        ("a1 = (1, -3), a2 = (1, 1), at the border", [1.0, -3.0], [1.0, 1.0], (False, False)),
        ("a1 = (1, 1), a2 = (1, -3), at the border", [1.0, 1.0], [1.0, -3.0], (False, False)))
    for case, first, second, expected in cases:
        got = call(traps, np.array(first), np.array(second), case=case)
        got = _two_truths(got, case=case)
        hint = "a sequence is lost if -<a1, a2> exceeds the square of the *other* row."
        require(got == expected, f"{case}: expected {expected}, but got {got}. Hint: {hint}")
    _as_on_the_board(traps)
    praise("Right: the criterion of the theorem, and the verdicts of chapter 7's board.")


def _two_truths(got, *, case):
    """A pair of truth values."""
    both = parts(got, ("first lost", "second lost"), case=case)
    return tuple(bool(real_array(one, case=case, dims=0, truths=True)) for one in both)


def _as_on_the_board(traps):
    """The verdicts of chapter 7 on both choices with one wrong token, in random problems with one query."""
    for seed in range(12):
        rng = np.random.default_rng(seed)
        rows = rng.normal(size=(2, 3)) * rng.uniform(0.3, 3, size=(2, 1))
        rows[:, 0] = np.abs(rows[:, 0])
        data = TokenData(
            np.stack([rows, np.zeros((2, 3))], axis=1), np.eye(3)[[0, 0]], np.ones(2), np.eye(3)[0])
        board = [judged_choice(data, np.array(tokens)).verdict == "spurious" for tokens in ([1, 0], [0, 1])]
        case = f"the random rows of seed {seed}"
        got = _two_truths(call(traps, *rows, case=case), case=case)
        require(list(got) == board, f"{case}: chapter 7's board says {board}, not {list(got)}.")


def err_fading(fading: Callable[..., Any]) -> None:
    """Check of `fading(x1, x2, z)`: the winner of joint training, and the limit of its rival's weight."""
    cases = (
        ("x1 = (1, 0), x2 = (0, 0)", [1.0, 0.0], [0.0, 0.0], [1.0, 0.0], (1, 2.0)),
        ("x1 = (0, 0), x2 = (0, 2)", [0.0, 0.0], [0.0, 2.0], [1.0, 0.0], (2, 0.5)),
        ("z twice as long", [1.0, 0.0], [0.0, 0.0], [0.0, 2.0], (1, 0.5)),
        ("x1 = (2, 0), x2 = (0, 1)", [2.0, 0.0], [0.0, 1.0], [1.0, 0.0], (1, 0.4)),
        ("x1 = (1, 0), x2 = (-2, 0)", [1.0, 0.0], [-2.0, 0.0], [1.0, 0.0], (2, 4 / 27)))
    for case, first, second, z, expected in cases:
        got = call(fading, np.array(first), np.array(second), np.array(z), case=case)
        winner, limit = parts(got, ("winner", "limit"), case=case)
        winner = real_array(winner, case=f"{case}, winner", dims=0)
        require(winner == expected[0], f"{case}: token {expected[0]} is longer and wins, not {winner:g}.")
        same_array(
            limit, expected[1], case=f"{case}, limit",
            hint="divide |x|^2 of the winner by half of |D|^2 |z|^2 <D, x>, with D pointing to the winner.")
    _as_trained(fading)
    praise("Right: the longer token wins, and its rival fades with the inverse square of the head.")


def _as_trained(fading):
    """A problem that is trained: the weight of the rival times the squared length of the head."""
    product, case = _trained_product(), "a trained problem"
    got = call(fading, *TRAINED_TOKENS, TRAINED_QUERY, case=case)
    winner, limit = (
        real_array(part, case=case, dims=0) for part in parts(got, ("winner", "limit"), case=case))
    require(
        winner == 2 and abs(limit / product - 1) < 0.03,
        f"{case}: token 2 wins with {product:.3f} after 6000 steps, not {winner:g} with {limit:g}.")


@cache
def _trained_product():
    """The rival's weight times the squared length of the head, trained once for all answers judged."""
    data = TokenData(TRAINED_TOKENS[None], TRAINED_QUERY[None], np.array([-1.0]), np.array([1.0, 0.0]))
    run = train_together(data, record=(6000,))
    return run.weights[0, 0, 0] * (run.v[0] ** 2).sum()
