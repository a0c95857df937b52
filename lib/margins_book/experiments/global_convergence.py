"""How does the probability that descent selects all optimal tokens depend on n, T and d?

Cross-attention, 1000 steps of normalised descent with step 0.1, in W and in (K, Q) with the ridge of 2.2e-16,
from the entries a linear layer starts with; 200 problems for every n, T and d. The share of sequences whose
token is optimal is much higher than the share of runs in which all are. The trend with d is tested by the
correlation of d with success (Cochran and Armitage): z above 2 says that it is no accident.
(book: Local optima, feasibility and over-parameterisation, Global convergence in practice)
"""

import numpy as np
from numpy.typing import NDArray

from margins.attention_svm import train
from margins_book.experiments.estimates import Estimate, Estimates, Row, Settings, Table, mean, share
from margins_book.experiments.problems import draw_problems, draw_starts, sizes
from margins_book.experiments.report import groups

SETTINGS: Settings = {"step": 0.1, "iterations": 1000, "ridge": float(np.finfo(float).eps), "block": 100}
SHAPES = ((5, 5), (10, 5), (15, 5), (5, 10), (5, 15))
DIMENSIONS = (2, 5, 10, 20, 40)
FORMS = ("W", "KQ")
RECORDED: Settings = {"in_order": False}  # how `recorded.packed` writes them
PROBLEMS = [(size, 200) for size in sizes(SHAPES, DIMENSIONS)]


def measure(settings: Settings, *, n: int, T: int, d: int, seed: int) -> list[Row]:
    """Which tokens the problems `seed`, ..., `seed` + block - 1 select, in both forms of descent."""
    seeds = range(seed, seed + settings["block"])
    data, generators = draw_problems(n, T, d, seeds)
    starts = {"W": draw_starts(data, generators), "KQ": draw_starts(data, generators, d)}
    rows = []
    for form in FORMS:
        run = train(
            data,
            starts[form],
            step=settings["step"],
            iterations=settings["iterations"],
            ridge=settings["ridge"] if form == "KQ" else 0.0,
            record=1,
        )
        hits = run.tokens == data.optimal_tokens  # (B, n)
        rows += [
            {"n": n, "T": T, "d": d, "seed": s, "form": form}
            | {"all_optimal": int(hit.all()), "token_accuracy": float(hit.mean())}
            for s, hit in zip(seeds, hits, strict=True)
        ]
    return rows


def estimates(table: Table) -> Estimates:
    """The shares of runs and of sequences with optimal tokens, and the test of the trend with d."""
    found = []
    for (n, T, form), part in groups(table, "n", "T", "form"):
        for (d,), same in groups(part, "d"):
            values = {
                "all optimal": share(same["all_optimal"]),
                "tokens optimal": mean(same["token_accuracy"]),
            }
            found.append(({"n": n, "T": T, "form": form, "d": d}, values))
        z = Estimate(trend(part["d"], part["all_optimal"]))
        found.append(({"n": n, "T": T, "form": form, "d": "all"}, {"trend z": z}))
    return found


def trend(levels: NDArray, successes: NDArray) -> float:
    """The standardised covariance of log levels with success, standard normal if there is no trend.

    (book: Local optima, feasibility and over-parameterisation, Global convergence in practice)
    """
    x, p = np.log(levels), successes.mean()
    if p in (0.0, 1.0) or len(np.unique(levels)) < 2:
        return 0.0
    return float(((x - x.mean()) * successes).sum() / np.sqrt(p * (1 - p) * ((x - x.mean()) ** 2).sum()))
