"""Chapter 9: what dropping an idle token does to gradient flow and to spurious choices."""

import numpy as np

from margins import attention_svm as att
from margins.least_distance import least_distance
from margins_book.sequences_and_data import idle_tokens as idle


def lost(name, count, starts, length=150):
    """The share of starts from which the flow gives the attention of a sequence to a worse token."""
    first, head = idle.PROBLEMS[name]
    w = idle.flow_paths(starts, [first[:count], idle.PAIR], head, length, 11, 50)[-1]
    ends = np.column_stack([(w @ X.T).argmax(axis=1) for X in (first[:count], idle.PAIR)])
    return float(np.mean(ends.any(axis=1)))


def around(height, number=40):
    """Starts with |w_1| < 1/2 around (0, height)."""
    return np.random.default_rng(0).uniform([-0.5, height], [0.5, height + 5], size=(number, 2))


def random_problem(rng):
    """Three tokens, a pair and a head; token 0 of each has the highest score."""
    head = rng.normal(size=2 + rng.integers(2))
    rows = rng.normal(size=(3, len(head))) * rng.uniform(0.3, 3, size=(3, 1))
    a, c, b = rows * np.sign(rows @ head)[:, None]
    return np.array([0 * a, -a, -c]), np.array([b, 0 * b]), head


def test_c9_13_with_the_idle_token_every_start_ends_at_the_best_tokens():
    starts = 12 * np.random.default_rng(0).normal(size=(60, 2))
    assert max(lost("creates a trap", 3, starts), lost("removes a trap", 2, starts)) == 0


def test_c9_13_correction_without_the_idle_token_an_open_set_of_starts_is_lost():
    assert lost("creates a trap", 3, around(10)) == 0
    assert lost("creates a trap", 2, around(10)) == 1


def test_c9_13_correction_an_idle_token_can_be_the_trap():
    assert lost("removes a trap", 3, around(10)) == 1
    assert lost("removes a trap", 2, around(10)) == 0


def test_c9_13_the_list_of_spurious_choices_is_that_of_the_library():
    rng, differ, total = np.random.default_rng(0), 0, 0
    for _ in range(60):
        problem = random_problem(rng)
        board = att.all_choices(idle.token_data(*problem))
        spurious = {tuple(choice.tokens.tolist()) for choice in board if choice.verdict == "spurious"}
        differ += spurious != idle.listed_choices(*problem)
        total += len(spurious)
    assert total > 2
    assert differ == 0


def test_c9_13_pruning_changes_the_spurious_choices_of_a_few_problems():
    rng, created, removed = np.random.default_rng(0), [], []
    while len(created) < 500:
        problem = random_problem(rng)
        first, pair, _ = problem
        w = least_distance(np.array([-first[1], -first[2], pair[0]])).point
        for kept, dropped in ((1, 2), (2, 1)):
            if w is not None and -first[dropped] @ w > 1 + idle.TOUCHES:
                before, after = (
                    bool(idle.listed_choices(*problem)),
                    idle.is_trap_of_pairs(-first[kept], pair[0]),
                )
                created.append(after and not before)
                removed.append(before and not after)
    assert max(np.mean(created), np.mean(removed)) < 0.08
    assert min(np.mean(created), np.mean(removed)) > 0.01
