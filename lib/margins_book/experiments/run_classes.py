"""Where do runs of descent on W end: at the optimal tokens, at other locally optimal ones, or nowhere yet?

Cross-attention, n = 4, T = 6, dimensions from 2 to 64, 3000 steps of normalised descent with step 0.1 from
the entries a linear layer starts with. A run is "global" if all selected tokens are optimal and "local" if
not; "not converged" if a winning probability is below 1 - 1e-6 or the correlation of W with the SVM of its
tokens is below .99.
(book: Local optima, feasibility and over-parameterisation, Where runs end)
"""

import numpy as np

from margins.attention_svm import classify_run, train
from margins_book.experiments.estimates import Estimates, Row, Settings, Table, mean, share
from margins_book.experiments.problems import draw_problems, draw_starts
from margins_book.experiments.report import groups

SETTINGS: Settings = {"n": 4, "T": 6, "step": 0.1, "iterations": 3000, "block": 50}
KINDS = ("global", "local", "not converged")
DIMENSIONS = (2, 4, 8, 16, 64)
RECORDED: Settings = {"in_order": False}  # how `recorded.packed` writes them
PROBLEMS = [({"d": d}, 100) for d in DIMENSIONS]


def measure(settings: Settings, *, d: int, seed: int) -> list[Row]:
    """The verdicts on the problems `seed`, ..., `seed` + block - 1."""
    seeds = range(seed, seed + settings["block"])
    data, generators = draw_problems(settings["n"], settings["T"], d, seeds)
    run = train(
        data,
        draw_starts(data, generators),
        step=settings["step"],
        iterations=settings["iterations"],
        record=1,
    )
    return [
        {
            "d": d,
            "seed": s,
            "kind": verdict.kind,
            "token_accuracy": verdict.token_accuracy,
            "gap": verdict.solution.gap if verdict.solution.feasible else np.nan,
        }
        for s, verdict in zip(seeds, classify_run(data, run.W[-1]), strict=True)
    ]


def estimates(table: Table) -> Estimates:
    """The shares of the three ends, and of sequences with optimal tokens."""
    return [
        (
            {"d": d},
            {kind: share(part["kind"] == kind) for kind in KINDS}
            | {"tokens optimal": mean(part["token_accuracy"])},
        )
        for (d,), part in groups(table, "d")
    ]
