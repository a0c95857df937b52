"""From which dimension on is the attention SVM feasible, for the optimal tokens and for a random choice?

Cross-attention with tokens on the unit sphere, where every token is a vertex of its sequence, and with normal
tokens, where few are while d is small. `separable` says that some u has Y_i u.z_i > 0 for all sequences: then
the optimal tokens are feasible by a matrix of rank one. The paper proves that d >= max(T - 1, n) is enough
for any choice, for almost all data.
(book: Local optima, feasibility and over-parameterisation, Feasibility)
"""

import numpy as np

from margins.attention_svm import TokenData, frobenius_svm, query_separator
from margins_book.experiments.estimates import Estimates, Row, Settings, Table, share
from margins_book.experiments.problems import draw_problems, sizes
from margins_book.experiments.report import groups

SETTINGS: Settings = {"block": 50}
SHAPES = ((10, 5), (5, 10), (2, 20))
DIMENSIONS = (2, 3, 4, 5, 7, 10, 20)
TOKENS = ("sphere", "normal")
RECORDED: Settings = {"in_order": False}  # how `recorded.packed` writes them
PROBLEMS = [(size, 100) for size in sizes(SHAPES, DIMENSIONS)]


def measure(settings: Settings, *, n: int, T: int, d: int, seed: int) -> list[Row]:
    """The verdicts on the problems `seed`, ..., `seed` + block - 1 with both kinds of tokens."""
    seeds = range(seed, seed + settings["block"])
    data, generators = draw_problems(n, T, d, seeds)
    normal = np.stack([rng.normal(size=(n, T, d)) for rng in generators])
    choices = np.stack([rng.integers(T, size=n) for rng in generators])  # (B, n)
    separable = [int(query_separator(data[k]) is not None) for k in range(len(seeds))]
    rows = []
    for kind, X in zip(TOKENS, (data.X, normal), strict=True):
        sets = TokenData(X, data.Z, data.Y, data.v)
        chosen = {"optimal": sets.optimal_tokens, "any": choices}
        found = {name: frobenius_svm(sets, tokens) for name, tokens in chosen.items()}
        rows += [
            {"n": n, "T": T, "d": d, "seed": s, "tokens": kind, "separable": separable[k]}
            | {name: int(solutions[k].feasible) for name, solutions in found.items()}
            | {"gap": max(solutions[k].gap if solutions[k].feasible else 0.0 for solutions in found.values())}
            for k, s in enumerate(seeds)
        ]
    return rows


def estimates(table: Table) -> Estimates:
    """The shares of problems with separable queries, and of feasible problems."""
    return [
        (
            {"n": n, "T": T, "tokens": kind, "d": d},
            {name: share(part[name]) for name in ("separable", "optimal", "any")},
        )
        for (n, T, kind, d), part in groups(table, "n", "T", "tokens", "d")
    ]
