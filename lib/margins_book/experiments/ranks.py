"""What rank do the two attention SVMs have, and why do published curves of the nuclear one look different?

Optimal tokens of random problems on the unit sphere, T = 5 with n = 5, 10, 15 and n = 5 with T = 10, 15, for
dimensions from 2 to 20. Solutions are certified to a relative duality gap of 1e-9; the rank counts singular
values above 1e-4 of the largest, infeasible problems are left out. `bound` counts the singular values of the
dual certificate that equal 1: no solution has a larger rank. `fine` counts values above 1e-7, relative to
nothing, as published curves do: here of certified solutions, in `ranks-first-order` of a first-order solver.
(book: Attention converges to an SVM, The rank of the solutions)
"""

import numpy as np

from margins.attention_svm import AttentionSVM, frobenius_svm, nuclear_svm
from margins_book.experiments.estimates import Estimates, Row, Settings, Table, mean, share
from margins_book.experiments.problems import draw_problems, sizes
from margins_book.experiments.report import groups, where

SETTINGS: Settings = {"relative tolerance": 1e-4, "absolute tolerance": 1e-7, "block": 50}
SHAPES = ((5, 5), (10, 5), (15, 5), (5, 10), (5, 15))
DIMENSIONS = (2, 3, 4, 5, 10, 15, 20)
RECORDED: Settings = {"in_order": False}  # how `recorded.packed` writes them
PROBLEMS = [(size, 100) for size in sizes(SHAPES, DIMENSIONS)]


def measure(settings: Settings, *, n: int, T: int, d: int, seed: int) -> list[Row]:
    """The rows of the problems `seed`, ..., `seed` + block - 1: NaN where no solution exists."""
    seeds = range(seed, seed + settings["block"])
    data, _ = draw_problems(n, T, d, seeds)
    tokens = data.optimal_tokens
    pairs = zip(frobenius_svm(data, tokens), nuclear_svm(data, tokens), strict=True)
    return [
        {"n": n, "T": T, "d": d, "seed": s} | _ranks(settings, *pair)
        for s, pair in zip(seeds, pairs, strict=True)
    ]


def _ranks(settings: Settings, frobenius: AttentionSVM, nuclear: AttentionSVM) -> Row:
    """The ranks of a problem's two solutions, by both tolerances."""
    if not frobenius.feasible:
        return {"feasible": 0} | dict.fromkeys(("frobenius", "nuclear", "bound", "fine", "gap"), np.nan)
    relative, absolute = settings["relative tolerance"], settings["absolute tolerance"]
    return {
        "feasible": 1,
        "frobenius": frobenius.rank(relative),
        "nuclear": nuclear.rank(relative),
        "bound": nuclear.rank_bound(relative),
        "fine": int((np.linalg.svd(nuclear.W, compute_uv=False) > absolute).sum()),
        "gap": max(frobenius.gap, nuclear.gap),
    }


def estimates(table: Table) -> Estimates:
    """The shares of feasible problems and the mean ranks of their solutions."""
    found = []
    for (n, T, d), part in groups(table, "n", "T", "d"):
        solved = where(part, feasible=1)
        values = {"feasible": share(part["feasible"])}
        if len(solved["n"]):
            values |= {
                f"rank {name}": mean(solved[name]) for name in ("frobenius", "nuclear", "bound", "fine")
            }
        found.append(({"n": n, "T": T, "d": d}, values))
    return found
