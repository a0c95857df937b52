"""What rank do the two attention SVMs have, and why do published curves of the nuclear one look different?

Optimal tokens of random problems on the unit sphere, T = 5 with n = 5, 10, 15 and n = 5 with T = 10, 15, for
dimensions from 2 to 20. Solutions are certified to a relative duality gap of 1e-9; the rank counts singular
values above 1e-4 of the largest, infeasible problems are left out. `bound` counts the singular values of the
dual certificate that equal 1: no solution has a larger rank. `fine` counts values above 1e-7, relative to
nothing, as published curves do: here of certified solutions, in `ranks-first-order` of a first-order solver.
(book: Attention converges to an SVM, The rank of the solutions)
"""

import numpy as np

from margins.attention_svm import frobenius_svm, nuclear_svm
from margins.experiments.draws import cells_in_blocks, draw_problems
from margins.experiments.report import groups, lines, mean_and_error, where
from margins.experiments.sweep import Sweep

SETTINGS = {"relative tolerance": 1e-4, "absolute tolerance": 1e-7, "block": 50}
SEEDS = 100
SHAPES = ((5, 5), (10, 5), (15, 5), (5, 10), (5, 15))
DIMENSIONS = (2, 3, 4, 5, 10, 15, 20)
# an earlier run: (n, T, d) -> mean rank Frobenius, mean rank nuclear, feasible of 100
KNOWN = {
    (5, 5): {
        2: (1.91, 1.74, 34),
        3: (2.97, 2.55, 91),
        4: (3.98, 2.57, 100),
        5: (4.90, 2.57, 100),
        10: (5, 2.50, 100),
        15: (5, 2.53, 100),
        20: (5, 2.55, 100),
    },
    (10, 5): {
        2: (2, 2, 2),
        3: (3, 2.83, 12),
        4: (4, 3.48, 88),
        5: (5, 3.65, 100),
        10: (9.98, 3.77, 100),
        15: (10, 3.76, 100),
        20: (10, 3.83, 100),
    },
    (15, 5): {
        2: (np.nan, np.nan, 0),
        3: (np.nan, np.nan, 0),
        4: (4, 3.60, 15),
        5: (5, 4.44, 96),
        10: (10, 4.67, 100),
        15: (14.99, 4.73, 100),
        20: (15, 4.61, 100),
    },
    (5, 10): {
        2: (2, 1.89, 37),
        3: (3, 2.47, 76),
        4: (4, 3.07, 100),
        5: (4.86, 2.99, 100),
        10: (5, 3.07, 100),
        20: (5, 3.03, 100),
    },
    (5, 15): {
        2: (2, 1.94, 33),
        3: (3, 2.68, 65),
        4: (3.97, 2.90, 98),
        5: (4.88, 3.06, 100),
        10: (5, 3.28, 100),
        20: (5, 3.17, 100),
    },
}


def sweep(seeds=SEEDS):
    """The sweep over all shapes and dimensions, `seeds` problems each in blocks."""
    cells = cells_in_blocks(SHAPES, DIMENSIONS, seeds, SETTINGS["block"])
    return Sweep("ranks", measure, cells, SETTINGS)


def measure(settings, *, n, T, d, seed):
    """The rows of the problems `seed`, ..., `seed` + block - 1: NaN where no solution exists."""
    seeds = range(seed, seed + settings["block"])
    data, _ = draw_problems(n, T, d, seeds)
    tokens = data.optimal_tokens
    pairs = zip(frobenius_svm(data, tokens), nuclear_svm(data, tokens), strict=True)
    return [
        {"n": n, "T": T, "d": d, "seed": s} | _ranks(settings, *pair)
        for s, pair in zip(seeds, pairs, strict=True)
    ]


def _ranks(settings, frobenius, nuclear):
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


def report(table):
    """Mean ranks of feasible problems beside an earlier run, z in joint standard errors."""
    rows = []
    for (n, T, d), part in groups(table, "n", "T", "d"):
        solved = where(part, feasible=1)
        known = KNOWN[n, T].get(d)
        counts = f"{len(solved['n'])}/{len(part['n'])}" + (f" ({known[2]})" if known else "")
        means = [_beside(solved[name], known, k) for k, name in enumerate(("frobenius", "nuclear"))]
        extra = [f"{mean_and_error(solved[name])[0]:.2f}" for name in ("bound", "fine")]
        rows.append([n, T, d, counts, *means, *extra])
    header = ["n", "T", "d", "feasible", "rank Frobenius", "rank nuclear", "bound", "above 1e-7"]
    worst = where(table, feasible=1)["gap"].max(initial=0.0)
    return [*lines(header, rows), f"largest relative duality gap: {worst:.1e}"]


def _beside(values, known, column):
    """`mean +- error (earlier mean, z)`, with the earlier error scaled to its number of feasible problems."""
    if not len(values):
        return "none"
    mean, error = mean_and_error(values)
    if known is None or not known[2]:
        return f"{mean:.2f} +- {error:.2f}"
    joint = np.hypot(error, error * np.sqrt(len(values) / known[2]))
    z = (mean - known[column]) / joint if joint else 0.0
    return f"{mean:.2f} +- {error:.2f} ({known[column]:g}, z = {z:+.1f})"
