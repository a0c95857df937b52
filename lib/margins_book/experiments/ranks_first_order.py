"""What rank of the nuclear SVM does a first-order solver show with a fixed tolerance, as in published curves?

The same problems as in `ranks`, solved by SCS through cvxpy to its usual accuracy of 1e-5; the rank counts
singular values above 1e-7, below the solver's error, and a problem without a solution counts as rank 1 in
the column `as published` (the rank that NumPy gives of None). The certified ranks stand beside it.
(book: Attention converges to an SVM, The rank of the solutions)
"""

import warnings
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from margins.attention_svm import AttentionSVM, TokenData, nuclear_svm
from margins.attention_svm.constraints import pair_constraints
from margins.attention_svm.reference import ProgramOptimum, compiled_program
from margins_book.experiments.estimates import Estimates, Row, Settings, Table, mean, median, share
from margins_book.experiments.problems import draw_problems, sizes
from margins_book.experiments.report import groups, where

SETTINGS: Settings = {"absolute tolerance": 1e-7, "relative tolerance": 1e-4, "accuracy": 1e-5, "block": 50}
SIZES = (5, 10, 15)
DIMENSIONS = (2, 10, 15, 20)  # few problems have a solution, and where the figure differs most
RECORDED: Settings = {"in_order": False, "digits": 1}  # how `recorded.packed` writes them
PROBLEMS = [(size, 100) for size in sizes([(n, 5) for n in SIZES], DIMENSIONS)]


def measure(settings: Settings, *, n: int, T: int, d: int, seed: int) -> list[Row]:
    """The rows of the problems `seed`, ..., `seed` + block - 1."""
    seeds = range(seed, seed + settings["block"])
    data, _ = draw_problems(n, T, d, seeds)
    certified = nuclear_svm(data, data.optimal_tokens)
    eps = settings["accuracy"]
    first_order = compiled_program(n * (T - 1), d, solver="SCS", eps_abs=eps, eps_rel=eps)
    return [
        {"n": n, "T": T, "d": d, "seed": s} | _ranks(settings, data[k], certified[k], first_order)
        for k, s in enumerate(seeds)
    ]


def _ranks(
    settings: Settings,
    data: TokenData,
    certified: AttentionSVM,
    first_order: Callable[[NDArray], ProgramOptimum],
) -> Row:
    """The certified rank of a problem, and what a first-order solver and a fixed tolerance make of it."""
    if not certified.feasible:
        return {"feasible": 0, "certified": np.nan, "first_order": 1, "error": np.nan, "gap": np.nan}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of inaccurate solutions: they are the subject
        first = first_order(pair_constraints(data, data.optimal_tokens).rows)
    values = np.linalg.svd(np.nan_to_num(first.W), compute_uv=False)
    solved = first.status == "optimal"
    return {
        "feasible": 1,
        "certified": certified.rank(settings["relative tolerance"]),
        "first_order": int((values > settings["absolute tolerance"]).sum()) if solved else 1,
        "error": float(np.linalg.norm(first.W - certified.W) / np.linalg.norm(certified.W)),
        "gap": certified.gap,
    }


def estimates(table: Table) -> Estimates:
    """Mean certified ranks beside first-order ones, those without and with infeasible problems as rank 1."""
    found = []
    for (n, d), part in groups(table, "n", "d"):
        solved = where(part, feasible=1)
        values = {"feasible": share(part["feasible"])}
        if len(solved["n"]):
            values |= {f"rank {name}": mean(solved[name]) for name in ("certified", "first_order")}
            values["error of W"] = median(solved["error"])
        found.append(({"n": n, "d": d}, values | {"rank as published": mean(part["first_order"])}))
    return found
